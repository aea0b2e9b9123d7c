"""What consensus says of judged topics by predictors that were not fitted to them.

The predictors that come with tealeaves were fitted to all of these topics. Those of this study were
fitted without the corpus of the topics, or without the cluster of nearly the same topics. They
judge as the metric does: by the sources that know enough of a topic's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.consensus.fitting import fit_predictors
from benchmarks.consensus.training_sets import (
    NEWSGROUPS,
    OWN_TOKENS,
    TRAINING_WEIGHTS,
    WIKIPEDIA_TOKENS,
    Judged,
    ReadSets,
    judged_sets,
)
from benchmarks.consensus.trials import CORPORA, FULL, FULL_NAMES, training_signals, unseen
from tealeaves.arrays import Floats
from tealeaves.consensus.prediction import mean_ranks, predict_topics, signal_table
from tealeaves.consensus.predictors import EMBEDDINGS, EmbeddingScale, Predictors
from tealeaves.consensus.relations import CORPUS, REFERENCE, TEXTS
from tealeaves.consensus.sources import ModelSources
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.text.pipeline import Pipeline

Predicted = dict[str, Floats]
Judging = Callable[[Sequence[ModelSources], Predictors], Floats]


class Known(NamedTuple):
    """All that was read: sets and counts, what predictors know of embeddings, and vectors."""

    read: ReadSets
    embeddings: Mapping[str, EmbeddingScale]
    vectors: Mapping[str | None, WordVectors]


class Tried(NamedTuple):
    """A way to judge topics outside the fit: by which sources, and how."""

    sources: tuple[str, ...]
    judge: Judging
    metric: str = "consensus"
    clusters: bool = False


def by_predictors(judged: Sequence[ModelSources], predictors: Predictors) -> Floats:
    """Judge topics as the metric does."""
    return np.concatenate([predict_topics(sources, predictors).values for sources in judged])


def by_ranks(judged: Sequence[ModelSources], _: Predictors) -> Floats:
    """Rank topics as the metric does, without any fit."""
    signals, support = signal_table(judged)
    return np.where(support > 0, mean_ranks(signals), np.nan)


UNSEEN_CORPUS = "consensus, corpus left out"
RANKS = "consensus(kind=ranks)"
WITHOUT_REFERENCE = "consensus without a reference, corpus left out"
CORPUS_ALONE = "consensus of the corpus alone, corpus left out"
VECTORS_ALONE = "consensus of vectors alone, corpus left out"
UNSEEN_CLUSTER = "consensus, cluster left out"
EVERYTHING = (*TEXTS, *EMBEDDINGS)

#: How consensus is tried, by what the rows are called.
TRIED: Mapping[str, Tried] = {
    UNSEEN_CORPUS: Tried(EVERYTHING, by_predictors),
    RANKS: Tried(EVERYTHING, by_ranks, RANKS),
    WITHOUT_REFERENCE: Tried((CORPUS, *EMBEDDINGS), by_predictors),
    CORPUS_ALONE: Tried((CORPUS,), by_predictors),
    VECTORS_ALONE: Tried(EMBEDDINGS, by_predictors),
    UNSEEN_CLUSTER: Tried(EVERYTHING, by_predictors, clusters=True),
}


def predictions(known: Known) -> dict[str, Predicted]:
    """Return what was said of the topics of each set, in order, by the names of the rows."""
    predictors = {corpus: fitted_without(corpus, known) for corpus in CORPORA}
    return {
        label: _without_cluster(known)
        if tried.clusters
        else _without_corpus(known, tried, predictors)
        for label, tried in TRIED.items()
    }


def fitted_without(corpus: str, known: Known) -> Predictors:
    """Fit all predictors to the other corpora."""
    sets = judged_sets()
    kept = [
        known.read.training_sets[name] for name in TRAINING_WEIGHTS if sets[name].corpus != corpus
    ]
    return fit_predictors(kept, known.embeddings)


def _without_corpus(known: Known, tried: Tried, predictors: Mapping[str, Predictors]) -> Predicted:
    predicted = {}
    for name, one in judged_sets().items():
        mine = predictors[one.corpus]
        predicted[name] = tried.judge(sources_of(one, tried, known, mine), mine)
    return predicted


def _without_cluster(known: Known) -> Predicted:
    """Leave clusters of 20 Newsgroups out, in ten folds, the first of the deals.

    All sources know these topics, so that there is one predictor of all.
    """
    predicted = unseen(
        training_signals(known.read.training_sets, FULL, FULL_NAMES), judged_sets()[NEWSGROUPS]
    )
    return {NEWSGROUPS: predicted.cluster[0]}


def sources_of(
    one: Judged, tried: Tried, known: Known, predictors: Predictors
) -> list[ModelSources]:
    """Return the sources that may be asked of each model of a set."""
    evidence, wording = evidence_of(one, tried, known)
    return [
        ModelSources.of(model, one.words, evidence, wording, predictors) for model in one.models
    ]


def evidence_of(one: Judged, tried: Tried, known: Known) -> tuple[Evidence, Wording]:
    """Return what is given for a set, and how its words are looked for.

    Where the texts that the topics are of are not available, there is only the reference; without
    one, Wikipedia is taken for the corpus.
    """
    vectors: dict[str | None, WordVectors] = {
        name: own for name, own in known.vectors.items() if name in tried.sources
    }
    there, tokens = Wording(Pipeline.parse(WIKIPEDIA_TOKENS)), Pipeline.parse(OWN_TOKENS)
    own = known.read.own if one.own and CORPUS in tried.sources else ()
    if REFERENCE in tried.sources:
        evidence = Evidence(own, vectors=vectors, reference=Evidence(known.read.wikipedia))
        return evidence, Wording(tokens, reference=there)
    if CORPUS in tried.sources and not one.own:
        return Evidence(known.read.wikipedia, vectors=vectors), there
    return Evidence(own, vectors=vectors), Wording(tokens)
