"""``tealeaves lexicon annotations``."""

from __future__ import annotations

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, option
from tealeaves.cli.help import command as declare


@declare("annotations")
@click.argument("sheets", nargs=-1, required=True, metavar="SHEET...")
@option(
    "--by",
    heading=METRICS,
    type=click.Choice(["pos", "target", "lemma"]),
    default="pos",
    help="A row for each part of speech, target language or lemma.",
)
@option(
    "--split",
    heading=METRICS,
    metavar="NAME",
    help="Only the rows of a split: dev, test or mixed.",
)
@shared.format_option
@shared.output_option
@shared.quiet_option
def command(
    *,
    sheets: tuple[str, ...],
    by: str,
    split: str | None,
    form: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Summarise annotations: expressions per lemma, shares of none and of several.

    SHEET are annotation sheets that were filled in (.tsv, .jsonl, .csv), or folders, of which
    .tsv and .jsonl are read. Tokens that are not annotated yet are counted, and left out of all
    means.

    \b
    Examples:
      tealeaves lexicon annotations sheets/fin.tsv
      tealeaves lexicon annotations sheets --by target
      tealeaves lexicon annotations sheets --by lemma --format csv -q
    """
    from tealeaves.lexicon import annotation_statistics, read_sheets
    from tealeaves.tables.terminal import print_result
    from tealeaves.tables.tidy import check_savable

    if output:
        check_savable(output)
        shared.check_not_input(output, sheets)
    statistics = annotation_statistics(read_sheets(sheets), by, split=split)
    if output:
        statistics.save(output)
    print_result(statistics, form, quiet=quiet)
