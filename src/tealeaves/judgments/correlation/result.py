"""``Correlations``: how well metrics agree with people, as rows and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import msgspec

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.plan import CorrelationPlan
from tealeaves.tables.numbers import (
    DASH,
    SIGNIFICANCE_LEVEL,
    append_interval,
    number_text,
    p_text,
    starred_number,
)
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy, json_row

_CEILING = "(one person and the others)"
_ATTAINABLE = "(highest to be expected)"
_CORRECTIONS = {
    "bh": "corrected by the method of Benjamini and Hochberg for the number of metrics",
    "holm": "corrected by Holm's method for the number of metrics",
    "none": "not corrected for the number of metrics",
}


class Correlation(msgspec.Struct, frozen=True, kw_only=True):
    """One coefficient of one metric with people, and what it rests on.

    ``n`` topics (or models) were used and ``dropped`` were not, because they have no value;
    ``clusters`` counts near-identical topics once: interval and p rest on these. ``ceiling`` is how
    well one person agrees with the others, ``attainable`` what no metric can be expected to pass
    (only for Pearson's coefficient). ``control`` is the metric that is held constant, if any,
    ``model`` the model of the topics, if models were taken one by one. ``remark`` says why there
    is no value, or why to distrust it.
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
        """Data set, task and model."""
        return self.dataset, self.task, self.model


class PairTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test whether one of two metrics agrees better with people on the same topics.

    The values have the metrics' directions in them, so that more is better; ``between`` is the
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


@dataclass(frozen=True)
class MetricMatrix:
    """One coefficient of people and all metrics with each other.

    The first row and column are people's, the others those of ``metrics``, the metric that agrees
    best first. Each pair is compared on the topics (or models) where both have a value: ``n``.
    """

    dataset: str
    task: str
    model: str
    coefficient: str
    metrics: list[str]
    values: Floats
    n: Integers


@dataclass(repr=False, eq=False)
class Correlations(Tidy):
    """The coefficients of all metrics, for each data set and task.

    ``rows`` are the coefficients, ``pairs`` the tests between metrics (if any), ``matrices`` the
    coefficients of metrics with each other, ``parts`` the values that all were computed from.
    ``better`` is the direction of each metric.
    """

    rows: list[Correlation]
    _: KW_ONLY
    pairs: list[PairTest] = field(default_factory=list)
    matrices: list[MetricMatrix] = field(default_factory=list)
    parts: list[MatchedScores] = field(default_factory=list)
    better: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    plan: CorrelationPlan = field(default_factory=CorrelationPlan)

    def value(self, metric: str, coefficient: str = "pearson", **where: str) -> float:
        """Return one coefficient; ``where`` chooses data set, task, model and control."""
        wanted = {"metric": metric, "coefficient": coefficient, "control": "", **where}
        rows = rows_with(self.rows, wanted)
        if len(rows) != 1:
            listed = ", ".join(f"{name} {value}" for name, value in wanted.items() if value)
            raise InputError(f"{len(rows)} coefficients of {listed}: name dataset, task or model")
        return float(rows[0].value)

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: rows, pairs and notes."""
        pairs = [json_row(msgspec.structs.asdict(test)) for test in self.pairs]
        return {**super().content, "pairs": pairs}

    def table(self) -> Table:
        """Return the table that is printed: one line per metric, one column per coefficient.

        Below the metrics of each data set and task are lines for what people reach.
        """
        named = named_columns(self.rows, "dataset", "task", "model")
        coefficients = list(dict.fromkeys(row.coefficient for row in self.rows))
        blocks: dict[tuple[str, str, str], dict[tuple[str, str], dict[str, Correlation]]] = {}
        for row in self.rows:
            place = blocks.setdefault(row.part, {}).setdefault((row.metric, row.control), {})
            place[row.coefficient] = row
        lines = []
        for metrics in blocks.values():
            first = next(iter(next(iter(metrics.values())).values()))
            left = [getattr(first, name) for name in named]
            for (metric, control), cells in metrics.items():
                label = metric_label(metric, self.better)
                label += f" given {control}" if control else ""
                shown = [_cell(cells.get(name)) for name in coefficients]
                lines.append(([*left, label], [*shown, _used(next(iter(cells.values())))]))
            for label, limit in ((_CEILING, "ceiling"), (_ATTAINABLE, "attainable")):
                limits = [
                    next((getattr(c[name], limit) for c in metrics.values() if name in c), math.nan)
                    for name in coefficients
                ]
                texts = [number_text(value) for value in limits]
                if any(text != DASH for text in texts):
                    lines.append(([*left, label], [*texts, ""]))
        heads = [name.replace("phik", "phi_K") for name in coefficients]
        return text_table([*named, "metric"], [*heads, "n"], lines)

    @property
    def legend(self) -> list[str]:
        """What the table's signs mean."""
        plan, rows = self.plan, [row for row in self.rows if not math.isnan(row.value)]
        lines = []
        if rows and plan.draws:
            lines.append(f"[low, high]: {plan.level:.0%} interval, {_draws_text(rows, plan.draws)}")
        if rows:
            lines.append(f"*: permutation p < .05, {_CORRECTIONS[plan.correction]}")
        if any(
            row.p_corrected < SIGNIFICANCE_LEVEL and row.low <= 0 <= row.high and row.draws
            for row in rows
        ):
            lines.append(
                "* beside an interval that contains 0: metric and people are not independent (p), "
                "but the strength of their relation is uncertain (interval); see the scatter plot"
            )
        if any(row.dropped for row in self.rows):
            control = " or of the control" if plan.control else ""
            lines.append(
                f"n (-k): k {plan.by}s have no value of the metric{control} and were dropped"
            )
        if any(row.clusters < row.n for row in self.rows):
            lines.append(
                "n in c: c clusters of near-identical topics (Jaccard index "
                f"{plan.near:g} or more), each drawn and permuted as a whole"
            )
        if any(self.better.get(row.metric) == "lower" for row in self.rows):
            lines.append("↓: lower is better, so a negative coefficient means agreement")
        return lines


class BesideCorrelations(Tidy):
    """A further result about :class:`Correlations`: Markdown and LaTeX have both tables."""

    correlations: Correlations

    def to_markdown(self) -> str:
        """Return both tables in Markdown."""
        return f"{self.correlations.to_markdown()}\n{super().to_markdown()}"

    def to_latex(self) -> str:
        """Return both tables in LaTeX."""
        return f"{self.correlations.to_latex()}\n{super().to_latex()}"


@dataclass(repr=False, eq=False)
class PairTests(BesideCorrelations):
    """The paired tests of a :class:`Correlations`, as rows and a table.

    JSON, Markdown and LaTeX have the coefficients too.
    """

    rows_key = "pairs"

    correlations: Correlations

    def __post_init__(self) -> None:
        self.rows = self.correlations.pairs
        self.notes = self.correlations.notes

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: the coefficients too."""
        return self.correlations.content

    def table(self) -> Table:
        """Return the table that is printed: one line per pair and coefficient."""
        lines = []
        for test in self.rows:
            place = " ".join(filter(None, (test.dataset, test.task, test.model)))
            numbers = [
                f"{number_text(test.value_a)} / {number_text(test.value_b)}",
                f"{number_text(test.difference)} "
                f"[{number_text(test.low)}, {number_text(test.high)}]",
                p_text(test.p),
                p_text(test.p_corrected),
                p_text(test.williams_p),
                p_text(test.steiger_p),
                _used(test),
            ]
            lines.append(([place, test.coefficient, test.metric_a, test.metric_b], numbers))
        columns = ["agreement", "difference", "p", "p corrected", "Williams p", "Steiger p", "n"]
        return text_table(["people", "coefficient", "metric", "and metric"], columns, lines)


def ranked_metrics(rows: Sequence[Correlation], better: Mapping[str, str]) -> list[str]:
    """Return the metrics of one part, the one that agrees best with people first.

    The first coefficient decides; metrics without a value come last.
    """
    first = rows[0].coefficient
    values = {
        row.metric: row.value
        for row in reversed(rows)
        if (row.coefficient, row.control) == (first, "")
    }

    def order(metric: str) -> tuple[bool, float]:
        value = values.get(metric, math.nan)
        if math.isnan(value):
            return True, 0.0
        return False, value if better.get(metric) == "lower" and first != "phik" else -value

    return sorted(dict.fromkeys(row.metric for row in rows), key=order)


# ---------------------------------------------------------------------- shared by results


def rows_with(rows: Sequence[Any], values: Mapping[str, Any]) -> list[Any]:
    """Return the rows whose fields have these values."""
    return [row for row in rows if all(getattr(row, name) == v for name, v in values.items())]


def named_columns(rows: Sequence[Any], *columns: str) -> list[str]:
    """Return the columns that have a name in any row; a single data set may have none."""
    return [column for column in columns if any(getattr(row, column) for row in rows)]


def metric_label(metric: str, better: Mapping[str, str]) -> str:
    """Return the metric's name, with an arrow down if lower is better."""
    return f"{metric} ↓" if better.get(metric) == "lower" else metric


def _cell(row: Correlation | None) -> str:
    if row is None:
        return ""
    if math.isnan(row.value):
        return f"{DASH} ({row.remark})" if row.remark else DASH
    text = append_interval(starred_number(row.value, row.p_corrected), row.low, row.high)
    if row.coefficient == "phik":
        noise = "" if row.noise_correction else ", no noise correction"
        corrected = "" if row.correction == "none" else f" ({p_text(row.p_corrected)} corrected)"
        text += f" p {p_text(row.p)}{corrected}, {row.bins} bins{noise}"
    return text


def _used(row: Correlation | PairTest) -> str:
    text = str(row.n)
    if row.clusters < row.n:
        text += f" in {row.clusters}"
    return f"{text} (-{row.dropped})" if row.dropped else text


def _draws_text(rows: Sequence[Correlation], draws: int) -> str:
    """Say what intervals rest on."""
    used = {row.coefficient: row.draws for row in rows}
    parts = []
    if set(used) - {"phik"}:
        near = any(row.clusters < row.n for row in rows)
        units = "clusters of topics" if near else f"{rows[0].by}s"
        parts.append(f"bootstrap over {units}, {draws} draws")
    if used.get("kendall", draws) < draws:
        parts.append(f"Kendall {used['kendall']}")
    if "phik" in used:
        parts.append(f"{used['phik']} random halves for phi_K")
    return ", ".join(parts)
