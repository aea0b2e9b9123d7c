"""Correlations as tables: a row a metric, a column a coefficient."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tealeaves.tables.numbers import (
    DASH,
    SIGNIFICANCE_LEVEL,
    append_interval,
    number_text,
    p_text,
    starred_number,
)
from tealeaves.tables.table import Table, text_table

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.correlations import (
        Correlation,
        Correlations,
        PairTest,
        PairTests,
    )

CEILING = "(one person and the others)"
ATTAINABLE = "(highest to be expected)"
_ARROWS = {"lower": " ↓"}
_CORRECTIONS = {
    "bh": "corrected after Benjamini and Hochberg for the number of metrics",
    "holm": "corrected after Holm for the number of metrics",
    "none": "not corrected for the number of metrics",
}


def correlation_table(found: Correlations) -> Table:
    """Return a row for each metric, and one for the ceiling, in each data set and task."""
    named = _labels(found)
    coefficients = list(dict.fromkeys(row.coefficient for row in found.rows))
    blocks: dict[tuple[str, str, str], dict[tuple[str, str], dict[str, Correlation]]] = {}
    for row in found.rows:
        place = blocks.setdefault(row.part, {}).setdefault((row.metric, row.control), {})
        place[row.coefficient] = row
    lines = []
    for part, metrics in blocks.items():
        left = [text for text, name in zip(part, ("dataset", "task", "model"), strict=True)
                if name in named]  # fmt: skip
        for (metric, control), cells in metrics.items():
            label = metric + _ARROWS.get(found.better.get(metric, ""), "")
            label += f" given {control}" if control else ""
            first = next(iter(cells.values()))
            shown = [_cell(cells.get(name)) for name in coefficients]
            lines.append(([*left, label], [*shown, _used(first)]))
        for label, limit in ((CEILING, "ceiling"), (ATTAINABLE, "attainable")):
            cells_of_limit = [number_text(_limit(metrics, name, limit)) for name in coefficients]
            if any(cell != DASH for cell in cells_of_limit):
                lines.append(([*left, label], [*cells_of_limit, ""]))
    heads = [name.replace("phik", "phi_K") for name in coefficients]
    return text_table([*named, "metric"], [*heads, "n"], lines)


def _labels(found: Correlations) -> list[str]:
    """Return what tells the parts apart; a single data set without name needs no column."""
    return [
        name
        for name in ("dataset", "task", "model")
        if any(getattr(row, name) for row in found.rows)
    ]


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


def _limit(metrics: dict[tuple[str, str], dict[str, Correlation]], name: str, limit: str) -> float:
    known = (getattr(cells[name], limit) for cells in metrics.values() if name in cells)
    return next(known, math.nan)


def legend_of(found: Correlations) -> list[str]:
    """Say what the table's signs mean."""
    plan, rows = found.plan, [row for row in found.rows if not math.isnan(row.value)]
    lines = []
    if rows and plan.draws:
        lines.append(f"[low, high]: {plan.level:.0%} interval, {_drawn(rows, plan.draws)}")
    if rows:
        lines.append(f"*: permutation p < .05, {_CORRECTIONS[plan.correction]}")
    if any(_torn(row) for row in rows):
        lines.append(
            "* beside an interval that holds 0: p says that metric and people are not independent, "
            "the interval how sure the coefficient is; where these disagree, see the scatter plot"
        )
    if any(row.dropped for row in found.rows):
        control = " or of the control" if plan.control else ""
        lines.append(f"n (-k): k {plan.by}s have no value of the metric{control} and were dropped")
    if any(row.clusters < row.n for row in found.rows):
        lines.append(
            f"n in c: c clusters of near-identical topics (Jaccard index {plan.near:g} or more), "
            "drawn and permuted as one"
        )
    if any(found.better.get(row.metric) == "lower" for row in found.rows):
        lines.append("↓: lower is better, so that agreement is a negative coefficient")
    return lines


def _units(rows: Sequence[Correlation]) -> str:
    if any(row.clusters < row.n for row in rows):
        return "clusters of topics"
    return f"{rows[0].by}s"


def _drawn(rows: Sequence[Correlation], draws: int) -> str:
    """Say what intervals rest on."""
    used = {row.coefficient: row.draws for row in rows}
    said = []
    if set(used) - {"phik"}:
        said.append(f"bootstrap over {_units(rows)}, {draws} draws")
    if used.get("kendall", draws) < draws:
        said.append(f"Kendall {used['kendall']}")
    if "phik" in used:
        said.append(f"{used['phik']} random halves for phi_K")
    return ", ".join(said)


def _torn(row: Correlation) -> bool:
    return row.p_corrected < SIGNIFICANCE_LEVEL and row.low <= 0 <= row.high and bool(row.draws)


def pair_table(found: PairTests) -> Table:
    """Return a row for each pair of metrics and coefficient."""
    lines = []
    for test in found.rows:
        where = [text for text in (test.dataset, test.task, test.model) if text]
        numbers = [
            f"{number_text(test.value_a)} / {number_text(test.value_b)}",
            f"{number_text(test.difference)} [{number_text(test.low)}, {number_text(test.high)}]",
            p_text(test.p),
            p_text(test.p_corrected),
            p_text(test.williams_p),
            p_text(test.steiger_p),
            _used(test),
        ]
        left = [" ".join(where), test.coefficient, test.metric_a, test.metric_b]
        lines.append((left, numbers))
    columns = ["agreement", "difference", "p", "p corrected", "Williams p", "Steiger p", "n"]
    return text_table(["people", "coefficient", "metric", "and metric"], columns, lines)
