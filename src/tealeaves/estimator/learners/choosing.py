"""The choice of a learner's settings, by cross-validation over languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.learners.fitted import training_rows
from tealeaves.estimator.learners.kinds import AnyFitted, LearnerKind, Settings, learner
from tealeaves.estimator.sharing import sharing

#: Rows that the choice is made with, at most; the chosen settings are fitted to all rows.
MOST_ROWS = 12_000


@dataclass(frozen=True)
class Chosen:
    """The settings that predict languages not seen best, and the learner fitted with them."""

    name: str
    settings: Settings
    fitted: AnyFitted
    #: all settings tried, with their mean squared error (the mean over languages)
    scores: tuple[tuple[Settings, float], ...]


def choose(
    name: str,
    X: Floats,  # noqa: N803
    y: Floats,
    languages: Sequence[str],
    texts: Sequence[str] | None = None,
    *,
    folds: int = 3,
    seed: int = 0,
    most: int = MOST_ROWS,
) -> Chosen:
    """Fit a learner with the settings that predict held-out languages best.

    Languages are held out whole, and with them, as far as that leaves any, the rows of others that
    share their texts. Each is predicted once, by a learner that never saw it, and has
    its mean squared error; the settings with the lowest mean over languages are chosen, the first
    of equals. Then all rows are fitted.

    >>> rows = np.arange(12.0)[:, None]
    >>> chosen = choose("adaboost", rows, rows[:, 0], ["ro"] * 6 + ["sv"] * 6)
    >>> chosen.fitted.predict(np.array([[2.5]])).round(9).tolist()
    [2.5]
    """
    kind = learner(name)
    rows, targets = training_rows(X, y)
    spoken = np.array(languages, dtype=str)
    if len(spoken) != len(rows):
        raise InputError(f"{len(spoken)} languages for {len(rows)} rows: one for each is needed")
    parts = language_folds(languages, folds, seed)
    some = _some_rows(spoken, most, seed)
    known = np.array([""] * len(rows) if texts is None else texts, dtype=np.str_)[some]
    errors = _errors(kind, rows[some], targets[some], spoken[some], known, parts, seed)
    settings = kind.grid[int(np.argmin(errors))]
    return Chosen(
        name=name,
        settings=dict(settings),
        fitted=kind.fit(rows, targets, seed=seed, **settings),
        scores=tuple(
            (dict(tried), float(error)) for tried, error in zip(kind.grid, errors, strict=True)
        ),
    )


def language_folds(languages: Sequence[str], folds: int = 3, seed: int = 0) -> list[list[str]]:
    """Deal languages, in an order drawn by the seed, to folds that differ by one at most.

    >>> [len(fold) for fold in language_folds(["am", "ro", "sv", "tl", "am"])]
    [2, 1, 1]
    >>> language_folds(["sv", "sv"])
    Traceback (most recent call last):
    tealeaves.errors.InputError: one language only (sv): the settings are chosen across languages,
    give tables of two or more
    """
    names = sorted(set(languages))
    if len(names) == 1:
        raise InputError(
            f"one language only ({names[0]}): the settings are chosen across languages, "
            "give tables of two or more"
        )
    if folds < 2:
        raise InputError(f"folds={folds}: must be 2 or more")
    dealt = np.random.default_rng(seed).permutation(len(names))
    parts = min(folds, len(names))
    return [sorted(names[k] for k in dealt[part::parts]) for part in range(parts)]


def _some_rows(spoken: NDArray[np.str_], most: int, seed: int) -> NDArray[np.int64]:
    """Return rows that every language has its share of, no more than so many (but two each)."""
    rng = np.random.default_rng(seed)
    share = min(1.0, most / len(spoken))
    kept = []
    for name in np.unique(spoken):
        own = np.flatnonzero(spoken == name)
        kept.append(rng.permutation(own)[: max(2, int(share * len(own)))])
    return np.sort(np.concatenate(kept))


def _errors(
    kind: LearnerKind,
    rows: Floats,
    targets: Floats,
    spoken: NDArray[np.str_],
    texts: NDArray[np.str_],
    parts: list[list[str]],
    seed: int,
) -> Floats:
    """Return the mean squared error of each settings, over languages held out."""
    squares = np.empty((len(kind.grid), len(rows)))
    for held, train in _held_out(spoken, texts, parts):
        for place, settings in enumerate(kind.grid):
            fitted = kind.fit(rows[train], targets[train], seed=seed, **settings)
            squares[place, held] = (fitted.predict(rows[held]) - targets[held]) ** 2
    by_language = [squares[:, spoken == name].mean(axis=1) for part in parts for name in part]
    mean: Floats = np.mean(by_language, axis=0)
    return mean


def _held_out(
    spoken: NDArray[np.str_], texts: NDArray[np.str_], parts: list[list[str]]
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield rows of some languages and texts, and the rows that they are predicted from."""
    for part in parts:
        held = np.isin(spoken, part)
        for own in np.unique(texts[held]).tolist():
            apart = ~held & ~sharing(texts.tolist(), own)
            yield held & (texts == own), apart if apart.any() else ~held
