"""Models side by side: means with intervals, and the tests between each two."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.comparison.result import Comparison
from tealeaves.report.charts.comparison import comparison_chart
from tealeaves.report.sections.figures import figure
from tealeaves.report.sections.parts import Cell, Figure, ReportTable
from tealeaves.tables.numbers import count_text

# more points than these would hide each other; the strips show them
_MOST_POINTS = 1500


def comparison_figure(
    compared: Comparison,
    order: Sequence[str],
    name: str = "comparison",
    title: str = "Models with intervals",
) -> Figure:
    """Return means with intervals in an order of models, and the topics or runs that they are of,
    unless these are too many.
    """
    what = "topic" if compared.design.over == "topics" else "run"
    places = {one: place for place, one in enumerate(order)}
    drawn = Comparison(
        compared.pairs,
        sorted(compared.summary, key=lambda row: places.get(row.model, len(places))),
        design=compared.design,
        better=compared.better,
        units=compared.units if len(compared.units) <= _MOST_POINTS else (),
    )
    rows: list[list[Cell]] = [
        [row.model, row.metric, "mean", row.value, row.low, row.high, row.n, row.letters]
        for row in drawn.summary
    ]
    rows += [
        [row.model, row.metric, row.unit, row.value, None, None, None, ""] for row in drawn.units
    ]
    columns = ["model", "metric", f"mean or {what}", "value", "low", "high", f"{what}s", "letters"]
    table = ReportTable(f"Means over {what}s", columns, rows, labels=3, legend=compared.legend)
    return figure(name, title, "Each panel is a metric.", comparison_chart(drawn), table)


def tests_of(compared: Comparison) -> ReportTable:
    """Return each two models: the difference, its interval, and p."""
    rows: list[list[Cell]] = [
        [
            *(row.metric, row.model_a, row.model_b, row.difference, row.low, row.high),
            *(row.p, row.p_corrected, row.effect, "yes" if row.significant else "no"),
        ]
        for row in compared.pairs
    ]
    columns = [
        *("metric", "model a", "model b", "a − b", "low", "high"),
        *("p", "p corrected", "effect", "significant"),
    ]
    caption = f"{count_text(len(rows), 'pair')} of models, {compared.tested}"
    return ReportTable(caption, columns, rows, labels=3, digits=4)
