"""``CorrelationPlan``: everything that changes the numbers of correlations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.parameters import wrong_value

NAMES = ("pearson", "spearman", "kendall", "phik")
#: Fewer topics, models or clusters have no coefficient.
FEWEST = 4
#: Points of a scatter plot; more make the file large and the cloud solid.
MOST_POINTS = 1500
_SLOW_DRAWS = {"kendall": 500, "phik": 200}
_SLOW_PERMUTATIONS = {"kendall": 1000}
_FEWEST_DRAWS = 100
_CHOICES = {
    "by": "topic or model",
    "within": "model, or nothing",
    "draws": "100 or more, or 0 for no intervals",
    "permutations": "19 or more",
    "seed": "a whole number, 0 or more",
    "level": "a share above 0.5 and below 1, such as 0.95",
    "correction": "bh, holm or none",
    "near": "a Jaccard index above 0, up to 1",
    "bins": "2 to 1000",
}


class CorrelationPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How correlations are computed.

    Kendall's tau and phi_K take longer, so they have at most 500 and 200 draws, and tau 1,000
    permutations; each row has its numbers. Draws are samples of the bootstrap, for phi_K random
    halves. Without draws (0) there are no intervals.

    Parameters
    ----------
    by
        Correlate the scores of topics, or those of models.
    coefficients
        ``pearson``, ``spearman``, ``kendall``, ``phik``.
    control
        A metric that is held constant: partial correlations are computed too.
    within
        ``model``: the topics of each model by themselves.
    pool
        Correlate all data sets as one, after standardising the scores in each.
    draws
        Samples of the bootstrap, for intervals.
    permutations
        Permutations, for p.
    seed
        Where random numbers start.
    level
        The level of intervals.
    correction
        The correction of p for the number of metrics: ``bh``, ``holm``, ``none``.
    near
        The Jaccard index from which topics are near-identical and form a cluster.
    bins
        Bins of phi_K.
    noise_correction
        Whether phi_K is corrected for noise.
    pairs
        Test all pairs of metrics.
    versus
        Test this metric against all others.
    """

    by: Literal["topic", "model"] = "topic"
    coefficients: tuple[str, ...] = ("pearson", "spearman", "kendall")
    control: str = ""
    within: Literal["", "model"] = ""
    pool: bool = False
    draws: Annotated[int, Meta(ge=0, le=1_000_000)] = 2000
    permutations: Annotated[int, Meta(ge=19, le=1_000_000)] = 2000
    seed: Annotated[int, Meta(ge=0)] = 0
    level: Annotated[float, Meta(gt=0.5, lt=1)] = 0.95
    correction: Literal["bh", "holm", "none"] = "bh"
    near: Annotated[float, Meta(gt=0, le=1)] = 0.5
    bins: Annotated[int, Meta(ge=2, le=1000)] = 10
    noise_correction: bool = True
    pairs: bool = False
    versus: str = ""

    def draws_of(self, coefficient: str) -> int:
        """Return how many bootstrap samples a coefficient is computed on."""
        return min(self.draws, _SLOW_DRAWS.get(coefficient, self.draws))

    def permutations_of(self, coefficient: str) -> int:
        """Return how many permutations its p rests on."""
        return min(self.permutations, _SLOW_PERMUTATIONS.get(coefficient, self.permutations))


def correlation_plan(**options: object) -> CorrelationPlan:
    """Check options and return the plan; an error names the option.

    >>> correlation_plan(level=95)
    Traceback (most recent call last):
    ...
    tealeaves.errors.InputError: level must be a share above 0.5 and below 1, such as 0.95, not 95
    """
    fields = CorrelationPlan.__struct_fields__
    unknown = next((name for name in options if name not in fields), None)
    if unknown:
        raise InputError(f"no option {unknown}{did_you_mean(unknown, fields)}")
    names = options.get("coefficients")
    if isinstance(names, str):
        options["coefficients"] = tuple(names.replace(",", " ").split())
    try:
        plan = msgspec.convert(options, CorrelationPlan)
    except msgspec.ValidationError as error:
        raise InputError(_advice(str(error), options)) from error
    if 0 < plan.draws < _FEWEST_DRAWS:
        raise wrong_value("draws", plan.draws, _CHOICES["draws"])
    for name in plan.coefficients:
        if name not in NAMES:
            raise InputError(
                f"no coefficient {name}{did_you_mean(name, NAMES)} (there are {', '.join(NAMES)})"
            )
    if not plan.coefficients:
        raise InputError(f"no coefficient was asked for (there are {', '.join(NAMES)})")
    if plan.within and plan.by == "model":
        raise InputError("within a model there is only one model: correlate by topic (--by topic)")
    if "phik" in plan.coefficients:
        require("phik", extra="phik", reason="phi_K")  # before any work is done
    return plan


def _advice(message: str, options: Mapping[str, object]) -> str:
    """Say which option is wrong, and what it can be."""
    name = message.partition("`$.")[2].rstrip("`").partition("[")[0]
    if name not in _CHOICES:
        return message
    return str(wrong_value(name, options.get(name), _CHOICES[name]))
