"""Relations and vectors that are made up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.consensus.relations import TEXTS, Relations, off_diagonal
from tealeaves.evidence.embeddings.embeddings import WordVectors


def relations_of(
    sources: Sequence[str], *, topics: int = 4, size: int = 6, seed: int = 0, lengths: bool = False
) -> Relations:
    """Return relations drawn at random, of which all pairs are known."""
    rng = np.random.default_rng(seed)
    everything = off_diagonal(np.ones((topics, size, size), dtype=bool))
    return Relations(
        [tuple(f"t{topic}w{word}" for word in range(size)) for topic in range(topics)],
        {name: symmetric(rng.normal(-1, 2, size=(topics, size, size))) for name in sources},
        dict.fromkeys(sources, everything),
        {name: rng.normal(-4, 1, size=(topics, size)) for name in sources if name in TEXTS},
        rng.normal(size=(topics, size)) if lengths else None,
    )


def symmetric(matrices: Floats) -> Floats:
    """Return matrices whose lower half is that of the upper."""
    above = np.triu(matrices, 1)
    return np.asarray(above + above.transpose(0, 2, 1))


def blocks(sizes: Sequence[int], within: float, between: float) -> Floats:
    """Return a matrix that has one number within each block, and another between blocks."""
    block = np.repeat(np.arange(len(sizes)), sizes)
    found = np.where(block[:, None] == block, within, between)
    np.fill_diagonal(found, 0.0)
    return found


def vectors_of(rows: dict[str, Sequence[float]], *, weights: str = "") -> WordVectors:
    """Return the vectors of words as an embedding gives them."""
    numbers = {word: place for place, word in enumerate(rows)}
    return WordVectors("toy", weights, numbers, np.array(list(rows.values()), dtype=float))
