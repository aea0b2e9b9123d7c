"""Every topic: a strip for each metric, with the words of topics."""

from __future__ import annotations

import math

from tealeaves.report.charts.strip import strip_chart
from tealeaves.report.run.findings import Findings
from tealeaves.report.sections.figures import figure
from tealeaves.report.sections.parts import Cell, Figure, Picker, ReportTable, Section
from tealeaves.report.sections.wording import support
from tealeaves.report.sections.words import plain_words
from tealeaves.tables.numbers import count_text

_TITLE = "Every topic"


def strips(found: Findings) -> Section | None:
    """Return a strip a metric: a row a model, a point a topic."""
    metrics = found.topic_metrics
    if not metrics:
        return None
    topics = sum(len(model.topics) for model in found.models)
    lead = [
        f"{count_text(topics, 'topic')} of {count_text(len(found.models), 'model')}. A mean hides "
        "what it is made of: point at a topic to see its words, or open the table."
    ]
    figures = [_figure(found, metric, place) for place, metric in enumerate(metrics)]
    return Section("topics", _TITLE, lead, [Picker("strip", "Metric", figures, metrics)])


def _figure(found: Findings, metric: str, place: int) -> Figure:
    better = found.scores.better.get(metric, "")
    way = f"; {better} is better" if better else ""
    caption = f"Each row is a model, each point a topic{way}."
    chart = strip_chart(found.scores, metric)
    return figure(f"strip-{place}", f"Topics by {metric}", caption, chart, _table(found, metric))


def _table(found: Findings, metric: str) -> ReportTable:
    scored = [row for row in found.scores.rows if row.topic is not None and row.metric == metric]
    scored.sort(key=lambda row: (math.isnan(row.value), -found.gain(metric, row.value)))
    rows: list[list[Cell]] = []
    for row in scored:
        words = plain_words(found, row.model, str(row.topic))
        rows.append([row.model, str(row.topic), row.value, support(row.support), words])
    columns = ["model", "topic", metric, "support", "words"]
    order = "best first" if found.scores.better.get(metric) else "highest first"
    return ReportTable(f"Topics by {metric}, {order}", columns, rows, labels=2)
