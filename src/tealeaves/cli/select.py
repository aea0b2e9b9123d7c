"""``tealeaves select``."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli import reporting
from tealeaves.cli.help import HeadedCommand

if TYPE_CHECKING:
    from tealeaves.models.selection import Selection
    from tealeaves.report.run.record import Run

_FOLDER = "selection"


@click.command("select", cls=HeadedCommand)
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("lda",),
    show_default=True,
    metavar="MODEL",
    help='A name or expression, as in "lda(eta=0.1)"; `tealeaves train --list` shows all. '
    "May be repeated.",
)
@click.option(
    "-k",
    "grid",
    metavar="GRID",
    help="The numbers of topics: start:stop:step, stop included (5:60:5), or a list (5,10,20). "
    "Only models that find their own (hdp) need none.",
)
@shared.corpus_options
@click.option(
    "-m",
    "--metrics",
    "metrics",
    multiple=True,
    default=("npmi@10",),
    show_default=True,
    metavar="SPECS",
    help='Metrics, as in "npmi@10 c_v@10"; the first decides. `tealeaves metrics` lists all.',
)
@shared.embeddings_option
@shared.relevance_option
@click.option(
    "--weight",
    type=click.Choice(["documents", "topics"]),
    default="documents",
    show_default=True,
    help="Weight topics by the documents whose best topic they are, or all alike.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="How often each model is trained.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="The seed of the first run; the others follow.",
)
@click.option(
    "-o",
    "--output",
    "folder",
    default=_FOLDER,
    show_default=True,
    metavar="FOLDER",
    help="Where each model is saved as soon as it is trained.",
)
@click.option("--resume", is_flag=True, help="Go on: what is in the folder is not trained again.")
@click.option("--restart", is_flag=True, help="Remove the models in the folder and begin anew.")
@click.option("--plot", metavar="FILE", help="Draw a chart: .html, .svg, .png or .pdf")
@reporting.report_options
@shared.format_option
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Train models with several numbers of topics and say which to take.

    Each is trained several times. All models are scored in one reading of the corpus; the first
    metric decides, by default npmi@10 weighted by documents. A run that was stopped goes on with
    --resume; metrics, runs and numbers of topics may then be others. Without --tokens, texts that
    say their language (--language-field) lose its stop words.

    \b
    Examples:
      tealeaves select --model lda -k 5:60:5 --corpus texts.jsonl.gz --plot k.html
      tealeaves select --model lda --model "nmf(min_df=5)" -k 5,10,20 -c texts.csv --text-field body
      tealeaves select -k 5:60:5 -c texts.jsonl -m "npmi@10 c_v@10" --runs 5 --resume
      tealeaves select -k 5:60:5 -c texts.jsonl --report report.html
      tealeaves select -k 2:20:2 -c texts.txt --tokens "words(stopwords=en)" --weight topics
    """
    _check(given)
    from tealeaves.models.selecting import select

    _stop_at_sigterm()
    try:
        corpus = shared.open_corpus(given)
        found = select(
            given["models"],
            corpus,
            given["grid"],
            given["metrics"],
            tokens=_tokens(corpus, given),
            embeddings=given["embeddings"],
            relevance=given["relevance"],
            weight=given["weight"] if given["weight"] == "documents" else None,
            runs=given["runs"],
            seed=given["seed"],
            folder=given["folder"],
            resume=given["resume"],
            restart=given["restart"],
            also=reporting.also(shared.read_metrics(given["metrics"]), (), given),
            threads=given["threads"],
            progress=not given["quiet"] and sys.stderr.isatty(),
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted: {_kept(given['folder'])}") from None
    _show(found, given)


def _stop_at_sigterm() -> None:
    """Let a scheduler end a run as Ctrl-C does."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


def _kept(folder: str) -> str:
    from tealeaves.models.folder import SUFFIX

    if any(Path(folder).glob(f"*{SUFFIX}")):
        return f"{folder} keeps the models that are trained, --resume goes on"
    return "no model was trained yet"


def _check(given: dict[str, Any]) -> None:
    """Refuse what cannot be before anything is read."""
    if not given["corpora"]:
        raise click.UsageError("give the texts with --corpus")
    if given["resume"] and given["restart"]:
        raise click.UsageError("give either --resume or --restart")
    from tealeaves.models.folder import RunFolder
    from tealeaves.models.plan import read_grid, read_kinds

    read_grid(read_kinds(given["models"]), given["grid"])
    shared.check_relevance(given, shared.read_metrics(given["metrics"], given["embeddings"]))
    reporting.check_report(given, [*given["corpora"], *shared.metric_files(given["metrics"])])
    RunFolder(given["folder"]).check(resume=given["resume"], restart=given["restart"])
    if given["plot"]:
        _check_plot(Path(given["plot"]), Path(given["folder"]))
        shared.check_not_input(
            given["plot"], [*given["corpora"], *shared.metric_files(given["metrics"])]
        )


def _check_plot(plot: Path, folder: Path) -> None:
    """Refuse a chart that cannot be written; the folder of the models may be made later."""
    from tealeaves.report.charts import check_chart_file, check_chart_kind

    if plot.parent.resolve() == folder.resolve() and not folder.exists():
        check_chart_kind(plot)
    else:
        check_chart_file(plot)


def _tokens(corpus: Any, given: dict[str, Any]) -> str:
    from tealeaves.cli.train import tokens_of

    return tokens_of(corpus, quiet=given["quiet"])


def _show(found: Selection, given: dict[str, Any]) -> None:
    from tealeaves.cli.output import chosen_format
    from tealeaves.metrics import tables

    form = chosen_format(given["form"])
    writers = {
        "table": lambda: "\n".join([tables.plain(found.table()), *found.legend, ""]),
        "json": found.to_json,
        "jsonl": found.to_jsonl,
        "csv": found.to_csv,
        "md": found.to_markdown,
        "latex": found.to_latex,
    }
    click.echo(writers[form](), nl=False)
    if form == "table":
        click.echo()
    for line in found.explain():
        click.echo(line, err=form != "table")
    if not given["quiet"]:
        for note in found.notes:
            click.echo(f"note: {note}", err=True)
    if given["plot"]:
        from tealeaves.report.charts import save_chart, selection_chart

        save_chart(selection_chart(found), given["plot"])
    if reporting.wanted(given):
        reporting.write_report(_run(found, given), given)


def _run(found: Selection, given: dict[str, Any]) -> Run:
    """Return what a report is made of: the selection, and the best run of each candidate."""
    from tealeaves.report.run.selected import selected_run

    judges = reporting.also(shared.read_metrics(given["metrics"]), (), given)
    return selected_run(found, judges[0], reporting.command_line())
