"""``tealeaves count``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import across
from tealeaves.cli import options as shared
from tealeaves.cli.paired import one_for_all
from tealeaves.errors import InputError
from tealeaves.files import check_writable, remove_leftovers
from tealeaves.jobs import stop_signal

if TYPE_CHECKING:
    from tealeaves.evidence.counts import Counts
    from tealeaves.evidence.request import Request
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.pipeline import Pipeline
    from tealeaves.topics.topics import Topics


@click.command("count")
@shared.topics_argument
@shared.languages_options
@across.languages_option
@shared.metric_option
@shared.separator_option
@click.option("-o", "--output", required=True, metavar="FILE", help="Where the counts go.")
@click.option("--resume", is_flag=True, help="Go on with an unfinished count of the same things.")
@click.option("--restart", is_flag=True, help="Forget an unfinished count and begin anew.")
@shared.checkpoint_option
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Count what the metrics need, once, for any number of later scorings.

    The counts are for the words of these topics. While counting, FILE.partial holds what is done;
    a run that was stopped goes on with --resume. Counts of other texts are added with
    `tealeaves add`.

    \b
    Examples:
      tealeaves count lda.json nmf.json -c wiki.jsonl.zst -m "npmi@10 c_v@10" -o wiki.counts
      tealeaves count lda.json -c tokens.txt --tokens tokens -o lda.counts --resume
      tealeaves score lda.json nmf.json --counts wiki.counts
      tealeaves count lda.json -c wiki.jsonl --tokens words -m consensus@10 -o wiki.counts
      tealeaves score lda.json -c texts.jsonl -m consensus@10 --reference wiki.counts
      tealeaves count pltm.json -c en=web.tsv -c es=rv.tsv -m "cnpmi@10 inpmi@10" -o bible.counts

    Of topics in several languages, words are counted in linked documents. Such a count holds each
    language's words until it is done, and cannot be resumed: count parts, and add them.
    """
    if not given["corpora"]:
        raise click.UsageError("give the texts with --corpus")
    if given["resume"] and given["restart"]:
        raise click.UsageError("give either --resume or --restart")
    check_replaceable(given["output"])
    shared.check_not_input(given["output"], [*given["topics"], *given["corpora"]])
    models = shared.read_topic_files(given["topics"], given["separator"], given["languages"])
    if across.several(models):
        across.count(models, given)
        return
    across.refuse(given)
    _count_models(models, given)


def _count_models(models: Sequence[Topics], given: dict[str, Any]) -> None:
    from tealeaves.metrics.asking import requests_of
    from tealeaves.metrics.evaluator import tokens_of
    from tealeaves.metrics.wording import Wording

    metrics = shared.read_metrics(given["metrics"])
    pipeline = tokens_of(models, one_for_all(given["tokens"], "tokens"))
    wording = Wording(pipeline)
    wording.reference = wording  # the file may serve as counts of the corpus or of a reference
    requests = requests_of(models, metrics, wording)
    if not requests:
        raise InputError("none of these metrics needs counts")
    corpus = shared.open_corpus(given)
    _count(corpus, pipeline, requests, given)


def _count(
    corpus: Corpus, pipeline: Pipeline, requests: list[Request], given: dict[str, Any]
) -> None:
    from tealeaves.evidence.gathering import check_not_empty, gather
    from tealeaves.evidence.storage import load_counts, save_counts

    output = Path(given["output"])
    partial = output.with_name(output.name + ".partial")
    start: list[Counts] = []
    if given["resume"] and partial.exists():
        start = load_counts(partial)
    elif given["resume"] and _is_done(output, requests, pipeline, corpus):
        click.echo(f"{output} is complete already", err=True)
        return
    elif given["resume"] and output.exists():
        raise InputError(f"{output} holds other counts: --restart replaces them")
    elif partial.exists() and not given["restart"]:
        raise InputError(f"{partial} is an unfinished count: --resume to go on, --restart to begin")
    for written in (output, partial):
        remove_leftovers(written)
    try:
        counts = gather(
            corpus,
            pipeline,
            requests,
            threads=given["threads"],
            resume=start,
            checkpoint=lambda found: save_counts(found, partial),
            every=given["checkpoint"],
            stop=stop_signal(),
            progress=not given["quiet"] and sys.stderr.isatty(),
        )
    except KeyboardInterrupt:
        kept = "nothing was saved yet"
        if partial.exists():
            kept = f"{partial} keeps what is done, --resume goes on"
        raise KeyboardInterrupt(f"interrupted: {kept}") from None
    check_not_empty(counts, corpus)
    save_counts(counts, output)
    partial.unlink(missing_ok=True)
    if not given["quiet"]:
        click.echo(summary(counts, output), err=True)


def summary(counts: Sequence[Counts], output: str | Path) -> str:
    """Say in one line what a file of counts holds."""
    first = counts[0]
    units = ", ".join(f"{one.totals.units} {one.unit.plural}" for one in counts)
    words, pairs = len(first.terms), len(first.pairs)
    return f"{output}: {first.totals.documents} texts; {words} words and {pairs} pairs in {units}"


def check_replaceable(output: str | Path) -> None:
    """Refuse to write over a file that holds no counts."""
    from tealeaves.evidence.storage import load_counts

    check_writable(output)
    if Path(output).exists():
        try:
            load_counts(output)
        except InputError as error:
            raise InputError(f"{output} exists and is no file of counts: name another") from error


def _is_done(output: Path, requests: list[Request], pipeline: Pipeline, corpus: Corpus) -> bool:
    """Tell whether the output holds just these counts of just these sources."""
    from tealeaves.evidence.storage import load_counts

    if not output.exists():
        return False
    counts = load_counts(output)
    return (
        [one.request for one in counts] == requests
        and all(set(one.fingerprint.spans) == corpus.identities for one in counts)
        and {s.signature for one in counts for s in one.pipelines.values()} == {pipeline.signature}
    )
