"""Results on standard output: a table for a person, rows for a pipe.

On a terminal that is too narrow for a table, words are wrapped or left out at the end, a table of
models is turned, or the metrics are divided into several tables. Nothing is cut inside a word.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from tealeaves.printing import echo, echo_styled, print_note, visible, visible_lines
from tealeaves.tables.table import Table, label_words, wrap_words

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from tealeaves.tables.tidy import Tidy

#: The width of a table that is written to a file or a pipe.
PIPE_WIDTH = 160
_WIDE = 120
_GAP = 2  # cells between columns
_WORDS = "words"  # the label of the words of topics, which may be left out at the end
_LEAST_WORDS = 20  # cells that words have at least when they are wrapped or shortened


def output_format(form: str | None) -> str:
    """Return the format, by default a table on a terminal and JSON lines in a pipe."""
    return form or ("table" if sys.stdout.isatty() else "jsonl")


def print_result(result: Tidy, form: str | None, *, quiet: bool) -> None:
    """Print a result in a format; its notes go to standard error unless ``quiet``."""
    writers = {
        "json": result.to_json,
        "jsonl": result.to_jsonl,
        "csv": result.to_csv,
        "md": result.to_markdown,
        "latex": result.to_latex,
    }
    form = output_format(form)
    if form == "table":
        print_table(result.table())
        for line in result.legend:
            echo_styled(click.style(visible(line), dim=True))
    else:
        echo(writers[form](), nl=False)
    for note in [] if quiet else result.notes:
        print_note(note)


def print_table(table: Table) -> None:
    """Print a table that fits the terminal."""
    from rich.console import Console

    table = table.mapped(visible)
    terminal = sys.stdout.isatty()
    width = Console().width if terminal else PIPE_WIDTH
    if table.wraps and not terminal:
        width = sys.maxsize  # in a pipe, words that must not be left out stay on one line
    for number, part in enumerate(_fit(table, width)):
        widths = _column_widths(part, width)
        # If even the narrowest table is too wide, the terminal wraps its lines.
        widest = max(width, _total(widths))
        text = io.StringIO()
        console = Console(file=text, highlight=False, width=widest, force_terminal=terminal)
        console.print(_rich_table(part, widths))
        echo_styled("\n" * (number > 0) + text.getvalue(), nl=False)


def print_list(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    wrapped: Collection[str],
    if_wide: Collection[str] = (),
) -> None:
    """Print the members of a catalogue, one a row.

    The columns ``wrapped`` are wrapped to fit. A narrow terminal leaves out those in ``if_wide``.
    """
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    terminal = sys.stdout.isatty()
    width = Console().width if terminal else PIPE_WIDTH
    shown = [n for n, heading in enumerate(headings) if width >= _WIDE or heading not in if_wide]
    rich = RichTable(box=None, header_style="bold", pad_edge=False)
    for number in shown:
        rich.add_column(headings[number], no_wrap=headings[number] not in wrapped)
    for row in rows:
        rich.add_row(*(Text(visible_lines(row[number])) for number in shown))
    text = io.StringIO()
    Console(file=text, highlight=False, width=width, force_terminal=terminal).print(rich)
    echo_styled(text.getvalue(), nl=False)


# ---------------------------------------------------------------------- tables that are too wide


def _fit(table: Table, width: int) -> list[Table]:
    """Return the table, turned or divided if it cannot be made narrow enough."""
    least = [size.least for size in _measure(table)]
    if _total(least) <= width:
        return [table]
    if len(table.labels) == 1:
        turned = _metrics_as_rows(table)
        if _total(size.least for size in _measure(turned)) <= width:
            return [turned]
    labels, metrics = least[: len(table.labels)], least[len(table.labels) :]
    starts = [0]
    for number in range(1, len(metrics)):
        if _total([*labels, *metrics[starts[-1] : number + 1]]) > width:
            starts.append(number)
    return [_metric_columns(table, *part) for part in pairwise([*starts, len(metrics)])]


def _metrics_as_rows(table: Table) -> Table:
    metrics = table.headings[1:]
    models = [labels[0] for labels, _ in table.rows]
    rows = [([name], [cells[n] for _, cells in table.rows]) for n, name in enumerate(metrics)]
    return Table(["metric"], models, [""] * len(models), rows)


def _metric_columns(table: Table, start: int, stop: int) -> Table:
    return replace(
        table,
        metrics=table.metrics[start:stop],
        arrows=table.arrows[start:stop],
        rows=[(labels, cells[start:stop]) for labels, cells in table.rows],
    )


def _total(widths: Iterable[int]) -> int:
    columns = list(widths)
    return sum(columns) + _GAP * (len(columns) - 1)


class _ColumnSize(NamedTuple):
    """How wide a column is on its own, and how wide at least; only words can be made narrower."""

    natural: int
    least: int


def _measure(table: Table) -> list[_ColumnSize]:
    from rich.cells import cell_len

    sizes = []
    lines = [table.headings, *([*labels, *map(str, cells)] for labels, cells in table.rows)]
    for number, texts in enumerate(zip(*lines, strict=True)):
        label = table.labels[number] if number < len(table.labels) else ""
        natural = least = max(map(cell_len, texts))
        if label == _WORDS or label in table.wraps:
            least = min(natural, _LEAST_WORDS)
        if label in table.wraps:
            least = max(least, *(cell_len(word) for text in texts for word in label_words(text)))
        sizes.append(_ColumnSize(natural, least))
    return sizes


def _column_widths(table: Table, width: int) -> list[int]:
    """Return the widths of columns; if words must be made narrower, the longest get the rest."""
    sizes = _measure(table)
    if _total(size.natural for size in sizes) <= width:
        return [size.natural for size in sizes]
    widths = [size.least for size in sizes]
    slack = [size.natural - size.least for size in sizes]
    longest = slack.index(max(slack))
    widths[longest] += max(0, min(slack[longest], width - _total(widths)))
    return widths


def _fit_label(label: str, width: int, *, wraps: bool) -> str:
    """Return a label in several lines, or without its last words."""
    from rich.cells import cell_len

    if wraps:
        return "\n".join(wrap_words(label, width, cell_len))
    if cell_len(label) <= width:
        return label
    first_line = wrap_words(label, width - 2, cell_len)[0]
    return f"{first_line} …" if cell_len(first_line) <= width - 2 else "…"


def _rich_table(table: Table, widths: Sequence[int]) -> RichTable:
    from rich.table import Table as RichTable
    from rich.text import Text

    rich = RichTable(box=None, header_style="bold", pad_edge=False)
    for number, heading in enumerate(table.headings):
        justify: Literal["left", "right"] = "left" if number < len(table.labels) else "right"
        rich.add_column(Text(heading), justify=justify, width=widths[number], no_wrap=True)
    for number, (labels, cells) in enumerate(table.rows, 1):
        ends_model = table.labels[:2] == ["model", "topic"] and labels[1] == "all"
        style = "bold" if ends_model else ""
        texts = [
            Text(_fit_label(label, width, wraps=name in table.wraps), style)
            for label, name, width in zip(labels, table.labels, widths, strict=False)
        ]
        texts += [Text(str(cell), "bold green" if cell.best else style) for cell in cells]
        rich.add_row(*texts)
        if ends_model and number < len(table.rows):
            rich.add_row()
    return rich
