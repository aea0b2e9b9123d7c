"""NPMI of pairs of words in linked documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers


def npmi(joint: Integers, left: Integers, right: Integers, units: int, *, never: float) -> Floats:
    """Return log(P(a,b) / P(a)P(b)) / -log P(a,b) of pairs, given how many units hold what.

    NaN where a word is in no unit; ``never`` where both are, but never together; 1 where both are
    in every unit, the limit.

    >>> npmi(*np.array([[4, 0, 8, 0], [4, 2, 8, 0], [4, 2, 8, 5]]), 8, never=0.0).tolist()
    [1.0, 0.0, 1.0, nan]
    """
    # together(a, b) of no unit, and probability 1, divide by nothing: both are set below
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [np.log(count / units) for count in (joint, left, right)]
        found = (logs[0] - logs[1] - logs[2]) / -logs[0]
    found = np.clip(found, -1.0, 1.0)
    found[joint == 0] = never
    found[joint == units] = 1.0
    found[(left == 0) | (right == 0)] = np.nan
    return found


def means(values: Floats, topic: Integers, topics: int, wanted: int) -> tuple[Floats, Floats]:
    """Return the mean of each topic's pairs and the share of pairs that could be judged.

    A pair of which nothing can be said counts 0. Where no pair could be judged the mean is NaN.
    ``wanted`` is how many pairs a topic has that is long enough.
    """
    asked = np.bincount(topic, minlength=topics)
    known = ~np.isnan(values)
    judged = np.bincount(topic[known], minlength=topics)
    total = np.bincount(topic[known], weights=values[known], minlength=topics)
    share = judged / np.maximum(asked, max(1, wanted))
    mean = np.divide(total, asked, out=np.full(topics, np.nan), where=judged > 0)
    return mean, share
