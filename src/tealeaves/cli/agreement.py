"""``tealeaves agreement``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.people import people_options, read_people


@click.command("agreement", cls=HeadedCommand)
@click.argument("file", metavar="FILE")
@people_options
@click.option("--annotators", is_flag=True, help="A row an annotator: times, lines, checks, flags.")
@click.option(
    "--level",
    type=click.Choice(["nominal", "ordinal", "interval"]),
    default="ordinal",
    show_default=True,
    help="Which α is meant; all three are given.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=1.5,
    show_default=True,
    metavar="S",
    help="Flag a median time below this.",
)
@click.option(
    "--line",
    type=click.IntRange(min=2),
    default=12,
    show_default=True,
    metavar="N",
    help="Flag so many equal answers in a row.",
)
@click.option(
    "--gold",
    type=click.FloatRange(0, 1),
    default=0.7,
    show_default=True,
    metavar="SHARE",
    help="Flag fewer checks right than this.",
)
@click.option(
    "--checks",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="So many checks are needed for that.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=100),
    default=2000,
    show_default=True,
    metavar="N",
    help="Bootstrap samples.",
)
@shared.seed_option
@shared.format_option
@shared.files_options
@shared.quiet_option
def command(**given: Any) -> None:
    """Tell how far people agree, and how well their means can be trusted.

    FILE holds judgments: tidy rows in CSV, TSV, JSONL, JSON or Parquet, or a published layout. The
    columns are topic and answer, and where they are known dataset, model, item, annotator, task,
    key (the right answer), gold (true for checks of attention) and time (seconds).

    Items that only test attention (gold) count for the flags alone; those of all tasks of a data
    set count together. Where annotators look careless, everything is also given without them.

    \b
    Examples:
      tealeaves agreement ratings.csv
      tealeaves agreement ratings.csv --annotators
      tealeaves agreement ratings.csv --column answer=points --column annotator=who --plot a.html
      tealeaves agreement votes.csv --scale "good=2, rather good=1, rather bad=-1, bad=-2"
    """
    shared.check_files(given, [given["file"]])
    from tealeaves.cli.output import save_and_show
    from tealeaves.judgments.agreement.agreement import agreement
    from tealeaves.judgments.agreement.careless import Thresholds

    limits = Thresholds(given["seconds"], given["line"], given["gold"], given["checks"])
    found = agreement(
        read_people(given["file"], given, limits),
        level=given["level"],
        draws=given["draws"],
        seed=given["seed"],
        thresholds=limits,
    )

    def chart() -> Any:
        from tealeaves.report.charts import agreement_chart

        return agreement_chart(found)

    save_and_show(found.careless if given["annotators"] else found, given, chart)
