"""``tealeaves train``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import MODEL, OUTPUT, WORK, option
from tealeaves.cli.help import command as declare
from tealeaves.printing import echo, print_note

if TYPE_CHECKING:
    from tealeaves.expressions import Value


class TrainOptions(NamedTuple):
    """What is trained, and where it is saved."""

    k: int | None
    seed: int | None
    samples: int | None
    changes: dict[str, Value]
    output: str | None


def _read_changes(
    context: click.Context,  # noqa: ARG001
    parameter: click.Parameter,  # noqa: ARG001
    settings: tuple[str, ...],
) -> dict[str, Value]:
    """Read ``NAME=VALUE`` as the parameters of an expression."""
    if not settings:
        return {}
    from tealeaves.expressions import Expression

    changes: dict[str, Value] = {}
    for setting in settings:
        if "=" not in setting:
            raise click.UsageError(f"--set {setting}: give NAME=VALUE, as in --set iterations=500")
        changes = _joined_changes(changes, Expression.parse(f"set({setting})").parameters)
    return changes


def _joined_changes(changes: Mapping[str, Value], others: Mapping[str, Value]) -> dict[str, Value]:
    for name in others:
        if name in changes:
            raise click.UsageError(f"{name} is given twice: leave one out")
    return {**changes, **others}


_train_options = shared.OptionFamily(
    "chosen",
    TrainOptions,
    option("-k", heading=MODEL, type=int, metavar="N", help="The number of topics: 20 by default."),
    option(
        "--set",
        "changes",
        heading=MODEL,
        multiple=True,
        callback=_read_changes,
        metavar="NAME=VALUE",
        help="Set a parameter of the model, as in --set iterations=500. May be repeated.",
    ),
    option(
        "--seed",
        heading=MODEL,
        type=int,
        help="The seed of the random numbers: 1 by default.",
    ),
    option(
        "--samples",
        heading=MODEL,
        type=int,
        help="The number of samples of the topics to keep, from the second half of the chain.",
    ),
    option(
        "-o",
        "--output",
        heading=OUTPUT,
        metavar="FILE",
        help="The file to save: .topics (binary matrices) or .json. Default: MODEL-K-SEED.topics",
    ),
)

_job_options = shared.job_family(
    shared.checkpoint_option,
    resume="pltm: continue an unfinished training.",
    restart="pltm: discard an unfinished training and start again.",
)


def _parameter_hint(name: str) -> str:
    """Say how parameters of models are set, if the name is one of them."""
    from tealeaves.models import MODELS

    if not any(name in model.accepts for model in MODELS.values()):
        return ""
    return f": a parameter of the model is set as in --set {name}=VALUE"


@declare("train", hint=_parameter_hint)
@click.argument("model", required=False)
@_train_options
@_job_options
@shared.training_text_options
@option("--list", "listed", is_flag=True, help="List the models and their parameters.")
@option(
    "--threads",
    heading=WORK,
    type=click.IntRange(min=1),
    help="pltm: threads that sample; default: one per processor. They do not change the topics.",
)
@shared.quiet_option
def command(
    model: str | None,
    texts: shared.TextOptions,
    chosen: TrainOptions,
    job: shared.JobOptions,
    threads: int | None,
    *,
    listed: bool,
    quiet: bool,
) -> None:
    """Train a topic model and save its topics, matrices and token assignments.

    MODEL is a name (lda, nmf, hdp, ctm, ptm, lda_vb, pltm) or an expression. Without --tokens, stop
    words are left out if the texts name their language (--language-field). Words in fewer than two
    texts (min_df=2; pltm: one) or in more than half of them (max_df=0.5) are left out.

    pltm, the polylingual topic model, takes texts in several languages (--corpus en=PATH --corpus
    sv=PATH) and leaves out words in more than 30 % of a language's texts (max_df=0.3). Other stop
    words stay unless --tokens "en=words(stopwords=en)" leaves them out. While it runs, its state is
    saved in FILE.partial; --resume continues a training that was stopped.

    \b
    Examples:
      tealeaves train lda -k 20 --corpus texts.jsonl.gz -o lda.topics
      tealeaves train "nmf(k=20, min_df=5)" -c texts.csv --text-field body
      tealeaves train lda -k 50 -c tokens.txt --tokens tokens --set iterations=500 --seed 7
      tealeaves train lda -k 20 -c texts.jsonl --tokens "words(stopwords=en)" --samples 10
      tealeaves train pltm -k 20 -c en=en.tsv -c sv=sv.tsv --unit chapter -o bible.topics --resume
      tealeaves train --list
    """
    from tealeaves.models import MODELS, train
    from tealeaves.models import model as parse_model

    if listed:
        for one in MODELS.values():
            echo(one.description)
        return
    if not model:
        raise click.UsageError("name a model, such as lda; --list shows all")
    options = {"k": chosen.k, "seed": chosen.seed, "samples": chosen.samples}
    stated = {name: value for name, value in options.items() if value is not None}
    topic_model = parse_model(model, **_joined_changes(chosen.changes, stated))
    output = chosen.output or f"{topic_model.label}.topics"
    shared.check_not_input(output, texts.required)
    topics = train(
        topic_model,
        texts.open_required(),
        tokens=texts.tokens,
        output=output,
        **job._asdict(),
        threads=threads,
        progress=shared.wants_progress(quiet=quiet),
        on_note=None if quiet else print_note,
    )
    echo(topics.preview())
