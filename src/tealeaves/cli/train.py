"""``tealeaves train``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import by_language, one_for_all, path_of
from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.models.base import Model
    from tealeaves.topics.topics import Topics

_SHOWN = 10


@click.command("train", cls=HeadedCommand)
@click.argument("model", required=False)
@click.option("--list", "listed", is_flag=True, help="List the models and their parameters.")
@click.option("-k", type=int, metavar="N", help="The number of topics.  [default: 20]")
@shared.languages_options
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a parameter of the model, as in --set iterations=500. May be repeated.",
)
@click.option("--seed", type=int, metavar="N", help="Where the random numbers start.  [default: 1]")
@click.option(
    "--samples",
    type=int,
    metavar="N",
    help="Keep so many samples of the topics from the second half of the chain.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where the topics go: .topics (binary matrices) or .json.  [default: MODEL-K-SEED.topics]",
)
@click.option("--resume", is_flag=True, help="pltm: go on with an unfinished training.")
@click.option("--restart", is_flag=True, help="pltm: forget an unfinished training, begin anew.")
@shared.checkpoint_option
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="pltm: threads that sample; default: one for each processor. The topics are the same.",
)
@shared.quiet_option
def command(**given: Any) -> None:
    """Train a topic model and save its topics, matrices and token assignments.

    MODEL is a name or an expression: lda, nmf, hdp, ctm, ptm, lda_vb, pltm. Without --tokens, texts
    that say their language (--language-field) lose its stop words; words of fewer than two texts
    (min_df=2) or of more than half of them (max_df=0.5) are left out.

    pltm, the polylingual topic model, takes texts in several languages (--corpus en=PATH --corpus
    sv=PATH); words in more than 30 % of a language's texts (max_df=0.3) are left out. While it
    runs, FILE.partial holds what is done; a run that was stopped goes on with --resume.

    \b
    Examples:
      tealeaves train lda -k 20 --corpus texts.jsonl.gz -o lda.topics
      tealeaves train "nmf(k=20, min_df=5)" -c texts.csv --text-field body
      tealeaves train lda -k 50 -c tokens.txt --tokens tokens --set iterations=500 --seed 7
      tealeaves train lda -k 20 -c texts.jsonl --tokens "words(stopwords=en)" --samples 10
      tealeaves train pltm -k 20 -c en=en.tsv -c sv=sv.tsv --unit chapter -o bible.topics --resume
      tealeaves train --list
    """
    if given["listed"]:
        _list()
        return
    if not given["model"]:
        raise click.UsageError("name a model, such as lda; --list shows all")
    if not given["corpora"]:
        raise click.UsageError("give the texts with --corpus")
    model = _model(given)
    output = given["output"] or f"{model.label}.topics"
    _check_output(output, given)
    topics = _trained(model, output, given)
    if topics is None:
        return
    _show(topics)
    if not given["quiet"]:
        what = "tuples" if hasattr(topics, "by_language") else "texts"
        click.echo(f"{output}: {model!r} of {topics.documents} {what}", err=True)


def _trained(model: Model, output: str, given: dict[str, Any]) -> Topics | None:
    """Train and save; None where it was done before."""
    from tealeaves.models.polylingual.model import PolylingualModel
    from tealeaves.models.training import train

    if isinstance(model, PolylingualModel):
        from tealeaves.cli.polylingual import train_polylingual

        return train_polylingual(model, output, given)
    _check_plain(model, given)
    corpus = shared.open_corpus(given)
    tokens = tokens_of(corpus, quiet=given["quiet"])
    progress = not given["quiet"] and sys.stderr.isatty()
    topics = train(model, corpus, tokens=tokens, progress=progress)
    topics.save(output)
    return topics


def _check_plain(model: Model, given: dict[str, Any]) -> None:
    """Refuse what only a polylingual model can do."""
    if by_language(given["corpora"], "--corpus") is not None:
        raise click.UsageError(
            f"{model.name} is of one language: pltm takes texts in several (--corpus en=PATH)"
        )
    for name in ("resume", "restart", "threads", "unit", "links"):
        if given[name]:
            raise click.UsageError(f"--{name} is for pltm, not for {model.name}")
    source = click.get_current_context().get_parameter_source("checkpoint")
    if source is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError(f"--checkpoint is for pltm, not for {model.name}")


def _model(given: dict[str, Any]) -> Model:
    """Read the model and what the options add to it; nothing is said twice."""
    from tealeaves.expressions import Expression
    from tealeaves.models.registry import model

    chosen = model(given["model"])
    stated = set(Expression.parse(given["model"]).parameters)
    changes: dict[str, Any] = {}
    options = [{n: given[n]} for n in ("k", "seed", "samples") if given[n] is not None]
    for part in [*options, *(_setting(change, chosen) for change in given["changes"])]:
        for name, value in part.items():
            if name in stated:
                raise click.UsageError(f"{name} is given twice: leave one out")
            stated.add(name)
            changes[name] = value
    return chosen(**changes)


def _setting(change: str, model: Model) -> dict[str, Any]:
    """Read ``iterations=500`` as an expression does."""
    from tealeaves.expressions import Expression

    if "=" not in change:
        raise click.UsageError(f"--set {change}: give NAME=VALUE, as in --set iterations=500")
    return dict(Expression.parse(f"{model.name}({change})").parameters)


def _check_output(output: str, given: dict[str, Any]) -> None:
    from tealeaves.files import check_writable

    if Path(output).suffix.lower() not in (".topics", ".json"):
        raise InputError(f"{output}: topics are saved as .topics or .json")
    check_writable(output)
    shared.check_not_input(output, map(path_of, given["corpora"]))


def tokens_of(corpus: Any, *, quiet: bool) -> str:
    """Return ``--tokens``; where it was not given, what the texts' language says, with a note."""
    from click.core import ParameterSource

    context = click.get_current_context()
    if context.get_parameter_source("tokens") is not ParameterSource.DEFAULT:
        given = one_for_all(context.params["tokens"], "tokens")
        if given is not None:
            return given
    from tealeaves.models.texts import default_tokens

    tokens = default_tokens(corpus)
    if not quiet:
        hint = '; stop words stay: leave them out with --tokens "words(stopwords=en)"'
        click.echo(f"note: --tokens {tokens!r}{hint if tokens == 'words' else ''}", err=True)
    return tokens


def _show(topics: Topics) -> None:
    counts = topics.documents_per_topic()
    sides = getattr(topics, "by_language", {"": topics})
    what = "texts" if "" in sides else "tuples"
    width = max(len(str(topic.id)) for topic in topics.topics)
    for number, topic in enumerate(topics.topics):
        texts = f"{counts[0][number]:>6} {what}  " if counts else ""
        start = f"{topic.id!s:>{width}}  {texts}"
        for language, side in sides.items():
            name = f"{language}: " if language else ""
            click.echo(f"{start}{name}{' '.join(side[number].words[:_SHOWN])}")
            start = " " * len(start)


def _list() -> None:
    from tealeaves.expressions import format_value
    from tealeaves.models.registry import all_models

    for name, model in all_models().items():
        settings = ", ".join(
            f"{one}={format_value(getattr(model.settings, one))}" for one in model.parameters
        )
        click.echo(f"{name}: {model.summary}\n  {name}({settings})\n  {model.cite}")
