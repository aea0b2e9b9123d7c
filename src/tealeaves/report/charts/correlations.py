"""The charts of correlations with people, one below the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.intervals import WIDTH as FOREST_WIDTH
from tealeaves.report.charts.blocks.panels import beside, configured, stacked
from tealeaves.report.charts.blocks.style import alt
from tealeaves.report.charts.forest import (
    forest_chart,
    forest_domain,
    forest_offset,
    forest_panel,
    forest_subtitle,
)
from tealeaves.report.charts.heatmap import heat_map, heat_panel, heat_side
from tealeaves.report.charts.scatter import MOST, scatter_chart, scatter_panels
from tealeaves.report.charts.separation import separated_chart
from tealeaves.report.charts.task_correlations import TaskCorrelations, drawn_tasks

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlations
    from tealeaves.judgments.correlation.separation import Separations

_CHARTS = {"forest": forest_chart, "scatter": scatter_chart, "heatmap": heat_map}
_HEAT = "Metrics with each other"
_LETTER = 6  # pixels
_PAGE = 900  # pixels for names, coefficients and cells; legends and gaps are added


def correlation_charts(
    correlations: Correlations, which: str = "all", separations: Separations | None = None
) -> Any:
    """Return an Altair chart: ``forest``, ``scatter`` or ``heatmap``, or ``all`` of them.

    ``separation`` draws the result of :func:`tealeaves.separation`, which ``all`` has below the
    three if it is given. Each data set and task (and model, if models are apart) has its own
    panels.
    """
    if which == "separation":
        if separations is None:
            raise InputError("no separation to draw: give the result of separation(correlations)")
        return separated_chart(separations)
    if which in _CHARTS:
        return _CHARTS[which](correlations)
    names = ("all", *_CHARTS, "separation")
    if which != "all":
        raise InputError(
            f"no chart {which}{did_you_mean(which, names)} (there are {', '.join(names)})"
        )
    tasks, title = drawn_tasks(correlations, "How well metrics agree with people")
    domain = forest_domain(tasks)
    panels = [_task_panels(task, domain) for task in tasks]
    chart = configured(stacked(panels, spacing=48, title=titled(title)))
    if separations is None:
        return chart
    below = separated_chart(separations)
    chart.config = below.config = alt.Undefined  # only the outermost chart has one
    return configured(stacked([chart, below], spacing=56))


def _task_panels(task: TaskCorrelations, domain: list[float]) -> Any:
    """Return forest plot and heat map, side by side if they fit, and the scatter plots."""
    title = titled(task.title) if task.title else None
    forest = forest_panel(task, domain, title="Coefficients")
    if task.matched is None:
        return stacked([forest], title=title)
    scatter = scatter_panels(task, MOST, title="Metrics against people")
    if task.matrix is None:
        return stacked([forest, scatter], title=title)
    longest = max(len(task.label(metric)) for metric in task.metrics)  # names of both panels
    if 2 * _LETTER * longest + FOREST_WIDTH + heat_side(task) > _PAGE:
        return stacked([forest, scatter, heat_panel(task, title=_HEAT)], title=title)
    lines = len(forest_subtitle(task))
    heat = heat_panel(task, title=_HEAT, lines=lines, offset=forest_offset(task))
    return stacked([beside([forest, heat]), scatter], title=title)
