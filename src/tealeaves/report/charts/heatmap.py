"""Heat maps of coefficients: metrics with people, and metrics with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.judgments.correlation.plan import FEWEST
from tealeaves.report.charts.blocks.axes import name_axis
from tealeaves.report.charts.blocks.cells import (
    DIVERGING,
    cell_colour,
    cell_numbers,
    coloured_cells,
)
from tealeaves.report.charts.blocks.headings import OFFSET, padded, titled
from tealeaves.report.charts.blocks.numbers import COEFFICIENTS, decimal, span
from tealeaves.report.charts.blocks.panels import configured, stacked
from tealeaves.report.charts.blocks.rows import chart_of, finite
from tealeaves.report.charts.blocks.style import LABEL_LIMIT, alt, tooltip
from tealeaves.report.charts.task_correlations import TaskCorrelations, drawn_tasks

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlations, MetricMatrix
    from tealeaves.metrics.agreement import MetricAgreement

_CELL = 36
# Numbers on the darkest cells are white, so that each has a contrast of at least 4.5. These are not
# the colours of other texts, which a dark page inverts: cells stay as they are.
_STRONG, _ON_STRONG, _ON_OTHERS = 0.92, "#fff", "#000"
_TITLE = "How metrics correlate with people and with each other"
_AGREEMENT_TITLE = "How far metrics agree with each other"
_NO_PAIRS = "these correlations hold no values of topics: there are no pairs to draw"


def heat_map(correlations: Correlations) -> Any:
    """Return an Altair chart: people and all metrics against each other, a matrix of numbers.

    People come first, then the metric that agrees best with them. Each pair is compared on the
    topics (or models) for which both have a value.
    """
    drawn, title = drawn_tasks(correlations, _TITLE)
    tasks = [task for task in drawn if task.matrix is not None]
    if not tasks:
        raise InputError(_NO_PAIRS)
    panels = [heat_panel(task, title=task.title) for task in tasks]
    return configured(stacked(panels, title=titled(title)))


def heat_panel(task: TaskCorrelations, *, title: str, lines: int = 0, offset: int = OFFSET) -> Any:
    """Return the heat map of one task, without configuration.

    To begin at the same height as the panel beside it, its title needs as many ``lines`` below it
    and the same ``offset``.
    """
    matrix = task.matrix
    if matrix is None:
        raise InputError(_NO_PAIRS)
    name = COEFFICIENTS[matrix.coefficient]
    subtitle = [f"numbers are {name} over {_units(task, matrix)}", *task.arrow_meaning]
    heading = titled(title, padded(subtitle, lines), size=13, offset=offset)
    labels = ["people", *(task.label(metric) for metric in matrix.metrics)]
    cells = [
        _cell(row, column, float(matrix.values[i, j]), int(matrix.n[i, j]))
        for i, row in enumerate(labels)
        for j, column in enumerate(labels)
    ]
    return _matrix_panel(cells, labels, coefficient=name, title=heading)


def heat_side(task: TaskCorrelations) -> int:
    """Return the pixels of a side of the matrix."""
    return _CELL * (1 + len(task.matrix.metrics if task.matrix else ()))


def _units(task: TaskCorrelations, matrix: MetricMatrix) -> str:
    by = f"{task.rows[0].by}s"
    least, most = int(matrix.n.min()), int(matrix.n.max())
    if most < FEWEST:
        return f"{most} {by}: fewer than {FEWEST} have no coefficient"
    if least == most:
        return f"{most:,} {by}"
    return f"{least:,} to {most:,} {by}, those where both have a value"


def metric_agreement_chart(agreement: MetricAgreement, *, title: str = _AGREEMENT_TITLE) -> Any:
    """Return an Altair chart: all metrics against each other, a matrix of numbers.

    Metrics that agree are beside each other.
    """
    if not agreement.rows:
        raise InputError("there are no two metrics to compare: score with another metric, too")
    pairs = {}
    for one in agreement.rows:
        pairs[one.metric_a, one.metric_b] = pairs[one.metric_b, one.metric_a] = one
    labels = agreement.order
    cells = [
        _cell(row, column, pair.value, pair.n) | {"over": pair.over}
        for row in labels
        for column in labels
        if (pair := pairs.get((row, column)))
    ]
    name = COEFFICIENTS[agreement.coefficient]
    heading = titled(title, _agreement_subtitle(agreement, name))
    return configured(
        _matrix_panel(cells, labels, coefficient=name, title=heading, more=["over:N"])
    )


def _agreement_subtitle(agreement: MetricAgreement, coefficient: str) -> list[str]:
    counts = {
        over: span(row.n for row in agreement.rows if row.over == over)
        for over in ("topics", "models")
    }
    units = " and ".join(f"{count} {over}" for over, count in counts.items() if count != "0")
    lines = [f"numbers are {coefficient} over {units or 'no topics'} where both have a value"]
    if agreement.of_models:
        lines.append(f"pairs with {', '.join(agreement.of_models)} are over models")
    if any(better == "lower" for better in agreement.better.values()):
        lines.append("metrics where lower is better are turned: above 0 two metrics agree")
    return lines


def _cell(row: str, column: str, value: float, n: int) -> dict[str, Any]:
    return {
        "row": row,
        "column": column,
        "value": finite(value),
        "text": decimal(value),
        "strong": value > _STRONG,
        "n": n,
    }


def _matrix_panel(
    cells: Sequence[dict[str, Any]],
    labels: list[str],
    *,
    coefficient: str,
    title: Any,
    more: Sequence[str] = (),
) -> Any:
    """Return a square of colours and numbers; ``more`` are further fields of the tooltip."""
    turned: dict[str, Any] = {"labelAngle": -50, "labelAlign": "right", "labelBaseline": "middle"}
    base = chart_of(cells).encode(
        x=name_axis(alt.X, "column:N", labels, labelLimit=LABEL_LIMIT, **turned),
        y=name_axis(alt.Y, "row:N", labels, labelLimit=LABEL_LIMIT),
        tooltip=tooltip("row:N", "column:N", ("value:Q", coefficient, ".3f"), "n:Q", *more),
    )
    colour = cell_colour("value", [-1, 0, 1], DIVERGING, alt.Legend(title=coefficient))
    layers = [
        coloured_cells(base, "value", colour, unknown="#ddd"),
        cell_numbers(base, on_strong=_ON_STRONG, on_others=_ON_OTHERS),
    ]
    side = _CELL * len(labels)
    return alt.layer(*layers, width=side, height=side, title=title)
