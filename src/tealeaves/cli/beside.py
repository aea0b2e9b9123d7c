"""Topics side by side on a terminal: a column a language, matched words marked."""

from __future__ import annotations

import io
import sys
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from tealeaves.cli.output import chosen_format, show_tidy

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text

    from tealeaves.evidence.dictionaries import Dictionaries
    from tealeaves.metrics.crosslingual.side_by_side import BesideTopic, BesideWord, SideBySide
    from tealeaves.metrics.scores import Scores
    from tealeaves.topics.topics import Topics

_PIPE_WIDTH = 160
_GAP = 2
_DIM = "dim: words that the dictionary translates by no other word"
_STYLES = {"coherent": "green", "incoherent": "red", "unjudgeable": "yellow"}
_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"


def show_beside(
    models: Sequence[Topics],
    scores: Scores,
    dictionaries: Dictionaries | None,
    form: str | None,
    *,
    quiet: bool,
) -> None:
    """Print topics side by side; in other formats than a table, a row a topic and a model."""
    from tealeaves.metrics.crosslingual.beside import side_by_side

    found = side_by_side(models, scores, dictionaries)
    if chosen_format(form) != "table":
        show_tidy(found, form, quiet=quiet)
        return
    _print(found)
    for note in [] if quiet else found.notes:
        click.echo(f"note: {note}", err=True)


def _print(found: SideBySide) -> None:
    from rich.console import Console

    terminal = sys.stdout.isatty()
    width = Console().width if terminal else _PIPE_WIDTH
    text = io.StringIO()
    console = Console(file=text, highlight=False, width=width, force_terminal=terminal)
    several = len({topic.model for topic in found.topics}) > 1
    for row in found.rows:
        console.print(_heading(row, found, width, named=several))
        for part in _fitting(row, width) if row.columns else []:
            console.print(_columns(row, part))
        console.print()
    click.echo(text.getvalue(), nl=False)
    for line in [*found.legend, *([_DIM] if terminal and _lacks_words(found) else [])]:
        click.echo(click.style(line, dim=True))


def _lacks_words(found: SideBySide) -> bool:
    columns = (column for topic in found.topics for column in topic.columns.values())
    return any(not one.known for column in columns for one in column)


def _heading(topic: BesideTopic, found: SideBySide, width: int, *, named: bool) -> Text:
    """Write the name of a topic or model, what is said of it, and its numbers, each whole."""
    from rich.text import Text

    name = "all topics" if topic.topic is None else f"topic {topic.topic}"
    parts = [Text(f"{topic.model}, {name}" if named else name, style="bold")]
    if topic.verdict:
        parts.append(Text(topic.verdict, style=_STYLES[topic.verdict]))
    # a metric of whole models says nothing beside topics
    alike = [row for row in found.rows if (row.topic is None) == (topic.topic is None)]
    for metric, arrow in zip(found.metrics, found.arrows, strict=True):
        if any(metric in row.scores for row in alike):
            parts.append(Text(f"{metric} {arrow}".strip() + f" {topic.cell(metric)}"))
    lines = [parts[0]]
    for part in parts[1:]:
        if lines[-1].cell_len + _GAP + part.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], " " * _GAP, part)
        else:
            lines.append(Text.assemble("  ", part))
    return Text("\n").join(lines)


def _fitting(topic: BesideTopic, width: int) -> list[list[str]]:
    """Part the languages so that each part fits; the first one stands in all of them."""
    first, *others = topic.columns
    room = width - _width(topic, first)
    parts: list[list[str]] = [[]]
    left = room
    for name in others:
        needed = _width(topic, name)
        if needed > left and parts[-1]:
            parts.append([])
            left = room
        parts[-1].append(name)
        left -= needed
    return [[first, *part] for part in parts]


def _width(topic: BesideTopic, language: str) -> int:
    """Return the cells that a language takes: Chinese letters take two each."""
    from rich.cells import cell_len

    words = [language, *(one.word for one in topic.columns[language])]
    return _mark_width(topic) + 1 + max(map(cell_len, words)) + _GAP


def _mark_width(topic: BesideTopic) -> int:
    return max((len(one.mark) for column in topic.columns.values() for one in column), default=0)


def _columns(topic: BesideTopic, languages: Sequence[str]) -> RichTable:
    from rich.table import Table as RichTable
    from rich.text import Text

    marks = _mark_width(topic)
    table = RichTable(box=None, header_style="dim", pad_edge=False, padding=(0, _GAP, 0, 0))
    for name in languages:
        table.add_column(Text(f"{'':{marks}} {name}"), no_wrap=True, overflow="ellipsis")
    for row in zip_longest(*(topic.columns[name] for name in languages)):
        table.add_row(*(_cell(one, marks) for one in row))
    return table


def _cell(one: BesideWord | None, marks: int) -> Text:
    """Write a word behind its mark; a match can be told without colours."""
    from rich.text import Text

    if one is None:
        return Text("")
    style = "bold green" if one.match else ("" if one.known else "dim")
    return Text(f"{one.mark:>{marks}} {_in_place(one.word)}", style=style)


def _in_place(word: str) -> str:
    """Keep what stands behind a word that is written from right to left where it stands."""
    turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in word)
    return word + _LEFT_TO_RIGHT if turned else word
