"""Scorers for the searches of scikit-learn."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.choice import EmbeddingChoice
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.sources import DEFAULT_TOKENS, open_relevance_source
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import score
from tealeaves.metrics.registry import metric as parsed
from tealeaves.models.sketch import check_relevance
from tealeaves.models.training import as_corpus
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.adapters import adapt


def make_scorer(
    metric: str | Metric,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text] | None = None,
    *,
    counts: Counts | Sequence[Counts] | str | os.PathLike[str] | None = None,
    vectorizer: Any = None,
    tokens: str | Pipeline = DEFAULT_TOKENS,
    embeddings: Any = None,
    relevance: Any = None,
    weight: str | None = None,
) -> Scorer:
    """Make a scorer of a metric for ``GridSearchCV`` and ``RandomizedSearchCV``.

    Parameters
    ----------
    metric
        One metric, such as ``"npmi@10"``; of those where lower is better the negative is given.
    corpus
        The reference, which is read once and kept in memory. Without it the texts of each fold
        are the reference, where the search is given texts.
    counts
        Counts made before, or their file, instead of a corpus.
    vectorizer
        The fitted vectoriser, for an estimator that is searched without a pipeline.
    tokens
        The token pipeline for the reference.
    embeddings
        What gives words their vectors, for a metric that needs them: one embedding.
    relevance
        Relevance gathered before, or its file, for a metric that needs it; it knows its pipeline.
        It must be of all pairs of words that topics may have.
    weight
        ``"documents"`` weights topics by the documents whose best topic they are; the fold's.
    """
    if corpus is not None and counts is not None:
        raise InputError("give either a corpus or counts, not both")
    asked = parsed(metric)
    _check_embeddings(asked, EmbeddingChoice(embeddings))
    gathered = open_relevance_source(relevance)
    check_relevance([asked], gathered)
    held = None if corpus is None else Corpus.of(list(as_corpus(corpus)))
    if counts is not None and (isinstance(counts, str) or hasattr(counts, "__fspath__")):
        from tealeaves.evidence.counts import load_counts

        counts = load_counts(counts)
    return Scorer(
        repr(asked),
        held,
        counts,
        vectorizer,
        repr(Pipeline.parse(tokens)),
        weight,
        embeddings,
        gathered,
    )


def _check_embeddings(metric: Metric, choice: EmbeddingChoice) -> None:
    """Refuse at once what a search would only take for failed fits, whose scores are NaN."""
    if "embedding" not in metric.accepts:
        if choice.given and "embeddings" not in metric.uses:
            raise InputError(f"embeddings are for metrics of vectors, not for {metric!r}")
        return
    name = metric.settings.embedding
    if name is None and len(choice.given) > 1:
        names = ", ".join(one.name for one in choice.given)
        raise InputError(f"make_scorer takes one embedding, not several ({names})")
    choice.named(name)


class Scorer:
    """Scores a fitted estimator: more is better. It can be pickled."""

    def __init__(
        self,
        metric: str,
        corpus: Corpus | None,
        counts: Any,
        vectorizer: Any,
        tokens: str,
        weight: str | None,
        embeddings: Any = None,
        relevance: Any = None,
    ) -> None:
        self.metric = metric
        self.corpus = corpus
        self.counts = counts
        self.vectorizer = vectorizer
        self.tokens = tokens
        self.weight = weight
        self.embeddings = embeddings
        self.relevance = relevance

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:  # noqa: ARG002, N803
        """Return the metric of the estimator's topics; ``X`` is the fold, texts or their matrix."""
        topics = adapt(estimator, name="model", vectorizer=self.vectorizer, documents=X)
        scores = score(
            topics,
            None if self.counts is not None else self._reference(X),
            self.metric,
            counts=self.counts,
            tokens=None if isinstance(self.relevance, Relevance) else self.tokens,
            embeddings=self.embeddings,
            relevance=self.relevance,
            weight=self.weight,
        )
        value = scores.value("model", self.metric)
        return value if parsed(self.metric).better == "higher" else -value

    def _reference(self, fold: Any) -> Corpus | None:
        if self.corpus is not None:
            return self.corpus
        listed = list(fold) if not hasattr(fold, "shape") or getattr(fold, "ndim", 2) == 1 else []
        if listed and all(isinstance(text, str) for text in listed):
            return Corpus.of(listed)
        return None  # enough for metrics that need no texts; others say so

    def __repr__(self) -> str:
        return f"make_scorer({self.metric!r})"
