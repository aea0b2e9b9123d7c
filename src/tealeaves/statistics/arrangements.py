"""All ways, or random ones, to flip the signs of a row or to deal values out to two sides.

An arrangement is a row of zeros and ones: what is flipped, or what falls to the first side. So the
sums of many rows under many arrangements are one matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError

_BLOCK = 1 << 21  # numbers at once: what bounds the memory


def is_exact(arrangements: int, draws: int) -> bool:
    """Tell whether all arrangements are taken, since they are not more than the draws.

    >>> is_exact(252, draws=1000), is_exact(2**50, draws=1000)
    (True, False)
    """
    if draws < 1:
        raise InputError(f"a permutation test needs at least one draw, not {draws}")
    return arrangements <= draws


def flips(n: int, draws: int, seed: int, *, width: int = 1) -> Iterator[Floats]:
    """Yield which of n signs are flipped, in blocks; ``width`` rows are arranged at once.

    >>> [block.tolist() for block in flips(2, draws=4, seed=0)]
    [[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]
    """
    exact = is_exact(2**n, draws)
    generator = np.random.default_rng(seed)
    for start, stop in _blocks(2**n if exact else draws, max(n, width)):
        if exact:
            patterns: NDArray[Any] = np.arange(start, stop)[:, None] >> np.arange(n) & 1
        else:
            # whole numbers of a few bits would depend on where a block ends
            patterns = generator.random((stop - start, n)) < 0.5
        yield patterns.astype(np.float64)


def deals(n: int, total: int, draws: int, seed: int, *, width: int = 1) -> Iterator[Floats]:
    """Yield which n of all values fall to the first side, in blocks.

    >>> [block.tolist() for block in deals(1, 3, draws=3, seed=0)]
    [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]]
    """
    ways = math.comb(total, n)
    exact = is_exact(ways, draws)
    every = combinations(range(total), n)
    generator = np.random.default_rng(seed)
    first = np.zeros(total, dtype=np.int8)
    first[:n] = 1
    for start, stop in _blocks(ways if exact else draws, max(total, width)):
        if exact:
            found = np.zeros((stop - start, total))
            np.put_along_axis(found, np.array(list(islice(every, stop - start))), 1.0, axis=1)
            yield found
        else:
            same = np.broadcast_to(first, (stop - start, total))
            yield generator.permuted(same, axis=1).astype(np.float64)


def _blocks(count: int, width: int) -> Iterator[tuple[int, int]]:
    """Cut so many arrangements so that a block of them fits into memory."""
    step = max(1, _BLOCK // width)
    for start in range(0, count, step):
        yield start, min(start + step, count)
