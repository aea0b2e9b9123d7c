"""The expressions of a language as colours: which have one of their own, and which share one."""

from __future__ import annotations

from tealeaves.lexicon.maps.colexification import Inventory
from tealeaves.report.charts.style import COLOURS

#: Colours of expressions, the most frequent first; the rest shares a grey.
PALETTE = (*COLOURS, "#7A4FBF", "#7A5C2E")
SHAPES = (
    *("circle", "square", "triangle-up", "diamond", "triangle-down", "cross"),
    *("triangle-right", "triangle-left"),
)
RARE, NONE = "rarer ones", "none"


def rank_of(expressions: frozenset[str] | None, ranks: dict[str, int]) -> int:
    """Return the rank of a token: that of its most frequent expression.

    It is -1 for one that has no colour of its own, and -2 where there is none.

    >>> rank_of(frozenset({"b", "a"}), {"a": 0, "b": 1}), rank_of(frozenset(), {})
    (0, -2)
    """
    if not expressions:
        return -2
    best = min(ranks[one] for one in expressions)
    return best if best < len(PALETTE) else -1


def ranks_of(inventory: Inventory) -> dict[str, int]:
    """Return the place of each expression, the most frequent being 0."""
    return {expression: rank for rank, (expression, _) in enumerate(inventory.expressions)}
