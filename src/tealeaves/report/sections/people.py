"""Metrics against people: how well each agrees, and how well people agree with each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.judgments.correlation.result import Correlation, Correlations
from tealeaves.report.charts.forest import forest_chart
from tealeaves.report.charts.scatter import scatter_chart
from tealeaves.report.run.findings import Findings
from tealeaves.report.sections.compared_models import comparison_figure, tests_of
from tealeaves.report.sections.figures import figure
from tealeaves.report.sections.parts import Cell, Notes, Part, ReportTable, Section, Word
from tealeaves.report.sections.standing import Standing, standing_of
from tealeaves.report.sections.verdict import quoted
from tealeaves.report.sections.wording import interval, number
from tealeaves.report.sections.words import SHOWN
from tealeaves.tables.numbers import count_text

_TITLE = "Metrics against people"
_OF_MODELS = "Models by people"
# coefficients that tell more from less
_SIGNED = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}


def people(found: Findings) -> Section | None:
    """Return how metrics agree with people, where there are judgments."""
    if not (found.people or found.by_people):
        return None
    lead: list[str] = []
    parts: list[Part] = []
    for place, one in enumerate(found.people):
        lead += _lead(one) or ["No coefficient could be computed: the table and the notes say why."]
        parts += _figures(one, place)
        if one.notes:
            parts.append(Notes("Notes on the judgments", one.notes))
    for place, compared in enumerate(found.by_people):
        name = f"by-people-{place}" if place else "by-people"
        standing = standing_of(found, compared, people=True)
        order = [one for _, one in standing.ranked(next(iter(compared.better)))]
        lead += [_preferred(standing, task) for task in compared.better]
        drawn = comparison_figure(compared, order, name, _OF_MODELS)
        parts += [drawn, tests_of(compared)]
    return Section("people", _TITLE if found.people else _OF_MODELS, lead, parts)


def _preferred(standing: Standing, task: str) -> str:
    """Say whom people put first: by the mean answer, or by the share of right ones."""
    firsts = standing.firsts(task)
    if not firsts:
        return f"By {task}, no model has a value."
    value = number(standing.value(firsts[0], task))
    return f"By {task}, people put {quoted(firsts)} first: {value}."


def _lead(one: Correlations) -> list[str]:
    said = []
    for place in dict.fromkeys((row.part, row.coefficient) for row in one.rows):
        rows = [
            row
            for row in one.rows
            if (row.part, row.coefficient) == place and not row.control and math.isfinite(row.value)
        ]
        if rows and place[1] == one.plan.coefficients[0]:
            said.append(_best(one, rows))
    return said


def _best(one: Correlations, rows: Sequence[Correlation]) -> str:
    def strength(row: Correlation) -> float:
        turned = row.coefficient in _SIGNED and one.better.get(row.metric) == "lower"
        return -row.value if turned else row.value

    best = max(rows, key=strength)
    where = " · ".join(filter(None, (best.dataset, best.task, best.model)))
    before = f"{where}: " * bool(where)
    name = _SIGNED.get(best.coefficient, best.coefficient)
    inside = interval(best.low, best.high, 2)
    told = f"{name} {number(best.value, 2)}" + f" ({inside})" * bool(inside)
    lower = " (of which less is better)" if one.better.get(best.metric) == "lower" else ""
    if strength(best) <= 0:
        nearest = f"{best.metric}{lower}, {told}"
        return f"{before}no metric agrees with people; nearest to it comes {nearest}."
    said = (
        f"{before}{best.metric}{lower} agrees best with people, {told}, n = {best.n:,} {best.by}s."
    )
    return f"{said}{_ceiling(best)}"


def _ceiling(row: Correlation) -> str:
    """Say how well people agree, and what no metric can be expected to pass."""
    said = ""
    if math.isfinite(row.ceiling):
        said += f" One person agrees with the others with {number(row.ceiling, 2)}."
    if math.isfinite(row.attainable) and row.attainable > 0:
        said += (
            f" The ceiling, which no metric can be expected to pass: {number(row.attainable, 2)}."
        )
    return said


def _figures(one: Correlations, place: int) -> list[Part]:
    suffix = f"-{place}" if place else ""
    if not any(math.isfinite(row.value) for row in one.rows):
        return [_rows(one)]
    caption = (
        "Coefficients with intervals. The lines: how well one person agrees with the others, where "
        "the answers of several are known, and the ceiling, the highest to be expected."
    )
    table = _rows(one)
    found: list[Part] = [
        figure(f"forest{suffix}", "Agreement with people", caption, forest_chart(one), table)
    ]
    if one.parts:
        words = "Each point is a topic (or a model): what people say, and what the metric says."
        chart = scatter_chart(one)
        found.append(figure(f"scatter{suffix}", "Topic by topic", words, chart, _points(one)))
    return found


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
        *("p corrected", "one person", "ceiling", "remark"),
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
