"""The chart of separation, from correlations with people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.blocks import MOST_BLOCKS
from tealeaves.report.charts.separation import Separable, Separation, separation_panels
from tealeaves.report.charts.style import configured, stacked, titled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.separation import MetricSeparation, Separations

_WORDS = 10


def separated_chart(apart: Separations) -> Any:
    """Return an Altair chart: a block for each data set and task, a panel for each metric."""
    altair = require("altair", extra="report", reason="a chart")
    # people who rate all alike put nothing into groups
    named = {row.part for row in apart.rows if not math.isnan(row.from_high)}
    parts = [one for one in apart.correlations.parts if one.part in named]
    if not parts:
        raise InputError("people's scores are constant: there are no groups to separate")
    by = f"{apart.correlations.plan.by}s"
    title = f"Do metrics separate {by} that people rate high and low?"
    if len(parts) > MOST_BLOCKS:
        title += f" (the first {MOST_BLOCKS} of {len(parts):,}; the others are left out)"
    panels = [_panels(altair, part, apart) for part in parts[:MOST_BLOCKS]]
    return configured(stacked(altair, panels, spacing=40, title=titled(altair, title)))


def _panels(altair: Any, part: MatchedScores, apart: Separations) -> Any:
    rows = [row for row in apart.rows if row.part == part.part]
    better = apart.correlations.better
    labels = {row.metric: _label(row.metric, better.get(row.metric, "")) for row in rows}
    return separation_panels(
        altair,
        [one for row in rows for one in _separable(part, row, labels[row.metric])],
        {labels[row.metric]: Separation(row.auc, row.low, row.high) for row in rows},
        title=" · ".join(filter(None, part.part)),
        subtitle=_said(rows, apart),
    )


def _label(metric: str, better: str) -> str:
    return f"{metric} ↓" if better == "lower" else metric


def _separable(part: MatchedScores, row: MetricSeparation, label: str) -> list[Separable]:
    """Return the topics of the two groups; what is between them is not drawn."""
    found = []
    values = part.scores[row.metric].tolist()
    for key, words, human, value in zip(
        part.keys, part.words, part.human.tolist(), values, strict=True
    ):
        group = "high" if human >= row.from_high else "low" if human <= row.to_low else ""
        if group:
            name = " ".join(filter(None, (key.model, key.topic, *words[:_WORDS])))
            found.append(Separable(label, name, value, group, human))
    return found


def _said(rows: Sequence[MetricSeparation], apart: Separations) -> list[str]:
    from tealeaves.judgments.correlation.separation import group_limits

    lines = group_limits(rows)
    plan = apart.correlations.plan
    if any(math.isfinite(row.low) for row in rows):
        lines.append(
            f"in brackets: {100 * plan.level:g} % interval, bootstrap, {plan.draws:,} draws"
        )
    if any(apart.correlations.better.get(row.metric) == "lower" for row in rows):
        lines.append("↓: lower is better, and AUC is turned so")
    return lines
