"""How well each metric agrees with people, set by set.

An :class:`AgreementRow` is the agreement of one metric with one set. A :class:`MetricLine` has all
that is known of a metric. :func:`differences` compares consensus with the best single metric. The
words of Hao et al.'s (2018) topics in two languages were never released, so :func:`across` only
correlates the values of MTA that the authors released, beside their own coefficients of CNPMI and
INPMI.
"""

from __future__ import annotations

import csv
import io
import json
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import polars as pl

from benchmarks.folders import data_folder
from benchmarks.people.sets import MAIN, OWN, SETS, PeopleSet
from benchmarks.people.stages import Scored
from benchmarks.people.variants import CONSENSUS, COUNTED, OWN_TEXTS, WIKIPEDIA, Label, metric_in
from tealeaves import Scores, correlate, read_judgments
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.judgments.correlation.result import Correlation
from tealeaves.metrics.scores import Score

# p is not shown: as few permutations as there may be
SEED, DRAWS, PERMUTATIONS = 0, 2000, 19
PEARSON, SPEARMAN, PHIK, PARTIAL = "pearson", "spearman", "phik", "partial"
ALSO = "file"  # the evidence of values that are given by a file


class Number(NamedTuple):
    """A coefficient with its interval."""

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan

    @property
    def known(self) -> bool:
        """Whether there is one."""
        return not math.isnan(self.value)


class AgreementRow(NamedTuple):
    """The agreement of one metric with the people of one set, by topic or by model."""

    label: Label
    better: str
    set: str
    by: str
    n: int
    clusters: int
    numbers: Mapping[str, Number]

    def number(self, name: str) -> Number:
        """Return a coefficient; NaN where there is none."""
        return self.numbers.get(name, Number())


class PeopleCeiling(NamedTuple):
    """What people reach by Pearson's r: one with the others, and what is to be expected at most."""

    one: float = math.nan
    most: float = math.nan


def read_also(path: Path) -> list[Scored]:
    """Read values of a file: a line of JSON with set, model, topic, metric and value for each.

    The set is one of ours, or the folder of several whose topics are the same. A model's own value
    has no topic (null).
    """
    values_of: dict[tuple[str, str], list[tuple[str, str | None, float]]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            topic = None if row["topic"] is None else str(row["topic"])
            value = math.nan if row["value"] is None else float(row["value"])
            place = values_of.setdefault((row["metric"], row["set"]), [])
            place.append((str(row["model"]), topic, value))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{path}:{number}: a line has set, model, topic, metric and value: {error!r}"
            ) from error
    known = sorted({name for one in SETS for name in (one.name, one.material.folder)})
    wrong = [name for _, name in values_of if name not in known]
    if wrong:
        raise InputError(f"{path}: no set is called {wrong[0]} (there are {', '.join(known)})")
    return [
        Scored(metric, ALSO, name, 0, "higher", math.nan, math.nan, values)
        for (metric, name), values in values_of.items()
    ]


def scored_of(one: PeopleSet, scored: Iterable[Scored]) -> list[Scored]:
    """Return the values of a set: of its topics and number of words, or of a file for it."""
    return [
        each
        for each in scored
        if (each.folder, each.words) == one.material
        or (each.evidence == ALSO and each.folder in (one.name, one.material.folder))
    ]


def rows_of(one: PeopleSet, scored: Sequence[Scored], held: Scored) -> list[AgreementRow]:
    """Correlate metrics of a set by topic, and by model where there are models enough.

    ``held`` is the metric that is held constant.
    """
    known = {Label(each.expression, each.evidence) for each in scored}
    control = Label(held.expression, held.evidence)
    scores = scores_of(scored if control in known else [*scored, held])
    levels = ("topic", "model") if one.models else ("topic",)
    return [
        row
        for by in levels
        for row in _rows(one, _correlated(scores, one, str(control), by), scored, by)
    ]


def held_in(one: PeopleSet, scored: Iterable[Scored]) -> Scored:
    """Return document NPMI, in the texts that the topics are of where these are available."""
    evidence = OWN_TEXTS if one.own else WIKIPEDIA
    return next(each for each in scored if (each.expression, each.evidence) == (COUNTED, evidence))


def scores_of(scored: Iterable[Scored]) -> Scores:
    rows = [
        Score(model, topic, str(Label(one.expression, one.evidence)), value, 1.0, "")
        for one in scored
        for model, topic, value in one.values
    ]
    return Scores(rows)


def _correlated(scores: Scores, one: PeopleSet, control: str, by: str) -> list[Correlation]:
    """Return all coefficients; phi_K, which takes most of the time, has intervals in main sets."""
    given: dict[str, Any] = {"by": by, "permutations": PERMUTATIONS, "seed": SEED}
    people, two = one.judgments, (PEARSON, SPEARMAN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TealeavesWarning)  # phi_K of few values: the page says it
        first = correlate(scores, people, control=control, coefficients=two, draws=DRAWS, **given)
        draws = DRAWS if one.main else 0
        return [
            *first.rows,
            *correlate(scores, people, coefficients=(PHIK,), draws=draws, **given).rows,
        ]


def _rows(
    one: PeopleSet, correlations: list[Correlation], scored: Sequence[Scored], by: str
) -> list[AgreementRow]:
    numbers: dict[str, dict[str, Number]] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for row in correlations:
        if row.control and row.coefficient != PEARSON:
            continue
        name = PARTIAL if row.control else row.coefficient
        numbers.setdefault(row.metric, {})[name] = Number(row.value, row.low, row.high)
        if not row.control:
            sizes[row.metric] = row.n, row.clusters
    labels = {Label(each.expression, each.evidence): each.better for each in scored}
    return [
        AgreementRow(label, better, one.name, by, *sizes[str(label)], numbers[str(label)])
        for label, better in labels.items()
        if str(label) in sizes and numbers[str(label)][PEARSON].known
    ]


def ceiling(one: PeopleSet, scored: Scored) -> PeopleCeiling:
    """Return what people reach, where the answers of each are known; any scores will do for it."""
    people = one.single_answers
    if people is None:
        return PeopleCeiling()
    scores = scores_of([scored])
    [row] = correlate(scores, people, coefficients=(PEARSON,), draws=0, permutations=19).rows
    return PeopleCeiling(row.ceiling, row.attainable)


def from_json(row: Sequence[Any]) -> AgreementRow:
    """Return a row that was kept as JSON."""
    label, better, name, by, n, clusters, numbers = row
    known = {coefficient: Number(*one) for coefficient, one in numbers.items()}
    return AgreementRow(Label(*label), better, name, by, n, clusters, known)


# ---------------------------------------------------------------------- lines


class MetricLine(NamedTuple):
    """All that is known of a metric and its evidence."""

    label: Label
    better: str
    topics: Mapping[str, AgreementRow]
    models: AgreementRow | None
    gathering: float = math.nan
    seconds: float = math.nan

    @property
    def shown(self) -> str:
        """The metric, with an arrow where lower is better."""
        return f"{self.label.expression}{' ↓' if self.better == 'lower' else ''}"

    @property
    def also(self) -> bool:
        """Whether its values were given by a file."""
        return self.label.evidence == ALSO

    @property
    def consensus(self) -> bool:
        """Whether it puts several metrics' evidence together."""
        return not self.also and metric_in(self.label.expression) == CONSENSUS

    def number(self, name: str, coefficient: str = PEARSON) -> Number:
        """Return a coefficient of topics in a set."""
        row = self.topics.get(name)
        return Number() if row is None else row.number(coefficient)

    def values(self, coefficient: str = PEARSON) -> list[float]:
        """Return what is known in the main sets."""
        numbers = (self.number(one.name, coefficient) for one in MAIN)
        return [one.value for one in numbers if one.known]

    @property
    def everywhere(self) -> bool:
        """Whether it is known in all main sets."""
        return len(self.values()) == len(MAIN)

    @property
    def mean(self) -> float:
        """The mean size of Pearson's r over the main sets where it is known."""
        values = self.values()
        return mean(map(abs, values)) if values else math.nan

    @property
    def added(self) -> float:
        """The mean partial correlation over the main sets."""
        values = self.values(PARTIAL)
        return mean(values) if values else math.nan

    @property
    def against(self) -> bool:
        """Whether people clearly prefer what is declared to be worse: by the intervals, in half of
        the main sets or more.
        """
        sign = -1 if self.better == "lower" else 1
        numbers = [one for one in (self.number(each.name) for each in MAIN) if one.known]
        wrong = sum(max(sign * one.low, sign * one.high) < 0 for one in numbers)
        return bool(numbers) and 2 * wrong >= len(numbers)


def lines_of(rows: Iterable[AgreementRow], scored: Sequence[Scored]) -> list[MetricLine]:
    """Put the rows of each metric together: of files, of consensus, then others, by their mean."""
    timed = {
        Label(one.expression, one.evidence): one for one in scored if one.folder == OWN.material[0]
    }
    topics: dict[Label, dict[str, AgreementRow]] = {}
    models: dict[Label, AgreementRow] = {}
    better: dict[Label, str] = {}
    for row in rows:
        better[row.label] = row.better
        if row.by == "topic":
            topics.setdefault(row.label, {})[row.set] = row
        else:
            models[row.label] = row
    lines = []
    for label, direction in better.items():
        one = timed.get(label)
        took = (one.gathering, one.seconds) if one else (math.nan, math.nan)
        lines.append(MetricLine(label, direction, topics.get(label, {}), models.get(label), *took))
    return sorted(lines, key=_place)


def _place(line: MetricLine) -> tuple[bool, bool, int, float]:
    size = 0.0 if math.isnan(line.mean) else line.mean
    return not line.also, not line.consensus, -len(line.values()), -size


# ---------------------------------------------------------------------- consensus

Differences = Mapping[Label, Mapping[str, Number]]


def best_single(lines: Iterable[MetricLine]) -> MetricLine:
    """Return the metric that agrees best in all main sets and is computed here, but consensus."""
    return next(one for one in lines if one.everywhere and not (one.also or one.consensus))


def differences(lines: Sequence[MetricLine], scored: Sequence[Scored]) -> Differences:
    """Return how much higher r of each row of consensus is than that of the best single metric.

    Intervals are of the differences, in the same bootstrap samples.
    """
    other, ours = best_single(lines), [one.label for one in lines if one.consensus]
    all_: dict[Label, dict[str, Number]] = {label: {} for label in ours}
    for one in MAIN:
        known = {_label(each): each for each in scored_of(one, scored)}
        there = [known[label] for label in ours if label in known]
        turned = other.number(one.name).value < 0
        single = _turned(known[other.label]) if turned else known[other.label]
        for label, number in _less(one, [single, *there], other.label).items():
            all_[label][one.name] = number
    return all_


def _less(one: PeopleSet, scored: Sequence[Scored], other: Label) -> dict[Label, Number]:
    labels = {str(label): label for label in map(_label, scored)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TealeavesWarning)
        tests = correlate(
            scores_of(scored),
            one.judgments,
            coefficients=(PEARSON,),
            versus=str(other),
            draws=DRAWS,
            permutations=PERMUTATIONS,
            seed=SEED,
        ).pairs
    # what is asked for by name is the first of two
    return {
        labels[test.metric_b]: Number(-test.difference, -test.high, -test.low) for test in tests
    }


def _label(scored: Scored) -> Label:
    return Label(scored.expression, scored.evidence)


def _turned(scored: Scored) -> Scored:
    """Turn values round, where less is better in people's eyes."""
    return scored._replace(values=[(model, topic, -value) for model, topic, value in scored.values])


# ---------------------------------------------------------------------- topics in two languages

_FOLDER = "hao2018_lessons_bible"
_WORDS = 10


def across() -> list[dict[str, Any]]:
    """Return a row for each pair of languages."""
    folder = data_folder() / _FOLDER
    people = read_judgments(folder / "human_judgments.csv.gz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TealeavesWarning)
        correlations = correlate(
            _released(), people, coefficients=(PEARSON, SPEARMAN), draws=DRAWS, seed=SEED
        )
    published = pl.read_csv(folder / "table2_human_pearson.tsv", separator="\t")
    rows = {row["pair"]: {**row} for row in published.to_dicts()}
    for one in correlations.rows:
        row = rows[one.dataset]
        row |= {one.coefficient: Number(one.value, one.low, one.high), "n": one.n}
        if one.coefficient == PEARSON:
            row |= {"one": one.ceiling, "most": one.attainable}
    return list(rows.values())


def _released() -> pl.DataFrame:
    """Return the values of MTA that the authors released, as scores."""
    released = pl.read_csv(data_folder() / _FOLDER / "mta.csv.gz")
    return released.filter(pl.col("cardinality") == _WORDS).select(
        dataset="language_pair",
        model=pl.format("{}/{}", "doclink_rate", "chain_id"),
        topic="topic_id",
        metric=pl.lit(f"mta@{_WORDS}"),
        value="mta",
    )


# ---------------------------------------------------------------------- the file of rows

_NUMBERS = (PEARSON, SPEARMAN, PHIK, PARTIAL)


def to_csv(rows: Iterable[AgreementRow]) -> str:
    """Write a line for each metric, set and level, with all coefficients and their intervals."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    shown = [f"{name}{end}" for name in _NUMBERS for end in ("", "_low", "_high")]
    writer.writerow(["metric", "evidence", "better", "set", "by", "n", "clusters", *shown])
    for row in rows:
        cells = [_cell(value) for name in _NUMBERS for value in row.number(name)]
        writer.writerow([*row.label, row.better, row.set, row.by, row.n, row.clusters, *cells])
    return stream.getvalue()


def _cell(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"
