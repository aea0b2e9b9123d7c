"""Metrics against people: how well each agrees, and how well people agree with each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.judgments.correlation.result import Correlation, Correlations
from tealeaves.report.charts.forest import forest_chart
from tealeaves.report.charts.scatter import scatter_chart
from tealeaves.report.run.run import Run
from tealeaves.report.sections.models import Ranking, comparison_figure, table_of_tests
from tealeaves.report.sections.parts import Cell, Figure, Notes, Part, ReportTable, Section, Word
from tealeaves.report.sections.sentences import interval, number, quoted
from tealeaves.report.sections.words import SHOWN
from tealeaves.tables.numbers import count_text

_TITLE = "Metrics against people"
_OF_MODELS = "What people say of the models"
# coefficients that tell more from less
_SIGNED = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}


def people(run: Run) -> Section | None:
    """Return how metrics agree with people, and which models people prefer."""
    if not (run.correlations or run.people_comparisons):
        return None
    lead: list[str] = []
    parts: list[Part] = []
    for place, one in enumerate(run.correlations):
        lead += _lead(one) or ["No coefficient could be computed: the table and the notes say why."]
        parts += _figures(one, place)
        if one.notes:
            parts.append(Notes("Notes on the judgments", one.notes))
    for place, comparison in enumerate(run.people_comparisons):
        name = f"by-people-{place}" if place else "by-people"
        ranking = Ranking.of_comparison(comparison)
        order = [model for _, model in ranking.places(next(iter(comparison.better)))]
        lead += [_preferred(ranking, task) for task in comparison.better]
        figure = comparison_figure(comparison, order, name, _OF_MODELS, "Each panel is a task.")
        parts.append(figure)
        parts.append(table_of_tests(comparison))
    return Section("people", _TITLE if run.correlations else _OF_MODELS, lead, parts)


def _preferred(ranking: Ranking, task: str) -> str:
    """Say which models people put first: by the mean answer, or by the share of right ones."""
    firsts = ranking.firsts(task)
    if not firsts:
        return f"In the task {task}, no model has a value."
    value = number(ranking.value(firsts[0], task))
    return f"In the task {task}, people put {quoted(firsts)} first, with {value}."


def _lead(one: Correlations) -> list[str]:
    sentences = []
    for place in dict.fromkeys((row.part, row.coefficient) for row in one.rows):
        rows = [
            row
            for row in one.rows
            if (row.part, row.coefficient) == place and not row.control and math.isfinite(row.value)
        ]
        if rows and place[1] == one.plan.coefficients[0]:
            sentences.append(_best(one, rows))
    return sentences


def _best(one: Correlations, rows: Sequence[Correlation]) -> str:
    def strength(row: Correlation) -> float:
        turned = row.coefficient in _SIGNED and one.better.get(row.metric) == "lower"
        return -row.value if turned else row.value

    best = max(rows, key=strength)
    where = " · ".join(filter(None, (best.dataset, best.task, best.model)))
    before = f"{where}: " * bool(where)
    name = _SIGNED.get(best.coefficient, best.coefficient)
    limits = interval(best.low, best.high, 2)
    coefficient = f"{name} is {number(best.value, 2)}" + f" ({limits})" * bool(limits)
    lower = " (lower is better)" if one.better.get(best.metric) == "lower" else ""
    if strength(best) <= 0:
        closest = f"{best.metric}{lower}: {coefficient}"
        return f"{before}no metric agrees with people; the closest is {closest}."
    return (
        f"{before}{best.metric}{lower} agrees best with people: {coefficient} over {best.n:,} "
        f"{best.by}s.{_ceiling(best)}"
    )


def _ceiling(row: Correlation) -> str:
    """Say how well people agree, and how well a metric can agree with them at most."""
    text = ""
    if math.isfinite(row.ceiling):
        text += f" Between one person and the others it is {number(row.ceiling, 2)}."
    if math.isfinite(row.attainable) and row.attainable > 0:
        text += f" A metric can be expected to reach {number(row.attainable, 2)} at most."
    return text


def _figures(one: Correlations, place: int) -> list[Part]:
    suffix = f"-{place}" if place else ""
    if not any(math.isfinite(row.value) for row in one.rows):
        return [_rows(one)]
    caption = (
        "Coefficients with intervals. The lines show how well one person agrees with the others, "
        "if the answers of several are known, and what is attainable: the highest value that a "
        "metric can be expected to reach."
    )
    table = _rows(one)
    figures: list[Part] = [
        Figure.of(f"forest{suffix}", "Agreement with people", caption, forest_chart(one), table)
    ]
    if one.parts:
        words = "Each point is a topic (or a model): what people say, and what the metric says."
        chart = scatter_chart(one)
        figures.append(Figure.of(f"scatter{suffix}", "Topic by topic", words, chart, _points(one)))
    return figures


def _rows(one: Correlations) -> ReportTable:
    rows: list[list[Cell]] = [
        [
            *(" · ".join(filter(None, row.part)), row.metric, row.coefficient, row.value),
            *(row.low, row.high, row.n, row.clusters, row.p_corrected, row.ceiling),
            *(row.attainable, row.remark),
        ]
        for row in one.rows
    ]
    columns = [
        *("judgments", "metric", "coefficient", "value", "low", "high", "n", "clusters"),
        *("p corrected", "one person", "attainable", "remark"),
    ]
    return ReportTable("Coefficients", columns, rows, labels=3, digits=4, legend=one.legend)


def _points(one: Correlations) -> ReportTable:
    metrics = list(dict.fromkeys(name for part in one.parts for name in part.scores))
    rows: list[list[Cell]] = []
    for part in one.parts:
        where = " · ".join(filter(None, (part.dataset, part.task)))
        for row, key in enumerate(part.keys):
            values = [
                float(part.scores[name][row]) if name in part.scores else None for name in metrics
            ]
            words = tuple(Word(word) for word in part.words[row][:SHOWN]) if part.words else ()
            rows.append([where, key.model, key.topic, float(part.human[row]), *values, words])
    columns = ["judgments", "model", "topic", "people", *metrics, "words"]
    caption = f"{count_text(len(rows), 'row')}: what people say, and what metrics say"
    return ReportTable(caption, columns, rows, labels=3)
