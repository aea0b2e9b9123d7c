"""Scatter plots: a metric against people, with the line through the points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.judgments.correlation.plan import MOST_POINTS
from tealeaves.report.charts.blocks.axes import ValueAxis
from tealeaves.report.charts.blocks.curve import Curve
from tealeaves.report.charts.blocks.headings import small_title, titled
from tealeaves.report.charts.blocks.numbers import COEFFICIENTS, decimal, percent, span
from tealeaves.report.charts.blocks.panels import configured, in_columns, stacked
from tealeaves.report.charts.blocks.points import crowd_look, scatter
from tealeaves.report.charts.blocks.rows import chart_of, finite
from tealeaves.report.charts.blocks.style import COLOURS, DARK, alt, tooltip
from tealeaves.report.charts.task_correlations import TaskCorrelations, drawn_tasks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats, Integers
    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.result import Correlation, Correlations
    from tealeaves.statistics.regression import FittedLine

#: Panels of a task.
MOST = 8
_COLUMNS = 4
_WIDTH, _HEIGHT = 210, 170
_WORDS = 10
_LETTERS = 34  # of a title's line
_FEW = 100  # fewer points are drawn larger
_TITLE = "Metrics against people"
_NO_POINTS = "these correlations hold no values of topics: there are no points to draw"


class _Cloud(NamedTuple):
    """What a panel shows: a coefficient, the topics that are drawn, the line."""

    row: Correlation
    topics: Integers
    line: FittedLine | None


def scatter_chart(correlations: Correlations, most: int = MOST) -> Any:
    """Return an Altair chart: the metrics that agree best with people, each against people.

    The best are the first ``most`` in the order of the forest plot. Panels hold at most 1,500
    points, a random sample if there are more; line and band are those of all points.
    """
    drawn, title = drawn_tasks(correlations, _TITLE)
    tasks = [task for task in drawn if task.matched is not None]
    if not tasks:
        raise InputError(_NO_POINTS)
    panels = [scatter_panels(task, most, title=task.title) for task in tasks]
    return configured(stacked(panels, title=titled(title)))


def scatter_panels(task: TaskCorrelations, most: int, *, title: str) -> Any:
    """Return the panels of one task, without configuration."""
    matched = task.matched
    if matched is None:
        raise InputError(_NO_POINTS)
    rows = [row for metric in task.metrics if (row := task.row(metric)) is not None]
    best = [row for row in rows if math.isfinite(row.value)][:most]
    clouds = [_cloud(matched, row) for row in best]
    limits = _people_limits(matched.human, [cloud.line for cloud in clouds if cloud.line])
    panels = [
        _metric_panel(task, matched, cloud, limits, None if number % _COLUMNS else "people")
        for number, cloud in enumerate(clouds)
    ]
    subtitle = _subtitle(task, clouds, limits) if panels else [task.units]
    heading = titled(title, subtitle, size=13)
    return in_columns(panels or [_nothing(task)], _COLUMNS, spacing=22, title=heading)


def _cloud(matched: MatchedScores, row: Correlation) -> _Cloud:
    return _Cloud(row, matched.drawn_points(row.metric), matched.lines.get(row.metric))


def _people_limits(human: NDArray[np.float64], lines: Sequence[FittedLine]) -> list[float]:
    """Return the limits of people's axis, the same in all panels of a task.

    Lines and bands are inside. But a band of few points may be so wide that it would press the
    points flat: it is cut off at a distance as large as the range of people's means.
    """
    low, high = float(human.min()), float(human.max())
    width = high - low
    margin = width * 0.05 or 0.5
    ends = np.concatenate([np.array([low, high]), *(np.concatenate(line[1:]) for line in lines)])
    bottom, top = float(np.nanmin(ends)), float(np.nanmax(ends))
    return [max(bottom, low - width) - margin, min(top, high + width) + margin]


def _subtitle(task: TaskCorrelations, clouds: list[_Cloud], limits: list[float]) -> list[str]:
    rows = [cloud.row for cloud in clouds]
    by, level = rows[0].by, percent(task.plan.level)
    metrics = len({row.metric for row in task.rows})
    best = f"; the best {len(rows)} of {metrics} metrics" if len(rows) < metrics else ""
    draws = f"bootstrap of {rows[0].draws:,} draws"
    if rows[0].coefficient == "phik":  # which has no bootstrap
        draws = f"{rows[0].draws:,} random halves"
    lines = [
        f"{task.units}{best}",
        f"lines are least squares; bands hold the line ({level}) if {by}s are independent",
        f"brackets hold the {level} interval ({draws})",
    ]
    if any(
        (line.low < limits[0]).any() or (line.high > limits[1]).any()
        for cloud in clouds
        if (line := cloud.line)
    ):
        lines.append("wide bands are cut off")
    if task.first == "phik":
        lines.append(f"phi_K has {span(row.bins or 0 for row in rows)} bins")
    if max(row.n for row in rows) > MOST_POINTS:
        lines.append(
            f"panels show at most {MOST_POINTS:,} random points; lines and bands are of all"
        )
    return lines


def _metric_panel(
    task: TaskCorrelations,
    matched: MatchedScores,
    cloud: _Cloud,
    limits: list[float],
    y_title: str | None,
) -> Any:
    x = ValueAxis(None, {"zero": False, "nice": True}, {"tickCount": 4, "grid": False}).x("x")
    people = {"domain": limits, "zero": False, "nice": False}
    values = ValueAxis(y_title, people, {"tickCount": 4})
    look = crowd_look(len(matched), _FEW, (36, 0.6), (16, 0.3))
    rows = _points(matched, cloud.row.metric, cloud.topics)
    tooltips = tooltip(
        "model:N topic:N words:N", ("x:Q", "metric", ".4f"), ("y:Q", "people", ".3f")
    )
    curve = Curve(chart_of(_line_rows(cloud.line)).encode(x=x), values, "y")
    layers = [
        scatter(rows, **look, color=COLOURS[0]).encode(x=x, y=values.y("y"), tooltip=tooltips),
        curve.band(opacity=0.25, color=COLOURS[1], clip=True),
        curve.line(color=COLOURS[1], strokeWidth=1.5, clip=True),
    ]
    title = small_title(task.label(cloud.row.metric), _coefficient(cloud.row), _LETTERS)
    return alt.layer(*layers, width=_WIDTH, height=_HEIGHT, title=title)


def _coefficient(row: Correlation) -> str:
    text = f"{COEFFICIENTS[row.coefficient]} {decimal(row.value)}"
    if math.isfinite(row.low):
        text += f" [{decimal(row.low)}, {decimal(row.high)}]"
    if row.coefficient == "phik":
        text += f", p = {row.p:.2g}"
    return f"{text}, n = {row.n:,}"


def _nothing(task: TaskCorrelations) -> Any:
    """Return a line of text in place of panels."""
    remark = next((row.remark for row in task.rows if row.remark), "undefined")
    text = chart_of([{"text": f"no metric has a value: {remark}"}])
    text = text.mark_text(align="left", fontSize=11, fontStyle="italic", color=DARK)
    return text.encode(x=alt.value(0), text="text:N").properties(width=_WIDTH, height=20)


def _points(matched: MatchedScores, metric: str, topics: Integers) -> list[dict[str, Any]]:
    column: Floats = matched.scores[metric]
    return [
        {
            "x": float(column[topic]),
            "y": float(matched.human[topic]),
            "model": matched.keys[topic].model,
            "topic": matched.keys[topic].topic,
            "words": " ".join(matched.words[topic][:_WORDS]),
        }
        for topic in topics.tolist()
    ]


def _line_rows(line: FittedLine | None) -> list[dict[str, Any]]:
    if line is None:
        return []
    return [
        dict(zip(line._fields, map(finite, values), strict=True))
        for values in zip(*(side.tolist() for side in line), strict=True)
    ]
