"""Cross-validation over languages: the choice of settings, and estimates of languages left out.

A language is left out whole. Where texts are parallel, the topics of all languages may come from
the same documents of the pivot, so rows that share texts with the language are left out too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.table import FeatureTable
from tealeaves.learners.base import training_rows
from tealeaves.learners.catalogue import (
    DEFAULT_LEARNER,
    LEARNERS,
    AnyFitted,
    Learner,
    Settings,
)
from tealeaves.learners.conformal import Conformal
from tealeaves.learners.results import LEVEL
from tealeaves.parameters import wrong_value
from tealeaves.system import processors
from tealeaves.text.languages import find_language

Names = NDArray[np.str_]

#: The most rows that settings are chosen with; the chosen settings are fitted to all rows.
MOST_ROWS = 12_000
_NUMBERS = {1: "one", 2: "two", 3: "three"}


class Predicts(Protocol):
    """Anything that was fitted."""

    def predict(self, X: Floats, /) -> Floats:  # noqa: N803
        """Return an estimate of each row."""


#: A function that fits: rows of features, targets, the language of each row, and a seed.
FitFunction = Callable[[Floats, Floats, Sequence[str], int], Predicts]


def leave_one_language_out(
    table: FeatureTable,
    names: Iterable[str],
    *,
    learner: str | FitFunction = DEFAULT_LEARNER,
    seed: int = 0,
    progress: bool = False,
    threads: int | None = None,
) -> Floats:
    """Estimate each row by an estimator that never saw its language.

    The rows of a language are left out, and those where it is the pivot; cmn and zh are one
    language. Rows whose topics were trained on the same texts (``texts`` of the table) are left out
    too, because else the language's own topics would be among the others. Estimates are NaN where a
    feature or the target is undefined, and are cut to the range of CNPMI, from -1 to 1.

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
        The seed of the learner's random draws.
    progress
        Show a progress bar over languages.
    threads
        The number of languages that are left out at the same time; by default one for each
        processor. It does not change the estimates.
    """
    chosen = tuple(names)
    table.check(chosen)
    features = table.with_names(chosen).values
    usable = table.complete(chosen) & ~np.isnan(table.target)
    spoken, pivots = _language_names(table)
    fewest = _fewest_languages(learner)
    estimates = np.full(len(table), np.nan)
    texts = np.array(table.texts, dtype=np.str_)
    apart = {name: ~share_texts(table.texts, name) for name in set(table.texts)}

    def fit(train: NDArray[np.bool_]) -> Predicts:
        rows, targets, languages = features[train], table.target[train], spoken[train].tolist()
        if isinstance(learner, str):
            return choose(
                learner, rows, targets, languages, texts[train].tolist(), seed=seed
            ).fitted
        return learner(rows, targets, languages, seed)

    def leave_out(held: str) -> None:
        others = usable & (spoken != held) & (pivots != held)
        mine = usable & (spoken == held)
        for name in np.unique(texts[mine]).tolist():
            train, rows = others & apart[name], mine & (texts == name)
            if len(np.unique(spoken[train])) >= fewest:
                estimates[rows] = np.clip(fit(train).predict(features[rows]), -1.0, 1.0)

    _for_each(leave_out, np.unique(spoken[usable]).tolist(), threads, progress=progress)
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
    spoken, _ = _language_names(table)
    residuals = table.target - estimates
    known = ~np.isnan(residuals)
    widths = np.full(len(table), np.nan)
    for held in np.unique(spoken[known]).tolist():
        others = known & (spoken != held)
        mine = known & (spoken == held)
        if not others.any():
            widths[mine] = np.inf
            continue
        intervals = Conformal.of(
            residuals[others], spoken[others].tolist(), table.cardinalities[others]
        )
        for cardinality in np.unique(table.cardinalities[mine]).tolist():
            rows = mine & (table.cardinalities == cardinality)
            widths[rows] = intervals.half_width(level, cardinality)
    return widths


def _language_names(table: FeatureTable) -> tuple[Names, Names]:
    """Return the language and the pivot of each row; a language has one name, as cmn and zh."""
    called: dict[str, str] = {}
    for name in dict.fromkeys((*table.languages, *table.pivots)):
        called[name] = find_language(name, called.values()) or name
    languages = np.array([called[name] for name in table.languages], dtype=np.str_)
    return languages, np.array([called[name] for name in table.pivots], dtype=np.str_)


def check_languages(table: FeatureTable, learner: str | FitFunction = DEFAULT_LEARNER) -> None:
    """Raise if there are too few languages with targets to leave one out."""
    spoken, _ = _language_names(table)
    known, fewest = np.unique(spoken[~np.isnan(table.target)]), _fewest_languages(learner)
    if len(known) <= fewest:
        raise InputError(_too_few(known, fewest))


def _fewest_languages(learner: str | FitFunction) -> int:
    """Return how many languages there must be besides the one that is left out."""
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


def _for_each(
    work: Callable[[str], None], languages: Sequence[str], threads: int | None, *, progress: bool
) -> None:
    """Do the work for each language, several at a time; each writes its own rows."""
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


# ---------------------------------------------------------------------- settings


@dataclass(frozen=True)
class ChosenLearner:
    """The settings that predict new languages best, and the learner fitted with them."""

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
) -> ChosenLearner:
    """Fit a learner with the settings that predict held-out languages best.

    Languages are held out whole and, if that leaves any rows, with the rows of others that share
    their texts. Each language is predicted once, by a learner that never saw it. The settings with
    the lowest mean squared error (the mean over languages) are chosen, the first of equals, and
    fitted to all rows.

    >>> rows = np.arange(12.0)[:, None]
    >>> chosen = choose("adaboost", rows, rows[:, 0], ["ro"] * 6 + ["sv"] * 6)
    >>> chosen.fitted.predict(np.array([[2.5]])).round(9).tolist()
    [2.5]
    """
    kind = LEARNERS.find(name)
    rows, targets = training_rows(X, y)
    spoken = np.array(languages, dtype=str)
    if len(spoken) != len(rows):
        raise InputError(f"{len(spoken)} languages for {len(rows)} rows: one for each is needed")
    parts = language_folds(languages, folds, seed)
    some = _some_rows(spoken, most, seed)
    known = np.array([""] * len(rows) if texts is None else texts, dtype=np.str_)[some]
    errors = _errors(kind, rows[some], targets[some], spoken[some], known, parts, seed)
    settings = kind.grid[int(np.argmin(errors))]
    return ChosenLearner(
        name=name,
        settings=dict(settings),
        fitted=kind.fit(rows, targets, seed=seed, **settings),
        scores=tuple(
            (dict(tried), float(error)) for tried, error in zip(kind.grid, errors, strict=True)
        ),
    )


def language_folds(languages: Sequence[str], folds: int = 3, seed: int = 0) -> list[list[str]]:
    """Distribute languages at random over folds whose sizes differ by at most one.

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
        raise wrong_value("folds", folds, "at least 2")
    order = np.random.default_rng(seed).permutation(len(names))
    parts = min(folds, len(names))
    return [sorted(names[k] for k in order[part::parts]) for part in range(parts)]


def _some_rows(spoken: NDArray[np.str_], most: int, seed: int) -> NDArray[np.int64]:
    """Return at most so many rows, from each language its share and at least two."""
    rng = np.random.default_rng(seed)
    share = min(1.0, most / len(spoken))
    kept = []
    for name in np.unique(spoken):
        rows = np.flatnonzero(spoken == name)
        kept.append(rng.permutation(rows)[: max(2, int(share * len(rows)))])
    return np.sort(np.concatenate(kept))


def _errors(
    kind: Learner,
    rows: Floats,
    targets: Floats,
    spoken: NDArray[np.str_],
    texts: NDArray[np.str_],
    parts: list[list[str]],
    seed: int,
) -> Floats:
    """Return the mean squared error of each of the settings, over languages held out."""
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
    """Yield the rows of some languages and texts, and the rows to predict them from."""
    for part in parts:
        held = np.isin(spoken, part)
        for name in np.unique(texts[held]).tolist():
            apart = ~held & ~share_texts(texts.tolist(), name)
            yield held & (texts == name), apart if apart.any() else ~held


def share_texts(texts: Sequence[str], own: str) -> NDArray[np.bool_]:
    """Tell which rows share texts with ``own``; the names of texts are joined by ``+``.

    >>> share_texts(["a+b", "c", "", "b"], "b+d").tolist()
    [True, False, False, True]
    """
    parts = set(own.split("+")) - {""}
    shared = {one for one in set(texts) if parts & set(one.split("+"))}
    return np.array([one in shared for one in texts], dtype=np.bool_)
