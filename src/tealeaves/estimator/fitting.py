"""``fit``: nested estimators from tables of features in several languages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.estimator.cross_validation import (
    check_languages,
    choose,
    held_out_half_widths,
    leave_one_language_out,
)
from tealeaves.estimator.estimators import AtCardinality, Estimator, Estimators, Reached, Seen
from tealeaves.estimator.features import MORE, Features, group_of
from tealeaves.estimator.summary import check_target
from tealeaves.estimator.table import FeatureTable
from tealeaves.extras import require
from tealeaves.learners.adaboost import check_seed
from tealeaves.learners.catalogue import DEFAULT_LEARNER, LEARNERS
from tealeaves.learners.conformal import Conformal
from tealeaves.statistics.correlation import pearson
from tealeaves.text.languages import same_language

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats

    Path = str | os.PathLike[str]

#: Features that not every topic has: there may be no dictionary, years or modern texts, and there
#: is no gap if a language has fewer than two words in the reference. Nested estimators lack some.
RESOURCES = (
    ("mta",),
    ("era_mean", "era_sd"),
    ("drift_mean", "drift_sd"),
    ("mc_pivot", "mc_other", "icc"),
)


class LeftOut(NamedTuple):
    """The estimates of rows whose language was left out, and half the widths of their intervals."""

    estimates: Floats
    half_widths: Floats


class Fitting(NamedTuple):
    """Estimators and, in their order, the estimates of languages that were left out.

    ``tried`` is the number of estimators, including those that were no better than one with fewer
    features, and are not kept.
    """

    estimators: Estimators
    left_out: list[LeftOut]
    tried: int


def fit(
    table: FeatureTable | Path | Iterable[Path],
    *,
    learner: str = DEFAULT_LEARNER,
    without: str | Iterable[str] = (),
    nested: bool = True,
    source: str = "",
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Fitting:
    """Learn to estimate the target from features.

    Settings are chosen by cross-validation over languages. Intervals and correlations come from
    estimators that were learned without each language.

    Parameters
    ----------
    table
        Features of topics in three or more languages besides the pivot, with targets; or the files
        of such tables.
    learner
        ``ridge``, ``trees``, or ``adaboost``, which is the paper's. ``ridge`` and ``adaboost`` need
        the extra ``models``.
    without
        Features, or groups of them, that are not used.
    nested
        Fit an estimator for each combination of the sources that may be missing (dictionary, years,
        modern texts, and the gap), up to 16.
    source
        What the table was made of, to be kept with the estimators.
    seed
        The seed of random draws.
    threads
        The number of languages that are left out at the same time; by default one for each
        processor.
    progress
        Show a progress bar.
    """
    table = table if isinstance(table, FeatureTable) else FeatureTable.open(table)
    names = check(table, learner=learner, without=without, seed=seed)
    table = _with_cnpmi(table)
    left_out = {
        chosen: leave_one_language_out(
            table, chosen, learner=learner, seed=seed, threads=threads, progress=progress
        )
        for chosen in (feature_sets(names) if nested else [names])
    }
    return assemble(table, left_out, learner=learner, source=source, seed=seed)


def check(
    table: FeatureTable,
    *,
    learner: str = DEFAULT_LEARNER,
    without: str | Iterable[str] = (),
    seed: int = 0,
) -> tuple[str, ...]:
    """Raise for what ``fit`` cannot do, before its long work; return the features to learn from."""
    if LEARNERS.find(learner).name == "adaboost":
        check_seed(seed)
    if learner != "trees":
        require("sklearn", extra="models", reason=f"fitting {learner}")
    names = _names(table, [without] if isinstance(without, str) else list(without))
    pivot(table)
    table = _with_cnpmi(table)
    check_target(table)
    check_languages(table, learner)
    return names


def assemble(
    table: FeatureTable,
    left_out: Mapping[tuple[str, ...], Floats],
    *,
    learner: str = DEFAULT_LEARNER,
    source: str = "",
    seed: int = 0,
) -> Fitting:
    """Fit an estimator for each set of features, given its estimates of languages left out."""
    validated = {
        names: LeftOut(estimates, held_out_half_widths(table, estimates))
        for names, estimates in left_out.items()
    }
    common = ~np.isnan(np.array([table.column("cnpmi"), *left_out.values()])).any(axis=0)
    estimators = [
        _fitted(table, names, left, common, learner, seed) for names, left in validated.items()
    ]
    ordered = useful_estimators(estimators)
    result = Estimators(pivot=pivot(table), learner=learner, source=source, estimators=ordered)
    return Fitting(result, [validated[one.features] for one in ordered], len(validated))


def useful_estimators(estimators: Iterable[Estimator]) -> tuple[Estimator, ...]:
    """Return estimators, those with the lowest error on languages left out first.

    An estimator is left out if one with some of its features is as good: it would never be used.
    """
    kept: list[Estimator] = []
    for one in sorted(estimators, key=lambda one: (one.reached.error, len(one.features))):
        if not any(set(better.features) < set(one.features) for better in kept):
            kept.append(one)
    return tuple(kept)


def pivot(table: FeatureTable) -> str:
    """Return the language that all others are paired with."""
    pivots = sorted(set(table.pivots))
    if not all(same_language(one, pivots[0]) for one in pivots):
        raise InputError(f"the tables have several pivots ({', '.join(pivots)}): fit each")
    return pivots[0]


def _with_cnpmi(table: FeatureTable) -> FeatureTable:
    """Return the table without the targets of topics that have no CNPMI.

    Such topics are never estimated, so they are not learned from, even if CNPMI is no feature.
    """
    return replace(table, target=np.where(np.isnan(table.column("cnpmi")), np.nan, table.target))


def feature_sets(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the features with and without each source that may be missing, the most first.

    >>> feature_sets(["cnpmi", "mta", "era_mean", "era_sd"])
    [('cnpmi', 'mta', 'era_mean', 'era_sd'), ('cnpmi', 'era_mean', 'era_sd'), ('cnpmi', 'mta'),
    ('cnpmi',)]
    """
    present = [some for some in RESOURCES if any(name in names for name in some)]
    sets = []
    for number in range(len(present) + 1):
        for missing in combinations(present, number):
            absent = {name for some in missing for name in some}
            sets.append(tuple(name for name in names if name not in absent))
    return [chosen for chosen in sets if chosen]


def _names(table: FeatureTable, without: list[str]) -> tuple[str, ...]:
    """Return the features to learn from, which can be computed for other topics."""
    known = {*table.names, *map(group_of, table.names)}
    for name in without:
        if name not in known:
            raise InputError(f"no feature or group {name} in the table{did_you_mean(name, known)}")
    names = tuple(
        name for name in table.names if name not in without and group_of(name) not in without
    )
    if not names:
        raise InputError("no feature is left to learn from")
    for name in names:
        if group_of(name) == MORE:
            _check_metric(name)
    return names


def _check_metric(name: str) -> None:
    """Raise for a column that could not be computed for other topics."""
    try:
        Features((name,))
    except InputError as error:
        raise InputError(
            f"column {name} is neither a feature nor a metric that can be one: leave it out "
            f"(--without {name}); {error}"
        ) from None


def _fitted(
    table: FeatureTable,
    names: tuple[str, ...],
    left: LeftOut,
    common: NDArray[np.bool_],
    learner: str,
    seed: int,
) -> Estimator:
    """Fit one estimator to all languages, and keep how well languages left out were estimated."""
    rows = table.select(table.complete([*names, "cnpmi"]) & ~np.isnan(table.target))
    matrix = rows.with_names(names).values
    chosen = choose(learner, matrix, rows.target, rows.languages, rows.texts, seed=seed)
    known = ~np.isnan(left.estimates)
    return Estimator(
        features=names,
        fitted=chosen.fitted,
        settings=chosen.settings,
        seen=tuple(Seen.of(column) for column in matrix.T),
        cardinalities=_by_cardinality(rows, matrix, table, left.estimates),
        languages=tuple(sorted(set(rows.languages))),
        rows=len(rows),
        conformal=Conformal.of(
            (table.target - left.estimates)[known],
            [name for name, there in zip(table.languages, known, strict=True) if there],
            table.cardinalities[known],
        ),
        reached=_reached(table, left, common),
    )


def _by_cardinality(
    rows: FeatureTable, matrix: Floats, table: FeatureTable, estimates: Floats
) -> dict[int, AtCardinality]:
    """Describe the training rows, and the estimates of languages left out, by cardinality."""
    raw, sizes = rows.column("cnpmi"), rows.cardinalities
    described = {}
    for size in np.unique(sizes).tolist():
        mine, of_size = sizes == size, table.cardinalities == size
        seen = tuple(Seen.of(column) for column in matrix[mine].T)
        known = estimates[of_size & ~np.isnan(estimates)]
        described[size] = AtCardinality(
            raw=Seen.of(raw[mine]),
            target=Seen.of(rows.target[mine]),
            estimate=Seen.of(known if len(known) else rows.target[mine]),
            features=seen,
        )
    return described


def _reached(table: FeatureTable, left: LeftOut, rows: NDArray[np.bool_]) -> Reached:
    """Return means over languages of some rows, those that all nested estimators estimated."""
    languages = np.array(table.languages)
    each = [
        _reached_in_language(table, left, rows & (languages == language))
        for language in np.unique(languages[rows])
    ]
    raw, estimate, raw_models, estimate_models, error, covered = np.array(each).T
    bounded = np.isfinite(left.half_widths[rows]).all()  # else all would be covered
    return Reached(
        raw=_mean(raw),
        estimate=_mean(estimate),
        raw_models=_mean(raw_models),
        estimate_models=_mean(estimate_models),
        error=float(error.mean()),
        covered=_mean(covered) if bounded else None,
    )


def _reached_in_language(
    table: FeatureTable, left: LeftOut, mine: NDArray[np.bool_]
) -> list[float]:
    """Return r of CNPMI and of estimates over topics, then over models; error; share covered."""
    target = table.target[mine]
    both = np.column_stack([table.column("cnpmi")[mine], left.estimates[mine]])
    errors = np.abs(target - both[:, 1])
    means = np.array(list(_model_means(table, np.column_stack([both, target]), mine)))
    return [
        *pearson(both, target).ravel().tolist(),
        *pearson(means[:, :2], means[:, 2]).ravel().tolist(),
        float(errors.mean()),
        float((errors <= left.half_widths[mine]).mean()),
    ]


def _model_means(table: FeatureTable, values: Floats, mine: NDArray[np.bool_]) -> Iterator[Floats]:
    """Yield the mean of the rows of each model and cardinality."""
    models = np.array(table.models)[mine]
    keys = np.char.add(np.char.add(models, "@"), table.cardinalities[mine].astype(str))
    for key in np.unique(keys):
        yield values[keys == key].mean(axis=0)


def _mean(values: Floats) -> float | None:
    """Return the mean of defined values; None, because the JSON of estimators has no NaN."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
