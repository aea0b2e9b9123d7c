"""The human ceiling: how well one annotator's answers follow those of the rest.

A metric that agrees with people's mean as well as one of them does is as good as one of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.judgments.agreement.estimates import LEAST_ITEMS, Estimate, Resampling, estimate
from tealeaves.judgments.ratings import Ratings
from tealeaves.statistics.correlation import COEFFICIENTS

#: Times that one answer to each item is drawn if annotators are unknown.
PICKS = 10
# Kendall's τ compares all pairs of items, so it has fewer draws
_KENDALL_DRAWS = 200


class Against(NamedTuple):
    """One annotator's answers, and the means of the others' answers to the same items."""

    who: str
    item: Integers
    own: Floats
    rest: Floats


class Ceiling(NamedTuple):
    """The mean correlation of one annotator with the rest, for each coefficient.

    ``few`` annotators had too few items in common with others, and ``constant`` ones gave the same
    answer to all items (or the rest did): both are left out. ``picked`` says that nobody is known
    to have answered enough items: then random answers, one to each item, are correlated with the
    rest, several times.
    """

    estimates: dict[str, Estimate]
    picked: bool
    few: int
    constant: int


def ceiling(
    ratings: Ratings,
    *,
    least: int = 5,
    groups: Integers | None = None,
    coefficients: Sequence[str] = tuple(COEFFICIENTS),
    resampling: Resampling | None = None,
) -> Ceiling:
    """Correlate each annotator with the mean of the others; the ceiling is the mean of these.

    Only annotators with at least ``least`` items that another one answered too are used.
    ``groups`` numbers each item's model: then the means of models are correlated, and ``least``
    counts models, of which four are enough, because there are never many. The interval is of a
    bootstrap over items (or models), like that of a metric's correlation with people.

    >>> answers = {"ann": [1, 2, 3, 3, 1], "bob": [1, 3, 2, 3, 1], "eve": [2, 2, 3, 3, 1]}
    >>> flat = [(f"t{i}", who, x) for who, xs in answers.items() for i, x in enumerate(xs)]
    >>> top = ceiling(Ratings.of(*zip(*flat)), resampling=Resampling(draws=0))
    >>> top.estimates["spearman"].value, top.estimates["spearman"].n
    (0.809, 3)
    """
    settings = resampling or Resampling()
    if groups is not None:
        least = min(least, LEAST_ITEMS)
    named = [_grouped(one, groups) for one in against_rest(ratings)]
    enough = [one for one in named if len(one.item) >= least]
    few, unit, picked = len(named) - len(enough), "annotators", not enough
    if picked:
        random = (_grouped(one, groups) for one in _picked(ratings, settings.seed))
        enough = [one for one in random if len(one.item) >= least]
        unit = "items" if groups is None else "models"
    varied = [one for one in enough if _varied(one.own) and _varied(one.rest)]
    n = len(np.unique(np.concatenate([one.item for one in varied]))) if varied else 0
    n = n if picked else len(varied)
    estimates = {name: _estimate(name, varied, n, unit, settings) for name in coefficients}
    return Ceiling(estimates, picked, few, 0 if picked else len(enough) - len(varied))


def against_rest(ratings: Ratings) -> Iterator[Against]:
    """Yield each annotator's answers beside the means of all others, on items with others."""
    counts = ratings.per_item
    sums = _sums(ratings)
    shared = (counts[ratings.item] >= 2) & (ratings.annotator >= 0)
    rows = np.flatnonzero(shared)
    rows = rows[np.argsort(ratings.annotator[rows], kind="stable")]
    starts = np.flatnonzero(np.diff(ratings.annotator[rows])) + 1
    for part in np.split(rows, starts) if len(rows) else []:
        yield _against(ratings, part, sums, counts, ratings.annotators[ratings.annotator[part[0]]])


def correlation(name: str, one: Against) -> float:
    """Return one annotator's correlation with the rest; NaN if either side is constant."""
    if len(one.item) < 2 or not (_varied(one.own) and _varied(one.rest)):
        return math.nan
    return float(COEFFICIENTS[name](one.own[:, None], one.rest)[0])


def _picked(ratings: Ratings, seed: int) -> Iterator[Against]:
    """Yield random answers, one per item, beside the means of the rest."""
    rng = np.random.default_rng(seed)
    counts = ratings.per_item
    sums = _sums(ratings)
    rows = np.flatnonzero(counts[ratings.item] >= 2)
    for _ in range(PICKS):
        shuffled = rng.permutation(rows)
        _, first = np.unique(ratings.item[shuffled], return_index=True)
        yield _against(ratings, shuffled[first], sums, counts, "")


def _against(ratings: Ratings, rows: Integers, sums: Floats, counts: Integers, who: str) -> Against:
    item, own = ratings.item[rows], ratings.value[rows]
    # equal means must be ties, in whatever order they are summed
    rest = np.round((sums[item] - own) / (counts[item] - 1), 12)
    return Against(who, item, own, rest)


def _sums(ratings: Ratings) -> Floats:
    return np.bincount(ratings.item, ratings.value, len(ratings.items)).astype(np.float64)


def _grouped(one: Against, groups: Integers | None) -> Against:
    """Return the means of groups of items instead of items, if there are groups."""
    if groups is None:
        return one
    group, place = np.unique(groups[one.item], return_inverse=True)
    sizes = np.bincount(place)
    own, rest = (np.bincount(place, side) / sizes for side in (one.own, one.rest))
    return Against(one.who, group, own, rest)


def _varied(side: Floats) -> bool:
    return len(side) > 0 and bool(side.min() < side.max())


def _estimate(
    name: str, pairs: Sequence[Against], n: int, unit: str, settings: Resampling
) -> Estimate:
    if not pairs:
        return Estimate(math.nan, math.nan, math.nan, n, unit)
    draws = min(settings.draws, _KENDALL_DRAWS) if name == "kendall" else settings.draws
    # items that no pair has are not drawn
    items, place = np.unique(np.concatenate([one.item for one in pairs]), return_inverse=True)
    ends = np.cumsum([len(one.item) for one in pairs])[:-1]
    numbered = list(zip(pairs, np.split(place, ends), strict=True))

    def mean_correlation(weights: Floats) -> Floats:
        total, defined = np.zeros(len(weights)), np.zeros(len(weights))
        for one, item in numbered:
            values = COEFFICIENTS[name](one.own[:, None], one.rest, weights[:, item])[:, 0]
            known = ~np.isnan(values)
            total[known] += values[known]
            defined += known
        mean = np.full(len(weights), np.nan)
        np.divide(total, defined, out=mean, where=defined > 0)
        return mean

    value = estimate(mean_correlation, len(items), settings._replace(draws=draws), unit, n)
    if draws < settings.draws:
        notes = [f"interval of {draws} draws", value.note]
        value = value._replace(note="; ".join(filter(None, notes)))
    return value
