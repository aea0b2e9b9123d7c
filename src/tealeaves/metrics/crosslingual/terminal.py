"""Topics side by side on a terminal: one column per language, matched words marked."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from tealeaves.printing import visible

if TYPE_CHECKING:
    from tealeaves.metrics.crosslingual.side_by_side import (
        SideBySide,
        SideBySideTopic,
        SideBySideWord,
    )

_GAP = 2
_DIM = "dim: words that the dictionary translates by no other word"
_STYLES = {"coherent": "green", "incoherent": "red", "unjudgeable": "yellow"}
_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"


def terminal_text(result: SideBySide, width: int | None, *, colors: bool) -> str:
    """Return topics side by side as text, with the legend below."""
    stream = io.StringIO()
    console = Console(file=stream, highlight=False, width=width, force_terminal=colors)
    several = len({topic.model for topic in result.topics}) > 1
    for row in result.rows:
        console.print(_heading(row, result, console.width, named=several))
        for languages in _fitting_parts(row, console.width) if row.columns else []:
            console.print(_columns(row, languages))
        console.print()
    for line in [*result.legend, *([_DIM] if colors and _has_unknown_words(result) else [])]:
        console.print(Text(visible(line), style="dim"), soft_wrap=True)
    return stream.getvalue()


def _has_unknown_words(result: SideBySide) -> bool:
    columns = (column for topic in result.topics for column in topic.columns.values())
    return any(not word.known for column in columns for word in column)


def _heading(topic: SideBySideTopic, result: SideBySide, width: int, *, named: bool) -> Text:
    """Return the name of a topic or model, its verdict and its scores; no score is broken."""
    name = "all topics" if topic.topic is None else f"topic {topic.topic}"
    parts = [Text(visible(f"{topic.model}, {name}" if named else name), style="bold")]
    if topic.verdict:
        parts.append(Text(topic.verdict, style=_STYLES[topic.verdict]))
    # a metric of whole models is not shown with topics
    similar = [row for row in result.rows if (row.topic is None) == (topic.topic is None)]
    for metric, arrow in zip(result.metrics, result.arrows, strict=True):
        if any(metric in row.scores for row in similar):
            parts.append(Text(visible(f"{metric} {arrow}".strip() + f" {topic.cell(metric)}")))
    lines = [parts[0]]
    for part in parts[1:]:
        if lines[-1].cell_len + _GAP + part.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], " " * _GAP, part)
        else:
            lines.append(Text.assemble("  ", part))
    return Text("\n").join(lines)


def _fitting_parts(topic: SideBySideTopic, width: int) -> list[list[str]]:
    """Split the languages into parts that fit; the first language is in all of them."""
    first, *others = topic.columns
    available = width - _column_width(topic, first)
    parts: list[list[str]] = [[]]
    left = available
    for name in others:
        needed = _column_width(topic, name)
        if needed > left and parts[-1]:
            parts.append([])
            left = available
        parts[-1].append(name)
        left -= needed
    return [[first, *part] for part in parts]


def _column_width(topic: SideBySideTopic, language: str) -> int:
    """Return the cells that a language takes: Chinese characters take two each."""
    words = [language, *(word.word for word in topic.columns[language])]
    return _mark_width(topic) + 1 + max(cell_len(visible(word)) for word in words) + _GAP


def _mark_width(topic: SideBySideTopic) -> int:
    return max((len(word.mark) for column in topic.columns.values() for word in column), default=0)


def _columns(topic: SideBySideTopic, languages: Sequence[str]) -> RichTable:
    marks = _mark_width(topic)
    table = RichTable(box=None, header_style="dim", pad_edge=False, padding=(0, _GAP, 0, 0))
    for name in languages:
        table.add_column(Text(f"{'':{marks}} {visible(name)}"), no_wrap=True, overflow="ellipsis")
    for row in zip_longest(*(topic.columns[name] for name in languages)):
        table.add_row(*(_cell(word, marks) for word in row))
    return table


def _cell(word: SideBySideWord | None, marks: int) -> Text:
    """Return a word after its mark; the mark shows a match even without colours."""
    if word is None:
        return Text("")
    style = "bold green" if word.match else ("" if word.known else "dim")
    return Text(f"{word.mark:>{marks}} {_with_direction(visible(word.word))}", style=style)


def _with_direction(word: str) -> str:
    """End a right-to-left word with a mark, so that the text after it keeps its place."""
    right_to_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in word)
    return word + _LEFT_TO_RIGHT if right_to_left else word
