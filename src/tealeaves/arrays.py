"""The types of numpy arrays, named once for all annotations; indices of consecutive parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Integers32 = NDArray[np.int32]
# vectors of words: single precision from encoders, double precision if the user gives it
Vectors = NDArray[np.floating]


def offsets(lengths: ArrayLike) -> Integers:
    """Return where each of some consecutive parts begins, and where the last one ends.

    >>> offsets([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def ranges(starts: Integers, lengths: Integers) -> Integers:
    """Return the indices of some ranges, one range after the other.

    >>> ranges(np.array([7, 0, 3]), np.array([2, 0, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    firsts = offsets(lengths)
    indices: Integers = np.arange(firsts[-1]) + np.repeat(starts - firsts[:-1], lengths)
    return indices


def little_endian_bytes(array: Array) -> bytes:
    r"""Return the bytes of an array, the same on all machines: for digests.

    >>> little_endian_bytes(np.array([1, 256], dtype=">u2"))
    b'\x01\x00\x00\x01'
    """
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
