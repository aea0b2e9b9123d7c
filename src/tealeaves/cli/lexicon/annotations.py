"""``tealeaves lexicon annotations``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand


@click.command("annotations", cls=HeadedCommand)
@click.argument("sheets", nargs=-1, required=True, metavar="SHEET...")
@click.option(
    "--by",
    type=click.Choice(["pos", "target", "lemma"]),
    default="pos",
    show_default=True,
    help="A row for each part of speech, target language or lemma.",
)
@click.option("--split", metavar="NAME", help="Only the rows of a split: dev, test or mixed.")
@shared.format_option
@click.option(
    "-o", "--output", metavar="FILE", help="Save the rows: .jsonl .json .csv .md .tex .parquet"
)
@shared.quiet_option
def command(**given: Any) -> None:
    """Tell what annotations are like: expressions per lemma, shares of none and of several.

    SHEET are annotation sheets that were filled in (.tsv, .jsonl, .csv), or folders, of which
    .tsv and .jsonl are read. Tokens that nobody has annotated yet are counted, and left out of all
    means.

    \b
    Examples:
      tealeaves lexicon annotations sheets/fin.tsv
      tealeaves lexicon annotations sheets --by target
      tealeaves lexicon annotations sheets --by lemma --format csv -q
    """
    from tealeaves.lexicon.dataset.sheets import read_sheets
    from tealeaves.lexicon.dataset.statistics import annotation_statistics
    from tealeaves.tables.terminal import print_result

    if given["output"]:
        from tealeaves.tables.tidy import check_savable

        check_savable(given["output"])
        shared.check_not_input(given["output"], given["sheets"])
    found = [one for one in read_sheets(given["sheets"]) if given["split"] in (None, one.split)]
    if not found:
        raise click.UsageError(f"no row of these sheets is in the split {given['split']}")
    statistics = annotation_statistics(found, given["by"])
    if given["output"]:
        statistics.save(given["output"])
    print_result(statistics, given["form"], quiet=given["quiet"])
