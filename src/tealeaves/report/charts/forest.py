"""Forest plots: the coefficients of all metrics as points with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.intervals import (
    WIDTH,
    Intervals,
    Rule,
    hollow,
    interval_limits,
    interval_row,
    rules_offset,
)
from tealeaves.report.charts.blocks.numbers import COEFFICIENTS, decimal
from tealeaves.report.charts.blocks.panels import configured, stacked
from tealeaves.report.charts.blocks.rows import fields
from tealeaves.report.charts.blocks.style import GREY, alt, colours, tooltip
from tealeaves.report.charts.task_correlations import TaskCorrelations, drawn_tasks

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlation, Correlations

_BESIDE = 8  # pixels right of the panel
_TITLE = "How well metrics agree with people"


def forest_chart(correlations: Correlations) -> Any:
    """Return an Altair chart: points and intervals of all metrics, the human ceiling dashed.

    There is a panel for each data set and task (and model, if models are apart), with the metric
    that agrees best on top. Hollow points are partial correlations, which hold another metric
    fast.
    """
    tasks, title = drawn_tasks(correlations, _TITLE)
    domain = forest_domain(tasks)
    panels = [forest_panel(task, domain, title=task.title) for task in tasks]
    return configured(stacked(panels, title=titled(title)))


def forest_domain(tasks: Sequence[TaskCorrelations]) -> list[float]:
    """Return the limits of the axis, the same for all tasks, so that they can be compared."""
    rows = [row for task in tasks for row in task.rows]
    rules = [value for task in tasks for rule in _rules(task) for value in rule.values]
    return interval_limits([*(v for row in rows for v in (row.value, row.low, row.high)), *rules])


def forest_panel(task: TaskCorrelations, domain: list[float], *, title: str) -> Any:
    """Return the forest plot of one task, without configuration."""
    palette = dict(zip(task.coefficients, colours(len(task.coefficients)), strict=True))
    strokes = {_series(row): palette[row.coefficient] for row in task.rows}
    drawing = Intervals(
        [_row(task, row) for row in task.rows],
        [task.label(metric) for metric in task.metrics],
        strokes,
        hollow(strokes, [_series(row) for row in task.rows if row.control]),
        domain,
        axis="coefficient",
        legend="coefficient",
        tooltip=tooltip(
            ("label:N", "metric"),
            ("series:N", "coefficient"),
            ("value:Q", "", ".3f"),
            "interval:N n:Q dropped:Q clusters:Q draws:Q",
            ("p:Q", "", ".4f"),
            ("p_corrected:Q", "p corrected", ".4f"),
            "remark:N",
        ),
    )
    layers = [
        drawing.zero(),
        *drawing.rules(_rules(task)),
        *drawing.points(),
        *_p_values(drawing),
        drawing.remarks(_remarks(task)),
    ]
    return drawing.panel(layers, title=titled(title, forest_subtitle(task), size=13))


def forest_offset(task: TaskCorrelations) -> int:
    """Return the pixels between the title and the panel."""
    return rules_offset(_rules(task))


def forest_subtitle(task: TaskCorrelations) -> list[str]:
    """Return what the points rest on and what the signs mean."""
    lines = [task.units, task.intervals]
    if any(row.control for row in task.rows):
        lines.append(f"hollow points hold {task.plan.control} constant (partial correlation)")
    if "phik" in task.coefficients:
        noise = "" if task.plan.noise_correction else "out"
        lines.append(f"phi_K has {task.plan.bins} bins, with{noise} noise correction")
    return [*lines, *task.arrow_meaning]


def _row(task: TaskCorrelations, row: Correlation) -> dict[str, Any]:
    label = task.label(row.metric)
    numbers = interval_row(label, _series(row), row.value, row.low, row.high)
    more = ("n", "dropped", "clusters", "draws", "p", "p_corrected", "remark")
    return numbers | fields(row, *more)


def _series(row: Correlation) -> str:
    name = COEFFICIENTS[row.coefficient]
    return f"{name} given {row.control}" if row.control else name


def _rules(task: TaskCorrelations) -> list[Rule]:
    """Return the ceiling and the attainable coefficient, if they are known."""
    rules = (
        (task.ceiling, "one person and the others", task.first, [4, 3]),
        (task.attainable, "highest to be expected", "pearson", [1, 3]),
    )
    return [
        Rule(
            [value, -value] if task.some_lower and name != "phik" else [value],
            f"{text}: {decimal(value)} ({COEFFICIENTS[name]})",
            dash,
        )
        for value, text, name, dash in rules
        if math.isfinite(value)
    ]


def _p_values(drawing: Intervals) -> list[Any]:
    """Return the p of phi_K right of the panel: without it, chance alone puts phi_K above 0."""
    rows = [
        {**row, "text": f"p = {row['p']:.2g}"}
        for row in drawing.rows
        if row["series"] == COEFFICIENTS["phik"] and None not in (row["value"], row["p"])
    ]
    x = alt.value(WIDTH + _BESIDE)
    return [drawing.texts(rows, "text", x, align="left", fontSize=9, color=GREY)] if rows else []


def _remarks(task: TaskCorrelations) -> dict[str, str]:
    remarks = {}
    for metric in task.metrics:
        rows = [row for row in task.rows if row.metric == metric]
        if all(math.isnan(row.value) for row in rows):
            remarks[task.label(metric)] = f"no value: {rows[0].remark or 'undefined'}"
    return remarks
