"""``tealeaves report``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.people import people_options, read_people
from tealeaves.cli.report_files import check_folder, check_page_file, command_line

if TYPE_CHECKING:
    from tealeaves.report.run.findings import Findings

_KINDS = ("svg", "pdf", "png")


@click.command("report", cls=HeadedCommand)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-o",
    "--output",
    default="report.html",
    show_default=True,
    metavar="FILE",
    help="The page.",
)
@click.option("--title", metavar="TEXT", help="What the report is called. Default: its models.")
@click.option(
    "--human",
    metavar="FILE",
    help="What people say of these topics: tidy rows in CSV, TSV, JSONL, JSON or Parquet, or a "
    "published layout. The report then has each metric against people, with the ceiling.",
)
@people_options
@click.option(
    "--figures", metavar="FOLDER", help="Write each figure to a file of its own there too."
)
@click.option(
    "--figure-format",
    type=click.Choice(_KINDS),
    default="svg",
    show_default=True,
    help="What these files are.",
)
@shared.quiet_option
def command(**given: Any) -> None:
    """Write a report: one page of HTML that needs no network.

    RUN is a file of `--run FILE.run`, which score, compare, correlate and select have, or a table
    of scores (`tealeaves score -o scores.jsonl`, or of another program), which has no reasons and
    no weights of words. Several are put together: models scored at different times are ranked with
    each other, scores of other metrics stand beside. The same score twice counts once; two scores
    of the same that differ are an error.

    \b
    Examples:
      tealeaves score lda.json nmf.json -c texts.jsonl --report report.html    # in one go
      tealeaves score lda.json -c texts.jsonl -m "npmi@10 c_v@10" --run lda.run
      tealeaves report lda.run -o lda.html
      tealeaves report lda.run nmf.run -o both.html --title "LDA and NMF on our texts"
      tealeaves report lda.run --human ratings.csv -o report.html
      tealeaves report scores.jsonl -o report.html --figures figures --figure-format pdf
    """
    _check(given)
    from tealeaves.report.building import page_of
    from tealeaves.report.pages import save_report_page
    from tealeaves.report.run.merging import findings_of
    from tealeaves.report.run.tables import open_run

    found = findings_of([open_run(path) for path in given["runs"]], _names(given["runs"]))
    if given["human"]:
        found = _with_people(found, given)
    page = page_of(found, title=given["title"], command=command_line())
    save_report_page(page, given["output"])
    written = [given["output"]]
    if given["figures"]:
        from tealeaves.report.figures import save_figures

        written += map(str, save_figures(page, given["figures"], given["figure_format"]))
    for path in written:
        click.echo(path)


def _check(given: dict[str, Any]) -> None:
    """Refuse what cannot be before anything is read."""
    check_page_file(given["output"])
    if given["figures"]:
        check_folder(given["figures"])
    shared.check_not_input(given["output"], [*given["runs"], *filter(None, [given["human"]])])
    if not given["human"]:
        for name in ("columns", "layout", "tasks", "conditions", "scale", "without_flagged"):
            if given[name]:
                raise click.UsageError("options of judgments go with --human")


def _with_people(found: Findings, given: dict[str, Any]) -> Findings:
    from tealeaves.judgments.correlation.correlation import correlate
    from tealeaves.report.run.merging import with_people

    people = read_people(given["human"], given)
    return with_people(found, correlate(_scores(found, given["runs"]), people))


def _scores(found: Findings, runs: Sequence[str]) -> Any:
    """Return what people are compared with; a table may tell data sets apart, so it is read."""
    from tealeaves.report.run.saving import SUFFIX

    if len(runs) == 1 and not runs[0].lower().endswith(SUFFIX):
        from tealeaves.metrics.reading import read_scores

        return read_scores(runs[0])
    return found.scores


def _names(paths: Sequence[str]) -> list[str]:
    """Call runs by their files; with folders where these have the same name."""
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else list(paths)
