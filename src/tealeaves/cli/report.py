"""``tealeaves report``."""

from __future__ import annotations

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import OUTPUT, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.people import JudgmentOptions, judgment_options
from tealeaves.cli.report_files import check_report_file, command_line
from tealeaves.printing import echo

_KINDS = ("svg", "pdf", "png")


@declare("report")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@option(
    "-o",
    "--output",
    heading=OUTPUT,
    default="report.html",
    metavar="FILE",
    help="The page.",
)
@option(
    "--title",
    heading=OUTPUT,
    metavar="TEXT",
    help="The title of the report. Default: its models.",
)
@option(
    "--human",
    heading="",
    metavar="FILE",
    help="What people say of these topics: tidy rows in CSV, TSV, JSONL, JSON or Parquet, or a "
    "published layout. The report then has each metric against people.",
)
@judgment_options
@option(
    "--figures",
    heading=OUTPUT,
    metavar="FOLDER",
    help="Write each figure to its own file there too.",
)
@option(
    "--figure-format",
    heading=OUTPUT,
    requires="--figures",
    type=click.Choice(_KINDS),
    default="svg",
    help="The format of these files.",
)
@shared.quiet_option
def command(
    runs: tuple[str, ...],
    output: str,
    title: str | None,
    human: str | None,
    judged: JudgmentOptions,
    figures: str | None,
    figure_format: str,
    *,
    quiet: bool,  # noqa: ARG001
) -> None:
    """Write a report: one page of HTML that needs no network.

    RUN is a file of `--run FILE.run`, which score, compare, correlate and select have, or a table
    of scores (`tealeaves score -o scores.jsonl`, or of another program), which has no reasons and
    no weights of words. The report of one run shows what is in the file; nothing is computed
    again. Several runs become one report: all models are compared with each other, by all metrics
    that they share, in the way of the first run that `tealeaves compare` made. The same score twice
    counts once; two different scores of the same topic are an error.

    \b
    Examples:
      tealeaves score lda.json nmf.json -c texts.jsonl --report report.html    # in one go
      tealeaves score lda.json -c texts.jsonl -m "npmi@10 c_v@10" --run lda.run
      tealeaves report lda.run -o lda.html
      tealeaves report lda.run nmf.run -o both.html --title "LDA and NMF on our texts"
      tealeaves report lda.run --human ratings.csv -o report.html
      tealeaves report scores.jsonl -o report.html --figures figures --figure-format pdf
    """
    check_report_file(output)
    from tealeaves.report.report import check_figures, save_report

    if figures:
        check_figures(figures)
    shared.check_not_input(output, [*runs, *filter(None, [human])])
    if not human and judged != JudgmentOptions():
        raise click.UsageError("options of judgments go with --human")
    written = save_report(
        runs,
        output,
        title=title,
        judgments=judged.read(human) if human else None,
        figures=figures,
        figure_format=figure_format,
        command=command_line(),
    )
    for path in written:
        echo(str(path))
