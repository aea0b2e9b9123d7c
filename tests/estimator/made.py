"""Tables and estimators that are made up, with targets that are known functions of features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.estimator.estimators import AtCardinality, Estimator, Estimators, Reached, Seen
from tealeaves.estimator.features import FEATURES
from tealeaves.estimator.table import FeatureTable
from tealeaves.learners.adaboost import AdaBoostLinear
from tealeaves.learners.conformal import Conformal

Columns = dict[str, Floats]

LANGUAGES = ("am", "ro", "sv", "tl")
#: From where to where each feature is drawn, evenly.
RANGES = {
    "cnpmi": (-0.1, 0.5), "inpmi": (-0.1, 0.5), "mta": (0.0, 0.6), "twc_pivot": (0.3, 1.0),
    "twc_other": (0.3, 1.0), "mc_pivot": (-1.0, 3.0), "mc_other": (-1.0, 3.0), "icc": (-2.0, 4.0),
    "era_mean": (1000.0, 1900.0), "era_sd": (50.0, 400.0), "drift_mean": (0.1, 0.6),
    "drift_sd": (0.0, 0.2),
}  # fmt: skip


def straight(of: Columns) -> Floats:
    """A target that is a linear function of features: mta tells most, the years little."""
    young = (of["era_mean"] - 1450.0) / 450.0
    return 0.05 + 0.4 * of["cnpmi"] + 0.5 * of["mta"] - 0.02 * young


def made_table(
    languages: Sequence[str] = LANGUAGES,
    names: Sequence[str] = tuple(FEATURES),
    *,
    target: Callable[[Columns], Floats] = straight,
    topics: int = 20,
    tops: Sequence[int] = (5, 10),
    noise: float = 0.0,
    pivot: str = "en",
    seed: int = 0,
) -> FeatureTable:
    """Draw the features of some topics of two models, in each language and at each cardinality."""
    rng = np.random.default_rng(seed)
    keys = [(a, f"m{k % 2}", k, top) for a in languages for k in range(topics) for top in tops]
    sizes = np.array([key[3] for key in keys], dtype=np.int64)
    drawn = {name: rng.uniform(*ends, size=len(keys)) for name, ends in RANGES.items()}
    drawn["cardinality"] = sizes.astype(np.float64)
    return FeatureTable(
        pivots=(pivot,) * len(keys),
        languages=tuple(key[0] for key in keys),
        models=tuple(key[1] for key in keys),
        topics=tuple(key[2] for key in keys),
        cardinalities=sizes,
        names=tuple(names),
        values=np.column_stack([drawn[name] for name in names]),
        target=target(drawn) + noise * rng.normal(size=len(keys)),
    )


def spoken(table: FeatureTable, *languages: str) -> NDArray[np.bool_]:
    """Tell which rows are of these languages."""
    return np.isin(np.array(table.languages), languages)


def linear(
    slopes: Mapping[str, float],
    intercept: float = 0.0,
    *,
    seen: Mapping[str, Seen] | None = None,
    error: float = 0.1,
    residuals: Sequence[float] = (0.1,) * 9,
    at: Mapping[int, AtCardinality] | None = None,
) -> Estimator:
    """An estimator that is a line: features by their slopes, seen from 0 to 1 unless it is said."""
    plain = Seen(mean=0.5, sd=0.25, low=0.0, high=1.0)
    known = seen or {}
    described = tuple(known.get(name, plain) for name in slopes)
    tongues = [f"l{number}" for number in range(len(residuals))]
    return Estimator(
        features=tuple(slopes),
        fitted=AdaBoostLinear(
            coefficients=[list(slopes.values())], intercepts=[intercept], weights=[1.0]
        ),
        settings={"learning_rate": 1.0, "loss": "linear"},
        seen=described,
        cardinalities=dict(at or {10: AtCardinality(plain, plain, plain, described)}),
        languages=tuple(tongues),
        rows=100,
        conformal=Conformal.of(list(residuals), tongues, [10] * len(residuals)),
        reached=Reached(
            raw=0.1, estimate=0.6, raw_models=0.5, estimate_models=0.6, error=error, covered=0.9
        ),
    )


def estimators_of(*several: Estimator, **known: Any) -> Estimators:
    """Put estimators together, in this order."""
    return Estimators(
        **{"pivot": "en", "learner": "adaboost", "source": "made up", **known},
        estimators=several,
    )
