"""Sampling the topics of new tuples, while the words of topics do not change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel
from tealeaves.models.polylingual.kernels.lanes import draw, running_weights
from tealeaves.models.polylingual.kernels.random import mixed_with, uniform

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64
    from tealeaves.models.polylingual.kernels.dense import DenseBuffers


@dataclass(frozen=True)
class NewTuples(Arguments):
    """Tuples whose topics are sampled.

    ``starts`` and ``rows`` are those of tuples and tokens. ``topics`` of tokens is a buffer.
    ``means`` are written: how many tokens of each tuple have each topic.
    """

    starts: I64
    rows: I64
    topics: I32
    means: F64


@dataclass(frozen=True)
class KnownTopics(Arguments):
    """The topics: their number, ``phi`` with a padded row for each word, and the prior."""

    k: int
    phi: F64
    alpha: F64


def key_of_tuple(key: int, rows: I64, start: int, end: int) -> int:
    """Return the key of a tuple's random numbers: by its words alone, wherever it stands."""
    for token in range(start, end):
        key = mixed_with(key, rows[token])
    return key


@kernel
def sample_tuples(
    first: int,
    last: int,
    key: int,
    iterations: int,
    tuples: NewTuples,
    model: KnownTopics,
    buffers: DenseBuffers,
) -> None:
    """Write how many tokens of each tuple have each topic, in the mean over the later iterations.

    Tokens get their first topics one after the other, each given those before.
    """
    topics, alpha, phi = tuples.topics, model.alpha, model.phi
    mixed, factors, sums = buffers.mixed, buffers.factors, buffers.sums
    size = len(sums)
    kept = (iterations + 1) // 2
    for d in range(first, last):
        start, end = tuples.starts[d], tuples.starts[d + 1]
        own = key_of_tuple(key, tuples.rows, start, end)
        for k in range(size):
            factors[k] = alpha[k]
            mixed[k] = 0
        for iteration in range(iterations + 1):
            for token in range(start, end):
                row, old, weight = tuples.rows[token] * size, -1, 0.0
                if iteration > 0:
                    old = topics[token]
                    mixed[old] -= 1
                    weight = (mixed[old] + alpha[old]) * phi[row + old]
                running_weights(sums, factors, phi, row, 0.0, old, weight)
                number = iteration * (end - start) + token - start
                new = draw(sums, size, model.k, uniform(own, number))
                mixed[new] += 1
                if old >= 0:
                    factors[old] = mixed[old] + alpha[old]
                factors[new] = mixed[new] + alpha[new]
                topics[token] = new
            if iteration > iterations - kept:
                for k in range(model.k):
                    tuples.means[d * model.k + k] += mixed[k] / kept
