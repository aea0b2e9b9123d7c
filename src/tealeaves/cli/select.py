"""``tealeaves select``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.options import wants_progress

if TYPE_CHECKING:
    from tealeaves.models import Selection


@click.command("select")
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
    "Models that find their own number (hdp) need none.",
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
    help="Weight topics by the number of documents whose best topic they are, or equally.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="How many times each model is trained.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="The seed of the first run; the next runs add 1, 2, ….",
)
@click.option(
    "-o",
    "--output",
    "folder",
    default="selection",
    show_default=True,
    metavar="FOLDER",
    help="The folder in which each model is saved as soon as it is trained.",
)
@click.option(
    "--resume", is_flag=True, help="Continue: keep the models in the folder, train the others."
)
@click.option("--restart", is_flag=True, help="Remove the models in the folder and start again.")
@click.option("--plot", metavar="FILE", help="Draw a chart: .html, .svg, .png or .pdf")
@report_files.report_options
@shared.format_option
@shared.threads_option
@shared.quiet_option
def command(
    *,
    models: tuple[str, ...],
    grid: str | None,
    metrics: tuple[str, ...],
    tokens: str | None,
    embeddings: tuple[str, ...],
    relevance: str | None,
    weight: str,
    runs: int,
    seed: int,
    folder: str,
    resume: bool,
    restart: bool,
    plot: str | None,
    report: str | None,
    run: str | None,
    form: str | None,
    threads: int | None,
    quiet: bool,
    **reading: Any,
) -> None:
    """Train models with several numbers of topics and recommend one.

    Each model is trained several times. All models are scored in one reading of the corpus. The
    first metric decides: by default npmi@10, weighted by documents. --resume continues a selection
    that was stopped, also with other metrics, runs and numbers of topics. Without --tokens, stop
    words are left out if the texts name their language (--language-field).

    \b
    Examples:
      tealeaves select --model lda -k 5:60:5 --corpus texts.jsonl.gz --plot k.html
      tealeaves select --model lda --model "nmf(min_df=5)" -k 5,10,20 -c texts.csv --text-field body
      tealeaves select -k 5:60:5 -c texts.jsonl -m "npmi@10 c_v@10" --runs 5 --resume
      tealeaves select -k 5:60:5 -c texts.jsonl --report report.html
      tealeaves select -k 2:20:2 -c texts.txt --tokens "words(stopwords=en)" --weight topics
    """
    if not reading["corpora"]:
        raise click.UsageError("give the texts with --corpus")
    from tealeaves.models import select

    metric_list = shared.read_metrics(metrics, embeddings)
    shared.check_relevance({"relevance": relevance}, metric_list)
    files = {"plot": plot, "report": report, "run": run}
    inputs = [*reading["corpora"], *(file for metric in metric_list for file in metric.files)]
    report_files.check_report(files, inputs)
    if plot:
        _check_plot(Path(plot), Path(folder))
        shared.check_not_input(plot, inputs)
    judges = report_files.also(metric_list, (), files)
    selection = select(
        models,
        shared.open_corpus(reading),
        grid,
        metric_list,
        tokens=tokens,
        embeddings=embeddings,
        relevance=relevance,
        weight=weight if weight == "documents" else None,
        runs=runs,
        seed=seed,
        folder=folder,
        resume=resume,
        restart=restart,
        also=judges,
        threads=threads,
        progress=wants_progress(quiet=quiet),
        on_note=None if quiet else _print_note,
    )
    _print_selection(selection, form, quiet=quiet)
    if plot:
        from tealeaves.report.charts import save_chart, selection_chart

        save_chart(selection_chart(selection), plot)
    if report_files.wanted(files):
        from tealeaves.report.run.selected import selected_run

        record = selected_run(selection, judges[0], report_files.command_line())
        report_files.write_report(record, files)


def _check_plot(plot: Path, folder: Path) -> None:
    """Refuse a chart that cannot be written; the folder of the models may not exist yet."""
    from tealeaves.report.charts import check_chart_file, check_chart_kind

    if plot.parent.resolve() == folder.resolve() and not folder.exists():
        check_chart_kind(plot)
    else:
        check_chart_file(plot)


def _print_selection(selection: Selection, form: str | None, *, quiet: bool) -> None:
    """Print the candidates and the choice; in formats for programs the choice goes to stderr."""
    from tealeaves.tables.terminal import output_format, print_result

    is_table = output_format(form) == "table"
    print_result(selection, form, quiet=True)
    if is_table:
        click.echo()
    for line in selection.explain():
        click.echo(line, err=not is_table)
    for note in [] if quiet else selection.notes:
        _print_note(note)


def _print_note(note: str) -> None:
    click.echo(f"note: {note}", err=True)
