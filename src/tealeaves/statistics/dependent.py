"""Tests between two correlations with one variable in common, measured on the same units."""

from __future__ import annotations

import math
from typing import NamedTuple

# of three correlations that are rounded sums, a determinant this near to 0 is 0
_SINGULAR = 1e-12


class Test(NamedTuple):
    """A statistic and its two-sided p; both NaN where the test is not defined."""

    statistic: float
    p: float


# pytest takes a class of this name for one of its own
Test.__test__ = False  # type: ignore[attr-defined]

_UNDEFINED = Test(math.nan, math.nan)


def williams(r_xy: float, r_zy: float, r_xz: float, n: int) -> Test:
    """Test r_xy against r_zy by Williams' t with n - 3 degrees of freedom.

    Williams (1959), in the form T2 that Steiger (1980, eq. 7) recommends. Positive where x
    correlates more with y than z does. The test is of Pearson's coefficient under normality; of
    rank correlations it is an approximation. NaN where there are fewer than 4 units, a correlation
    is NaN or ±1 (x and z may be the same metric), or the three make a singular matrix or no
    correlation matrix at all.

    >>> williams(0.80, 0.72, 0.89, 26)  # Howell, Statistical Methods for Psychology
    Test(statistic=1.361, p=0.187)
    """
    if not _defined(r_xy, r_zy, r_xz, n):
        return _UNDEFINED
    from scipy.special import stdtr

    mean = (r_xy + r_zy) / 2
    determinant = _determinant(r_xy, r_zy, r_xz)
    variance = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - r_xz) ** 3
    t = (r_xy - r_zy) * math.sqrt((n - 1) * (1 + r_xz) / variance)
    return Test(t, float(2 * stdtr(n - 3, -abs(t))))


def steiger(r_xy: float, r_zy: float, r_xz: float, n: int) -> Test:
    """Test r_xy against r_zy by Steiger's Z, compared with the normal distribution.

    Steiger (1980, eq. 14): the difference of Fisher's z, with the covariance of the two (eq. 10)
    taken at the mean of the two correlations, which are the same under the null hypothesis (the
    modification of Dunn and Clark's test, not the one with each its own r). NaN as ``williams``.

    >>> steiger(0.5, 0.3, 0.4, 103)
    Test(statistic=2.0661, p=0.0388)
    """
    if not _defined(r_xy, r_zy, r_xz, n):
        return _UNDEFINED
    square = ((r_xy + r_zy) / 2) ** 2
    covariance = r_xz * (1 - 2 * square) - square * (1 - 2 * square - r_xz**2) / 2
    rest = 2 - 2 * covariance / (1 - square) ** 2
    if rest <= _SINGULAR:
        return _UNDEFINED
    z = (math.atanh(r_xy) - math.atanh(r_zy)) * math.sqrt((n - 3) / rest)
    return Test(z, math.erfc(abs(z) / math.sqrt(2)))


def _determinant(r_xy: float, r_zy: float, r_xz: float) -> float:
    return 1 - r_xy**2 - r_zy**2 - r_xz**2 + 2 * r_xy * r_zy * r_xz


def _defined(r_xy: float, r_zy: float, r_xz: float, n: int) -> bool:
    # written so that NaN fails
    return (
        n >= 4
        and all(1 - abs(r) > _SINGULAR for r in (r_xy, r_zy, r_xz))
        and _determinant(r_xy, r_zy, r_xz) > _SINGULAR
    )
