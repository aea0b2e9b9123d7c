"""Compact letter display: letters beside models show which of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

import numpy as np

from tealeaves.arrays import Bools, Floats
from tealeaves.errors import InputError


def compact_letters(values: Floats | Sequence[float], different: Bools) -> list[str]:
    """Return the letters of each model: two share one if and only if they do not differ.

    The method is insert and absorb (Piepho 2004); letters that say nothing new are left out. The
    largest value is the best and has ``a``; negate values if less is better. Letters are a to z, A
    to Z, then (53), (54) and so on. A model whose value is NaN was not compared and has no letter.

    >>> far = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> compact_letters([0.1, 0.2, 0.3], far)
    ['b', 'ab', 'a']
    """
    worth = np.asarray(values, dtype=np.float64)
    matrix = _check_matrix(np.asarray(different, dtype=np.bool_), worth.size)
    compared = np.flatnonzero(~np.isnan(worth))
    best_first = compared[np.argsort(-worth[compared], kind="stable")]
    groups = _needed_groups(_groups(matrix[np.ix_(best_first, best_first)]), best_first.size)
    result = [""] * worth.size
    for number, group in enumerate(sorted(groups)):
        for rank in group:
            result[best_first[rank]] += _letter(number)
    return result


def _check_matrix(matrix: Bools, size: int) -> Bools:
    if matrix.shape != (size, size):
        raise InputError(
            f"{size} values need a matrix of {size} × {size}, not of shape {matrix.shape}"
        )
    if (matrix != matrix.T).any() or matrix.diagonal().any():
        raise InputError("differences must be symmetric, and no model may differ from itself")
    return matrix


def _groups(different: Bools) -> list[int]:
    """Return the largest groups without a difference inside, each as the bits of an integer."""
    size = len(different)
    groups = [(1 << size) - 1] if size else []
    for i, j in np.argwhere(np.triu(different)).tolist():
        pair = (1 << i) | (1 << j)
        kept = [group for group in groups if group & pair != pair]
        split = [group for group in groups if group & pair == pair]
        halves = [group & ~bit for group in split for bit in (1 << i, 1 << j)]
        # No half is part of another half, as no group was part of another.
        groups = kept + [half for half in halves if not any(half & group == half for group in kept)]
    return groups


def _needed_groups(groups: list[int], size: int) -> list[list[int]]:
    """Return the members of groups, without small groups whose pairs are all in other groups."""
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
    """Return the name of a group: one letter, or a number in brackets."""
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
