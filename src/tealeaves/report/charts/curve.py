"""The chart of a curve, from the correlations of subsets of texts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import NAMES
from tealeaves.report.charts.style import configured, stacked
from tealeaves.report.charts.tradeoff import TradeoffRow, tradeoff_panel

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.tradeoff import Tradeoff

_TITLE = "Agreement with people against texts used"


def curve_chart(found: Tradeoff) -> Any:
    """Return an Altair chart: a panel for each data set and task, a line for each metric."""
    altair = require("altair", extra="report", reason="a chart")
    known = [row for row in found.rows if math.isfinite(row.value)]
    parts = list(dict.fromkeys((row.dataset, row.task) for row in known))
    if not parts:
        raise InputError("there is no curve to draw: no metric has a value")
    panels = [_panel(altair, found, part) for part in parts]
    return configured(panels[0] if len(panels) == 1 else stacked(altair, panels, spacing=40))


def _panel(altair: Any, found: Tradeoff, part: tuple[str, str]) -> Any:
    mine = [row for row in found.rows if (row.dataset, row.task) == part]
    rows = [TradeoffRow(row.metric, row.texts, row.value, row.low, row.high) for row in mine]
    [coefficient] = found.plan.coefficients
    draws = max(row.draws for row in mine)
    counts = [row.n for row in mine]
    least, most = min(counts), max(counts)
    by = found.plan.by
    lines = [
        f"line: the mean over {draws:,} random subsets of the {found.texts:,} texts; "
        f"whiskers: {100 * found.plan.level:g} % of the subsets, not how sure the coefficient is"
    ]
    if least == most:
        lines.insert(0, f"{most:,} {by}s")
    else:
        lines.append(
            f"the {by}s are not the same for all sizes: from few texts some have no value "
            f"({least:,} to {most:,} have one)"
        )
    return tradeoff_panel(
        altair,
        rows,
        axis=f"{NAMES[coefficient]}, {by} by {by}",
        title=" · ".join(filter(None, (_TITLE, *part))),
        subtitle=lines,
    )
