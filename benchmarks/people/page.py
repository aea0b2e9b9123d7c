"""The page ``RESULTS.md``: what a user wants to know, then all tables."""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.consensus.predictions import (
    CORPUS_ALONE,
    RANKS,
    UNSEEN_CORPUS,
    VECTORS_ALONE,
    WITHOUT_REFERENCE,
)
from benchmarks.machine import machine_lines, versions
from benchmarks.markdown import table
from benchmarks.people.agreement import (
    DRAWS,
    PARTIAL,
    PEARSON,
    PHIK,
    SEED,
    SPEARMAN,
    Differences,
    MetricLine,
    Number,
    PeopleCeiling,
    best_single,
)
from benchmarks.people.sets import FURTHER, MAIN, OWN, SETS, PeopleSet
from benchmarks.people.stages import BUDGET
from benchmarks.people.variants import (
    COUNTED,
    OWN_TEXTS,
    WIKIPEDIA,
    Label,
    kind_of,
    metric_in,
    not_computed,
)
from tealeaves.metrics.registry import METRICS

READING = f"""\
How to read it:

- A cell has the Pearson, Spearman and phi_K correlations with people's mean score, over topics.
  phi_K has no sign and is above 0 by chance.
- ↓ marks a metric for which lower is declared to be better, so its r should be negative. ‡ marks
  a metric that people contradict: they prefer what it declares to be worse.
- `@15`, `@10`: a metric judges as many words as people saw. In word intrusion they saw five words
  of the topic and the intruder; there, metrics judge the usual ten words.
- "people" is Pearson's r of one person with the mean of the others. "at most" is the square root
  of the reliability of people's means; no metric can be expected to exceed it. Both are unknown
  if only means were published.
- `consensus` is fitted to people's answers. These rows come from predictors that were fitted
  without the topics that they rate: without all sets of their corpus ("corpus left out"), or
  without all topics that share half of their words ("cluster left out"). `consensus(kind=ranks)`
  is not fitted. The predictors that come with tealeaves were fitted to all of these topics, so
  they would look too good here. The signals of the predictors were chosen with all sets.
- A topic without a value is left out for that metric: the CSV has the numbers.
- "corpus" means the texts that the topics were made from. They are available for 20 Newsgroups
  only. For the other sets, consensus works without them, or, in rows without a reference, uses
  the lemmatised Wikipedia in their place.
- "mean size of r" is the mean of |r| over the {len(MAIN)} sets of the first table, or over those
  that have a number (in brackets). Do not rank metrics with one set among metrics with several.
- "50 models" is Pearson / Spearman with the means of models. Wikitext has three models and
  Wikipedia one: too few.
- "given `{COUNTED}`" has partial correlations (Pearson) for each set, with document NPMI held
  constant. NPMI is counted in the corpus if it is available (20 Newsgroups), else in Wikipedia.
- "ms per topic" is the metric's own time when its evidence is in memory. "gathering, s" is the
  time to get that evidence for all sets: to count in all texts, to embed all words, or to fit a
  classifier and run it on {BUDGET:,} texts. Both are processor time. Metrics that need the same
  counts, vectors or relevance share them."""

HOW = f"""\
```sh
TEALEAVES_DATA=/path/to/data python -m benchmarks people{{options}}
```

All metrics of the registry are tried. What is counted is counted in the texts that the topics are
of (own texts: 20 Newsgroups, prepared as its topics were; those of the others are not available)
and in 39,004 articles of Wikipedia (2014), by words as they are written; by lemmas, too, for the
main metrics, since that is the reference of consensus
([consensus](../../docs/consensus.md) explains it). The predictors of consensus work here as in the
metric: each topic by the sources that know enough of its words. The classifier is a probe on
MiniLM, fitted to 20 Newsgroups; it reads {BUDGET:,} texts. Vectors are of five embeddings.

{{sets}}

Khodorchenko, Butakov & Nasonov (2022); Hoyle et al. (2021), their balanced sample, with the ceiling
of all answers; Lau & Baldwin (2016). Topics whose words have a Jaccard index of .5 or more are one
cluster; intervals are of {DRAWS:,} bootstrap samples of clusters (BCa), those of phi_K of 200
random halves ([people](../../docs/people.md) explains both). phi_K has 10 bins and its noise
correction. All seeds are {SEED}. Corner cases are tried the same way for all metrics of counts
that have them: words that the texts lack (`oov=zero`) and, for measures of NPMI, words that are
never together (`never=0`). The best variants are found on the very data they are shown on: where
two are close, the better one may be so by chance.

`--also FILE` adds values from elsewhere, taken at their word; of what learned from these people
only values for topics that it never saw belong there. They come first in the tables (from: file). A
line of JSON for each topic:
`{{{{"set": "hoyle2021_ratings", "model": "etm", "topic": "7", "metric": "mine", "value": 0.5}}}}`.

{{machine}}"""

VERSUS = """\
By how much Pearson's r is higher than that of the single metric with the highest mean of all,
{name} from {evidence}.
Intervals (95 %) are of the differences, in the same bootstrap samples of clusters. The single
metric is the best of all variants on the very data it is shown on."""

Ceilings = Mapping[str, PeopleCeiling]


def page(
    lines: Sequence[MetricLine],
    ceilings: Ceilings,
    versus: Differences,
    across: Sequence[Mapping[str, Any]],
    also: Sequence[Path],
) -> str:
    """Write the page; ``also`` are the files of further values."""
    parts = [
        "# Every metric against people",
        intro(lines, ceilings, versus),
        "![How well metrics agree with people, set by set](results.svg)",
        "All numbers, with the intervals of every coefficient: [results.csv](results.csv).",
        READING,
        "## All metrics",
        main_table(lines, ceilings),
        "## Consensus and the best single metric",
        VERSUS.format(name=name_of(best_single(lines)), evidence=best_single(lines).label.evidence),
        versus_table(versus),
        "## Intervals",
        "Pearson's r by topic with its 95 % interval.",
        by_set(lines, PEARSON),
        "## Beyond co-occurrence",
        f"Partial correlation by topic with its 95 % interval, document NPMI (`{COUNTED}`) held "
        "constant: what a metric knows that counting words in documents does not.",
        by_set(lines, PARTIAL),
        "## Models",
        by_model(lines),
        "## Other numbers of words",
        "The same 300 topics of Wikipedia, where people saw other numbers of words, and metrics "
        "look at as many: Pearson / Spearman / phi_K by topic.",
        further(lines),
        "## Not computed",
        "The sets have the words of topics, in one language, and not the models that made them:",
        table(["metric", "why there is no number"], blanks(lines)),
        "## Across languages",
        *across_table(across),
        "## How it was made",
        HOW.format(
            options="".join(f" --also {path.name}" for path in also),
            sets=described(lines),
            machine="\n".join(machine()),
        ),
    ]
    return "\n\n".join(parts) + "\n"


# ---------------------------------------------------------------------- tables


def main_table(lines: Sequence[MetricLine], ceilings: Ceilings) -> str:
    """Write all coefficients, and how long a metric takes."""
    head = [
        "metric",
        "from",
        *(headed(one, ceilings[one.name]) for one in MAIN),
        "mean size of r (sets)",
        f"50 models of {OWN.title}",
        f"given `{COUNTED}`",
        "ms per topic",
        "gathering, s",
    ]
    return table(head, (_main_cells(line) for line in lines))


def _main_cells(line: MetricLine) -> list[str]:
    models = [line.models.number(name).value for name in THREE[:2]] if line.models else [math.nan]
    return [
        name_of(line),
        line.label.evidence,
        *(joined([line.number(one.name, name).value for name in THREE]) for one in MAIN),
        f"{short(line.mean)} ({len(line.values())})" if line.values() else NONE,
        joined(models),
        joined([line.number(one.name, PARTIAL).value for one in MAIN]),
        milliseconds(line.seconds),
        whole_seconds(line.gathering),
    ]


def versus_table(versus: Differences) -> str:
    """Write how much more consensus has than the best single metric."""
    body = [
        [f"`{label.expression}`", *(between(numbers.get(one.name, Number())) for one in MAIN)]
        for label, numbers in versus.items()
    ]
    return table(["", *(headed(one) for one in MAIN)], body)


def by_set(lines: Iterable[MetricLine], coefficient: str) -> str:
    """Write one coefficient of all sets with its intervals."""
    head = ["metric", "from", *(headed(one) for one in MAIN)]
    rows = [
        [name_of(line), line.label.evidence, *cells]
        for line in lines
        for cells in [[between(line.number(one.name, coefficient)) for one in MAIN]]
        if any(cell != NONE for cell in cells)
    ]
    return table(head, rows)


def by_model(lines: Iterable[MetricLine]) -> str:
    """Write the coefficients of models, the best first."""
    shown = [line for line in lines if line.models is not None]
    shown.sort(key=lambda line: -abs(line.models.number(PEARSON).value) if line.models else 0.0)
    body = []
    for line in shown:
        if line.models is not None:
            numbers = [between(line.models.number(name)) for name in (*THREE, PARTIAL)]
            body.append([name_of(line), line.label.evidence, *numbers])
    size = max(line.models.n for line in shown if line.models)
    head = ["metric", "from", "Pearson", "Spearman", "phi_K", f"Pearson given `{COUNTED}`"]
    return (
        f"The {size} models of {OWN.title}: people's score of a model is the mean of its topics'. "
        f"phi_K of fewer than a hundred values says little.\n\n{table(head, body)}"
    )


def further(lines: Iterable[MetricLine]) -> str:
    """Write the coefficients of the further sets."""
    head = ["metric", "from", *(headed(one) for one in FURTHER)]
    body = [
        [
            name_of(line),
            line.label.evidence,
            *(joined([line.number(one.name, name).value for name in THREE]) for one in FURTHER),
        ]
        for line in lines
        if any(one.name in line.topics for one in FURTHER)
    ]
    return table(head, body)


def blanks(lines: Iterable[MetricLine]) -> Iterator[list[str]]:
    """Yield the metrics of the registry that have no number, and why."""
    there = {metric_in(line.label.expression) for line in lines}
    known = dict(not_computed())
    for name in METRICS:
        if name not in there:
            yield [f"`{name}`", known.get(name, "constant or undefined in all sets")]


def across_table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Write what is known of topics in two languages."""
    yield (
        "Hao, Boyd-Graber & Paul (2018) asked people of topics in two languages, but did not "
        "release the words of the topics: nothing can be computed anew. They did release their "
        "values of MTA (`mta@10`), which are correlated here, and the coefficients of CNPMI and "
        "INPMI in their Table 2, which are only repeated."
    )
    published = {
        "`cnpmi`, Bible": "bible_cnpmi",
        "`cnpmi`, Wikipedia": "wiki_cnpmi",
        "`inpmi`, Bible": "bible_inpmi",
        "`inpmi`, Wikipedia": "wiki_inpmi",
    }
    people = "people: one with others / at most"
    head = ["pair", "topics", people, "`mta`: Pearson", "`mta`: Spearman", *published]
    yield table(
        head,
        (
            [
                row["pair"],
                str(row["n"]),
                joined([row["one"], row["most"]]),
                between(row[PEARSON]),
                between(row[SPEARMAN]),
                *(short(row[name]) for name in published.values()),
            ]
            for row in rows
        ),
    )


# ---------------------------------------------------------------------- how


def described(lines: Sequence[MetricLine]) -> str:
    """Write what the sets are, and how many topics and clusters are in each."""
    body = []
    for one in SETS:
        rows = [line.topics[one.name] for line in lines if one.name in line.topics]
        most = max(rows, key=lambda row: row.n)
        body.append([f"`{one.name}`", one.title, one.said, f"{most.n:,} in {most.clusters:,}"])
    return table(["set", "here", "what people were asked", "topics in clusters"], body)


def machine() -> list[str]:
    """Return when, where and with what it was run."""
    packages = ("tealeaves", "numpy", "scipy", "phik", "torch", "transformers", "wordllama")
    return [*machine_lines(), f"- Versions: {versions(Path(sys.executable), packages)}"]


# ---------------------------------------------------------------------- the first sentences


def intro(
    lines: Sequence[MetricLine], ceilings: Mapping[str, PeopleCeiling], versus: Differences
) -> str:
    """Say in a few sentences what agrees best with people, what to do with less, and what not."""
    said = [_best(lines, versus), *_with_less(lines), _limits(lines, ceilings)]
    return textwrap.fill(" ".join(said), 118, break_long_words=False, break_on_hyphens=False)


def _best(lines: Sequence[MetricLine], versus: Differences) -> str:
    ours, single = _row(lines, UNSEEN_CORPUS), best_single(lines)
    counted = next(one for one in lines if one.label == Label(COUNTED, WIKIPEDIA))
    other = f"{_named(single)} ({short(single.mean)})"
    if ours.mean <= single.mean:
        return (
            f"**{_named(single)} agrees best with people**: Pearson's r is {listed(single)}, "
            f"{short(single.mean)} in the mean; `consensus` has {short(ours.mean)}, by predictors "
            "that were not fitted to the topics' corpus."
        )
    clear = sum(number.low > 0 for number in versus[ours.label].values())
    return (
        f"**`consensus` agrees best with people**: by predictors that were not fitted to the "
        f"topics' corpus, Pearson's r is {listed(ours)}, {short(ours.mean)} in the mean, "
        f"{short(ours.mean - single.mean)} more than the best single metric, {other}, and "
        f"{short(ours.mean - counted.mean)} more than document NPMI in Wikipedia as written "
        f"({short(counted.mean)}); in "
        f"{clear} of the {len(MAIN)} sets it is ahead of the former by more than chance."
    )


def _with_less(lines: Sequence[MetricLine]) -> Iterable[str]:
    """Say what to take where there are no texts, no reference, only the corpus, no predictors."""
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
        f"available, where `{own.label.expression}` has {short(_there(own))}; `{RANKS}`, which is "
        f"not fitted, has {short(ranks.mean)} in the mean of all sets."
    )


def _limits(lines: Sequence[MetricLine], ceilings: Mapping[str, PeopleCeiling]) -> str:
    words = next(one for one in lines if one.everywhere and not (one.also or one.consensus)
                 and kind_of(one.label.expression) == "words")  # fmt: skip
    most = [short(ceilings[one.name].most) for one in MAIN if ceilings[one.name].most > 0]
    return (
        f"No metric reaches what people's means would allow ({', '.join(most)}); those that only "
        "compare the words of topics with each other say next to nothing of single topics "
        f"(`{words.label.expression}` {short(words.mean)}); and many intervals overlap: the order "
        "of neighbours in the table may be chance."
    )


def _row(lines: Iterable[MetricLine], expression: str) -> MetricLine:
    return next(one for one in lines if one.consensus and one.label.expression == expression)


def _there(line: MetricLine) -> float:
    """Return r in the set whose texts are available; less than any where there is none."""
    number = line.number(OWN.name)
    return number.value if number.known else -1.0


def _named(line: MetricLine) -> str:
    how = "counted in" if kind_of(line.label.expression) == "counts" else "with"
    return f"`{line.label.expression}` {how} {line.label.evidence}"


# ---------------------------------------------------------------------- cells

NONE = "–"
THREE = (PEARSON, SPEARMAN, PHIK)


def short(value: float) -> str:
    """Write a coefficient in two digits, without its zero."""
    if math.isnan(value):
        return NONE
    digits = f"{abs(value):.2f}"
    sign = "−" if value < 0 and float(digits) else ""
    return sign + (digits if digits.startswith("1") else digits[1:])


def between(number: Number) -> str:
    """Write a coefficient with its interval."""
    if not number.known:
        return NONE
    if math.isnan(number.low):
        return short(number.value)
    return f"{short(number.value)} ({short(number.low)} to {short(number.high)})"


def joined(numbers: Sequence[float]) -> str:
    """Write several coefficients in a cell; a single dash if none is known."""
    if all(map(math.isnan, numbers)):
        return NONE
    return " / ".join(map(short, numbers))


def name_of(line: MetricLine) -> str:
    """Write a metric; people prefer the opposite of what it declares where a sign says so."""
    name, sign, arrow = line.shown.partition(" ↓")
    return f"`{name}`{sign}{arrow}{' ‡' if line.against else ''}"


def headed(one: PeopleSet, ceiling: PeopleCeiling | None = None) -> str:
    """Write the head of a column: the set, its number of words, and what people reach."""
    title = f"{one.title}, @{one.material.words}"
    if ceiling is None:
        return title
    if math.isnan(ceiling.one):
        return f"{title}<br>people: {NONE}"
    return f"{title}<br>people: {short(ceiling.one)}, at most {short(ceiling.most)}"


def milliseconds(seconds: float) -> str:
    """Write a time in milliseconds, with two digits that count."""
    if math.isnan(seconds):
        return NONE
    value = 1000 * seconds
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 1 else f"{value:.1f}"


def whole_seconds(seconds: float) -> str:
    """Write a time in seconds."""
    if math.isnan(seconds):
        return NONE
    return f"{seconds:.1f}" if seconds < 10 else f"{seconds:,.0f}"


def listed(line: MetricLine) -> str:
    """Say what a metric has in each main set, in a sentence."""
    known = [(one.title, line.number(one.name)) for one in MAIN]
    parts = [f"{short(number.value)} ({title})" for title, number in known if number.known]
    return ", ".join(parts[:-1]) + f" and {parts[-1]}" if len(parts) > 1 else "".join(parts)
