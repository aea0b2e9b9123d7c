"""Scores on standard output, in the format that is asked for."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import click

from tealeaves.cli import reporting
from tealeaves.cli.wrapping import table_width, with_lines
from tealeaves.metrics import tables

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from tealeaves.metrics.scores import Scores
    from tealeaves.metrics.tidy import Tidy

_PIPE_WIDTH = 160
_FEWEST_LETTERS = 20


def chosen_format(form: str | None) -> str:
    """Return the format: a table for a person, JSONL for a pipe."""
    return form or ("table" if sys.stdout.isatty() else "jsonl")


def show(scores: Scores, form: str | None, *, by_topic: bool, quiet: bool) -> None:
    """Print scores; notes go below a table, else to standard error."""
    shown = scores if by_topic else scores.models
    form = chosen_format(form)
    if form == "table":
        _print_with_legend(shown)
    else:
        click.echo(_written(shown, form), nl=False)
    if not quiet:
        _print_notes(scores)


def show_tidy(found: Tidy, form: str | None, *, quiet: bool) -> None:
    """Print any result: the table with what its signs mean, or its rows; notes go to stderr."""
    form = chosen_format(form)
    if form == "table":
        _print_with_legend(found)
    else:
        click.echo(_written(found, form), nl=False)
    if not quiet:
        _print_notes(found)


def save_and_show(
    found: Tidy,
    given: dict[str, Any],
    chart: Callable[[], Any],
    *,
    pairs: Tidy | None = None,
    run: Callable[[], Any] | None = None,
) -> None:
    """Save, draw and print a result; what was computed is shown, whatever became of the files.

    ``pairs`` stands below the result on a terminal; elsewhere it is written instead, and says
    itself what of the result belongs to it. ``run`` gives what a report is made of.
    """
    try:
        if given["output"]:
            (pairs or found).save(given["output"])
        if given["plot"]:
            from tealeaves.report.charts import save_chart

            save_chart(chart(), given["plot"])
        if run is not None and reporting.wanted(given):
            reporting.write_report(run(), given)
    finally:
        _show_with_pairs(found, pairs, given)


def _show_with_pairs(found: Tidy, pairs: Tidy | None, given: dict[str, Any]) -> None:
    form, quiet = chosen_format(given["form"]), given["quiet"]
    if pairs is None or form == "table":
        show_tidy(found, form, quiet=quiet)
    if pairs is not None and form == "table":
        click.echo()
    if pairs is not None:
        show_tidy(pairs, form, quiet=quiet or form == "table")


def _written(found: Tidy, form: str) -> str:
    writers = {
        "json": found.to_json,
        "jsonl": found.to_jsonl,
        "csv": found.to_csv,
        "md": found.to_markdown,
        "latex": found.to_latex,
    }
    return writers[form]()


def _print_notes(found: Tidy) -> None:
    for note in found.notes:
        click.echo(f"note: {note}", err=True)


def _print_with_legend(found: Tidy) -> None:
    _print_table(found.table())
    for line in found.legend:
        click.echo(click.style(line, dim=True))


def _print_table(whole: tables.Table) -> None:
    from rich.console import Console

    terminal = sys.stdout.isatty()
    width = Console().width if terminal else _PIPE_WIDTH
    # what must not be cut is a line each in a pipe, which is as wide as one likes
    parts = [whole] if whole.wraps and not terminal else _fitted(whole, width)
    for number, table in enumerate(parts):
        if number:
            click.echo()
        # a line that is still too long is better wrapped by the terminal than a number by us
        text = io.StringIO()
        whole_lines = max(width, table_width(table))
        console = Console(file=text, highlight=False, width=whole_lines, force_terminal=terminal)
        console.print(_rich_table(table))
        click.echo(text.getvalue(), nl=False)


def _rich_table(table: tables.Table) -> RichTable:
    from rich.table import Table as RichTable
    from rich.text import Text

    rich = RichTable(box=None, header_style="bold", pad_edge=False)
    for number, heading in enumerate(table.headings):
        justify: Literal["left", "right"] = "left" if number < len(table.labels) else "right"
        rich.add_column(Text(heading), justify=justify, no_wrap=True)
    for number, (labels, cells) in enumerate(table.rows, 1):
        ends_model = table.labels[:2] == ["model", "topic"] and labels[1] == "all"
        style = "bold" if ends_model else ""
        shown = [Text(str(cell), style="bold green" if cell.best else style) for cell in cells]
        rich.add_row(*(Text(label, style=style) for label in labels), *shown)
        if ends_model and number < len(table.rows):
            rich.add_row()
    return rich


def _fitted(table: tables.Table, width: int) -> list[tables.Table]:
    """Make a table fit: turned, its words on several lines or cut, or in several parts."""
    excess = table_width(table) - width
    if excess <= 0:
        return [table]
    if len(table.labels) == 1:
        turned = _metrics_as_rows(table)
        return [turned] if table_width(turned) <= width else _parts(table, width)
    if table.wraps:
        return _parts(with_lines(table, width), width)
    if "words" not in table.labels:
        return _parts(table, width)
    words = table.labels.index("words")
    longest = max(len(labels[words]) for labels, _ in table.rows)
    room = max(_FEWEST_LETTERS, longest - excess)
    rows = [
        ([_cut(text, room) if n == words else text for n, text in enumerate(labels)], cells)
        for labels, cells in table.rows
    ]
    return _parts(replace(table, rows=rows), width)


def _parts(table: tables.Table, width: int) -> list[tables.Table]:
    """Split a table into some with as many metrics each as there is room for."""
    parts: list[tables.Table] = []
    for number in range(len(table.metrics)):
        wider = _columns(table, range(len(parts[-1].metrics) + 1), number) if parts else None
        if wider is not None and table_width(wider) <= width:
            parts[-1] = wider
        else:
            parts.append(_columns(table, range(1), number))
    return parts


def _columns(table: tables.Table, count: range, last: int) -> tables.Table:
    """Return the table of the metrics that end with number ``last``."""
    chosen = [last - offset for offset in reversed(count)]
    rows = [(labels, [cells[number] for number in chosen]) for labels, cells in table.rows]
    metrics = [table.metrics[number] for number in chosen]
    arrows = [table.arrows[number] for number in chosen]
    return replace(table, metrics=metrics, arrows=arrows, rows=rows)


def _cut(text: str, room: int) -> str:
    """Leave out whole words at the end."""
    return text if len(text) <= room else text[: room - 1].rpartition(" ")[0] + " …"


def _metrics_as_rows(table: tables.Table) -> tables.Table:
    """Turn a table that is too wide."""
    rows = [
        ([heading], [cells[number] for _, cells in table.rows])
        for number, heading in enumerate(table.headings[1:])
    ]
    models = [labels[0] for labels, _ in table.rows]
    return tables.Table(["metric"], models, [""] * len(models), rows)
