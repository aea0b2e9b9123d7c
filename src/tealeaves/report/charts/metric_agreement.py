"""The chart of how far metrics agree with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import NAMES, span
from tealeaves.report.charts.heatmap import coefficient_cells, matrix_panel
from tealeaves.report.charts.style import configured, titled

if TYPE_CHECKING:
    from tealeaves.metrics.agreement import MetricAgreement

_TITLE = "How far metrics agree with each other"


def metric_agreement_chart(found: MetricAgreement, *, title: str = _TITLE) -> Any:
    """Return an Altair chart: all metrics against each other, a matrix of numbers.

    Metrics that agree stand beside each other.
    """
    altair = require("altair", extra="report", reason="a chart")
    if not found.rows:
        raise InputError("there are no two metrics to compare: score with another metric, too")
    labels = found.order
    cells = [
        cell
        for cell in coefficient_cells(labels, found.matrix(labels))
        if cell["row"] != cell["column"]
    ]
    over = {frozenset((row.metric_a, row.metric_b)): row.over for row in found.rows}
    for cell in cells:
        cell["over"] = over[frozenset((cell["row"], cell["column"]))]
    name = NAMES[found.coefficient]
    heading = titled(altair, title, _subtitle(found, name))
    panel = matrix_panel(altair, cells, labels, coefficient=name, title=heading, shown=["over"])
    return configured(panel)


def _subtitle(found: MetricAgreement, name: str) -> list[str]:
    counts = {
        over: span(row.n for row in found.rows if row.over == over) for over in ("topics", "models")
    }
    rests = [f"{count} {over}" for over, count in counts.items() if count != "0"]
    lines = [f"{name} over {' and '.join(rests) or 'no topics'} where both have a value"]
    if found.of_models:
        lines.append(f"over models: pairs with {', '.join(found.of_models)}")
    if any(better == "lower" for better in found.better.values()):
        lines.append("metrics where lower is better are turned: above 0 two metrics agree")
    return lines
