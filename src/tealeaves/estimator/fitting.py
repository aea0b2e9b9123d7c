"""``fit``: nested estimators from tables of features in several languages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.estimator.conformal import Conformal
from tealeaves.estimator.estimator import AtCardinality, Estimator, Seen
from tealeaves.estimator.estimators import Estimators, better_first, worth_keeping
from tealeaves.estimator.features.computing import Features
from tealeaves.estimator.features.names import MORE, group_of
from tealeaves.estimator.learners.adaboost import check_seed
from tealeaves.estimator.learners.choosing import choose
from tealeaves.estimator.learners.kinds import USUAL_LEARNER
from tealeaves.estimator.learners.kinds import learner as kind_of
from tealeaves.estimator.leaving_out import (
    check_languages,
    held_out_half_widths,
    leave_one_language_out,
)
from tealeaves.estimator.reaching import reached
from tealeaves.estimator.summary import check_target
from tealeaves.estimator.table import FeatureTable
from tealeaves.text.languages import same_language

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats

    Path = str | os.PathLike[str]

#: Features that not every topic has: a dictionary, years or modern texts may be lacking, and the
#: gap where one language has fewer than two words in the reference. Nested estimators do without.
RESOURCES = (
    ("mta",),
    ("era_mean", "era_sd"),
    ("drift_mean", "drift_sd"),
    ("mc_pivot", "mc_other", "icc"),
)


class LeftOut(NamedTuple):
    """What an estimator says of each row whose language it had not seen, and how far it may err."""

    estimates: Floats
    half_widths: Floats


class Fitting(NamedTuple):
    """Estimators, and for each of them, in their order, what it said of languages left out.

    ``tried`` is how many there were, before those were left out that did no better with more.
    """

    estimators: Estimators
    left_out: list[LeftOut]
    tried: int


def fit(
    table: FeatureTable | Path | Iterable[Path],
    *,
    learner: str = USUAL_LEARNER,
    without: str | Iterable[str] = (),
    nested: bool = True,
    source: str = "",
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Fitting:
    """Learn to estimate the target from features.

    Settings are chosen by cross-validation over languages; intervals and what was reached come
    from estimators that were learned anew without each language.

    Parameters
    ----------
    table
        Features of topics in three languages or more beside the pivot, with targets; or the files
        of such tables.
    learner
        ``ridge``, ``trees``, or ``adaboost``, which is the paper's.
    without
        Features, or groups of them, that are not used.
    nested
        Fit 16 estimators, for each choice of dictionary, years and modern texts, and for topics
        without a gap. Of features that the table lacks there is no choice.
    source
        What the table was made of, to be kept with the estimators.
    seed
        Of random draws.
    threads
        How many languages are left out at the same time; by default one for each processor.
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
    learner: str = USUAL_LEARNER,
    without: str | Iterable[str] = (),
    seed: int = 0,
) -> tuple[str, ...]:
    """Refuse what ``fit`` cannot do, before its long work; return the features it learns from."""
    if kind_of(learner).name == "adaboost":
        check_seed(seed)
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
    learner: str = USUAL_LEARNER,
    source: str = "",
    seed: int = 0,
) -> Fitting:
    """Fit an estimator to each set of features whose estimates of languages left out are known."""
    found = {
        names: LeftOut(estimates, held_out_half_widths(table, estimates))
        for names, estimates in left_out.items()
    }
    common = ~np.isnan(np.array([table.column("cnpmi"), *left_out.values()])).any(axis=0)
    estimators = [
        _fitted(table, names, left, common, learner, seed) for names, left in found.items()
    ]
    ordered = worth_keeping(better_first(estimators))
    result = Estimators(pivot=pivot(table), learner=learner, source=source, estimators=ordered)
    return Fitting(result, [found[one.features] for one in ordered], len(found))


def pivot(table: FeatureTable) -> str:
    """Return the language that all others are paired with."""
    pivots = sorted(set(table.pivots))
    if not all(same_language(one, pivots[0]) for one in pivots):
        raise InputError(f"the tables have several pivots ({', '.join(pivots)}): fit each")
    return pivots[0]


def _with_cnpmi(table: FeatureTable) -> FeatureTable:
    """Return the table without the targets of topics that have no CNPMI.

    Such topics are never judged, so none teaches or tells an error, even where CNPMI is not used.
    """
    return replace(table, target=np.where(np.isnan(table.column("cnpmi")), np.nan, table.target))


def feature_sets(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the features with and without each resource that may be lacking, the most first.

    >>> feature_sets(["cnpmi", "mta", "era_mean", "era_sd"])
    [('cnpmi', 'mta', 'era_mean', 'era_sd'), ('cnpmi', 'era_mean', 'era_sd'), ('cnpmi', 'mta'),
    ('cnpmi',)]
    """
    there = [some for some in RESOURCES if any(name in names for name in some)]
    found = []
    for number in range(len(there) + 1):
        for lacking in combinations(there, number):
            gone = {name for some in lacking for name in some}
            found.append(tuple(name for name in names if name not in gone))
    return [chosen for chosen in found if chosen]


def _names(table: FeatureTable, without: list[str]) -> tuple[str, ...]:
    """Return the features that are learned from, all of which can be computed of other topics."""
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
    """Refuse a column that could not be computed where estimators are used."""
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
    """Fit one estimator to all languages, and keep how it did where one was left out."""
    # a topic without a CNPMI is never judged, so none teaches, even where CNPMI is not used
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
        reached=reached(table, left.estimates, left.half_widths, common),
    )


def _by_cardinality(
    rows: FeatureTable, matrix: Floats, table: FeatureTable, estimates: Floats
) -> dict[int, AtCardinality]:
    """Describe what was learned from, and the estimates of languages left out, by cardinality."""
    raw, sizes = rows.column("cnpmi"), rows.cardinalities
    found = {}
    for size in np.unique(sizes).tolist():
        mine, there = sizes == size, table.cardinalities == size
        seen = tuple(Seen.of(column) for column in matrix[mine].T)
        known = estimates[there & ~np.isnan(estimates)]
        found[size] = AtCardinality(
            raw=Seen.of(raw[mine]),
            target=Seen.of(rows.target[mine]),
            estimate=Seen.of(known if len(known) else rows.target[mine]),
            features=seen,
        )
    return found
