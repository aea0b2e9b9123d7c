"""``tealeaves select``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import METRICS, MODEL, OUTPUT, option
from tealeaves.cli.help import command as declare
from tealeaves.printing import echo, print_note

if TYPE_CHECKING:
    from tealeaves.models import Selection


class SelectOptions(NamedTuple):
    """What is trained, and how it is judged."""

    models: tuple[str, ...]
    grid: str | None
    runs: int
    seed: int
    folder: str
    metrics: tuple[str, ...]
    weight: str
    embeddings: tuple[str, ...]
    relevance: str | None


_select_options = shared.OptionFamily(
    "chosen",
    SelectOptions,
    option(
        "--model",
        "models",
        heading=MODEL,
        multiple=True,
        default=("lda",),
        metavar="MODEL",
        help='A name or expression, as in "lda(eta=0.1)"; `tealeaves train --list` shows all. '
        "May be repeated.",
    ),
    option(
        "-k",
        "grid",
        heading=MODEL,
        metavar="GRID",
        help="The numbers of topics: start:stop:step, stop included (5:60:5), or a list (5,10,20). "
        "Models that find their own number (hdp) need none.",
    ),
    option(
        "--runs",
        heading=MODEL,
        type=click.IntRange(min=1),
        default=3,
        help="How many times each model is trained.",
    ),
    option(
        "--seed",
        heading=MODEL,
        type=click.IntRange(min=0),
        default=1,
        help="The seed of the first run; the next runs add 1, 2, ….",
    ),
    option(
        "-o",
        "--output",
        "folder",
        heading=OUTPUT,
        default="selection",
        metavar="FOLDER",
        help="The folder in which each model is saved as soon as it is trained.",
    ),
    option(
        "-m",
        "--metrics",
        "metrics",
        heading=METRICS,
        multiple=True,
        default=("npmi@10",),
        metavar="SPECS",
        help='Metrics, as in "npmi@10 c_v@10"; the first decides. `tealeaves metrics` lists all.',
    ),
    option(
        "--weight",
        heading=METRICS,
        type=click.Choice(["documents", "topics"]),
        default="documents",
        help="Weight topics by the number of documents whose best topic they are, or equally.",
    ),
    shared.embeddings_option,
    shared.relevance_option,
)

_job_options = shared.job_family(
    resume="Continue: keep the models in the folder, train the others.",
    restart="Remove the models in the folder and start again.",
)


@declare("select")
@_select_options
@_job_options
@shared.one_language_training_options
@shared.plot_option
@report_files.report_family
@shared.format_option
@shared.work_options
def command(
    texts: shared.TextOptions,
    chosen: SelectOptions,
    job: shared.JobOptions,
    work: shared.WorkOptions,
    files: report_files.ReportFiles,
    plot: str | None,
    form: str | None,
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
    from tealeaves.metrics.registry import parse_metrics
    from tealeaves.models import select

    metrics = parse_metrics(chosen.metrics)
    inputs = [*texts.required, *shared.metric_files(metrics)]
    files.check(inputs, others=[plot])
    if plot:
        _check_plot(Path(plot), Path(chosen.folder))
        shared.check_not_input(plot, inputs)
    selection = select(
        chosen.models,
        texts.corpus(),
        chosen.grid,
        metrics,
        tokens=shared.one_for_all(texts.tokens, "tokens"),
        embeddings=chosen.embeddings or None,
        relevance=chosen.relevance,
        weight=chosen.weight if chosen.weight == "documents" else None,
        runs=chosen.runs,
        seed=chosen.seed,
        folder=chosen.folder,
        resume=job.resume,
        restart=job.restart,
        also=files.explainer(metrics, ()),
        strict=True,
        threads=work.threads,
        progress=work.progress,
        on_note=None if work.quiet else print_note,
    )
    _print_selection(selection, form, quiet=work.quiet)
    if plot:
        from tealeaves.report.charts import save_chart, selection_chart

        save_chart(selection_chart(selection), plot)
    files.write(selection)


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
        echo()
    for line in selection.explain():
        echo(line, err=not is_table)
    for note in [] if quiet else selection.notes:
        print_note(note)
