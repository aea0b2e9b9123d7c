"""``Plan``: how correlations are computed; everything that changes their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require

NAMES = ("pearson", "spearman", "kendall", "phik")
_SLOW_DRAWS = {"kendall": 500, "phik": 200}
_SLOW_PERMUTATIONS = {"kendall": 1000}
_FEWEST_DRAWS = 100
FEWEST = 4


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for.

    Kendall's tau and phi_K cost more, so they have at most 500 and 200 draws, and tau 1,000
    permutations; each row says how many it rests on. Draws are samples of the bootstrap, but
    random halves for phi_K. Without draws (0) there are no intervals.
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


def read_plan(**given: object) -> Plan:
    """Check what is asked for; an error names the parameter."""
    unknown = next((name for name in given if name not in Plan.__struct_fields__), None)
    if unknown:
        raise InputError(f"no option {unknown}{did_you_mean(unknown, Plan.__struct_fields__)}")
    names = given.get("coefficients")
    if isinstance(names, str):
        given["coefficients"] = tuple(names.replace(",", " ").split())
    try:
        plan = msgspec.convert(given, Plan)
    except msgspec.ValidationError as error:
        raise InputError(_said(str(error), given)) from error
    if 0 < plan.draws < _FEWEST_DRAWS:
        raise InputError(f"draws {plan.draws}: give {_CHOICES['draws']}")
    for name in plan.coefficients:
        if name not in NAMES:
            raise InputError(
                f"no coefficient {name}{did_you_mean(name, NAMES)} (there are {', '.join(NAMES)})"
            )
    if not plan.coefficients:
        raise InputError(f"no coefficient was asked for (there are {', '.join(NAMES)})")
    if plan.within and plan.by == "model":
        raise InputError("within each model there is only one model: take by=topic")
    if "phik" in plan.coefficients:
        require("phik", extra="phik", reason="phi_K")  # before any work is done
    return plan


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


def _said(message: str, given: Mapping[str, object]) -> str:
    """Say which parameter cannot be so, and what it can be.

    >>> _said("Expected `float` < 1.0 - at `$.level`", {"level": 95})
    'level 95: give a share above 0.5 and below 1, such as 0.95'
    """
    name = message.partition("`$.")[2].rstrip("`").partition("[")[0]
    if name not in _CHOICES:
        return message
    return f"{name} {given.get(name)}: give {_CHOICES[name]}"
