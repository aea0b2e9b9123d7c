"""Metric against metric: do they say the same of topics?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.metrics.agreement import MetricPair
from tealeaves.report.charts.heatmap import metric_agreement_chart
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Cell, Figure, Notes, Part, ReportTable, Section
from tealeaves.report.sections.sentences import listed, number

_TITLE = "Do the metrics agree?"


def metric_agreement(run: Run) -> Section | None:
    """Return how far each two metrics order topics alike."""
    agreement = run.analysis and run.analysis.agreement
    if not agreement or not any(math.isfinite(row.value) for row in agreement.rows):
        return None
    over_topics = [
        row for row in agreement.rows if row.over == "topics" and math.isfinite(row.value)
    ]
    lead = [
        "Spearman's rank correlation of each pair of metrics: over topics if both score topics, "
        "else over models. The sign of a metric is changed if lower is better, so a positive "
        "correlation means agreement."
    ]
    unknown = [name for name in agreement.metrics if not run.scores.better.get(name)]
    if unknown:
        lead.append(
            f"It is not known whether higher is better for {listed(unknown)}, so the values are "
            "used as they are."
        )
    if over_topics:
        lead.append(_extremes(over_topics))
    rows: list[list[Cell]] = [
        [row.metric_a, row.metric_b, row.value, row.over, row.n] for row in agreement.rows
    ]
    table = ReportTable(
        "Pairs of metrics", ["metric", "and", "Spearman's ρ", "over", "n"], rows, labels=2
    )
    caption = "1 means that both metrics put topics in the same order, 0 that they are unrelated."
    chart = metric_agreement_chart(agreement)
    parts: list[Part] = [Figure.of("between", "Metric by metric", caption, chart, table)]
    if agreement.notes:
        parts.append(Notes("Left out", agreement.notes))
    return Section("metrics", _TITLE, lead, parts)


def _extremes(pairs: Sequence[MetricPair]) -> str:
    """Name the pairs that agree most and least over topics."""
    most, least = (pick(pairs, key=lambda row: row.value) for pick in (max, min))
    if len(pairs) == 1:
        value = number(most.value, 2)
        return f"The correlation of {_names(most)} over {most.n:,} topics is {value}."
    if math.isclose(most.value, least.value):
        return f"Over topics, all pairs of metrics agree equally ({number(most.value, 2)})."
    return (
        f"Over topics, {_names(most)} agree most ({number(most.value, 2)}), {_names(least)} least "
        f"({number(least.value, 2)}). Where metrics disagree, look at the topics."
    )


def _names(pair: MetricPair) -> str:
    return f"{pair.metric_a} and {pair.metric_b}"
