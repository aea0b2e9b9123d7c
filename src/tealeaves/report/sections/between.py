"""Metric against metric: do they say the same of topics?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.metrics.agreement import MetricPair, metric_agreement
from tealeaves.report.charts.heatmap import metric_agreement_chart
from tealeaves.report.run.findings import Findings
from tealeaves.report.sections.figures import figure
from tealeaves.report.sections.parts import Cell, Notes, Part, ReportTable, Section
from tealeaves.report.sections.wording import listed, number

_TITLE = "Do the metrics agree?"


def between(found: Findings) -> Section | None:
    """Return how far each two metrics order topics alike."""
    agreement = metric_agreement(found.scores)
    known = [row for row in agreement.rows if math.isfinite(row.value)]
    if not known:
        return None
    over_topics = [row for row in known if row.over == "topics"]
    lead = [
        "Rank correlation (Spearman) of each two metrics, both turned so that more is better: over "
        "topics, where both judge topics, else over models."
    ]
    unknown = [name for name in agreement.metrics if not found.scores.better.get(name)]
    if unknown:
        lead.append(f"Which way is better is not known of {listed(unknown)}: taken as it is.")
    if over_topics:
        lead.append(_extremes(over_topics))
    rows: list[list[Cell]] = [
        [row.metric_a, row.metric_b, row.value, row.over, row.n] for row in agreement.rows
    ]
    table = ReportTable(
        "Each two metrics", ["metric", "and", "Spearman's ρ", "over", "n"], rows, labels=2
    )
    caption = "1: both order topics alike; 0: they have nothing to do with each other."
    chart = metric_agreement_chart(agreement)
    parts: list[Part] = [figure("between", "Metric by metric", caption, chart, table)]
    if agreement.notes:
        parts.append(Notes("Left out", agreement.notes))
    return Section("metrics", _TITLE, lead, parts)


def _extremes(pairs: Sequence[MetricPair]) -> str:
    """Name the pairs that agree most and least over topics."""
    most, least = (pick(pairs, key=lambda row: row.value) for pick in (max, min))
    if len(pairs) == 1:
        return f"{_told(most)}, over {most.n:,} topics."
    if math.isclose(most.value, least.value):
        return f"Over topics all pairs agree alike ({number(most.value, 2)})."
    return (
        f"Over topics, most alike: {_told(most)}; least alike: {_told(least)}. Where metrics "
        "disagree, look at the topics."
    )


def _told(pair: MetricPair) -> str:
    return f"{pair.metric_a} and {pair.metric_b} ({number(pair.value, 2)})"
