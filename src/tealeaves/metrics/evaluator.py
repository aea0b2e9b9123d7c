"""The evaluator: gather once, score many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves import __version__
from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.request import Request, join_requests
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.summary import Summary, summarise, weights_of
from tealeaves.metrics.wording import Wording
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import os

DEFAULT_METRICS = "npmi@10 c_v@10"
DEFAULT_TOKENS = "words"
FEW_TEXTS = 50
MOST_LISTED = 10


def score(
    models: Any,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text] | None = None,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    tokens: str | Pipeline = DEFAULT_TOKENS,
    counts: Counts | Iterable[Counts] | str | os.PathLike[str] | None = None,
    weight: str | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> Scores:
    """Score models and their topics, reading the corpus once for all of them.

    Parameters
    ----------
    models
        Word lists of one model, a path, ``Topics``, several of these, or a mapping from names.
    corpus
        The reference: a corpus, a path, or texts in memory.
    metrics
        Expressions such as ``"npmi@10 c_v(never=0)@10"``, or metrics.
    tokens
        The token pipeline, such as ``"words(stopwords=en)"``.
    counts
        Counts made before, or their file, instead of a corpus; they know their pipeline.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are.
    threads
        How many threads count; by default one for each processor.
    progress
        Show a bar on standard error.

    >>> texts = ["the cat and the dog", "a dog and a cat", "soup with bread", "bread"]
    >>> good, bad = [["cat", "dog"]], [["cat", "bread"]]
    >>> scores = score({"good": good, "bad": bad}, texts, "npmi")
    >>> scores.value("good", "npmi"), scores.value("bad", "npmi")
    (1.0, -1.0)
    """
    asked = parse_metrics(metrics)
    judged = read_models(models)
    if weight is not None:
        for model in judged:
            weights_of(model, weight)  # else the work would be for nothing
    if counts is not None:
        if corpus is not None:
            raise InputError("give either a corpus or counts, not both")
        found = _counts(counts)
        wording = Wording(pipeline_of(found))
        return score_models(judged, asked, Evidence(found), wording, weight=weight)
    pipeline = Pipeline.parse(tokens)
    wording = Wording(pipeline)
    requests = requests_of(judged, asked, wording)
    found = []
    if requests:
        from tealeaves.evidence.gathering import check_not_empty, gather

        texts = _corpus(corpus, requests)
        found = gather(texts, pipeline, requests, threads=threads, progress=progress)
        check_not_empty(found, texts)
    return score_models(judged, asked, Evidence(found), wording, weight=weight)


def requests_of(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wording
) -> list[Request]:
    """Return all that the metrics need to be counted for these models."""
    return join_requests(need for metric in metrics for need in metric.needs(models, wording))


def pipeline_of(counts: Sequence[Counts]) -> Pipeline:
    """Return the pipeline that counts were made with, which must be the same today."""
    stamps = {stamp for one in counts for stamp in one.pipelines.values()}
    if not stamps:
        raise InputError("no counts were given")
    if len(stamps) != 1:
        raise InputError("the counts were made with more than one token pipeline")
    stamp = stamps.pop()
    pipeline = Pipeline.parse(stamp.expression)
    if pipeline.signature != stamp.signature:
        raise InputError(
            f"the counts were made with {stamp.signature}, which today is {pipeline.signature}"
        )
    return pipeline


def score_models(
    models: Sequence[Topics],
    metrics: Sequence[Metric],
    evidence: Evidence,
    wording: Wording,
    *,
    weight: str | None = None,
) -> Scores:
    """Score from evidence at hand."""
    names = [model.model for model in models]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InputError(f"two models are called {twice.pop()}: give each its own name")
    results = [metric.score(models, evidence, wording) for metric in metrics]
    labels = [repr(metric) for metric in metrics]
    signatures = [_signature(metric, evidence) for metric in metrics]
    rows: list[Score] = []
    notes = [*_few_texts(evidence), *_missing_words(models, metrics, evidence, wording)]
    for number, model in enumerate(models):
        columns = [result[number] for result in results]
        rows += _topic_rows(model, labels, columns, signatures)
        for label, result, signature in zip(labels, columns, signatures, strict=True):
            summary = summarise(model, result, weight)
            signed = f"{signature}|weight={weight}" if weight else signature
            rows.append(Score(model.model, None, label, summary.value, summary.support, signed))
            notes += _notes(model, label, summary)
    words: dict[tuple[str, int | str | None], tuple[str, ...]]
    words = {(m.model, t.id): t.words for m in models for t in m.topics}
    better = {label: metric.better for label, metric in zip(labels, metrics, strict=True)}
    return Scores(rows, better=better, words=words, notes=list(dict.fromkeys(notes)))


def _topic_rows(
    model: Topics, labels: Sequence[str], columns: Sequence[Result], signatures: Sequence[str]
) -> Iterator[Score]:
    """Yield a row for each topic and metric."""
    values = [column.values.tolist() for column in columns]
    support = [column.support.tolist() for column in columns]
    for k, topic in enumerate(model.topics):
        for m, label in enumerate(labels):
            yield Score(model.model, topic.id, label, values[m][k], support[m][k], signatures[m])


def _signature(metric: Metric, evidence: Evidence) -> str:
    parts = [metric.signature, metric.provenance(evidence), f"tealeaves={__version__}"]
    return "|".join(part for part in parts if part)


def _few_texts(evidence: Evidence) -> list[str]:
    """Warn of a corpus that is too small to say much."""
    sizes = {one.totals.documents for one in evidence if one.totals.documents}
    few = min(sizes, default=FEW_TEXTS)
    some = "1 text" if few == 1 else f"{few} texts"
    return [] if few >= FEW_TEXTS else [f"the corpus has only {some}: the numbers are rough"]


def _missing_words(
    models: Sequence[Topics], metrics: Sequence[Metric], evidence: Evidence, wording: Wording
) -> list[str]:
    """Name the words that the corpus lacks."""
    found: list[dict[str, None]] = [{} for _ in models]
    for metric in metrics:
        for words, missing in zip(found, metric.missing(models, evidence, wording), strict=True):
            words.update(dict.fromkeys(missing))
    notes = []
    for model, words in zip(models, found, strict=True):
        removed = [word for word in words if not wording.term(word).tokens]
        absent = [word for word in words if wording.term(word).tokens]
        if absent:
            notes.append(f"{model.model}: not in the corpus: {_listed(absent)}")
        if removed:
            notes.append(f"{model.model}: removed by the tokens: {_listed(removed)}")
    return notes


def _listed(things: Sequence[object]) -> str:
    more = f" and {len(things) - MOST_LISTED} more" if len(things) > MOST_LISTED else ""
    return ", ".join(map(str, things[:MOST_LISTED])) + more


def _notes(model: Topics, label: str, summary: Summary) -> list[str]:
    """Say what the model's score leaves out."""
    notes = []
    if summary.unscored:
        notes.append(
            f"{model.model}: {len(summary.unscored)} of {len(model)} topics have no {label}, for "
            f"lack of words to compare: {_listed(summary.unscored)}"
        )
    if summary.documents is not None and (summary.outliers or summary.left_out):
        notes.append(
            f"{model.model}: weighted by {summary.documents} documents; left out are "
            f"{summary.outliers} outliers and {summary.left_out} documents of topics without score"
        )
    if math.isnan(summary.value) and summary.documents == 0:
        notes.append(f"{model.model}: no document belongs to a topic that has a score")
    return notes


def _counts(counts: Any) -> list[Counts]:
    if isinstance(counts, str) or hasattr(counts, "__fspath__"):
        from tealeaves.evidence.storage import load_counts

        return load_counts(counts)
    return [counts] if isinstance(counts, Counts) else list(counts)


def _corpus(corpus: Any, requests: Sequence[Request]) -> Corpus:
    if corpus is None:
        units = ", ".join(str(request.unit) for request in requests)
        raise InputError(f"these metrics need a corpus (counts of {units}): give corpus or counts")
    if isinstance(corpus, Corpus):
        return corpus
    if isinstance(corpus, str) or hasattr(corpus, "__fspath__"):
        return Corpus.open(corpus)
    if isinstance(corpus, list | tuple) and corpus and all(map(_is_path, corpus)):
        raise InputError("these texts are paths of files: give Corpus.open(path, path, ...)")
    return Corpus.of(corpus)


def _is_path(text: Any) -> bool:
    short = isinstance(text, str) and len(text) < 500 and "\n" not in text
    return short and Path(text).suffix != "" and Path(text).is_file()
