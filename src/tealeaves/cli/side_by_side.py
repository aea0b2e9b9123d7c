"""Topics side by side on standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tealeaves.tables.terminal import output_format, print_result

if TYPE_CHECKING:
    from tealeaves.evidence.dictionaries import Dictionaries
    from tealeaves.metrics.scores import Scores
    from tealeaves.topics.topics import Topics

_PIPE_WIDTH = 160


def show_side_by_side(
    models: Sequence[Topics],
    scores: Scores,
    dictionaries: Dictionaries | None,
    form: str | None,
    *,
    quiet: bool,
) -> None:
    """Print topics side by side; in formats other than a table, one row per topic and model."""
    from tealeaves.metrics.crosslingual.side_by_side import side_by_side

    result = side_by_side(models, scores, dictionaries)
    if output_format(form) != "table":
        print_result(result, form, quiet=quiet)
        return
    terminal = sys.stdout.isatty()
    text = result.to_terminal(None if terminal else _PIPE_WIDTH, colors=terminal)
    click.echo(text, nl=False)
    for note in [] if quiet else result.notes:
        click.echo(f"note: {note}", err=True)
