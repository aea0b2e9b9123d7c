"""The evaluator: gather once, score many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.opening import Choice
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.relevance.classifier.saved import about
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.request import RelevanceRequest
from tealeaves.metrics.asking import needs_of, refuse_texts
from tealeaves.metrics.base import Metric
from tealeaves.metrics.crosslingual.auxiliary import Auxiliary
from tealeaves.metrics.crosslingual.evaluating import (
    GivenAcross,
    are_multilingual,
    evidence_across,
)
from tealeaves.metrics.crosslingual.family import names_of
from tealeaves.metrics.needed import (
    check_embeddings,
    check_tokens,
    corpus_of,
    counts_of,
    embed_once,
    pipeline_of_stamp,
    read_once,
    relevance_of,
    relevance_once,
    with_each_embedding,
)
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Scores
from tealeaves.metrics.scoring import score_models
from tealeaves.metrics.summary import check_weight
from tealeaves.metrics.wording import Wording
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import os

    from tealeaves.metrics.base import Need
    from tealeaves.text.paired.corpus import PairedCorpus

DEFAULT_METRICS = "npmi@10 c_v@10"
DEFAULT_ACROSS = "cnpmi@10 inpmi@10 twc@10"
DEFAULT_TOKENS = "words"


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
        The reference: a corpus, a path, or texts in memory; for topics in several languages a
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
    choice = Choice(embeddings)
    judged = read_models(models)
    several = are_multilingual(judged)
    chosen = (DEFAULT_ACROSS if several else DEFAULT_METRICS) if metrics is None else metrics
    asked = with_each_embedding(parse_metrics(chosen), choice)
    if weight is not None:
        check_weight(judged, weight)  # else the work would be for nothing
    if several:
        auxiliary = Auxiliary(names_of(judged), dictionary, years, modern)
        given = GivenAcross(auxiliary, corpus, counts, tokens, threads, progress)
        across = evidence_across(judged, asked, given)
        scores = score_models(judged, asked, across.evidence, across.wording, weight=weight)
        scores.notes[:0] = across.notes
        return scores
    if isinstance(tokens, Mapping):
        raise InputError("tokens of several languages, but the topics are in one")
    if years is not None or modern is not None:
        raise InputError("years of words and modern texts are for topics in several languages")
    known = relevance_of(relevance)
    if counts is not None:
        if corpus is not None:
            raise InputError("give either a corpus or counts, not both")
        found, texts = counts_of(counts), None
        pipeline = pipeline_of(found)
        check_tokens(known, pipeline, "the counts with")
        wording = Wording(pipeline)
        refuse_texts(judged, asked, wording)
        needs = needs_of(judged, asked, wording, known)
    else:
        pipeline = tokens_of(judged, tokens, known)
        wording = Wording(pipeline)
        needs = needs_of(judged, asked, wording, known)
        check_embeddings(needs, choice)
        corpus = _read_again(corpus, needs, known)
        found, texts = read_once(corpus, pipeline, needs, threads, progress=progress)
    evidence = Evidence(
        found,
        texts,
        embed_once(needs, choice, progress=progress),
        relevance_once(needs, known, corpus, pipeline, progress=progress),
    )
    return score_models(judged, asked, evidence, wording, weight=weight)


def _read_again(corpus: Any, needs: Sequence[Need], relevance: Any) -> Any:
    """Hold texts that could be read only once, where a classifier reads them too."""
    if corpus is None or isinstance(relevance, Relevance):
        return corpus
    if not any(isinstance(need, RelevanceRequest) for need in needs):
        return corpus
    return corpus_of(corpus, needs)


def tokens_of(
    models: Sequence[Topics], given: str | Pipeline | None, relevance: Any = None
) -> Pipeline:
    """Return the pipeline that was asked for, else that of relevance at hand or of the classifier
    that is to read the texts, else that of the models, else the default.
    """
    if given is not None:
        asked = Pipeline.parse(given)
        check_tokens(relevance, asked, "the tokens asked for are")
        return asked
    if isinstance(relevance, Relevance):
        return pipeline_of_stamp(relevance.stamp.pipeline, "relevance was")
    if relevance is not None and (fitted := about(relevance).tokens):
        return Pipeline.parse(fitted)
    known = {model.tokens for model in models if model.tokens}
    return Pipeline.parse(known.pop() if len(known) == 1 else DEFAULT_TOKENS)


def pipeline_of(counts: Sequence[Counts]) -> Pipeline:
    """Return the pipeline that counts were made with, which must be the same today."""
    stamps = {stamp for one in counts for stamp in one.pipelines.values()}
    if not stamps:
        raise InputError("no counts were given")
    if len(stamps) != 1:
        raise InputError("the counts were made with more than one token pipeline")
    return pipeline_of_stamp(stamps.pop(), "counts were")
