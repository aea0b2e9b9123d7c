"""``tealeaves relevance gather``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial as partial_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import wants_progress
from tealeaves.cli.relevance.notes import on_language, tell
from tealeaves.cli.relevance.resuming import Standing, check_replaceable
from tealeaves.errors import EvidenceError
from tealeaves.jobs import Job, check_resume_options
from tealeaves.metrics.notes import classifier_tokens

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.relevance import Relevance
    from tealeaves.evidence.requests import RelevanceRequest
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.pipeline import Pipeline
    from tealeaves.topics.topics import Topics

    Run = Callable[..., Relevance]


class _Budget(click.ParamType[int | None]):
    """A number of texts, or all."""

    name = "budget"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | None:
        """Read ``500`` or ``all``."""
        if value in ("all", None):
            return None
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 1:
            self.fail(f"{value} is neither a number of texts nor all", param, ctx)
        return number


@click.command("gather", cls=HeadedCommand)
@click.argument("topics", nargs=-1, metavar="[TOPICS]...")
@click.option(
    "--human",
    metavar="FILE",
    help="The topics that people judged, where their judgments have the words; instead of TOPICS "
    "or beside them.",
)
@shared.corpus_options
@click.option(
    "--classifier",
    metavar="FOLDER",
    help="Made by `tealeaves relevance fit`; or a classifier of Hugging Face, a folder or "
    "owner/name. Default: a probe on MiniLM, fitted to the texts.",
)
@click.option(
    "--top",
    type=click.IntRange(min=2),
    metavar="N",
    help="Only the first N words of topics.  [default: all]",
)
@click.option(
    "--all-pairs",
    is_flag=True,
    help="All pairs of the words, so that other topics of these words can be scored; heads are "
    "then kept only summed, unless --by-head.",
)
@click.option("--by-head", is_flag=True, help="Keep each head by itself, with --all-pairs too.")
@click.option(
    "--budget",
    type=_Budget(),
    default="2000",
    show_default=True,
    metavar="N",
    help="How many texts with two words of a topic are used at most, drawn at random; or all.",
)
@click.option("--no-improved", is_flag=True, help="Without Improved LRP: in a third of the time.")
@click.option(
    "--rules",
    type=click.Choice(["sizes", "chefer"]),
    default="sizes",
    show_default=True,
    help="How Improved LRP shares out relevance: by sizes, which is stable, or as published, in "
    "double precision and twice the time.",
)
@click.option(
    "--target",
    type=click.Choice(["predicted", "true"]),
    default="predicted",
    show_default=True,
    help="The class whose relevance is asked for: the predicted one, or the label of the text.",
)
@click.option(
    "--head-sample",
    type=click.IntRange(min=1),
    default=128,
    show_default=True,
    metavar="N",
    help="From how many texts the heads are chosen.",
)
@click.option("--heads-of", metavar="FILE", help="Take the heads of another file, to add to it.")
@shared.device_option
@shared.seed_option
@shared.separator_option
@click.option("-o", "--output", required=True, metavar="FILE", help="Where the relevance goes.")
@click.option("--resume", is_flag=True, help="Go on with an unfinished run of the same things.")
@click.option("--restart", is_flag=True, help="Begin anew: FILE is replaced, unfinished or not.")
@shared.checkpoint_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Let texts through a classifier, once, for any number of later scorings.

    For each ordered pair of words of a topic FILE has, by layer and head, the attention and the
    relevance between them, summed over texts; `tealeaves score --relevance FILE` needs neither the
    texts nor the network. While it runs, FILE.partial holds what is done; a run that was stopped
    goes on with --resume. Relevance of other texts is added with `tealeaves add`. The texts are
    read with --tokens, by default with those that the classifier was fitted with.

    \b
    Examples:
      tealeaves relevance gather lda.json -c news.jsonl -o news.relevance
      tealeaves relevance gather lda.json nmf.json -c news.jsonl --classifier news.classifier \\
          --budget 500 -o news.relevance --resume
      tealeaves relevance gather lda.json -c may.jsonl --classifier news.classifier \\
          --heads-of april.relevance -o may.relevance
      tealeaves relevance gather --human ratings.jsonl -c news.jsonl -o judged.relevance
      tealeaves score lda.json nmf.json --relevance news.relevance -m "lrp_sum@10 cooccurrence@10"
    """
    if not given["corpora"]:
        raise click.UsageError("give the texts with --corpus")
    if not (given["topics"] or given["human"]):
        raise click.UsageError("give TOPICS, the files of models, or --human, judgments of them")
    check_resume_options(resume=given["resume"], restart=given["restart"])
    check_replaceable(given["output"])
    files = (given["heads_of"], given["human"])
    read = [*given["topics"], *given["corpora"], *filter(None, files)]
    shared.check_not_input(given["output"], read)
    models = shared.read_topic_files(given["topics"], given["separator"])
    _gather([*models, *_judged(given["human"])], given)


def _judged(file: str | None) -> list[Topics]:
    """Return the models whose topics people judged."""
    if not file:
        return []
    from tealeaves.judgments.reading import read_judgments

    return read_judgments(file).topics_only.models()


def _gather(models: list[Topics], given: dict[str, Any]) -> None:
    from tealeaves.evidence.addition import RelevanceFile
    from tealeaves.evidence.relevance.classifier.saved import about
    from tealeaves.evidence.relevance.gathering import check_request
    from tealeaves.evidence.relevance.storage import save_relevance
    from tealeaves.evidence.sources import choose_pipeline

    output = Path(given["output"])
    job = Job(output, "gathering", resume=given["resume"], restart=given["restart"])
    standing = Standing.of(job)
    pipeline = choose_pipeline(models, given["tokens"], given["classifier"])
    request = _request(models, pipeline, given)
    check_request(request)
    standing.check(pipeline, request, about(given["classifier"]).fingerprint)
    run = _prepared(models, pipeline, request, given)
    if standing.is_done(run):
        click.echo(f"{output} is complete already", err=True)
        return
    try:
        with job.run() as stop:
            relevance = run(
                resume=standing.start,
                checkpoint=lambda done: save_relevance(done, job.partial),
                every=given["checkpoint"],
                stop=stop,
            )
            save_relevance(relevance, output)
    except EvidenceError as error:
        if standing.start is None:
            raise
        raise standing.other(error) from error
    if not given["quiet"]:
        click.echo(RelevanceFile(output, relevance), err=True)


def _prepared(
    models: list[Topics], pipeline: Pipeline, request: RelevanceRequest, given: dict[str, Any]
) -> Run:
    """Open all that is read, and fit a classifier where none is given; Ctrl-C still ends at once.

    Returns what gathers; it is told from where to go on, and when to save and stop.
    """
    from tealeaves.evidence.relevance.classifier.classifier import Classifier
    from tealeaves.evidence.relevance.gathering import default_classifier, gather_relevance
    from tealeaves.evidence.relevance.opening import open_relevance

    corpus = shared.open_corpus(given)
    heads_of = open_relevance(given["heads_of"]) if given["heads_of"] else None
    device, seed = given["device"], given["seed"]
    progress = wants_progress(quiet=given["quiet"])
    if given["classifier"]:
        classifier = Classifier.open(given["classifier"])
        _tell(models, pipeline, given, corpus)
    else:
        _tell(models, pipeline, given, corpus)
        classifier = default_classifier(corpus, pipeline, device, seed, progress=progress)
    return partial_of(
        gather_relevance,
        corpus,
        pipeline,
        request,
        classifier=classifier,
        budget=given["budget"],
        seed=seed,
        by_head=given["by_head"] or None,
        target=given["target"],
        rules=given["rules"],
        head_sample=given["head_sample"],
        heads_of=heads_of,
        device=device,
        progress=progress,
    )


def _tell(models: list[Topics], pipeline: Pipeline, given: dict[str, Any], corpus: Corpus) -> None:
    """Say what should be known before the texts are read."""
    from tealeaves.evidence.relevance.classifier.saved import about, language_of

    known = about(given["classifier"])
    made_for = known.language if given["classifier"] else language_of(None)
    notes = classifier_tokens(models, pipeline, given["tokens"], known.tokens)
    notes += on_language(corpus, models, made_for, remedy="--classifier names another")
    tell(notes, quiet=given["quiet"])


def _request(models: list[Topics], pipeline: Pipeline, given: dict[str, Any]) -> RelevanceRequest:
    from tealeaves.metrics.attention.gathering import relevance_request

    all_pairs, improved = given["all_pairs"], not given["no_improved"]
    return relevance_request(models, pipeline, given["top"], all_pairs=all_pairs, improved=improved)
