"""``Grid``: one measure of all models, languages and lemmas, its means, and tests of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import astuple

from tealeaves.lexicon.error.means import over_lemmas, over_targets
from tealeaves.lexicon.error.rows import MEASURES, LemmaError
from tealeaves.statistics.hypothesis_tests import sign_flip_ps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import F64


@dataclass(frozen=True, eq=False)
class Grid:
    """The values of one measure: model × target language × lemma; NaN where there is none.

    The mean of a language is over its lemmas, the total over languages.
    """

    models: tuple[str, ...]
    targets: tuple[str, ...]
    lemmas: tuple[str, ...]
    values: F64

    @cached_property
    def totals(self) -> list[float]:
        """The total of each model."""
        means = over_lemmas(self.values, np.ones((1, len(self.lemmas))))
        found: list[float] = over_targets(means)[:, 0].tolist()
        return found

    @property
    def lemmas_of(self) -> list[int]:
        """How many lemmas each total rests on, in any language."""
        found: list[int] = np.isfinite(self.values).any(axis=1).sum(axis=1).tolist()
        return found

    def at(self, target: str) -> Grid:
        """Keep one language."""
        place = self.targets.index(target)
        return replace(self, targets=(target,), values=self.values[:, place : place + 1])

    def less(self, pairs: Iterable[tuple[int, int]]) -> Grid:
        """Return how much greater a is than b, of each two models, where both are known."""
        chosen = list(pairs)
        a, b = (self.values[[pair[side] for pair in chosen]] for side in (0, 1))
        names = tuple(f"{self.models[i]} - {self.models[j]}" for i, j in chosen)
        return replace(self, models=names, values=a - b)

    def merged(self, name: str) -> Grid:
        """Return the mean over models: of what depends on annotations alone, the value itself."""
        known = np.isfinite(self.values)
        number = known.sum(axis=0, keepdims=True)
        summed = np.where(known, self.values, 0.0).sum(axis=0, keepdims=True)
        values = np.where(number > 0, summed / np.maximum(number, 1), math.nan)
        return replace(self, models=(name,), values=values)

    def ps(self, draws: int, seed: int) -> list[float]:
        """Test whether each total is 0, by flipping the signs of whole lemmas."""
        # a total is, but for the number of languages, a sum over lemmas: of their parts in means
        known: NDArray[np.bool_] = np.isfinite(self.values)
        number = known.sum(axis=2, keepdims=True)
        shares = np.where(known, self.values, 0.0) / np.maximum(number, 1)
        parts, held = shares.sum(axis=1), np.any(known, axis=1)
        found = [math.nan] * len(parts)
        sizes = held.sum(axis=1).tolist()
        # those of as many lemmas have the same patterns of signs, which are made once
        for size in dict.fromkeys(sizes):
            members = [place for place, one in enumerate(sizes) if one == size]
            rows = np.array([parts[place][held[place]] for place in members])
            for place, p in zip(members, sign_flip_ps(rows, draws, seed).tolist(), strict=True):
                found[place] = p
        return found


def grids_of(rows: Sequence[LemmaError]) -> dict[str, Grid]:
    """Return the grid of each measure; models, languages and lemmas in the order of the rows."""
    models, targets, lemmas = (
        {name: place for place, name in enumerate(dict.fromkeys(named))}
        for named in (
            [row.model for row in rows],
            [row.target for row in rows],
            [row.lemma for row in rows],
        )
    )
    values = np.full((len(MEASURES), len(models), len(targets), len(lemmas)), math.nan)
    at = [(models[row.model], targets[row.target], lemmas[row.lemma]) for row in rows]
    measured = np.array([astuple(row.measures) for row in rows])
    values[:, *np.array(at).T] = measured.T
    names = tuple(models), tuple(targets), tuple(lemmas)
    return {name: Grid(*names, some) for name, some in zip(MEASURES, values, strict=True)}
