"""From the values of metrics to rows: how well each agrees with people, set by set."""

from __future__ import annotations

import csv
import io
import json
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from people_sets import SETS, PeopleSet
from people_stages import Scored
from people_variants import COUNTED, OWN_TEXTS, WIKIPEDIA, Label
from tealeaves import Scores, correlate
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


class Row(NamedTuple):
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


class Ceiling(NamedTuple):
    """What people reach by Pearson's r: one with the others, and what is to be expected at most."""

    one: float = math.nan
    most: float = math.nan


def read_also(path: Path) -> list[Scored]:
    """Read values of a file: a line of JSON with set, model, topic, metric and value for each.

    The set is one of ours, or the folder of several whose topics are the same. A model's own value
    has no topic (null).
    """
    found: dict[tuple[str, str], list[tuple[str, str | None, float]]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            topic = None if row["topic"] is None else str(row["topic"])
            value = math.nan if row["value"] is None else float(row["value"])
            place = found.setdefault((row["metric"], row["set"]), [])
            place.append((str(row["model"]), topic, value))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{path}:{number}: a line has set, model, topic, metric and value: {error!r}"
            ) from error
    known = sorted({name for one in SETS for name in (one.name, one.material.folder)})
    wrong = [name for _, name in found if name not in known]
    if wrong:
        raise InputError(f"{path}: no set is called {wrong[0]} (there are {', '.join(known)})")
    return [
        Scored(metric, ALSO, name, 0, "higher", math.nan, math.nan, values)
        for (metric, name), values in found.items()
    ]


def scored_of(one: PeopleSet, found: Iterable[Scored]) -> list[Scored]:
    """Return what is of a set: of its topics and its number of words, or given for it by a file."""
    return [
        each
        for each in found
        if (each.folder, each.words) == one.material
        or (each.evidence == ALSO and each.folder in (one.name, one.material.folder))
    ]


def rows_of(one: PeopleSet, found: Sequence[Scored], held: Scored) -> list[Row]:
    """Correlate metrics of a set by topic, and by model where there are models enough.

    ``held`` is the metric that is held fast.
    """
    known = {Label(each.expression, each.evidence) for each in found}
    control = Label(held.expression, held.evidence)
    scores = scores_of(found if control in known else [*found, held])
    levels = ("topic", "model") if one.models else ("topic",)
    return [
        row
        for by in levels
        for row in _rows(one, _correlated(scores, one, str(control), by), found, by)
    ]


def held_in(one: PeopleSet, found: Iterable[Scored]) -> Scored:
    """Return document NPMI, in the texts that the topics are of where these are at hand."""
    evidence = OWN_TEXTS if one.own else WIKIPEDIA
    return next(each for each in found if (each.expression, each.evidence) == (COUNTED, evidence))


def scores_of(found: Iterable[Scored]) -> Scores:
    rows = [
        Score(model, topic, str(Label(one.expression, one.evidence)), value, 1.0, "")
        for one in found
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


def _rows(one: PeopleSet, found: list[Correlation], scored: Sequence[Scored], by: str) -> list[Row]:
    numbers: dict[str, dict[str, Number]] = {}
    sizes: dict[str, tuple[int, int]] = {}
    for row in found:
        if row.control and row.coefficient != PEARSON:
            continue
        name = PARTIAL if row.control else row.coefficient
        numbers.setdefault(row.metric, {})[name] = Number(row.value, row.low, row.high)
        if not row.control:
            sizes[row.metric] = row.n, row.clusters
    labels = {Label(each.expression, each.evidence): each.better for each in scored}
    return [
        Row(label, better, one.name, by, *sizes[str(label)], numbers[str(label)])
        for label, better in labels.items()
        if str(label) in sizes and numbers[str(label)][PEARSON].known
    ]


def ceiling(one: PeopleSet, scored: Scored) -> Ceiling:
    """Return what people reach, where the answers of each are known; any scores will do for it."""
    people = one.single_answers
    if people is None:
        return Ceiling()
    scores = scores_of([scored])
    [row] = correlate(scores, people, coefficients=(PEARSON,), draws=0, permutations=19).rows
    return Ceiling(row.ceiling, row.attainable)


def from_json(row: Sequence[Any]) -> Row:
    """Return a row that was kept as JSON."""
    label, better, name, by, n, clusters, numbers = row
    known = {coefficient: Number(*one) for coefficient, one in numbers.items()}
    return Row(Label(*label), better, name, by, n, clusters, known)


# ---------------------------------------------------------------------- the file of rows

_NUMBERS = (PEARSON, SPEARMAN, PHIK, PARTIAL)


def to_csv(rows: Iterable[Row]) -> str:
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
