"""How many topics: the scores of models with several numbers of topics, and which to take."""

from __future__ import annotations

from tealeaves.models.selection.result import Selection
from tealeaves.report.charts.selection import selection_chart
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Cell, Figure, Part, ReportTable, Section
from tealeaves.tables.numbers import count_text

_TITLE = "How many topics?"


def selection(run: Run) -> Section | None:
    """Return which number of topics to take, if models were trained with several."""
    if not run.selections:
        return None
    lead = [line for one in run.selections for line in one.explain()]
    parts: list[Part] = [_figure(one, place) for place, one in enumerate(run.selections)]
    return Section("selection", _TITLE, lead, parts)


def _figure(one: Selection, place: int) -> Figure:
    name = f"by-number-{place}"
    rows: list[list[Cell]] = []
    for row in one.to_dicts():
        what = (row["model"], row["k"], row["metric"])
        means = (row["mean"], row["low"], row["high"], row["runs"], row["support"])
        rows.append([*what, "mean", *means, "yes" if row["chosen"] else ""])
        rows += [[*what, "run", value, None, None, None, None, ""] for value in row["values"]]
    columns = ["model", "k", "metric", "mean or run", "value", "low", "high", "runs", "support"]
    table = ReportTable(
        count_text(len(one.candidates), "candidate"),
        [*columns, "chosen"],
        rows,
        labels=4,
        legend=one.legend,
    )
    caption = "Each metric against the number of topics."
    return Figure.of(name, "Metric by number of topics", caption, selection_chart(one), table)
