"""The evaluator: gather once, score many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.opening import Choice
from tealeaves.metrics.base import Metric
from tealeaves.metrics.crosslingual.evaluating import are_multilingual
from tealeaves.metrics.gathered import DEFAULT_TOKENS, Given, gathered, tokens_of
from tealeaves.metrics.marking import mark_words, marker_among, with_marker
from tealeaves.metrics.needed import with_each_embedding
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Scores
from tealeaves.metrics.scoring import score_models
from tealeaves.metrics.summary import check_weight
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.reading import read_models

if TYPE_CHECKING:
    import os

    from tealeaves.text.paired.corpus import PairedCorpus

__all__ = ["DEFAULT_ACROSS", "DEFAULT_METRICS", "DEFAULT_TOKENS", "score", "tokens_of"]

DEFAULT_METRICS = "npmi@10 c_v@10"
DEFAULT_ACROSS = "cnpmi@10 inpmi@10 twc@10"


def score(
    models: Any,
    corpus: Corpus | PairedCorpus | str | os.PathLike[str] | Iterable[Text] | None = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    tokens: str | Pipeline | Mapping[str, str | Pipeline] | None = None,
    counts: Counts | Iterable[Counts] | str | os.PathLike[str] | None = None,
    embeddings: Any = None,
    relevance: Any = None,
    dictionary: Any = None,
    years: Any = None,
    modern: Any = None,
    reference: Any = None,
    reference_tokens: str | Pipeline | None = None,
    weight: str | None = None,
    mark: bool = False,
    also: str | Metric | Iterable[str | Metric] = (),
    threads: int | None = None,
    progress: bool = False,
) -> Scores:
    """Score models and their topics, reading the corpus once for all of them.

    Parameters
    ----------
    models
        Word lists of one model, a path, ``Topics``, several of these, or a mapping from names.
    corpus
        The texts: a corpus, a path, or texts in memory; for topics in several languages a
        ``PairedCorpus``, or a mapping from languages to paths.
    metrics
        Expressions such as ``"npmi@10 c_v(never=0)@10"``, or metrics; by default npmi@10 and
        c_v@10, of topics in several languages cnpmi@10, inpmi@10 and twc@10.
    tokens
        The token pipeline, such as ``"words(stopwords=en)"``; by default the one that the models
        were made with, where they say it and agree, else ``"words"``. A mapping has one for each
        language.
    counts
        Counts made before, or their file, instead of a corpus; they know their pipeline.
    embeddings
        What gives words their vectors, for metrics that need them and name no embedding: a name
        (``tealeaves embeddings`` lists them), a file of vectors, a mapping from words, a function,
        anything with ``encode``, or :class:`~tealeaves.evidence.embeddings.Embeddings`. Of a list,
        such metrics are computed with each. By default ``minilm``, else ``wordllama``, whichever is
        installed.
    relevance
        Relevance gathered before, or its file, for metrics of attention and relevance; it knows its
        pipeline, and needs no corpus. Else a classifier, which reads the corpus: of
        ``tealeaves relevance fit``, or by default a probe of the corpus itself.
    dictionary
        Translations, for ``mta`` and ``cnpmi_estimated``: a file named after its languages
        (``en-sv.txt``), several, or a mapping from ``"en-sv"`` to a path or to pairs of words.
    years
        For ``cnpmi_estimated``: since when English has its words, a table of words and years or a
        mapping (of another language :class:`~tealeaves.evidence.eras.Eras`).
    modern
        For ``cnpmi_estimated``: English texts of our time, as a corpus is given (``{"fr": path}``
        of another language).
    reference
        Another, larger text, such as Wikipedia, for metrics that use one beside the corpus: a
        corpus, a path or several, texts in memory, or counts made before or their file
        (``.counts``). It is read once.
    reference_tokens
        The token pipeline of the reference, by default ``"words"``; counts know theirs.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are.
    mark
        Mark the words that fit their topic badly (``Scores.marked``), by the first of the metrics
        that can, else by ``consensus``.
    also
        Metrics that are not scored, but whose evidence is gathered in the same reading, for what
        is asked next of ``Scores.gathered``.
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
    choice = Choice(embeddings)
    judged = read_models(models)
    several = are_multilingual(judged)
    chosen = (DEFAULT_ACROSS if several else DEFAULT_METRICS) if metrics is None else metrics
    asked = with_each_embedding(parse_metrics(chosen), choice)
    if weight is not None:
        check_weight(judged, weight)  # else the work would be for nothing
    marker = marker_among(asked, judged) if mark else None
    given = Given(
        choice=choice,
        corpus=corpus,
        counts=counts,
        tokens=tokens,
        relevance=relevance,
        auxiliary=(dictionary, years, modern),
        reference=reference,
        reference_tokens=reference_tokens,
        threads=threads,
        progress=progress,
    )
    wanted = [*with_marker(asked, marker), *(parse_metrics(also) if also else ())]
    found = gathered(judged, list(dict.fromkeys(wanted)), given)
    scores = score_models(judged, asked, found.evidence, found.wording, weight=weight)
    scores.notes[:0] = found.notes
    scores.gathered = found if also else None  # it is large: kept where it was asked for
    if marker is not None:
        marked = mark_words(marker, judged, found.evidence, found.wording)
        scores.marked, scores.notes = marked.words, [*scores.notes, *marked.notes_beside(asked)]
    return scores
