"""The learners there are, and the settings among which each is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.estimator.learners.adaboost import LOSSES, AdaBoostLinear, fit_adaboost
from tealeaves.estimator.learners.ridge import Ridge, fit_ridge
from tealeaves.estimator.learners.trees import BoostedTrees, fit_trees

Settings = dict[str, Any]

#: Any learner, as a type of a field: JSON says which by its ``learner``.
AnyFitted = AdaBoostLinear | Ridge | BoostedTrees


@dataclass(frozen=True)
class LearnerKind:
    """A way to learn: its name, how it is fitted, and its settings, the simplest first."""

    name: str
    summary: str
    cite: str
    fit: Callable[..., AnyFitted]
    grid: tuple[Settings, ...]


def _grid(**values: tuple[Any, ...]) -> tuple[Settings, ...]:
    """Return every combination of settings; the first varies slowest."""
    return tuple(dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))


LEARNERS: Mapping[str, LearnerKind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            LearnerKind(
                name="adaboost",
                summary="AdaBoost.R2 over linear regression, as in the paper",
                cite="Drucker 1997; Hao, Boyd-Graber & Paul 2018",
                fit=fit_adaboost,
                grid=_grid(learning_rate=(1.0, 0.1, 0.01), loss=LOSSES),
            ),
            LearnerKind(
                name="ridge",
                summary="ridge regression, also of squares and products",
                cite="Hoerl & Kennard 1970",
                fit=fit_ridge,
                grid=_grid(degree=(1, 2), penalty=(1.0, 0.1, 0.01, 0.001)),
            ),
            LearnerKind(
                name="trees",
                summary="gradient boosted regression trees",
                cite="Friedman 2001, 2002",
                fit=fit_trees,
                grid=_grid(depth=(1, 2, 3), trees=(50, 200)),
            ),
        )
    }
)


#: What is fitted where no learner is named.
USUAL_LEARNER = "ridge"


def learner(name: str) -> LearnerKind:
    """Return a learner by its name.

    >>> learner("adaboots")
    Traceback (most recent call last):
    tealeaves.errors.InputError: no learner 'adaboots': one of adaboost, ridge,
    trees; did you mean adaboost?
    """
    if name not in LEARNERS:
        known = ", ".join(LEARNERS)
        raise InputError(f"no learner {name!r}: one of {known}{did_you_mean(name, LEARNERS)}")
    return LEARNERS[name]
