"""Scorers for the searches of scikit-learn."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.choice import EmbeddingChoice
from tealeaves.evidence.sources import (
    DEFAULT_TOKENS,
    Sources,
)
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import score
from tealeaves.metrics.registry import metric as parse_metric
from tealeaves.models.selection.feasibility import check_relevance
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
    """Return a scorer of a metric for ``GridSearchCV`` and ``RandomizedSearchCV``.

    Parameters
    ----------
    metric
        One metric, such as ``"npmi@10"``; if lower is better, the scorer returns the negative.
    corpus
        The reference, which is read once and kept in memory. Without it the texts of each fold
        are the reference, if the search is given texts.
    counts
        Saved counts, or their file, instead of a corpus.
    vectorizer
        The fitted vectoriser, if the estimator is not part of a scikit-learn pipeline.
    tokens
        The token pipeline for the reference.
    embeddings
        One embedding, for a metric that needs word vectors.
    relevance
        Saved relevance, or its file, for a metric that needs it; it names its own pipeline. It must
        have all pairs of words that topics may have.
    weight
        ``"documents"`` weights topics by the documents of the fold whose best topic they are.
    """
    sources = Sources(corpus, counts=counts, embeddings=embeddings, relevance=relevance)
    saved_counts = sources.counts_list
    scored_metric = parse_metric(metric)
    _check_embeddings(scored_metric, sources.embedding_choice)
    check_relevance([scored_metric], sources.open_relevance)
    texts = sources.open_corpus
    return Scorer(
        metric=repr(scored_metric),
        corpus=None if texts is None else Corpus.of(list(texts)),
        counts=saved_counts,
        vectorizer=vectorizer,
        tokens=repr(Pipeline.parse(tokens)),
        weight=weight,
        embeddings=embeddings,
        relevance=sources.open_relevance,
    )


def _check_embeddings(metric: Metric, choice: EmbeddingChoice) -> None:
    """Refuse embeddings now that would only make a search score NaN."""
    if "embedding" not in metric.accepts:
        if choice.chosen and "embeddings" not in metric.uses:
            raise InputError(f"embeddings are for metrics of vectors, not for {metric!r}")
        return
    name = metric.settings.embedding
    if name is None and len(choice.chosen) > 1:
        names = ", ".join(embedding.name for embedding in choice.chosen)
        raise InputError(f"make_scorer takes one embedding, not several ({names})")
    choice.by_name(name)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Scorer:
    """Scores a fitted estimator: more is better. It can be pickled."""

    metric: str
    corpus: Corpus | None
    counts: list[Counts] | None
    vectorizer: Any
    tokens: str
    weight: str | None
    embeddings: Any
    relevance: Any

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:  # noqa: N803
        """Return the metric of the estimator's topics; ``X`` is the fold: texts or their matrix."""
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
        return value if parse_metric(self.metric).better == "higher" else -value

    def _reference(self, fold: Any) -> Corpus | None:
        if self.corpus is not None:
            return self.corpus
        is_matrix = hasattr(fold, "shape") and getattr(fold, "ndim", 2) != 1
        texts = [] if is_matrix else list(fold)
        if texts and all(isinstance(text, str) for text in texts):
            return Corpus.of(texts)
        return None  # enough for metrics that need no texts; others raise an error

    def __repr__(self) -> str:
        return f"make_scorer({self.metric!r})"
