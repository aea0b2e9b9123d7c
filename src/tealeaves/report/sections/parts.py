"""The parts of a report; a page knows these and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Word:
    """A word of a topic; ``odd`` if it fits badly, ``match`` numbers translations of each other."""

    text: str
    odd: bool = False
    why: str = ""
    match: int = 0


Cell = str | int | float | None | tuple[Word, ...]


@dataclass(frozen=True)
class ReportTable:
    """Rows of text, numbers and words; the first ``labels`` columns say what a row is on.

    A number is written with ``digits`` decimals; None and NaN are a dash.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    labels: int = 1
    digits: int = 3
    legend: Sequence[str] = ()


@dataclass(frozen=True)
class Figure:
    """A chart of Altair, what it shows in words, and the same as a table."""

    id: str
    title: str
    caption: str
    chart: Any
    table: ReportTable

    @classmethod
    def of(cls, name: str, title: str, caption: str, chart: Any, table: ReportTable) -> Figure:
        """Return a figure whose chart has no title: its subtitle becomes part of the caption.

        Papers want charts without a title too: their captions have it.
        """
        sentences = [caption, *(_sentence(line) for line in _take_subtitle(chart))]
        return cls(name, title, " ".join(filter(None, sentences)), chart, table)


def _take_subtitle(chart: Any) -> list[str]:
    """Remove the title of a chart of Altair, and return the lines of its subtitle."""
    import altair as alt

    title = chart.title
    if title is alt.Undefined:
        return []
    chart.title = alt.Undefined
    subtitle: Any = getattr(title, "subtitle", alt.Undefined)
    if subtitle is alt.Undefined or not subtitle:
        return []
    return [subtitle] if isinstance(subtitle, str) else list(subtitle)


def _sentence(line: str) -> str:
    """Write a line of a subtitle as a sentence.

    >>> _sentence("points: 24 topics"), _sentence(" ")
    ('Points: 24 topics.', '')
    """
    text = line.strip()
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


@dataclass(frozen=True)
class Picker:
    """Figures of which one is seen at a time: ``label`` says what is chosen, such as a metric."""

    id: str
    label: str
    figures: Sequence[Figure]
    names: Sequence[str]


@dataclass(frozen=True)
class Card:
    """A topic: its words, its scores, and why it is good or bad."""

    title: str
    words: tuple[Word, ...]
    values: Sequence[tuple[str, str]] = ()
    reasons: Sequence[str] = ()
    weakest: Sequence[str] = ()


@dataclass(frozen=True)
class Cards:
    """Topics below a heading, such as the best or the worst ones."""

    title: str
    cards: Sequence[Card]


@dataclass(frozen=True)
class Notes:
    """Plain sentences, such as what was left out."""

    title: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Code:
    """A command, or another text to copy."""

    title: str
    text: str


Part = ReportTable | Figure | Picker | Cards | Notes | Code


@dataclass(frozen=True)
class Section:
    """A heading, what there is to know in a sentence or two, and the parts that show it."""

    id: str
    title: str
    lead: Sequence[str]
    parts: Sequence[Part]


@dataclass(frozen=True)
class Page:
    """A whole report."""

    title: str
    subtitle: str
    sections: Sequence[Section]
    made: str = ""
    facts: Sequence[tuple[str, str]] = field(default_factory=tuple)
