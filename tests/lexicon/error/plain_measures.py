"""The same measures again, written as their papers have them: slow, and without any array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from hypothesis import strategies as st

Sets = Sequence[frozenset[str]]


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b)


def epsilon(e_i: frozenset[str], e_j: frozenset[str], a_i: frozenset[str], a_j: frozenset[str]
            ) -> float:  # fmt: skip
    if bool(e_i) != bool(a_i) or bool(e_j) != bool(a_j):
        return 1.0
    if not e_i or not e_j:
        return 0.0
    return abs(jaccard(e_i, e_j) - jaccard(a_i, a_j))


def error(extracted: Sets, annotated: Sets) -> float:
    pairs = list(combinations(range(len(extracted)), 2))
    summed = sum(epsilon(extracted[i], extracted[j], annotated[i], annotated[j]) for i, j in pairs)
    return summed / len(pairs)


def chance(extracted: Sets, annotated: Sets) -> float:
    orders = list(permutations(extracted))
    return sum(error(order, annotated) for order in orders) / len(orders)


def bcubed(clusters: Sets, categories: Sets) -> tuple[float, float, float]:
    """Extended BCubed, after Amigó et al. (2009), section 6; nothing is a category of its own."""
    c = [one or {"(nothing)"} for one in clusters]
    g = [one or {"(nothing)"} for one in categories]
    precision = _multiplicity(c, g)
    recall = _multiplicity(g, c)
    return precision, recall, 1 / (0.5 / precision + 0.5 / recall)


def _multiplicity(sharing: Sequence[set[str] | frozenset[str]],
                  borne: Sequence[set[str] | frozenset[str]]) -> float:  # fmt: skip
    of_items = []
    for one in range(len(sharing)):
        shares = []
        for other in range(len(sharing)):
            common = len(sharing[one] & sharing[other])
            if common > 0:
                shares.append(min(common, len(borne[one] & borne[other])) / common)
        of_items.append(sum(shares) / len(shares))
    return sum(of_items) / len(of_items)


def pairs_of_series(least: int = 2, most: int = 8) -> st.SearchStrategy[tuple[Sets, Sets]]:
    """Draw two equally long series of small sets, empty ones among them."""
    expressions = st.frozensets(st.sampled_from("abcd"), max_size=3)
    tokens = st.lists(st.tuples(expressions, expressions), min_size=least, max_size=most)
    return tokens.map(lambda some: ([e for e, _ in some], [a for _, a in some]))
