"""Every topic: a strip of points for each metric."""

from __future__ import annotations

import math

from tealeaves.report.charts.strip import strip_chart
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Cell, Figure, Picker, ReportTable, Section
from tealeaves.report.sections.sentences import support
from tealeaves.report.sections.words import plain_words
from tealeaves.tables.numbers import count_text

_TITLE = "Every topic"


def strips(run: Run) -> Section | None:
    """Return a strip for each metric: a row is a model, a point is a topic."""
    metrics = run.topic_metrics
    if not metrics:
        return None
    topics = sum(len(model.topics) for model in run.models)
    lead = [
        f"{count_text(topics, 'topic')} of {count_text(len(run.models), 'model')}. A mean hides "
        "single topics: point at one to see its words, or open the table."
    ]
    figures = [_figure(run, metric, place) for place, metric in enumerate(metrics)]
    return Section("topics", _TITLE, lead, [Picker("strip", "Metric", figures, metrics)])


def _figure(run: Run, metric: str, place: int) -> Figure:
    better = run.scores.better.get(metric, "")
    way = f"; {better} is better" if better else ""
    caption = f"Each row is a model, each point a topic{way}."
    chart = strip_chart(run.scores, metric)
    return Figure.of(f"strip-{place}", f"Topics by {metric}", caption, chart, _table(run, metric))


def _table(run: Run, metric: str) -> ReportTable:
    scored = [row for row in run.scores.rows if row.topic is not None and row.metric == metric]
    scored.sort(key=lambda row: (math.isnan(row.value), -run.gain(metric, row.value)))
    rows: list[list[Cell]] = []
    for row in scored:
        words = plain_words(run, row.model, str(row.topic))
        rows.append([row.model, str(row.topic), row.value, support(row.support), words])
    columns = ["model", "topic", metric, "support", "words"]
    order = "best first" if run.scores.better.get(metric) else "highest first"
    return ReportTable(f"Topics by {metric}, {order}", columns, rows, labels=2)
