"""Likeness of distributions over words: Jensen-Shannon, and the cosine."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tealeaves.arrays import Floats

_AT_ONCE = 1 << 16  # numbers: they stay in the cache of a processor
_TINY = 1e-300  # added before a logarithm: 0 log 0 is 0


def normalised(matrix: Floats) -> Floats:
    """Divide each row by its sum; rows of zeros become NaN."""
    total = matrix.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(matrix, total, out=np.full_like(matrix, np.nan), where=total > 0)
    return found


def cosine(left: Floats, right: Floats) -> Floats:
    """Return the cosine of each row of the one with each row of the other.

    >>> cosine(np.array([[0.5, 0.5]]), np.array([[0.5, 0.5], [1.0, 0.0]])).round(3)
    array([[1.   , 0.707]])
    """
    return cosine_of_directions(directions(left), directions(right))


def cosine_of_directions(left: Floats, right: Floats) -> Floats:
    """Return the cosine of rows that have length 1 already."""
    found: Floats = left @ right.T
    return np.clip(found, 0.0, 1.0)


def jensen_shannon(left: Floats, right: Floats) -> Floats:
    r"""Return 1 - JS(P, Q) in bits, of each row of the one with each row of the other.

    With :math:`t = p + q`, which sums to 2, the divergence is
    :math:`1 + \frac12 (\sum p \log p + \sum q \log q - \sum t \log t)`.

    >>> jensen_shannon(np.array([[0.5, 0.5]]), np.array([[0.5, 0.5], [1.0, 0.0]])).round(3)
    array([[1.   , 0.689]])
    """
    height = max(1, _AT_ONCE // max(1, right.shape[1]))
    blocks = [right[start : start + height] for start in range(0, len(right), height)]
    if len(blocks) == 1:
        joint = [_joint(left, blocks[0])]
    else:  # logarithms are all the work, and numpy's can be taken side by side
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            joint = list(pool.map(lambda block: _joint(left, block), blocks))
    own = _sums(left)[:, None] + _sums(right)[None, :]
    return np.clip(0.5 * (np.concatenate(joint, axis=1) - own), 0.0, 1.0)


def _joint(left: Floats, right: Floats) -> Floats:
    """Return Σ (p + q) log (p + q) of each row of the one with each row of the other."""
    found = np.empty((len(left), len(right)))
    both, logs = np.empty_like(right), np.empty_like(right)
    for row, one in zip(found, left, strict=True):
        np.add(right, one + _TINY, out=both)
        np.log2(both, out=logs)
        np.einsum("ij,ij->i", both, logs, out=row)
    return found


def directions(matrix: Floats) -> Floats:
    """Return the rows with length 1; rows of zeros stay zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, None]
    found: Floats = matrix / np.where(lengths > 0, lengths, 1.0)
    return found


def _sums(matrix: Floats) -> Floats:
    """Return Σ p log p of each row."""
    found: Floats = np.einsum("ij,ij->i", matrix, np.log2(matrix + _TINY))
    return found
