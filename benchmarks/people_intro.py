"""What the table comes to: the sentences at the top of ``docs/people-table.md``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from consensus_predictions import (
    CORPUS_ALONE,
    RANKS,
    UNSEEN_CORPUS,
    VECTORS_ALONE,
    WITHOUT_REFERENCE,
)
from people_cells import listed, short
from people_lines import Line
from people_rows import Ceiling
from people_sets import MAIN, OWN
from people_variants import COUNTED, OWN_TEXTS, WIKIPEDIA, Label, kind_of
from people_versus import Differences, best_single


def intro(lines: Sequence[Line], ceilings: Mapping[str, Ceiling], versus: Differences) -> str:
    """Say in a few sentences what agrees best with people, what to do with less, and what not."""
    said = [_best(lines, versus), *_with_less(lines), _limits(lines, ceilings)]
    return textwrap.fill(" ".join(said), 118, break_long_words=False, break_on_hyphens=False)


def _best(lines: Sequence[Line], versus: Differences) -> str:
    ours, single = _row(lines, UNSEEN_CORPUS), best_single(lines)
    counted = next(one for one in lines if one.label == Label(COUNTED, WIKIPEDIA))
    other = f"{_named(single)} ({short(single.mean)})"
    if ours.mean <= single.mean:
        return (
            f"**{_named(single)} agrees best with people**: Pearson's r is {listed(single)}, "
            f"{short(single.mean)} in the mean; `consensus` has {short(ours.mean)}, by judges that "
            "were not taught with the topics' corpus."
        )
    clear = sum(number.low > 0 for number in versus[ours.label].values())
    return (
        f"**`consensus` agrees best with people**: by judges that were not taught with the topics' "
        f"corpus, Pearson's r is {listed(ours)}, {short(ours.mean)} in the mean, "
        f"{short(ours.mean - single.mean)} more than the best single metric, {other}, and "
        f"{short(ours.mean - counted.mean)} more than document NPMI in Wikipedia as written "
        f"({short(counted.mean)}); in "
        f"{clear} of the {len(MAIN)} sets it is ahead of the former by more than chance."
    )


def _with_less(lines: Sequence[Line]) -> Iterable[str]:
    """Say what to take where there are no texts, no reference, only the corpus, no judges."""
    single = [one for one in lines if not (one.also or one.consensus)]
    vectors = next(one for one in single if one.everywhere and not one.against
                   and kind_of(one.label.expression) == "vectors")  # fmt: skip
    own = max((one for one in single if one.label.evidence == OWN_TEXTS), key=_there)
    alone, without = _row(lines, CORPUS_ALONE), _row(lines, WITHOUT_REFERENCE)
    none, ranks = _row(lines, VECTORS_ALONE), _row(lines, RANKS)
    yield (
        f"Without any texts, take it with vectors alone: {short(none.mean)} in the mean, where the "
        f"best single metric, {_named(vectors)}, has {short(vectors.mean)}."
    )
    yield (
        f"Without a reference, it has {short(_there(without))} by corpus and vectors and "
        f"{short(_there(alone))} by the corpus alone on {OWN.title}, the one set whose texts are "
        f"at hand, where `{own.label.expression}` has {short(_there(own))}; `{RANKS}`, taught with "
        f"nothing, has {short(ranks.mean)} in the mean of all sets."
    )


def _limits(lines: Sequence[Line], ceilings: Mapping[str, Ceiling]) -> str:
    words = next(one for one in lines if one.everywhere and not (one.also or one.consensus)
                 and kind_of(one.label.expression) == "words")  # fmt: skip
    most = [short(ceilings[one.name].most) for one in MAIN if ceilings[one.name].most > 0]
    return (
        f"No metric reaches what people's means would allow ({', '.join(most)}); those that only "
        "compare the words of topics with each other say next to nothing of single topics "
        f"(`{words.label.expression}` {short(words.mean)}); and many intervals overlap: the order "
        "of neighbours in the table may be chance."
    )


def _row(lines: Iterable[Line], expression: str) -> Line:
    return next(one for one in lines if one.consensus and one.label.expression == expression)


def _there(line: Line) -> float:
    """Return r in the set whose texts are at hand; less than any where there is none."""
    number = line.number(OWN.name)
    return number.value if number.known else -1.0


def _named(line: Line) -> str:
    how = "counted in" if kind_of(line.label.expression) == "counts" else "with"
    return f"`{line.label.expression}` {how} {line.label.evidence}"
