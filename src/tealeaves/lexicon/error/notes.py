"""What must be said beside the numbers of an evaluation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from tealeaves.lexicon.error.bootstrap import FEWEST_RESAMPLED
from tealeaves.lexicon.error.comparing import can_differ
from tealeaves.lexicon.error.rows import LemmaError
from tealeaves.lexicon.error.summaries import Difference, Plan
from tealeaves.lexicon.error.summarising import parts_of_speech
from tealeaves.tables.numbers import list_text

#: So many names a note lists before it counts the others.
MOST_NAMED = 5


def notes_of(
    rows: Sequence[LemmaError], differences: Sequence[Difference], plan: Plan
) -> list[str]:
    """Say what was left out, and what intervals and tests cannot tell."""
    found = [*_left_out(rows), *_unequal(rows)]
    measured = {row.lemma for row in rows if not math.isnan(row.measures.error)}
    if len(measured) < 2:
        found.append("a single lemma has no interval: lemmas are what is sampled")
    elif len(measured) < FEWEST_RESAMPLED:
        found.append(f"intervals are Student's: {len(measured)} lemmas are too few to be resampled")
    return [*found, *_on_languages(rows), *_no_letters(differences, plan)]


def _on_languages(rows: Sequence[LemmaError]) -> Iterator[str]:
    """Say where languages have too few lemmas for an interval, or lack a part of speech."""
    measured = [row for row in rows if not math.isnan(row.measures.error)]
    targets = list(dict.fromkeys(row.target for row in measured))
    if len(targets) < 2:
        return
    single = list(dict.fromkeys(_single(measured)))
    if single:
        yield (
            "a language with a single lemma has no interval, nor has a total over it: "
            f"{list_text(single, MOST_NAMED)}"
        )
    lacking = []
    for pos in parts_of_speech(measured):
        own = {row.target for row in measured if row.pos == pos}
        lacking += [f"{pos} is not in {target}" for target in targets if target not in own]
    if lacking:
        yield (
            "the total of a part of speech is over the languages that have it: "
            f"{list_text(lacking, MOST_NAMED)}"
        )


def _single(rows: Sequence[LemmaError]) -> Iterator[str]:
    """Yield the languages where a model has one lemma, then those where it has one of a part."""
    whole = Counter((row.model, row.target) for row in rows)
    yield from (target for (_, target), count in whole.items() if count == 1)
    if not parts_of_speech(rows):
        return
    parts = Counter((row.model, row.target, row.pos) for row in rows if row.pos)
    for (model, target, pos), count in parts.items():
        if count == 1 and whole[model, target] > 1:
            yield f"{target} ({pos})"


def _no_letters(differences: Sequence[Difference], plan: Plan) -> list[str]:
    """Say why letters are missing."""
    if not differences:
        return []
    untested = [f"{row.model_a} and {row.model_b}" for row in differences if math.isnan(row.p)]
    if untested:
        why = "models that share fewer than two lemmas were not tested"
        return [f"no letters: {why}: {list_text(untested, MOST_NAMED)}"]
    if can_differ(differences, plan):
        return []
    return [
        f"no letters: with so few lemmas no test could reach p ≤ {plan.alpha:g}, however far "
        "models are apart"
    ]


def _left_out(rows: Sequence[LemmaError]) -> list[str]:
    """Count the lemmas with fewer than two tokens, which have no pairs."""
    short = dict.fromkeys((row.lemma, row.target) for row in rows if math.isnan(row.measures.error))
    if not short:
        return []
    several = len({row.target for row in rows}) > 1
    names = [f"{lemma} in {target}" if several else lemma for lemma, target in short]
    count = "1 lemma is" if len(short) == 1 else f"{len(short)} lemmas are"
    return [f"{count} left out, with fewer than two tokens: {list_text(names, MOST_NAMED)}"]


def _unequal(rows: Sequence[LemmaError]) -> list[str]:
    """Say which models lack lemmas that others have: their means are not of the same."""
    every = {(row.target, row.lemma) for row in rows}
    found = []
    for model in dict.fromkeys(row.model for row in rows):
        own = {(row.target, row.lemma) for row in rows if row.model == model}
        if lacking := len(every - own):
            found.append(f"{model} ({lacking} of {len(every)})")
    if not found:
        return []
    return [
        "means are of different lemmas, only differences of two models are of the same: "
        f"lemmas are missing from {list_text(found, MOST_NAMED)}"
    ]
