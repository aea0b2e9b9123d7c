"""``Correlations``: how well metrics agree with people, as rows and a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.judgments.correlation.matching import Matched
from tealeaves.judgments.correlation.plan import Plan
from tealeaves.judgments.correlation.printing import correlation_table, legend_of, pair_table
from tealeaves.tables.table import Table
from tealeaves.tables.tidy import Tidy, json_row


class Correlation(msgspec.Struct, frozen=True, kw_only=True):
    """One coefficient of one metric with people, and what it rests on.

    ``n`` topics (or models) were used and ``dropped`` were not, for lack of a value; ``clusters``
    counts near-identical topics once: interval and p rest on these. ``ceiling`` is how well one
    person agrees with the others, ``attainable`` what no metric can be expected to pass (of
    Pearson's alone). ``control`` is the metric that is held fast, if any, ``model``
    the one whose topics these are, where they were taken apart. ``remark`` says why there is no
    value, or why to distrust it.
    """

    dataset: str
    task: str
    model: str = ""
    by: str
    metric: str
    coefficient: str
    control: str = ""
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    dropped: int = 0
    clusters: int = 0
    p: float = math.nan
    p_corrected: float = math.nan
    correction: str = "bh"
    draws: int = 0
    permutations: int = 0
    ceiling: float = math.nan
    attainable: float = math.nan
    bins: int | None = None
    noise_correction: bool | None = None
    remark: str = ""

    @property
    def part(self) -> tuple[str, str, str]:
        """What was correlated together."""
        return self.dataset, self.task, self.model


class PairTest(msgspec.Struct, frozen=True, kw_only=True):
    """Two metrics on the same topics: does one agree better with people?

    The values are turned by the metrics' directions, so that more is better; ``between`` is the
    coefficient of the two metrics with each other.
    """

    dataset: str
    task: str
    model: str = ""
    by: str
    coefficient: str
    metric_a: str
    metric_b: str
    value_a: float = math.nan
    value_b: float = math.nan
    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_corrected: float = math.nan
    williams_p: float = math.nan
    steiger_p: float = math.nan
    between: float = math.nan
    n: int = 0
    dropped: int = 0
    clusters: int = 0


@dataclass(init=False, eq=False, repr=False)
class Correlations(Tidy):
    """The coefficients of all metrics, for each data set and task.

    ``rows`` are the coefficients, ``pairs`` the tests between metrics (where they were asked for),
    ``parts`` the values that all were computed from; ``better`` is the direction of each metric.
    """

    rows: list[Correlation]
    pairs: list[PairTest]
    parts: list[Matched]
    better: dict[str, str]
    notes: list[str]
    plan: Plan

    def __init__(
        self,
        rows: Sequence[Correlation],
        *,
        pairs: Sequence[PairTest] = (),
        parts: Sequence[Matched] = (),
        better: dict[str, str] | None = None,
        notes: Sequence[str] = (),
        plan: Plan | None = None,
    ) -> None:
        self.rows = list(rows)
        self.pairs = list(pairs)
        self.parts = list(parts)
        self.better = dict(better or {})
        self.notes = list(notes)
        self.plan = plan or Plan()

    def value(self, metric: str, coefficient: str = "pearson", **where: str) -> float:
        """Return one coefficient; ``where`` tells data sets, tasks, models and controls apart."""
        asked = {"metric": metric, "coefficient": coefficient, "control": "", **where}
        found = [row for row in self.rows if all(getattr(row, k) == v for k, v in asked.items())]
        if len(found) != 1:
            listed = ", ".join(f"{name} {value}" for name, value in asked.items() if value)
            raise InputError(f"{len(found)} coefficients of {listed}: name dataset, task or model")
        return found[0].value

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the coefficients as dictionaries."""
        return [msgspec.structs.asdict(row) for row in self.rows]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: rows, pairs and notes."""
        pairs = [json_row(msgspec.structs.asdict(test)) for test in self.pairs]
        return {**super().content, "pairs": pairs}

    def table(self) -> Table:
        """Return the table that is printed: a row a metric, a column a coefficient."""
        return correlation_table(self)

    @property
    def legend(self) -> list[str]:
        """What the table's signs mean."""
        return legend_of(self)


class PairTests(Tidy):
    """The paired tests of a :class:`Correlations`, as rows and a table.

    JSON, Markdown and LaTeX have the coefficients too.
    """

    rows_key = "pairs"

    def __init__(self, found: Correlations) -> None:
        self.correlations = found
        self.rows = found.pairs
        self.notes = found.notes
        self.plan = found.plan

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the tests as dictionaries."""
        return [msgspec.structs.asdict(test) for test in self.rows]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: the coefficients too."""
        return self.correlations.content

    def to_markdown(self) -> str:
        """Return both tables in Markdown."""
        return f"{self.correlations.to_markdown()}\n{super().to_markdown()}"

    def to_latex(self) -> str:
        """Return both tables in LaTeX."""
        return f"{self.correlations.to_latex()}\n{super().to_latex()}"

    def table(self) -> Table:
        """Return the table that is printed: a row a pair and coefficient."""
        return pair_table(self)
