"""Sampling the topics of new tuples, while the words of topics do not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.compiling.intrinsics import running_weights
from tealeaves.compiling.kernel import compiled, inlined
from tealeaves.models.polylingual.kernels.random import draw, uniform
from tealeaves.text.digest import mix

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, I64


_ODD = np.uint64(0x9E3779B97F4A7C15)


@inlined
def key_of_tuple(key: int, rows: I64, start: int, end: int) -> Any:
    """Return the key of a tuple's random numbers: by its words alone, wherever it stands."""
    own = np.uint64(key)
    for token in range(start, end):
        own = mix((own ^ np.uint64(rows[token])) * _ODD)
    return own


@compiled
def sample_tuples(
    first: int,
    last: int,
    k_most: int,
    key: int,
    iterations: int,
    starts: I64,
    rows: I64,
    phi: F64,
    alpha: F64,
    topics: I32,
    mixed: I32,
    factors: F64,
    sums: F64,
    means: F64,
) -> None:
    """Write how many tokens of each tuple have each topic, in the mean over the later iterations.

    ``starts`` and ``rows`` are those of tuples and tokens; ``phi`` has a row for each word.
    Tokens get their first topics one after the other, each given those before.
    """
    size = len(sums)
    kept = (iterations + 1) // 2
    for d in range(first, last):
        start, end = starts[d], starts[d + 1]
        own = key_of_tuple(key, rows, start, end)
        for k in range(size):
            factors[k] = alpha[k]
            mixed[k] = 0
        for iteration in range(iterations + 1):
            for token in range(start, end):
                row, old, weight = rows[token] * size, -1, 0.0
                if iteration > 0:
                    old = topics[token]
                    mixed[old] -= 1
                    weight = (mixed[old] + alpha[old]) * phi[row + old]
                running_weights(sums, factors, phi, row, 0.0, old, weight)
                number = iteration * (end - start) + token - start
                new = draw(sums, size, k_most, uniform(own, number))
                mixed[new] += 1
                if old >= 0:
                    factors[old] = mixed[old] + alpha[old]
                factors[new] = mixed[new] + alpha[new]
                topics[token] = new
            if iteration > iterations - kept:
                for k in range(k_most):
                    means[d * k_most + k] += mixed[k] / kept
