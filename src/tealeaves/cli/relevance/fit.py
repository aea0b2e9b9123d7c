"""``tealeaves relevance fit``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import wants_progress
from tealeaves.cli.relevance.notes import on_language, tell
from tealeaves.errors import InputError
from tealeaves.jobs import Stop, check_resume_options, explain_interruption, stop_at_signals

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.classifier.classifier import Classifier

_PRESETS = ("20ng", "lenta", "amazon")
# passed on as they are
_PASSED = (
    *("how", "encoder", "labels", "clusters", "preset", "longest", "pooling", "texts", "batch"),
    *("epochs", "rate", "patience", "resume", "restart", "device", "seed"),
)


@click.command("fit", cls=HeadedCommand)
@shared.corpus_options
@click.option(
    "--how",
    type=click.Choice(["probe", "finetune", "mlm"]),
    default="probe",
    show_default=True,
    help="A linear classifier on the encoder as it is; the encoder trained too; or the encoder "
    "trained to tell masked words, without labels.",
)
@click.option(
    "--encoder",
    metavar="NAME",
    help="A model of Hugging Face: a folder, or owner/name, which is downloaded. Default: the "
    "packaged MiniLM, which is English.",
)
@click.option(
    "--labels",
    type=click.Choice(["auto", "given", "clusters"]),
    default="auto",
    show_default=True,
    help="Labels of the texts (--label-field), or clusters of them; auto: labels where there are.",
)
@click.option("--clusters", type=int, default=20, show_default=True, metavar="N", help="How many.")
@click.option(
    "--preset",
    type=click.Choice(_PRESETS),
    help="Settings of the paper for finetune and mlm: pieces, batch, rate and epochs.",
)
@click.option(
    "--longest",
    type=int,
    metavar="N",
    help="Word pieces beyond which texts are cut.  [default: 128]",
)
@click.option(
    "--pooling",
    type=click.Choice(["cls", "mean", "pooler"]),
    help="What a class is told by: the first token, the mean of all, or the model's own pooler.",
)
@click.option(
    "--texts", type=int, default=2000, show_default=True, metavar="N", help="Texts used at most."
)
@click.option("--batch", type=int, metavar="N", help="Texts in a batch.")
@click.option("--epochs", type=int, metavar="N", help="Rounds over all texts, at most.")
@click.option("--rate", type=float, metavar="X", help="Learning rate.")
@click.option("--patience", type=int, metavar="N", help="Rounds without a better F1 to stop after.")
@click.option("--resume", is_flag=True, help="Go on with an unfinished training of the same.")
@click.option("--restart", is_flag=True, help="Begin anew: FOLDER is replaced, unfinished or not.")
@click.option(
    "--checkpoint",
    type=click.FloatRange(min=0),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="How often training saves its state.",
)
@shared.device_option
@shared.seed_option
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Where it goes.")
@shared.quiet_option
def command(**given: Any) -> None:
    """Fit a classifier to texts, whose relevance is then gathered.

    What the network reads are the tokens of --tokens, best the same that the topic models were
    made with. A probe takes a minute or two, and needs labels or clusters. Training (finetune,
    mlm) takes from a quarter of an hour to many hours without a GPU: while it lasts,
    FOLDER/checkpoints keeps its state, and --resume goes on. What the classifier is worth is told
    in the end, by texts that were held out.

    \b
    Examples:
      tealeaves relevance fit -c news.jsonl --tokens "words(stopwords=en)" -o news.classifier
      tealeaves relevance fit -c reviews.csv --labels clusters -o reviews.classifier
      tealeaves relevance fit -c news.jsonl --how finetune --preset 20ng -o tuned --resume
      tealeaves relevance fit -c lenta.jsonl --how mlm --encoder cointegrated/rubert-tiny2 -o mlm
    """
    if not given["corpora"]:
        raise click.UsageError("give the texts with --corpus")
    check_resume_options(resume=given["resume"], restart=given["restart"])
    shared.check_not_input(given["output"], given["corpora"])
    from tealeaves.evidence.relevance.classifier.checkpoints import (
        has_checkpoint,
        remove_checkpoints,
    )
    from tealeaves.evidence.relevance.classifier.storage import (
        CHECKPOINTS,
        check_folder,
        saved_fit,
    )

    output = check_folder(given["output"])
    training = output / CHECKPOINTS
    _check_unfinished(training, given)
    before = saved_fit(output)
    if before is not None and not (given["resume"] or given["restart"]):
        raise InputError(f"{output} holds a classifier already: --restart replaces it")

    def saved() -> str:
        return f"{training} holds what is done" if has_checkpoint(training) else ""

    # a probe takes little time and has no checkpoints: Ctrl-C ends it at once
    signals = nullcontext() if given["how"] == "probe" else stop_at_signals()
    with explain_interruption(saved), signals as stop:
        classifier = _fit(output, given, stop)
        if given["resume"] and before == classifier.report["fit"]:
            click.echo(f"{output} is complete already", err=True)
        else:
            classifier.save(output)
        remove_checkpoints(training)
    if not given["quiet"]:
        _tell(classifier, output)


def _check_unfinished(training: Path, given: dict[str, Any]) -> None:
    from tealeaves.evidence.relevance.classifier.checkpoints import has_checkpoint, unfinished

    if not has_checkpoint(training) or given["restart"]:
        return
    if given["how"] == "probe":
        raise InputError(
            f"{training}: an unfinished training: a probe with --restart replaces it; or name "
            "another folder"
        )
    if not given["resume"]:
        raise InputError(unfinished(training))


def _fit(output: Path, given: dict[str, Any], stop: Stop | None) -> Classifier:
    from tealeaves.evidence.relevance.classifier.fitting import fit
    from tealeaves.evidence.relevance.classifier.saved import language_of

    corpus = shared.open_corpus(given)
    made_for = language_of(given["encoder"])
    notes = on_language(corpus, [], made_for, remedy="--encoder names another")
    tell(notes, quiet=given["quiet"])
    chosen = {name: given[name] for name in _PASSED}
    if stop is not None:
        chosen |= {"every": given["checkpoint"], "stop": stop}
    return fit(
        corpus,
        tokens=given["tokens"] or "words",
        folder=output,
        progress=wants_progress(quiet=given["quiet"]),
        **chosen,
    )


def _tell(classifier: Classifier, output: Path) -> None:
    from tealeaves.evidence.relevance.classifier.report import lines_of

    click.echo(f"{output}: {classifier.name}", err=True)
    for line in lines_of(classifier.report):
        click.echo(f"  {line}", err=True)
