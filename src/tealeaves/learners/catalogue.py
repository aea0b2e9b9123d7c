"""The learners, and the settings among which each is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

from tealeaves.catalogue import Catalogue
from tealeaves.learners.adaboost import LOSSES, AdaBoostLinear, fit_adaboost
from tealeaves.learners.ridge import Ridge, fit_ridge
from tealeaves.learners.trees import BoostedTrees, fit_trees

Settings = dict[str, Any]

#: Any learner, as the type of a field: the field ``learner`` of the JSON says which.
AnyFitted = AdaBoostLinear | Ridge | BoostedTrees


@dataclass(frozen=True)
class Learner:
    """A way to learn: its name, how it is fitted, and its settings, the simplest first."""

    name: str
    summary: str
    cite: str
    fit: Callable[..., AnyFitted]
    grid: tuple[Settings, ...]


def _grid(**values: tuple[Any, ...]) -> tuple[Settings, ...]:
    """Return every combination of settings; the first varies slowest."""
    return tuple(dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))


LEARNERS: Catalogue[Learner] = Catalogue(
    "learner",
    lambda: (
        Learner(
            name="adaboost",
            summary="AdaBoost.R2 over linear regression, as in the paper",
            cite="Drucker 1997; Hao, Boyd-Graber & Paul 2018",
            fit=fit_adaboost,
            grid=_grid(learning_rate=(1.0, 0.1, 0.01), loss=LOSSES),
        ),
        Learner(
            name="ridge",
            summary="ridge regression, also of squares and products",
            cite="Hoerl & Kennard 1970",
            fit=fit_ridge,
            grid=_grid(degree=(1, 2), penalty=(1.0, 0.1, 0.01, 0.001)),
        ),
        Learner(
            name="trees",
            summary="gradient boosted regression trees",
            cite="Friedman 2001, 2002",
            fit=fit_trees,
            grid=_grid(depth=(1, 2, 3), trees=(50, 200)),
        ),
    ),
)

#: The learner that is used unless another is named.
DEFAULT_LEARNER = "ridge"
