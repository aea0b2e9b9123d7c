"""Heat maps: how metrics correlate with people and with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.judgments.correlation.plan import FEWEST
from tealeaves.report.charts.blocks import NAMES, Block, decimal, drawn_blocks
from tealeaves.report.charts.style import (
    COLOURS,
    LABEL_LIMIT,
    OFFSET,
    chart_of,
    configured,
    filled,
    known,
    stacked,
    titled,
)  # fmt: skip

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlations, MetricMatrix
    from tealeaves.statistics.correlation import PairwiseCorrelations

PEOPLE = "people"
_CELL = 36
# Numbers on the darkest cells are white: so all have a contrast of 4.5 and more. The colours are
# other than those of text elsewhere, which a dark page turns around: cells stay as they are.
_STRONG, _ON_STRONG, _ON_OTHERS = 0.92, "#fff", "#000"
_TITLE = "How metrics correlate with people and with each other"


def heat_map(found: Correlations) -> Any:
    """Return an Altair chart: people and all metrics against each other, a matrix of numbers.

    People come first, then the metric that agrees best with them. Each pair is compared on the
    topics (or models) where both have a value.
    """
    altair = require("altair", extra="report", reason="a chart")
    drawn, title = drawn_blocks(found, _TITLE)
    blocks = [block for block in drawn if block.matrix is not None]
    if not blocks:
        raise InputError("these correlations hold no values of topics: there are no pairs to draw")
    panels = [heat_panel(altair, block, title=block.title) for block in blocks]
    return configured(stacked(altair, panels, title=titled(altair, title)))


def heat_side(block: Block) -> int:
    """Return the pixels of a side of the matrix."""
    return _CELL * (1 + len(block.matrix.metrics if block.matrix else ()))


def heat_panel(
    altair: Any, block: Block, *, title: str, lines: int = 0, offset: int = OFFSET
) -> Any:
    """Return the heat map of one block, without configuration.

    Beside another panel its title is to have as many ``lines`` below and the same ``offset``, or
    the two would not begin at the same height.
    """
    matrix = block.matrix
    if matrix is None:
        raise InputError("these correlations hold no values of topics: there are no pairs to draw")
    name = matrix.coefficient
    labels = [PEOPLE, *(block.label(metric) for metric in matrix.metrics)]
    subtitle = filled([f"{NAMES[name]}; {_rests(block, matrix)}", *block.lower], lines)
    heading = titled(altair, title, subtitle, size=13, offset=offset)
    cells = coefficient_cells(labels, matrix)
    return matrix_panel(altair, cells, labels, coefficient=NAMES[name], title=heading)


def matrix_panel(
    altair: Any,
    cells: Sequence[dict[str, Any]],
    labels: list[str],
    *,
    coefficient: str,
    title: Any,
    shown: Sequence[str] = (),
) -> Any:
    """Return coefficients of all with all as a square of colours and numbers.

    ``shown`` are further fields of the cells that appear where the pointer is.
    """
    base = chart_of(altair, cells).encode(
        x=_axis(altair, "column", labels, turned=True),
        y=_axis(altair, "row", labels, turned=False),
        tooltip=[
            altair.Tooltip("row:N"),
            altair.Tooltip("column:N"),
            altair.Tooltip("value:Q", format=".3f", title=coefficient),
            altair.Tooltip("n:Q"),
            *(altair.Tooltip(f"{field}:N") for field in shown),
        ],
    )
    # the middle of the scale is white: no correlation
    scale = altair.Scale(
        domain=[-1, 0, 1], range=[COLOURS[1], "#f7f7f7", COLOURS[0]], interpolate="rgb"
    )
    colour = altair.Color("value:Q", scale=scale, legend=altair.Legend(title=coefficient))
    squares = base.mark_rect(stroke="white", strokeWidth=1, invalid=None).encode(
        color=altair.condition("datum.value === null", altair.value("#ddd"), colour)
    )
    numbers = base.mark_text(fontSize=10, aria=False).encode(
        text="text:N",
        color=altair.condition("datum.strong", altair.value(_ON_STRONG), altair.value(_ON_OTHERS)),
    )
    side = _CELL * len(labels)
    return altair.layer(squares, numbers, width=side, height=side, title=title)


def _axis(altair: Any, field: str, labels: list[str], *, turned: bool) -> Any:
    made = altair.X if turned else altair.Y
    axis: dict[str, Any] = {"labelLimit": LABEL_LIMIT, "ticks": False, "domain": False}
    if turned:
        axis |= {"labelAngle": -50, "labelAlign": "right", "labelBaseline": "middle"}
    return made(f"{field}:N", sort=labels, title=None, axis=altair.Axis(**axis))


def _rests(block: Block, matrix: MetricMatrix) -> str:
    by = f"{block.rows[0].by}s"
    least, most = int(matrix.n.min()), int(matrix.n.max())
    if most < FEWEST:
        return f"{most} {by}: fewer than {FEWEST} have no coefficient"
    if least == most:
        return f"{most:,} {by}"
    return f"{least:,} to {most:,} {by}, those where both have a value"


def coefficient_cells(
    labels: list[str], matrix: PairwiseCorrelations | MetricMatrix
) -> list[dict[str, Any]]:
    """Return a cell for each two columns; numbers on darker cells are white."""
    return [
        {
            "row": labels[i],
            "column": labels[j],
            "value": known(matrix.values[i, j]),
            "text": decimal(float(matrix.values[i, j])),
            "strong": bool(matrix.values[i, j] > _STRONG),
            "n": int(matrix.n[i, j]),
        }
        for i in range(len(labels))
        for j in range(len(labels))
    ]
