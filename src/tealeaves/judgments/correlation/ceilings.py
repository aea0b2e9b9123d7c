"""What people themselves reach: one with the others, and how well their means can be met."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tealeaves.arrays import Integers
from tealeaves.judgments.agreeing.careless import careless
from tealeaves.judgments.agreeing.ceiling import ceiling
from tealeaves.judgments.agreeing.estimates import Resampling
from tealeaves.judgments.agreeing.reliability import reliability
from tealeaves.judgments.correlation.matching import Matched
from tealeaves.judgments.judgments import Judgments

_NO_INTERVAL = Resampling(draws=0)


class Ceilings(NamedTuple):
    """How well one person agrees with the others, by coefficient; NaN where nobody else judged.

    ``attainable`` is the Pearson correlation that no metric can be expected to pass.
    """

    one_with_others: dict[str, float]
    attainable: float
    notes: list[str]


def ceilings_of(people: Judgments, part: Matched) -> Ceilings:
    """Return what people reach on all that was judged; nothing is known of pooled data sets."""
    if (part.dataset, part.task) not in people.parts:
        return Ceilings({}, math.nan, ["pooled data sets have no ceiling: see each by itself"])
    asked = people.part(part.dataset, part.task)
    # where the only model of both sides bears two names, all are of this one
    if part.model and part.model in set(asked.frame["model"]):
        asked = asked.where(model=part.model)
    ratings = asked.ratings
    groups = _models_of_items(asked) if part.by == "model" else None
    found = ceiling(ratings, groups=groups, resampling=_NO_INTERVAL)
    values = {name: estimate.value for name, estimate in found.estimates.items()}
    known = any(not math.isnan(value) for value in values.values())
    notes = []
    if known and found.picked:
        notes.append(
            "the ceiling is of random answers against the rest: no one is known to have answered "
            "enough"
        )
    if known and asked.scale.classes:
        notes.append("the ceiling is of single votes, not of the majority's")
    attainable = reliability(ratings, groups=groups, resampling=_NO_INTERVAL).attainable.value
    return Ceilings(values, math.nan if asked.scale.classes else attainable, notes)


def careless_notes(people: Judgments) -> list[str]:
    """Say where annotators look careless."""
    found: dict[tuple[str, str], list[bool]] = {}
    for one in careless(people):
        found.setdefault((one.dataset, one.task), []).append(bool(one.flags))
    return [
        f"{' '.join(filter(None, part))}: {sum(flags)} of {len(flags)} annotators "
        f"{'looks careless, and counts' if sum(flags) == 1 else 'look careless, and count'} all "
        "the same: `tealeaves agreement` tells who, --without-flagged leaves them out"
        for part, flags in found.items()
        if any(flags)
    ]


def _models_of_items(people: Judgments) -> Integers:
    """Number the model of each item, in the order of the ratings' items."""
    models = dict(people.frame.select("item", "model").iter_rows())
    numbers = {model: number for number, model in enumerate(dict.fromkeys(models.values()))}
    return np.array([numbers[models[item]] for item in people.ratings.items], dtype=np.int64)
