"""How far distributions are from another, exactly: 0 log 0 is 0, and nothing is added."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


def kl(p: Floats, q: Floats) -> Floats:
    """Return KL(p || q) = Σ p log(p / q) along the last axis, in nats; infinite where q = 0 < p.

    >>> kl(np.array([1.0, 0.0]), np.array([0.5, 0.5])).round(6)  # log 2
    np.float64(0.693147)
    """
    p, q = np.broadcast_arrays(p, q)
    with np.errstate(divide="ignore"):
        terms = np.zeros(p.shape)
        np.subtract(np.log(p), np.log(q), out=terms, where=p > 0)
    # rounding may leave a distribution a trifle below itself
    nats: Floats = np.maximum((p * terms).sum(axis=-1), 0.0)
    return nats


def _symmetric(p: Floats, q: Floats) -> Floats:
    return (kl(p, q) + kl(q, p)) / 2


def _jensen_shannon(p: Floats, q: Floats) -> Floats:
    middle = (p + q) / 2
    return (kl(p, middle) + kl(q, middle)) / 2


def _cosine(p: Floats, q: Floats) -> Floats:
    lengths = np.linalg.norm(p, axis=-1) * np.linalg.norm(q, axis=-1)
    dissimilar: Floats = np.maximum(1.0 - (p * q).sum(axis=-1) / lengths, 0.0)
    return dissimilar


DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "kl": kl,
    "symmetric": _symmetric,
    "js": _jensen_shannon,
    "cosine": _cosine,
}
