"""Scatter plots: a metric against people, with the line through the points."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import (
    NAMES,
    Block,
    decimal,
    drawn_blocks,
    halves_or_draws,
    span,
)
from tealeaves.report.charts.line import Line, fitted_line
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    GREY,
    chart_of,
    configured,
    known,
    stacked,
    titled,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.result import Correlation, Correlations

MOST = 8
_POINTS = 1500  # more make the file large and the cloud solid
_COLUMNS = 4
_WIDTH, _HEIGHT = 210, 170
_WORDS = 10
_LETTERS = 34  # of a title's line
_FEW = 100  # fewer points are drawn larger
_TITLE = "Metrics against people"


class Cloud(NamedTuple):
    """What a panel shows: a coefficient, which topics have both values, the line through them."""

    row: Correlation
    there: NDArray[np.int64]
    line: Line | None


def scatter_chart(found: Correlations, most: int = MOST) -> Any:
    """Return an Altair chart: the metrics that agree best with people, each against people.

    The best are the first ``most`` in the order of the forest plot. Panels hold at most 1,500
    points, drawn at random where there are more; line and band are of all.
    """
    altair = require("altair", extra="report", reason="a chart")
    drawn, title = drawn_blocks(found, _TITLE)
    blocks = [block for block in drawn if block.matched is not None]
    if not blocks:
        raise InputError("these correlations hold no values of topics: there are no points to draw")
    panels = [scatter_panels(altair, block, most, title=block.title) for block in blocks]
    return configured(stacked(altair, panels, title=titled(altair, title)))


def scatter_panels(altair: Any, block: Block, most: int, *, title: str) -> Any:
    """Return the panels of one block, without configuration."""
    part = block.matched
    if part is None:
        raise InputError("these correlations hold no values of topics: there are no points to draw")
    clouds = [_cloud(block, part, row) for row in best(block, most)]
    limits = people_limits(part.human, [one.line for one in clouds if one.line])
    panels = [
        _panel(altair, block, part, cloud, limits, None if number % _COLUMNS else "people")
        for number, cloud in enumerate(clouds)
    ]
    drawn = panels or [_nothing(altair, block)]
    subtitle = _subtitle(block, clouds, limits) if panels else [block.units]
    heading = titled(altair, title, subtitle, size=13)
    return altair.concat(*drawn, columns=_COLUMNS, spacing=22, title=heading)


def best(block: Block, most: int) -> list[Correlation]:
    """Return the first coefficient of the metrics that agree best, in the order of the forest."""
    rows = [row for metric in block.metrics if (row := block.row(metric)) is not None]
    return [row for row in rows if math.isfinite(row.value)][:most]


def _cloud(block: Block, part: MatchedScores, row: Correlation) -> Cloud:
    column = part.scores[row.metric]
    there = np.flatnonzero(np.isfinite(column) & np.isfinite(part.human))
    return Cloud(row, there, fitted_line(column[there], part.human[there], block.plan.level))


def _subtitle(block: Block, clouds: list[Cloud], limits: list[float]) -> list[str]:
    rows = [cloud.row for cloud in clouds]
    by, level = rows[0].by, block.level
    metrics = len({row.metric for row in block.rows})
    shown = f"; the best {len(rows)} of {metrics} metrics" if len(rows) < metrics else ""
    lines = [
        f"{block.units}{shown}",
        f"line: least squares; band: where the line is ({level}), {by}s taken for independent",
        f"in brackets: {level} interval, {halves_or_draws(rows[0])}",
    ]
    if any(one.line and _reach(one.line, limits) for one in clouds):
        lines.append("wide bands are cut off")
    if block.first == "phik":
        lines.append(f"phi_K: {span(row.bins or 0 for row in rows)} bins")
    if max(row.n for row in rows) > _POINTS:
        lines.append(f"at most {_POINTS:,} points a panel, drawn at random; line and band: all")
    return lines


def _panel(
    altair: Any,
    block: Block,
    part: MatchedScores,
    cloud: Cloud,
    limits: list[float],
    name: str | None,
) -> Any:
    x = altair.X(
        "x:Q",
        title=None,
        scale=altair.Scale(zero=False, nice=True),
        axis=altair.Axis(tickCount=4, grid=False),
    )
    y = altair.Y(
        "y:Q",
        title=name,
        scale=altair.Scale(domain=limits, zero=False, nice=False),
        axis=altair.Axis(tickCount=4),
    )
    points = chart_of(altair, _points(part, cloud.row.metric, _sampled(cloud.there, block)))
    fit = chart_of(altair, _line_rows(cloud.line))
    layers = [
        points.mark_point(
            filled=True,
            size=16 if len(part) > _FEW else 36,
            opacity=0.3 if len(part) > _FEW else 0.6,
            color=COLOURS[0],
            aria=False,  # or a file of many points repeats all their words
        ).encode(x=x, y=y, tooltip=_tooltip(altair)),
        fit.mark_area(opacity=0.25, color=COLOURS[1], clip=True).encode(
            x=x, y=altair.Y("low:Q", title=name), y2="high:Q"
        ),
        fit.mark_line(color=COLOURS[1], strokeWidth=1.5, clip=True).encode(x=x, y=y),
    ]
    title = altair.TitleParams(
        _lines(block.label(cloud.row.metric)) or "",
        subtitle=_coefficient(cloud.row),
        anchor="start",
        fontSize=11,
        subtitleFontSize=10,
        subtitleColor=GREY,
    )
    return altair.layer(*layers, width=_WIDTH, height=_HEIGHT, title=title)


def _coefficient(row: Correlation) -> str:
    text = f"{NAMES[row.coefficient]} {decimal(row.value)}"
    if math.isfinite(row.low):
        text += f" [{decimal(row.low)}, {decimal(row.high)}]"
    if row.coefficient == "phik":
        text += f", p = {row.p:.2g}"
    return f"{text}, n = {row.n:,}"


def _nothing(altair: Any, block: Block) -> Any:
    """Return a line of text in place of panels."""
    remark = next((row.remark for row in block.rows if row.remark), "undefined")
    rows = [{"text": f"no metric has a value: {remark}"}]
    mark = chart_of(altair, rows).mark_text(
        align="left", fontSize=11, fontStyle="italic", color=DARK
    )
    return mark.encode(x=altair.value(0), text="text:N").properties(width=_WIDTH, height=20)


def people_limits(human: NDArray[np.float64], lines: Sequence[Line]) -> list[float]:
    """Return the limits of people's axis, the same in all panels of a block.

    Lines and bands are inside, but a band of few points may be so wide that it would press them
    flat: beyond as much room as people's means have themselves, it is cut off.
    """
    low, high = float(human.min()), float(human.max())
    room = high - low
    margin = room * 0.05 or 0.5
    sides = np.concatenate([np.array([low, high]), *(np.concatenate(line[1:]) for line in lines)])
    bottom, top = float(np.nanmin(sides)), float(np.nanmax(sides))
    return [max(bottom, low - room) - margin, min(top, high + room) + margin]


def _reach(line: Line, limits: list[float]) -> bool:
    """Whether a band goes beyond the panel."""
    return bool((line.low < limits[0]).any() or (line.high > limits[1]).any())


def _lines(label: str) -> list[str]:
    """Cut a long label into lines, sooner before a bracket than within a word."""
    if len(label) <= _LETTERS:
        return [label]
    return textwrap.wrap(label.replace("(", " (", 1), _LETTERS)


def _sampled(rows: NDArray[np.int64], block: Block) -> NDArray[np.int64]:
    if len(rows) <= _POINTS:
        return rows
    rng = np.random.default_rng(block.plan.seed)
    return np.sort(rng.choice(rows, _POINTS, replace=False))


def _points(part: MatchedScores, metric: str, rows: NDArray[np.int64]) -> list[dict[str, Any]]:
    column = part.scores[metric]
    return [
        {
            "x": float(column[row]),
            "y": float(part.human[row]),
            "model": part.keys[row].model,
            "topic": part.keys[row].topic,
            "words": " ".join(part.words[row][:_WORDS]),
        }
        for row in rows.tolist()
    ]


def _line_rows(line: Line | None) -> list[dict[str, Any]]:
    if line is None:
        return []
    return [
        dict(zip(("x", "y", "low", "high"), map(known, values), strict=True))
        for values in zip(*(side.tolist() for side in line), strict=True)
    ]


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("model:N"),
        altair.Tooltip("topic:N"),
        altair.Tooltip("words:N"),
        altair.Tooltip("x:Q", title="metric", format=".4f"),
        altair.Tooltip("y:Q", title="people", format=".3f"),
    ]
