"""``tealeaves add``."""

from __future__ import annotations

import click

from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import check_not_input
from tealeaves.printing import echo


@click.command("add", cls=HeadedCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option("-o", "--output", required=True, metavar="FILE", help="The file of the sum.")
def command(files: tuple[str, ...], output: str) -> None:
    """Add counts, or relevance, of different texts for the same topics.

    Counts must be for the same metrics, and relevance must be from the same classifier and heads.
    The same text in two of the files is an error.

    \b
    Examples:
      tealeaves add january.counts february.counts -o both.counts
      tealeaves add april.relevance may.relevance -o spring.relevance
    """
    from tealeaves.evidence.addition import add

    check_not_input(output, files)
    echo(add(files, output), err=True)
