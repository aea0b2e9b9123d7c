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
        "Rank correlation (Spearman) of each two metrics, both turned so that more is better: over "
        "topics, if both judge topics, else over models."
    ]
    unknown = [name for name in agreement.metrics if not run.scores.better.get(name)]
    if unknown:
        lead.append(
            f"Whether more is better is not known for {listed(unknown)}: the values are used as "
            "they are."
        )
    if over_topics:
        lead.append(_extremes(over_topics))
    rows: list[list[Cell]] = [
        [row.metric_a, row.metric_b, row.value, row.over, row.n] for row in agreement.rows
    ]
    table = ReportTable(
        "Each two metrics", ["metric", "and", "Spearman's ρ", "over", "n"], rows, labels=2
    )
    caption = "1: both order topics alike; 0: they are unrelated."
    chart = metric_agreement_chart(agreement)
    parts: list[Part] = [Figure.of("between", "Metric by metric", caption, chart, table)]
    if agreement.notes:
        parts.append(Notes("Left out", agreement.notes))
    return Section("metrics", _TITLE, lead, parts)


def _extremes(pairs: Sequence[MetricPair]) -> str:
    """Name the pairs that agree most and least over topics."""
    most, least = (pick(pairs, key=lambda row: row.value) for pick in (max, min))
    if len(pairs) == 1:
        return f"{_text(most)}, over {most.n:,} topics."
    if math.isclose(most.value, least.value):
        return f"Over topics all pairs agree alike ({number(most.value, 2)})."
    return (
        f"Over topics, most alike: {_text(most)}; least alike: {_text(least)}. Where metrics "
        "disagree, look at the topics."
    )


def _text(pair: MetricPair) -> str:
    return f"{pair.metric_a} and {pair.metric_b} ({number(pair.value, 2)})"
