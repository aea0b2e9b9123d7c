"""``tealeaves lexicon extract``."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import MODEL, TEXTS, WORK, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.lexicon.options import lemmas_of, passage_options, reading, side_of, sides_of
from tealeaves.cli.options import OptionFamily
from tealeaves.printing import echo
from tealeaves.system import processors


def _list_models(
    context: click.Context,
    parameter: click.Parameter,  # noqa: ARG001
    value: Any,
) -> None:
    """Print each model with its source and parameters, then the names that papers use."""
    if not value:
        return
    from tealeaves.lexicon.extraction.registry import EXTRACTORS

    for model in EXTRACTORS.values():
        echo(f"{model.name}: {model.summary}\n  From: {model.cite}\n  {model.signature}")
        for line in model.describe_parameters():
            echo(f"  {line}")
        echo()
    echo("Names of papers:")
    for name, expression in EXTRACTORS.aliases.items():
        echo(f"  {name} = {expression}")
    context.exit()


class LemmaOptions(NamedTuple):
    """The words that are looked for."""

    lemmas: tuple[str, ...] = ()
    words: str = "forms"
    sheets: tuple[str, ...] = ()
    skip_missing: bool = False


class RunOptions(NamedTuple):
    """How the work is done, and how its summary is shown."""

    jobs: int | None = None
    quiet: bool = False
    form: str | None = None


_lemma_options = OptionFamily(
    "wanted",
    LemmaOptions,
    option(
        "--lemmas",
        heading=TEXTS,
        multiple=True,
        metavar="A,B,…",
        help="The words: hand,foot; of tagged texts also hand/N; @FILE has one a line. May be "
        "repeated. Default: those of --only-tokens.",
    ),
    option(
        "--words",
        heading=TEXTS,
        default="forms",
        metavar="HOW",
        help="What a word of the source is: forms (in lower case), simplemma (lemmas), or hanta "
        "(lemmas with their part of speech: hand/N). A tagged file has its own words.",
    ),
    option(
        "--only-tokens",
        "sheets",
        heading=TEXTS,
        multiple=True,
        metavar="SHEET",
        help="Write only the tokens of these annotation sheets; models are trained on all "
        "passages.",
    ),
    option(
        "--skip-missing", heading=TEXTS, is_flag=True, help="Leave out lemmas that never occur."
    ),
)

_job_options = shared.job_family(
    resume="Keep the targets that are done.", restart="Replace existing files."
)
_run_options = OptionFamily(
    "run",
    RunOptions,
    option(
        "--jobs",
        heading=WORK,
        type=click.IntRange(min=1),
        help="Targets at once, each a process; default: one for each processor. Results are the "
        "same.",
    ),
    shared.quiet_option,
    shared.format_option,
)


@declare("extract")
@option(
    "--source",
    heading=TEXTS,
    required=True,
    metavar="[LANG=]PATH",
    help="The text whose words are looked for: a Bible, JSONL, a table, one passage a line, or "
    "what `tealeaves lexicon tag` made. A file names its language up to the first dot.",
)
@option(
    "--target",
    "targets",
    heading=TEXTS,
    multiple=True,
    required=True,
    metavar="[LANG=]PATH",
    help="The same text in another language. May be repeated, a hundred times.",
)
@_lemma_options
@option(
    "--model",
    "models",
    heading=MODEL,
    multiple=True,
    default=("hybrid",),
    metavar="MODEL",
    help="The model, as in l(measure=t). If repeated, each model gets a file. --list-models lists "
    "all.",
)
@option(
    "--list-models",
    heading=MODEL,
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_models,
    help="List the models and their parameters.",
)
@passage_options
@shared.output_file("The folder of the files TARGET.jsonl.gz.", metavar="FOLDER")
@_job_options
@_run_options
def command(
    source: str,
    targets: tuple[str, ...],
    wanted: LemmaOptions,
    models: tuple[str, ...],
    texts: shared.TextOptions,
    output: str,
    job: shared.JobOptions,
    run: RunOptions,
) -> None:
    """Find how each token of some words is expressed in other languages.

    FOLDER gets a file for each target (TARGET.MODEL.jsonl.gz, if there are several models): each
    token, what expresses it, and the passages. `tealeaves lexicon map` draws them, `evaluate`
    compares them with annotations. --resume continues a run that was stopped. A target that fails
    does not stop the others.

    \b
    Examples:
      tealeaves lexicon extract --source eng.tsv --target fin.tsv --lemmas hand,foot -o found
      tealeaves lexicon extract --source eng.tagged.jsonl.gz --target fin.tsv --target zho.tsv \\
          --tokens zho=characters --lemmas @lemmas.txt --model hybrid --model L-t -o found --resume
      tealeaves lexicon extract --source en=en.jsonl --target sv=sv.jsonl --words simplemma \\
          --lemmas hand -o found
      tealeaves lexicon extract --list-models
    """
    if not (wanted.lemmas or wanted.sheets):
        raise click.UsageError("name the words: --lemmas hand,foot")
    from tealeaves.lexicon import FailedTargetsError, extract, read_sheets
    from tealeaves.tables.terminal import print_result

    language, path = side_of(source)
    only = None
    if wanted.sheets:
        only = [(one.lemma, one.key, one.place) for one in read_sheets(wanted.sheets)]
    try:
        extractions = extract(
            path,
            sides_of(targets),
            lemmas_of(wanted.lemmas),
            models,
            language=language,
            words=wanted.words,
            reading=reading(texts),
            only=only,
            skip_missing=wanted.skip_missing,
            output=output,
            resume=job.resume,
            restart=job.restart,
            jobs=run.jobs or processors(),
            progress=shared.wants_progress(quiet=run.quiet),
        )
    except FailedTargetsError as error:
        if error.done:
            print_result(error.done.summary, run.form, quiet=run.quiet)
        raise
    print_result(extractions.summary, run.form, quiet=run.quiet)
