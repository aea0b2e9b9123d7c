"""Gathering what metrics need: the texts are read once, each word is embedded once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts, PipelineStamp
from tealeaves.evidence.embeddings.opening import Choice
from tealeaves.evidence.embeddings.request import EmbeddingRequest, joined_by_embedding
from tealeaves.evidence.encoded import EncodedTexts, Encoder, TextRequest
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.request import RelevanceRequest
from tealeaves.evidence.request import Request, join_requests
from tealeaves.evidence.units import Unit
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.vectors import WordVectors
    from tealeaves.metrics.base import Metric, Need

RELEVANCE_SUFFIX = ".relevance"


def with_each_embedding(metrics: Sequence[Metric], choice: Choice) -> list[Metric]:
    """Of several embeddings, let each metric that could use any use each.

    >>> from tealeaves.evidence.embeddings import Embeddings
    >>> from tealeaves.metrics.registry import parse_metrics
    >>> both = [Embeddings.of({"cat": [1.0]}, name=name) for name in ("one", "other")]
    >>> with_each_embedding(parse_metrics("isim@10 npmi"), Choice(both))
    [isim(embedding=one)@10, isim(embedding=other)@10, npmi]
    """
    if len(choice.given) < 2:
        return list(metrics)
    return [
        each
        for metric in metrics
        for each in (
            [metric(embedding=one.name) for one in choice.given]
            if "embedding" in metric.accepts and metric.settings.embedding is None
            else [metric]
        )
    ]


def read_once(
    corpus: Any,
    pipeline: Pipeline,
    needs: Sequence[Need],
    threads: int | None,
    *,
    progress: bool,
) -> tuple[list[Counts], EncodedTexts | None]:
    """Read the corpus once for all that is needed of it, if anything is."""
    requests = join_requests(need for need in needs if isinstance(need, Request))
    asked = [need for need in needs if isinstance(need, TextRequest)]
    if not requests and not asked:
        return [], None
    from tealeaves.evidence.gathering import check_not_empty, gather

    texts = corpus_of(corpus, needs)
    encoder = Encoder(frozenset().union(*(one.terms for one in asked)), pipeline) if asked else None
    found = gather(
        texts,
        pipeline,
        requests or [Request(Unit())],
        threads=threads,
        progress=progress,
        encoder=encoder,
    )
    check_not_empty(found, texts)
    return found if requests else [], encoder.texts() if encoder else None


def check_embeddings(needs: Iterable[Need], choice: Choice) -> None:
    """Refuse, before long work begins, embeddings that are not there."""
    for name in joined_by_embedding(n for n in needs if isinstance(n, EmbeddingRequest)):
        choice.named(name)


def embed_once(
    needs: Sequence[Need], choice: Choice, *, progress: bool
) -> dict[str | None, WordVectors]:
    """Embed each word once for all that is needed of an embedding."""
    asked = joined_by_embedding(need for need in needs if isinstance(need, EmbeddingRequest))
    return {
        name: choice.named(name).vectors(
            sorted(request.words), further=sorted(request.further), progress=progress
        )
        for name, request in asked.items()
    }


def relevance_of(given: Any) -> Any:
    """Return relevance that was given, or that of a file; a classifier stays what it is."""
    if isinstance(given, str | os.PathLike):
        path = Path(given)
        if path.suffix == RELEVANCE_SUFFIX or path.is_file():
            from tealeaves.evidence.relevance.opening import open_relevance

            return open_relevance(path)
        if not path.expanduser().exists() and "/" not in str(given):
            # a slip, for which nothing is asked of the net: names of the hub are owner/name
            raise InputError(f"no such file of relevance or folder of a classifier: {given}")
    return given


def relevance_once(
    needs: Sequence[Need], given: Any, corpus: Any, pipeline: Pipeline, *, progress: bool
) -> Relevance | None:
    """Return the relevance at hand, or let a classifier read the texts once for all that is needed.

    ``given`` is relevance, its file, a classifier, its folder or name, or None for the one that is
    taken by default.
    """
    known = relevance_of(given)
    if isinstance(known, Relevance):
        return known
    asked = [need for need in needs if isinstance(need, RelevanceRequest)]
    if not asked:
        return None
    if corpus is None:
        raise InputError(
            "these metrics need a corpus, which a classifier reads, or relevance that was gathered "
            "before (`tealeaves relevance gather`): give corpus or relevance"
        )
    from tealeaves.evidence.relevance.gathering import gather_relevance

    if isinstance(known, str | os.PathLike):
        from tealeaves.evidence.relevance.classifier.classifier import Classifier

        known = Classifier.open(known)
    texts, request = corpus_of(corpus, needs), reduce(or_, asked)
    return gather_relevance(texts, pipeline, request, classifier=known, progress=progress)


def pipeline_of_stamp(stamp: PipelineStamp, what: str) -> Pipeline:
    """Return the pipeline that something was made with, which must be the same today."""
    pipeline = Pipeline.parse(stamp.expression)
    if pipeline.signature != stamp.signature:
        raise InputError(
            f"the {what} made with {stamp.signature}, which today is {pipeline.signature}"
        )
    return pipeline


def pipeline_of(counts: Sequence[Counts]) -> Pipeline:
    """Return the pipeline that counts were made with, which must be the same today."""
    stamps = {stamp for one in counts for stamp in one.pipelines.values()}
    if not stamps:
        raise InputError("no counts were given")
    if len(stamps) != 1:
        raise InputError("the counts were made with more than one token pipeline")
    return pipeline_of_stamp(stamps.pop(), "counts were")


def check_tokens(relevance: Any, pipeline: Pipeline, whose: str) -> None:
    """Refuse relevance of other tokens than those that words are looked for with."""
    if not isinstance(relevance, Relevance):
        return
    made = relevance.stamp.pipeline
    if pipeline_of_stamp(made, "relevance was").signature != pipeline.signature:
        raise InputError(
            f"the relevance was gathered with the tokens {made.expression}, {whose} {pipeline!r}: "
            "they must be the same"
        )


def counts_of(counts: Any) -> list[Counts]:
    """Return counts that were given, or those of a file."""
    if isinstance(counts, str) or hasattr(counts, "__fspath__"):
        from tealeaves.evidence.storage import load_counts

        return load_counts(counts)
    return [counts] if isinstance(counts, Counts) else list(counts)


def corpus_of(corpus: Any, needs: Sequence[Need]) -> Corpus:
    """Return the corpus that was given, or say what it is needed for."""
    if corpus is None:
        units = dict.fromkeys(str(need.unit) for need in needs if isinstance(need, Request))
        if not units:
            raise InputError("these metrics read the texts themselves: give the corpus")
        counted = ", ".join(units)
        raise InputError(
            f"these metrics need a corpus (counts of {counted}): give corpus or counts"
        )
    if isinstance(corpus, Corpus):
        return corpus
    if isinstance(corpus, str) or hasattr(corpus, "__fspath__"):
        return Corpus.open(corpus)
    if isinstance(corpus, list | tuple) and corpus and all(map(is_path, corpus)):
        raise InputError("these texts are paths of files: give Corpus.open(path, path, ...)")
    return Corpus.of(corpus)


def is_path(text: Any) -> bool:
    """Tell the path of a file that is there from a text."""
    if isinstance(text, os.PathLike):
        return True
    short = isinstance(text, str) and len(text) < 500 and "\n" not in text
    return short and Path(text).suffix != "" and Path(text).is_file()
