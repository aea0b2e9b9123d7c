"""Angular similarity: likeness by the angle between vectors, from 0 to 1."""

from __future__ import annotations

import numpy as np

from tealeaves.arrays import Floats

_AS_GOOD_AS_ONE = 1e-13  # how far rounding takes the cosine of a vector with itself from 1
_DECIMALS = 12


def angular(cosines: Floats) -> Floats:
    r"""Return the angular similarity :math:`1 - \arccos(x) / \pi`.

    The arc cosine makes much of rounding errors near 1, so that what is as good as 1 is made 1.
    Rounded, two similarities that are equal stay so however the vectors are turned.

    >>> angular(np.array([1 - 1e-15, 0.5, 0.0, -1.0]))
    array([1.        , 0.66666667, 0.5       , 0.        ])
    """
    clear = np.where(np.abs(cosines) > 1.0 - _AS_GOOD_AS_ONE, np.sign(cosines), cosines)
    found: Floats = np.round(1.0 - np.arccos(clear) / np.pi, _DECIMALS)
    return found
