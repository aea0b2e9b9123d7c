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
    from tealeaves.judgments.correlation.correlations import Correlations

_SINGLE = {
    "forest": forest_chart,
    "scatter": scatter_chart,
    "heatmap": heat_map,
    "separation": separated_chart,
}
_HEAT = "Metrics with each other"
_LETTER = 6  # pixels
_PAGE = 900  # pixels for names, coefficients and cells; legends and gaps come on top


def correlation_charts(found: Correlations, which: str = "all") -> Any:
    """Return an Altair chart: ``forest``, ``scatter`` or ``heatmap``, or ``all`` these three.

    ``separation`` is apart from these: what its panels show is in the scatter plots, too.
    Each data set and task (and model, where they were taken apart) is a block of its own.
    """
    if which in _SINGLE:
        return _SINGLE[which](found)
    names = ("all", *_SINGLE)
    if which != "all":
        raise InputError(
            f"no chart {which}{did_you_mean(which, names)} (there are {', '.join(names)})"
        )
    altair = require("altair", extra="report", reason="a chart")
    blocks, title = drawn_blocks(found, "How well metrics agree with people")
    domain = forest_domain(blocks)
    panels = [_block(altair, block, domain) for block in blocks]
    return configured(stacked(altair, panels, spacing=48, title=titled(altair, title)))


def _block(altair: Any, block: Block, domain: list[float]) -> Any:
    """Return forest and heat map side by side, where they fit, and the scatter plots."""
    title = titled(altair, block.title) if block.title else None
    forest = forest_panel(altair, block, domain, title="Coefficients")
    if block.matched is None:
        return stacked(altair, [forest], title=title)
    scatter = scatter_panels(altair, block, MOST, title="Metrics against people")
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
