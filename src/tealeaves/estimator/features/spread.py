"""What words of a topic have in common: a mean, and how far they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

FEWEST = 2  # one word does not differ from itself


class Spread(NamedTuple):
    """Mean and standard deviation over the words of which something is known, and their share."""

    mean: float
    sd: float
    share: float


def spread(values: Floats) -> Spread:
    """Return mean and standard deviation (of these very words) of what is known, which is not NaN.

    Of no word there is no mean, of fewer than two no deviation.

    >>> spread(np.array([1800.0, 1900.0, np.nan, 2000.0]))
    Spread(mean=1900.0, sd=81.64..., share=0.75)
    >>> spread(np.array([1800.0, np.nan]))
    Spread(mean=1800.0, sd=nan, share=0.5)
    """
    known = values[~np.isnan(values)]
    share = len(known) / len(values) if len(values) else 0.0
    mean = float(known.mean()) if len(known) else np.nan
    return Spread(mean, float(known.std()) if len(known) >= FEWEST else np.nan, share)
