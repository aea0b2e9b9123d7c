"""Compact letter display: who differs from whom, in a letter or two beside each."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError


def letters(values: Floats | Sequence[float], different: NDArray[np.bool_]) -> list[str]:
    """Return the letters of each model: two share one if and only if they do not differ.

    Insert and absorb (Piepho 2004), and what other letters say already is left out. The largest
    value is the best and has ``a``; negate values of which less is better. Letters are a to z, A to
    Z, then (53), (54) and so on. A model whose value is NaN was not compared: it has no letter.

    >>> far = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> letters([0.1, 0.2, 0.3], far)
    ['b', 'ab', 'a']
    """
    worth = np.asarray(values, dtype=np.float64)
    matrix = _checked(np.asarray(different, dtype=np.bool_), worth.size)
    compared = np.flatnonzero(~np.isnan(worth))
    best_first = compared[np.argsort(-worth[compared], kind="stable")]
    groups = _needed(_groups(matrix[np.ix_(best_first, best_first)]), best_first.size)
    result = [""] * worth.size
    for number, group in enumerate(sorted(groups)):
        for rank in group:
            result[best_first[rank]] += _letter(number)
    return result


def _checked(matrix: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    if matrix.shape != (size, size):
        raise InputError(f"{size} values need {size} × {size} answers, not {matrix.shape}")
    if (matrix != matrix.T).any() or matrix.diagonal().any():
        raise InputError("who differs from whom must be symmetric, and none differs from itself")
    return matrix


def _groups(different: NDArray[np.bool_]) -> list[int]:
    """Return the largest groups without a difference inside, each the bits of an integer."""
    size = len(different)
    groups = [(1 << size) - 1] if size else []
    for i, j in np.argwhere(np.triu(different)).tolist():
        pair = (1 << i) | (1 << j)
        kept = [group for group in groups if group & pair != pair]
        split = [group for group in groups if group & pair == pair]
        halves = [group & ~bit for group in split for bit in (1 << i, 1 << j)]
        # no half lies in another half: no group lay in another, and what lacks i has j
        groups = kept + [half for half in halves if not _absorbed(half, kept)]
    return groups


def _absorbed(half: int, groups: list[int]) -> bool:
    return any(half & group == half for group in groups)


def _needed(groups: list[int], size: int) -> list[list[int]]:
    """Return the members of groups; small ones go whose every pair is in another group too."""
    often = np.zeros((size, size), dtype=np.int64)
    members = sorted((_members(group) for group in groups), key=len)
    for group in members:
        often[np.ix_(group, group)] += 1
    needed = []
    for group in members:
        pairs = np.ix_(group, group)
        if often[pairs].min() > 1:
            often[pairs] -= 1
        else:
            needed.append(group)
    return needed


def _members(group: int) -> list[int]:
    return [rank for rank in range(group.bit_length()) if group >> rank & 1]


def _letter(number: int) -> str:
    """Name a group; one sign each, or in brackets, so that names side by side stay apart."""
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
