"""``Inventory``: the expressions that a language has for tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Inventory:
    """Which expressions a language has, and for how many tokens.

    Parameters
    ----------
    expressions
        Each expression with the number of its tokens, the most frequent first.
    expressed
        How many tokens have an expression.
    several
        How many of these have more than one.
    without
        How many tokens have a passage, but no expression.
    missing
        How many tokens have no passage in this language.
    """

    expressions: tuple[tuple[str, int], ...]
    expressed: int
    several: int
    without: int
    missing: int


def count_expressions(series: Iterable[frozenset[str] | None]) -> Inventory:
    """Count the expressions of a language, token by token; None is a token without a passage.

    >>> count_expressions([frozenset({"käsi"}), frozenset(), None, frozenset({"käsi", "oikea"})])
    ... # doctest: +NORMALIZE_WHITESPACE
    Inventory(expressions=(('käsi', 2), ('oikea', 1)), expressed=2, several=1, without=1,
              missing=1)
    """
    tokens = list(series)
    known = [one for one in tokens if one]
    counts = Counter(expression for one in known for expression in one)
    return Inventory(
        # of equally frequent ones the first in the alphabet
        tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        len(known),
        sum(len(one) > 1 for one in known),
        sum(one is not None and not one for one in tokens),
        sum(one is None for one in tokens),
    )
