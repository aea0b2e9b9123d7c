"""Fitting the predictors of consensus to topics that people rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tealeaves.arrays import Bools, Floats, Integers
from tealeaves.consensus.predictors import (
    BANDS,
    PERCENTILES,
    EmbeddingScale,
    Predictor,
    Predictors,
    all_parts,
)
from tealeaves.consensus.relations import CORPUS, REFERENCE, TEXTS, Relations
from tealeaves.consensus.signals import FREE, names_of, signals_of
from tealeaves.errors import InputError
from tealeaves.learners.additive import PIECES, Additive, BrokenLine, split_pieces

FOLDS = 10
#: How strongly slopes are drawn to 0, those that may fall or rise, and neighbouring ones to each
#: other. A signal that is good or bad depending on the corpus counts less.
SHRINK, SHRINK_FREE, SMOOTH = 10.0, 500.0, 30.0
_QUANTILES = (1 / 3, 2 / 3)
_SLOPE_DECIMALS = 6
_SMALLEST = 1e-9  # a smaller deviation is one of rounding
# how near a prediction must be for its error to count, as a standard deviation
_WIDTH = 0.12
_DECIMALS = 4


@dataclass(frozen=True)
class TrainingSet:
    """Topics of one set: their relations by all sources, and people's ratings, from 0 to 1.

    Topics that are nearly the same, in all training sets, have the same number of ``clusters``.
    ``weight`` is how much a topic counts. A set without a corpus of its own uses the reference.
    """

    name: str
    relations: Relations
    human: Floats
    clusters: Integers
    weight: float = 1.0

    def __len__(self) -> int:
        return len(self.human)

    def signals(self, parts: Sequence[str], embeddings: Sequence[str]) -> Floats:
        """Return the signals of a predictor for these parts, a column each.

        What a set lacks is NaN.
        """
        signals = signals_of(self._seen_by(parts, embeddings))
        nothing = np.full(len(self), np.nan)
        return np.stack([signals.get(name, nothing) for name in names_of(parts)], axis=1)

    def _seen_by(self, parts: Sequence[str], embeddings: Sequence[str]) -> Relations:
        relations = self.relations
        texts = [name for name in TEXTS if name in parts]
        if CORPUS not in relations.logits and CORPUS in texts:
            if REFERENCE in texts:
                texts.remove(CORPUS)
            else:
                relations = replace(
                    relations,
                    logits={**relations.logits, CORPUS: relations.logits[REFERENCE]},
                    known={**relations.known, CORPUS: relations.known[REFERENCE]},
                    common={**relations.common, CORPUS: relations.common[REFERENCE]},
                )
        lengths = relations.lengths if "length" in parts else None
        seen = relations.part(np.ones(len(self), dtype=bool), [*texts, *embeddings])
        return replace(seen, lengths=lengths)


def fit_predictors(
    training_sets: Sequence[TrainingSet],
    embeddings: Mapping[str, EmbeddingScale],
    *,
    source: str = "",
    seed: int = 0,
) -> Predictors:
    """Fit a predictor for each combination of parts of the evidence."""
    predictors = [
        fit_predictor(training_sets, parts, names, seed=seed) for parts, names in all_parts()
    ]
    return Predictors(source=source, embeddings=dict(embeddings), predictors=tuple(predictors))


def fit_predictor(
    training_sets: Sequence[TrainingSet],
    parts: Sequence[str],
    embeddings: Sequence[str],
    *,
    seed: int = 0,
) -> Predictor:
    """Fit one predictor, with its errors on clusters of topics that were left out."""
    tables = [training_set.signals(parts, embeddings) for training_set in training_sets]
    everything = [np.ones(len(training_set), dtype=bool) for training_set in training_sets]
    model = fit_training_sets(training_sets, tables, everything, names_of(parts))
    predicted = left_out(training_sets, tables, names_of(parts), seed=seed)
    errors = percentiles(training_sets, predicted)
    return Predictor(parts=tuple(parts), model=model, errors=errors)


def fit_training_sets(
    training_sets: Sequence[TrainingSet],
    tables: Sequence[Floats],
    used: Sequence[Bools],
    signals: Sequence[str],
    *,
    free: Sequence[str] = FREE,
) -> Additive:
    """Fit a model to the topics of training sets that are used; sets without any are left out."""
    some = [place for place, mine in enumerate(used) if mine.any()]
    if not some:
        raise InputError("no topics are left to fit: give more clusters of topics")
    return fit_additive(
        np.concatenate([tables[place][used[place]] for place in some]),
        np.concatenate([training_sets[place].human[used[place]] for place in some]),
        signals=signals,
        free=free,
        weights=np.concatenate(
            [np.full(int(used[place].sum()), training_sets[place].weight) for place in some]
        ),
        groups=np.concatenate(
            [np.full(int(used[place].sum()), number) for number, place in enumerate(some)]
        ),
    )


def left_out(
    training_sets: Sequence[TrainingSet],
    tables: Sequence[Floats],
    signals: Sequence[str],
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> list[Floats]:
    """Predict each topic by a model that saw none of its cluster."""
    fold = folds_of([training_set.clusters for training_set in training_sets], folds, seed)
    predicted = [np.full(len(training_set), np.nan) for training_set in training_sets]
    for number in range(folds):
        model = fit_training_sets(training_sets, tables, [one != number for one in fold], signals)
        for place, table in enumerate(tables):
            mine = fold[place] == number
            predicted[place][mine] = model.predict(table[mine])
    return predicted


def folds_of(clusters: Sequence[Integers], folds: int, seed: int) -> list[Integers]:
    """Distribute clusters over folds at random, as evenly as possible; return each topic's fold."""
    names = np.unique(np.concatenate(list(clusters)))
    fold = np.random.default_rng(seed).permutation(len(names)) % folds
    return [fold[np.searchsorted(names, some)] for some in clusters]


def percentiles(
    training_sets: Sequence[TrainingSet], predicted: Sequence[Floats]
) -> tuple[tuple[float, ...], ...]:
    """Return percentiles of the errors of predictions, near each of some predictions.

    An error counts the more, the nearer its prediction is. Sets count by their weight, whatever
    their size: the next set is as likely to resemble any of them.
    """
    values = np.concatenate(list(predicted))
    errors = np.concatenate([one.human for one in training_sets]) - values
    mass = np.concatenate([np.full(len(one), one.weight / len(one)) for one in training_sets])
    order = np.argsort(errors, kind="stable")
    bands = []
    for band in BANDS:
        near = np.exp(-0.5 * ((values - band) / _WIDTH) ** 2)
        reached = np.cumsum((mass * near)[order])
        # the place of an error is the middle of its share
        place = (reached - (mass * near)[order] / 2) / reached[-1]
        errors_near = np.interp(np.array(PERCENTILES) / 100, place, errors[order])
        bands.append(tuple(round(float(value), _DECIMALS) for value in errors_near))
    return tuple(bands)


# ---------------------------------------------------------------------- broken lines


def fit_additive(
    values: Floats,
    target: Floats,
    *,
    signals: Sequence[str],
    free: Sequence[str] = (),
    weights: Floats | None = None,
    groups: Integers | None = None,
) -> Additive:
    """Fit broken lines to topics (rows), by least squares with shrunken slopes.

    ``groups`` are sets of topics that people rated on different scales: each has its own level, so
    that only differences within a set count. The level of the model is the mean of these levels,
    each with the mean weight of its topics. ``free`` are signals whose slopes may be negative. If
    some topics lack a signal (NaN), it has the mean of the others. scikit-learn has no learner with
    these penalties and bounds, so scipy's ``nnls`` solves the problem.
    """
    values = _filled(values)
    weigh = np.ones(len(target)) if weights is None else weights
    group = np.zeros(len(target), dtype=np.int64) if groups is None else groups
    knots = np.quantile(values, _QUANTILES, axis=0).T
    scale = values.std(axis=0)
    scale = np.where(scale > _SMALLEST, scale, 1.0)
    design = (split_pieces(values, knots) / scale[:, None]).reshape(len(values), -1)
    means, levels = _by_group(design, target, weigh, group)
    left, right = design - means[group], target - levels[group]
    falling = np.repeat([name in free for name in signals], PIECES)
    slopes = _solved(left, right, weigh, falling)
    shares = _group_weights(weigh, group)
    middle = np.average(means, axis=0, weights=shares)
    average = float(np.average(levels, weights=shares))
    shown = (slopes.reshape(-1, PIECES) / scale[:, None]).round(_SLOPE_DECIMALS)
    parts = (middle.reshape(-1, PIECES) * scale[:, None] * shown).sum(axis=1)
    lines = [
        _line(name, knots[place], shown[place], values[:, place], float(parts[place]))
        for place, name in enumerate(signals)
    ]
    return Additive(round(average, _SLOPE_DECIMALS), tuple(lines))


def _line(name: str, knots: Floats, slopes: Floats, seen: Floats, mean: float) -> BrokenLine:
    one, other = (round(float(knot), _SLOPE_DECIMALS) for knot in knots)
    first, second, third = (float(slope) for slope in slopes)
    lowest, highest = (round(float(end), _SLOPE_DECIMALS) for end in (seen.min(), seen.max()))
    mean = round(mean, _SLOPE_DECIMALS)
    return BrokenLine(name, (one, other), (first, second, third), lowest, highest, mean)


def _filled(values: Floats) -> Floats:
    """Replace NaN by the mean of the column, or by 0 if all of it is NaN."""
    known = np.isfinite(values)
    number = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, values, 0.0).sum(axis=0) / number
    return np.where(known, values, means)


def _group_weights(weights: Floats, groups: Integers) -> Floats:
    return np.array([weights[groups == number].mean() for number in range(int(groups.max()) + 1)])


def _by_group(
    design: Floats, target: Floats, weights: Floats, groups: Integers
) -> tuple[Floats, Floats]:
    means, levels = [], []
    for number in range(int(groups.max()) + 1):
        mine = groups == number
        means.append(np.average(design[mine], axis=0, weights=weights[mine]))
        levels.append(np.average(target[mine], weights=weights[mine]))
    return np.array(means), np.array(levels)


def _solved(left: Floats, right: Floats, weights: Floats, falling: Bools) -> Floats:
    """Solve the penalised least squares; only slopes that may fall are below 0."""
    from scipy.optimize import nnls

    normal = left.T @ (left * weights[:, None]) + _penalty(falling)
    root = np.linalg.cholesky(normal)
    wanted = np.linalg.solve(root, left.T @ (right * weights))
    # a slope of either sign is the difference of two that are 0 or more
    both = np.hstack([root.T, -root.T[:, falling]])
    solution, _ = nnls(both, wanted, maxiter=100 * both.shape[1])
    slopes: Floats = solution[: left.shape[1]].copy()
    slopes[falling] -= solution[left.shape[1] :]
    return slopes


def _penalty(falling: Bools) -> Floats:
    """Return the matrix of SHRINK · Σ slope² / pieces + SMOOTH · Σ (slope − next slope)²."""
    penalty = np.diag(np.where(falling, SHRINK_FREE, SHRINK) / PIECES)
    for place in range(len(falling) - 1):
        if (place + 1) % PIECES:
            two = np.ix_([place, place + 1], [place, place + 1])
            penalty[two] += SMOOTH * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return penalty
