"""Figures of charts: what a chart says above itself, the page says beside it."""

from __future__ import annotations

from typing import Any

from tealeaves.report.sections.parts import Figure, ReportTable


def figure(name: str, title: str, caption: str, chart: Any, table: ReportTable) -> Figure:
    """Return a figure; the chart's subtitle goes into the caption, for the page has the title.

    Charts without a title are what papers want, too: their captions have it.
    """
    said = [caption, *(_sentence(line) for line in taken_subtitle(chart))]
    return Figure(name, title, " ".join(filter(None, said)), chart, table)


def taken_subtitle(chart: Any) -> list[str]:
    """Take the title off a chart of Altair, and return the lines of its subtitle."""
    import altair as alt

    title = chart.title
    if title is alt.Undefined:
        return []
    chart.title = alt.Undefined
    found: Any = getattr(title, "subtitle", alt.Undefined)
    if found is alt.Undefined or not found:
        return []
    return [found] if isinstance(found, str) else list(found)


def _sentence(line: str) -> str:
    """Write a line of a subtitle as a sentence.

    >>> _sentence("points: 24 topics"), _sentence(" ")
    ('Points: 24 topics.', '')
    """
    text = line.strip()
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""
