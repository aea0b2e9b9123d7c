"""Trials of consensus: how well it agrees with people on topics that it was not fitted to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.consensus.fitting import (
    TrainingSet,
    fit_predictor,
    fit_training_sets,
    folds_of,
    left_out,
)
from benchmarks.consensus.training_sets import NEWSGROUPS, TRAINING_WEIGHTS, Judged, judged_sets
from tealeaves.arrays import Bools, Floats, Integers
from tealeaves.consensus.prediction import mean_ranks
from tealeaves.consensus.predictors import EMBEDDINGS, PARTS, Predictor
from tealeaves.consensus.relations import CORPUS, REFERENCE
from tealeaves.consensus.signals import names_of, signals_of
from tealeaves.learners.additive import Additive
from tealeaves.learners.results import LEVEL
from tealeaves.statistics.correlation import pearson, spearman

SEEDS = (0, 1, 2, 3, 4)
CORPORA = ("20 Newsgroups", "Wikitext", "Wikipedia")
_NEAR = 12  # of 15 words: such a topic was seen, more or less
_STEEP = 12.0  # how much more the look-up believes topics that share more words


class AgreementWithPeople(NamedTuple):
    """Pearson's r and Spearman's rho with people, and how many topics."""

    r: float
    rho: float
    n: int


def agreement(values: Floats, human: Floats, chosen: Bools | None = None) -> AgreementWithPeople:
    """Correlate with people, on some topics or all; topics without a value are left out."""
    known = np.isfinite(values) if chosen is None else np.isfinite(values) & chosen
    one, other = values[known], human[known]
    return AgreementWithPeople(
        _coefficient(pearson, one, other), _coefficient(spearman, one, other), len(one)
    )


def _coefficient(measure: Callable[..., Floats], one: Floats, other: Floats) -> float:
    return float(np.asarray(measure(one[:, None], other)).ravel()[0])


class TrainingSignals(NamedTuple):
    """The training sets that predictors are fitted to, and the signals of each by some parts."""

    names: tuple[str, ...]
    training_sets: list[TrainingSet]
    tables: list[Floats]
    signals: tuple[str, ...]

    def without(self, corpus: str) -> TrainingSignals:
        """Leave out a corpus."""
        sets = judged_sets()
        kept = [place for place, name in enumerate(self.names) if sets[name].corpus != corpus]
        return TrainingSignals(
            tuple(self.names[place] for place in kept),
            [self.training_sets[place] for place in kept],
            [self.tables[place] for place in kept],
            self.signals,
        )

    def less(self, prefix: str) -> TrainingSignals:
        """Leave out the signals whose names begin so."""
        kept = [place for place, name in enumerate(self.signals) if not name.startswith(prefix)]
        tables = [table[:, kept] for table in self.tables]
        return TrainingSignals(
            self.names, self.training_sets, tables, tuple(self.signals[k] for k in kept)
        )

    def model(self, used: Mapping[str, Bools] | None = None) -> Additive:
        """Fit to all topics, or of some sets to some."""
        chosen = [
            (used or {}).get(name, np.ones(len(training_set), dtype=bool))
            for name, training_set in zip(self.names, self.training_sets, strict=True)
        ]
        return fit_training_sets(self.training_sets, self.tables, chosen, self.signals)


def training_signals(
    training_sets: Mapping[str, TrainingSet], parts: Sequence[str], names: Sequence[str]
) -> TrainingSignals:
    """Return the training sets as a predictor of these parts sees them."""
    some = [training_sets[name] for name in TRAINING_WEIGHTS]
    tables = [training_set.signals(parts, names) for training_set in some]
    return TrainingSignals(tuple(TRAINING_WEIGHTS), some, tables, names_of(parts))


# ---------------------------------------------------------------------- 20 Newsgroups


class Unseen(NamedTuple):
    """Predictions for topics of 20 Newsgroups by what was fitted to others."""

    model: Floats
    cluster: list[Floats]
    near: Integers  # the most words shared with a topic of other models in the fit


def unseen(given: TrainingSignals, judged: Judged) -> Unseen:
    """Leave out each model in turn, with topics of the same words; and clusters, in ten folds."""
    place = given.names.index(NEWSGROUPS)
    model, near = _by_models(judged, lambda used, left: given.model({NEWSGROUPS: used}).predict(
        given.tables[place][left]))  # fmt: skip
    clusters = [
        left_out(given.training_sets, given.tables, given.signals, seed=seed)[place]
        for seed in SEEDS
    ]
    return Unseen(model, clusters, near)


def looked_up(judged: Judged, clusters: Integers) -> Unseen:
    """The same by looking up: the mean of all topics, those that share most words far ahead."""
    shared = shared_words(judged.shown)

    def look_up(used: Bools, left: Bools) -> Floats:
        weights = np.exp(_STEEP * shared[left][:, used] / judged.words)
        return np.asarray(weights @ judged.human[used] / weights.sum(axis=1))

    model, near = _by_models(judged, look_up)
    folds = [folds_of([clusters], 10, seed)[0] for seed in SEEDS]
    by_cluster = []
    for fold in folds:
        values = np.full(len(fold), np.nan)
        for number in range(10):
            values[fold == number] = look_up(fold != number, fold == number)
        by_cluster.append(values)
    return Unseen(model, by_cluster, near)


def _by_models(
    judged: Judged, predict: Callable[[Bools, Bools], Floats]
) -> tuple[Floats, Integers]:
    shared = shared_words(judged.shown)
    owner = np.concatenate([np.full(len(m), k) for k, m in enumerate(judged.models)])
    values, near = np.full(len(owner), np.nan), np.zeros(len(owner), dtype=np.int64)
    for number in range(len(judged.models)):
        left = owner == number
        same = (shared[left] == judged.words).any(axis=0)
        used = ~left & ~same
        values[left] = predict(used, left)
        near[left] = shared[left][:, used].max(axis=1)
    return values, near


def shared_words(lists: Sequence[Sequence[str]]) -> Integers:
    """Return how many words each two lists share."""
    columns = {word: place for place, word in enumerate(sorted({w for one in lists for w in one}))}
    rows = np.zeros((len(lists), len(columns)))
    for row, words in enumerate(lists):
        rows[row, [columns[word] for word in words]] = 1
    return np.asarray((rows @ rows.T).round(), dtype=np.int64)


def far(predictions: Unseen) -> Bools:
    """Tell which topics share few words with any in the fit."""
    return np.asarray(predictions.near < _NEAR)


# ---------------------------------------------------------------------- a corpus left out


def corpus_left_out(
    training_sets: Mapping[str, TrainingSet], parts: Sequence[str], names: Sequence[str]
) -> dict[str, Floats]:
    """Predict each set by what was fitted to the other corpora.

    Where the texts of a set are not available, the predictor without them is asked, as the metric
    does; only where there is no reference either, Wikipedia is taken for them.
    """
    sets, predictions = judged_sets(), {}
    for name, one in sets.items():
        own = tuple(parts)
        if not one.own and REFERENCE in parts:
            own = tuple(part for part in parts if part != CORPUS)
        model = training_signals(training_sets, own, names).without(one.corpus).model()
        predictions[name] = model.predict(training_sets[name].signals(own, names))
    return predictions


def by_ranks(training_set: TrainingSet, sources: Iterable[str] | None = None) -> Floats:
    """Return the kind of consensus that needs no fit."""
    everything = np.ones(len(training_set), dtype=bool)
    named = list(training_set.relations.logits if sources is None else sources)
    return mean_ranks(signals_of(training_set.relations.part(everything, named)))


# ---------------------------------------------------------------------- intervals


class Coverage(NamedTuple):
    """How many of people's scores lie in the interval, how wide it is, and the mean error."""

    share: float
    width: float
    bias: float


def coverage_of_clusters(
    training_sets: Mapping[str, TrainingSet],
    parts: Sequence[str],
    names: Sequence[str],
    folds: int = 5,
) -> dict[str, Coverage]:
    """Fit predictors, with their intervals, without some clusters, and look at these."""
    some = [training_sets[name] for name in TRAINING_WEIGHTS]
    fold = folds_of([training_set.clusters for training_set in some], folds, seed=7)
    values: dict[str, list[tuple[Floats, Floats, Floats]]] = {name: [] for name in TRAINING_WEIGHTS}
    for number in range(folds):
        kept = [_part(one, own != number) for one, own in zip(some, fold, strict=True)]
        predictor = fit_predictor(kept, parts, names, seed=1)
        for one, own in zip(some, fold, strict=True):
            rest = _part(one, own == number)
            values[one.name].append(_intervals(predictor, rest, parts, names))
    return {
        name: _covered(parts_of_set, training_sets[name]) for name, parts_of_set in values.items()
    }


def coverage_of_corpora(
    training_sets: Mapping[str, TrainingSet], parts: Sequence[str], names: Sequence[str]
) -> dict[str, Coverage]:
    """Fit predictors, with their intervals, without a corpus, and look at it."""
    sets, coverage = judged_sets(), {}
    for corpus in CORPORA:
        kept = [training_sets[name] for name in TRAINING_WEIGHTS if sets[name].corpus != corpus]
        predictor = fit_predictor(kept, parts, names, seed=1)
        for name in TRAINING_WEIGHTS:
            if sets[name].corpus == corpus:
                intervals = _intervals(predictor, training_sets[name], parts, names)
                coverage[name] = _covered([intervals], training_sets[name])
    return coverage


def _part(training_set: TrainingSet, chosen: Bools) -> TrainingSet:
    return TrainingSet(
        training_set.name,
        training_set.relations.part(chosen, list(training_set.relations.logits)),
        training_set.human[chosen],
        training_set.clusters[chosen],
        training_set.weight,
    )


def _intervals(
    predictor: Predictor, training_set: TrainingSet, parts: Sequence[str], names: Sequence[str]
) -> tuple[Floats, Floats, Floats]:
    """Return inside or not, width and error of each topic."""
    values = predictor.model.predict(training_set.signals(parts, names))
    low, high = predictor.interval(values, LEVEL)
    inside = (training_set.human >= low - 1e-9) & (training_set.human <= high + 1e-9)
    return inside.astype(float), high - low, training_set.human - values


def _covered(
    intervals: Sequence[tuple[Floats, Floats, Floats]], training_set: TrainingSet
) -> Coverage:
    inside, width, error = (np.concatenate(columns) for columns in zip(*intervals, strict=True))
    assert len(inside) == len(training_set)
    return Coverage(float(inside.mean()), float(width.mean()), float(error.mean()))


FULL = tuple(PARTS)
FULL_NAMES = EMBEDDINGS
