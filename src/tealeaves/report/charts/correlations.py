"""The charts of correlations with people, one below the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.report.charts.blocks import Block, drawn_blocks
from tealeaves.report.charts.forest import (
    forest_chart,
    forest_domain,
    forest_offset,
    forest_panel,
    forest_subtitle,
)
from tealeaves.report.charts.heatmap import heat_map, heat_panel, heat_side
from tealeaves.report.charts.intervals import WIDTH as FOREST_WIDTH
from tealeaves.report.charts.scatter import MOST, scatter_chart, scatter_panels
from tealeaves.report.charts.separated import separated_chart
from tealeaves.report.charts.style import beside, configured, stacked, titled

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlations
    from tealeaves.judgments.correlation.separation import Separations

_SINGLE = {"forest": forest_chart, "scatter": scatter_chart, "heatmap": heat_map}
_HEAT = "Metrics with each other"
_LETTER = 6  # pixels
_PAGE = 900  # pixels for names, coefficients and cells; legends and gaps come on top


def correlation_charts(
    found: Correlations, which: str = "all", separations: Separations | None = None
) -> Any:
    """Return an Altair chart: ``forest``, ``scatter`` or ``heatmap``, or ``all`` these three.

    ``separation`` draws the result of :func:`tealeaves.separation`, which ``all`` has below the
    three if there is one. Each data set and task (and model, where they were taken apart) is a
    block of its own.
    """
    if which in _SINGLE:
        return _SINGLE[which](found)
    if which == "separation":
        if separations is None:
            raise InputError("no separation to draw: give the result of separation(correlations)")
        return separated_chart(separations)
    names = ("all", *_SINGLE, "separation")
    if which != "all":
        raise InputError(
            f"no chart {which}{did_you_mean(which, names)} (there are {', '.join(names)})"
        )
    altair = require("altair", extra="report", reason="a chart")
    blocks, title = drawn_blocks(found, "How well metrics agree with people")
    domain = forest_domain(blocks)
    panels = [_block(altair, block, domain) for block in blocks]
    drawn = stacked(altair, panels, spacing=48, title=titled(altair, title))
    if separations is None:
        return configured(drawn)
    below = separated_chart(separations)
    below.config = altair.Undefined  # only the outermost chart has a configuration
    return configured(stacked(altair, [drawn, below], spacing=56))


def _block(altair: Any, block: Block, domain: list[float]) -> Any:
    """Return forest and heat map side by side, where they fit, and the scatter plots."""
    title = titled(altair, block.title) if block.title else None
    forest = forest_panel(altair, block, domain, title="Coefficients")
    if block.matched is None:
        return stacked(altair, [forest], title=title)
    scatter = scatter_panels(altair, block, MOST, title="Metrics against people")
    if block.matrix is None:
        return stacked(altair, [forest, scatter], title=title)
    if not fit_beside(block):
        heat = heat_panel(altair, block, title=_HEAT)
        return stacked(altair, [forest, scatter, heat], title=title)
    lines = len(forest_subtitle(block))
    heat = heat_panel(altair, block, title=_HEAT, lines=lines, offset=forest_offset(block))
    return stacked(altair, [beside(altair, [forest, heat]), scatter], title=title)


def fit_beside(block: Block) -> bool:
    """Whether forest and heat map have room side by side; both have all names."""
    longest = max(len(block.label(metric)) for metric in block.metrics)
    return 2 * _LETTER * longest + FOREST_WIDTH + heat_side(block) <= _PAGE
