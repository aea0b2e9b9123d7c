"""What several statistics ask of a sample: finite numbers in one row, and whether they vary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError

# 0.3 - 0.2 and 0.4 - 0.3 differ in the last digits; a spread so small is of rounding
_ROUNDING = 1e-12


def sample(values: Floats | Sequence[float]) -> Floats:
    """Return the values as a row of numbers; raise where one is missing or infinite.

    >>> sample([1, 2]).tolist()
    [1.0, 2.0]
    """
    row = np.asarray(values, dtype=np.float64)
    if row.ndim != 1:
        raise InputError(f"a sample is one row of numbers, not an array of shape {row.shape}")
    if not np.isfinite(row).all():
        place = int(np.flatnonzero(~np.isfinite(row))[0])
        raise InputError(f"value {place + 1} of a sample is {row[place]}: drop such values first")
    return row


def constant(row: Floats) -> bool:
    """Tell whether all values of a sample are the same, up to rounding.

    >>> constant(sample([0.3 - 0.2, 0.4 - 0.3])), constant(sample([1.0, 1.1]))
    (True, False)
    """
    return bool(row.size == 0 or np.ptp(row) <= _ROUNDING * np.abs(row).max())
