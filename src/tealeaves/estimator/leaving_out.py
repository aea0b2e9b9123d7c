"""Leave one language out: estimates by estimators that never saw the language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.learners.kinds import USUAL_LEARNER
from tealeaves.estimator.sharing import sharing
from tealeaves.estimator.table import FeatureTable
from tealeaves.jobs import processors
from tealeaves.text.languages import find_language

Names = NDArray[np.str_]

#: The level of the intervals whose coverage is told.
LEVEL = 0.9
_NUMBERS = {1: "one", 2: "two", 3: "three"}


class Predicts(Protocol):
    """Anything that was fitted."""

    def predict(self, X: Floats, /) -> Floats:  # noqa: N803
        """Return an estimate of each row."""


#: What fits: rows of features, targets, the language of each row, and a seed.
Learner = Callable[[Floats, Floats, Sequence[str], int], Predicts]


def leave_one_language_out(
    table: FeatureTable,
    names: Iterable[str],
    *,
    learner: str | Learner = USUAL_LEARNER,
    seed: int = 0,
    progress: bool = False,
    threads: int | None = None,
) -> Floats:
    """Estimate each row by an estimator that never saw its language.

    The rows of a language are left out, and so are those where it is the pivot; two ways to write
    a language are one language. Rows whose topics were trained on the same texts (``texts`` of the
    table) are left out too: else the language's own topics would be there in others. Estimates are
    NaN where a feature or the target is undefined, and are cut to what CNPMI can be, from -1 to 1.

    Parameters
    ----------
    table
        Features of topics in several languages, with targets.
    names
        The features that are learned from.
    learner
        The name of a learner, whose settings are chosen anew without the language; or a function
        of features, targets, languages and a seed that returns something with ``predict``.
    seed
        Of the learner's random draws.
    progress
        Show a bar over languages.
    threads
        How many languages are left out at the same time; by default one for each processor. The
        estimates are the same.
    """
    asked = tuple(names)
    table.check(asked)
    features = table.with_names(asked).values
    usable = table.complete(asked) & ~np.isnan(table.target)
    spoken, pivots = _one_name(table)
    fewest = _fewest(learner)
    estimates = np.full(len(table), np.nan)
    fit = _fit(learner)

    texts = np.array(table.texts, dtype=np.str_)
    apart = {own: ~sharing(table.texts, own) for own in set(table.texts)}

    def leave_out(held: str) -> None:
        others = usable & (spoken != held) & (pivots != held)
        mine = usable & (spoken == held)
        for own in np.unique(texts[mine]).tolist():
            train, rows = others & apart[own], mine & (texts == own)
            if len(np.unique(spoken[train])) >= fewest:
                fitted = fit(
                    features[train], table.target[train], spoken[train], texts[train], seed
                )
                estimates[rows] = np.clip(fitted.predict(features[rows]), -1.0, 1.0)

    _each(leave_out, np.unique(spoken[usable]).tolist(), threads, progress=progress)
    if np.isnan(estimates).all():
        if any(table.texts) and len(np.unique(spoken[usable])) > fewest:
            raise InputError(
                "all rows share the texts that trained their topics: give tables of others too"
            )
        raise InputError(_too_few(np.unique(spoken[usable]), fewest))
    return estimates


def held_out_half_widths(table: FeatureTable, estimates: Floats, level: float = LEVEL) -> Floats:
    """Return half the width of each estimate's interval, from the residuals of other languages.

    ``estimates`` come from :func:`leave_one_language_out`. NaN where there is no estimate,
    infinite where other languages are too few for the level.
    """
    from tealeaves.estimator.conformal import Conformal

    spoken, _ = _one_name(table)
    residuals = table.target - estimates
    known = ~np.isnan(residuals)
    widths = np.full(len(table), np.nan)
    for held in np.unique(spoken[known]).tolist():
        others = known & (spoken != held)
        own = known & (spoken == held)
        if not others.any():
            widths[own] = np.inf
            continue
        found = Conformal.of(
            residuals[others], spoken[others].tolist(), table.cardinalities[others]
        )
        for cardinality in np.unique(table.cardinalities[own]).tolist():
            rows = own & (table.cardinalities == cardinality)
            widths[rows] = found.half_width(level, cardinality)
    return widths


def _one_name(table: FeatureTable) -> tuple[Names, Names]:
    """Return language and pivot of each row, so that a language has one name: cmn is zh."""
    called: dict[str, str] = {}
    for name in dict.fromkeys((*table.languages, *table.pivots)):
        called[name] = find_language(name, called.values()) or name
    languages = np.array([called[name] for name in table.languages], dtype=np.str_)
    return languages, np.array([called[name] for name in table.pivots], dtype=np.str_)


def check_languages(table: FeatureTable, learner: str | Learner = USUAL_LEARNER) -> None:
    """Refuse targets in so few languages that none of these can be left out."""
    spoken, _ = _one_name(table)
    known, fewest = np.unique(spoken[~np.isnan(table.target)]), _fewest(learner)
    if len(known) <= fewest:
        raise InputError(_too_few(known, fewest))


def _fewest(learner: str | Learner) -> int:
    """Return how many languages there must be beside the one that is left out."""
    return 2 if isinstance(learner, str) else 1  # settings are chosen across languages


def _too_few(languages: Names, fewest: int) -> str:
    if not len(languages):
        return "no row has all features and a target: there is nothing to learn from"
    several = len(languages) > 1
    left = "without one of them too few are" if several else "without it nothing is"
    return (
        f"{_NUMBERS.get(len(languages), str(len(languages)))} language{'s' * several} only "
        f"({', '.join(languages)}): {left} left to learn from, "
        f"give tables of {_NUMBERS[fewest + 1]} or more"
    )


def _fit(learner: str | Learner) -> Callable[[Floats, Floats, Names, Names, int], Predicts]:
    from tealeaves.estimator.learners.choosing import choose

    def fit(X: Floats, y: Floats, spoken: Names, texts: Names, seed: int) -> Predicts:  # noqa: N803
        if isinstance(learner, str):
            return choose(learner, X, y, spoken.tolist(), texts.tolist(), seed=seed).fitted
        return learner(X, y, spoken.tolist(), seed)

    return fit


def _each(
    work: Callable[[str], None], languages: Sequence[str], threads: int | None, *, progress: bool
) -> None:
    """Do some work for each language, several at a time; each writes to rows of its own."""
    from tqdm.auto import tqdm

    with (
        tqdm(
            total=len(languages),
            desc="leaving out",
            unit="language",
            disable=not progress,
            leave=False,
        ) as bar,
        ThreadPoolExecutor(threads or processors()) as pool,
    ):
        for _ in pool.map(work, languages):
            bar.update()
