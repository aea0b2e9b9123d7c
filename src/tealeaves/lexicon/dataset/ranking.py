"""Random order that depends on a seed and on the thing itself, not on what else is there."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def rank(seed: int, *what: object) -> bytes:
    """Return a random number for a thing; what is said of it must tell it from all others."""
    said = "\0".join(map(str, (seed, *what)))
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def shuffled(things: Iterable[T], seed: int, *purpose: object) -> list[T]:
    """Return things in random order; of fewer or more of them the order is the same.

    >>> shuffled("abcde", 1), shuffled("edc", 1)
    (['d', 'a', 'e', 'c', 'b'], ['d', 'e', 'c'])
    """
    return sorted(things, key=lambda thing: rank(seed, *purpose, thing))
