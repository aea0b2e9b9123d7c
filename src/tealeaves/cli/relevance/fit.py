"""``tealeaves relevance fit``."""

from __future__ import annotations

from typing import NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import MODEL, WORK, option
from tealeaves.cli.help import command as declare
from tealeaves.printing import echo, print_note

_TRAINED = ("--how finetune", "--how mlm")


class FitCommandOptions(NamedTuple):
    """How the classifier is fitted: keyword arguments of ``fit_folder``."""

    how: str
    encoder: str | None
    labels: str
    clusters: int
    preset: str | None
    longest: int | None
    pooling: str | None
    texts: int
    batch: int | None
    epochs: int | None
    rate: float | None
    patience: int | None
    device: str | None
    seed: int


_fit_options = shared.OptionFamily(
    "chosen",
    FitCommandOptions,
    option(
        "--how",
        heading=MODEL,
        type=click.Choice(["probe", "finetune", "mlm"]),
        default="probe",
        help="A linear classifier on the encoder as it is; the encoder trained too; or the encoder "
        "trained to predict masked words, without labels.",
    ),
    option(
        "--encoder",
        heading=MODEL,
        metavar="NAME",
        help="A model of Hugging Face: a folder, or owner/name, which is downloaded. Default: the "
        "packaged MiniLM, which is English.",
    ),
    option(
        "--labels",
        heading=MODEL,
        excludes="--how mlm",
        type=click.Choice(["auto", "given", "clusters"]),
        default="auto",
        help="Labels of the texts (--label-field), or clusters of them; auto: labels if there are.",
    ),
    option(
        "--clusters",
        heading=MODEL,
        excludes=("--labels given", "--how mlm"),
        type=int,
        default=20,
        help="How many clusters.",
    ),
    option(
        "--preset",
        heading=MODEL,
        requires=_TRAINED,
        type=click.Choice(["20ng", "lenta", "amazon"]),
        help="Settings of the paper for finetune and mlm: pieces, batch, rate and epochs.",
    ),
    option(
        "--longest",
        heading=MODEL,
        type=int,
        help="Word pieces beyond which texts are cut.  [default: 128]",
    ),
    option(
        "--pooling",
        heading=MODEL,
        excludes="--how mlm",
        type=click.Choice(["cls", "mean", "pooler"]),
        help="What predicts the class: the first token, the mean of all, or the model's own "
        "pooler.",
    ),
    option(
        "--texts",
        heading=MODEL,
        type=int,
        default=2000,
        help="Texts used at most.",
    ),
    option("--batch", heading=MODEL, type=int, metavar="N", help="Texts in a batch."),
    option(
        "--epochs",
        heading=MODEL,
        requires=_TRAINED,
        type=int,
        help="Rounds over all texts, at most.",
    ),
    option(
        "--rate",
        heading=MODEL,
        requires=_TRAINED,
        type=float,
        metavar="X",
        help="Learning rate.",
    ),
    option(
        "--patience",
        heading=MODEL,
        requires=_TRAINED,
        type=int,
        help="Rounds without a better F1 to stop after.",
    ),
    shared.device_option,
    shared.seed_option,
)

_job_options = shared.job_family(
    option(
        "--checkpoint",
        heading=WORK,
        requires=_TRAINED,
        type=click.FloatRange(min=0),
        default=300.0,
        metavar="SECONDS",
        help="How often training saves its state.",
    ),
    resume="Continue an unfinished training of the same.",
    restart="Start again: FOLDER is replaced, unfinished or not.",
)


@declare("fit")
@shared.fitting_text_options
@_fit_options
@_job_options
@shared.output_file("The folder of the classifier.", metavar="FOLDER")
@shared.quiet_option
def command(
    corpus: shared.TextOptions,
    chosen: FitCommandOptions,
    job: shared.JobOptions,
    output: str,
    *,
    quiet: bool,
) -> None:
    """Fit a classifier to texts, whose relevance is then gathered.

    What the network reads are the tokens of --tokens, best the same that the topic models were
    made with. A probe takes a minute or two, and needs labels or clusters. Training (finetune,
    mlm) takes from a quarter of an hour to many hours without a GPU: while it lasts,
    FOLDER/checkpoints keeps its state, and --resume continues it. In the end, the command says how
    good the classifier is on texts that were held out.

    \b
    Examples:
      tealeaves relevance fit -c news.jsonl --tokens "words(stopwords=en)" -o news.classifier
      tealeaves relevance fit -c reviews.csv --labels clusters -o reviews.classifier
      tealeaves relevance fit -c news.jsonl --how finetune --preset 20ng -o tuned --resume
      tealeaves relevance fit -c lenta.jsonl --how mlm --encoder cointegrated/rubert-tiny2 -o mlm
    """
    shared.check_not_input(output, corpus.required)
    from tealeaves.evidence.attention.training.fit import fit_folder

    fitted = fit_folder(
        corpus.corpus(),
        output,
        tokens=corpus.tokens or "words",
        progress=shared.wants_progress(quiet=quiet),
        on_note=None if quiet else print_note,
        **chosen._asdict(),
        **job._asdict(),
    )
    if fitted.was_complete:
        echo(f"{fitted.path} is complete already", err=True)
    if not quiet:
        echo(fitted, err=True)
