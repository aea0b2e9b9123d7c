"""How much each feature moves a prediction: exact Shapley values.

The features of a coalition have the values of the topic, all others those of the background (an
average topic). The contribution of a feature is what it adds when it joins a coalition, the mean
over all orders in which features can join. This is the baseline Shapley value of Sundararajan &
Najmi (2020), "The Many Shapley Values for Model Explanation". Every coalition is predicted; nothing
is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import factorial

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError

#: The most players: 2**16 coalitions are predicted for each topic.
MOST_PLAYERS = 16


def contributions(
    predict: Callable[[Floats], Floats],
    X: Floats,  # noqa: N803
    background: Floats,
    groups: Sequence[Sequence[int]] | None = None,
) -> Floats:
    """Return what each feature adds to each row's prediction: (rows, features).

    The sum over features is ``predict(x) - predict(background)``. ``groups`` are columns that join
    together as one player: (rows, groups). A column in no group keeps the value of the background.
    A row without a prediction has NaN.

    >>> def product(rows):
    ...     return rows[:, 0] * rows[:, 1] + rows[:, 2]
    >>> contributions(product, np.array([[2.0, 3.0, 5.0]]), np.zeros(3))
    array([[3., 3., 5.]])
    """
    rows = np.asarray(X, dtype=np.float64)
    base = np.asarray(background, dtype=np.float64).reshape(-1)
    players = _players(groups, len(base))
    _check(rows, base, players)
    inside = _coalitions(players, len(base))
    result = np.full((len(rows), len(players)), np.nan)
    for number, row in enumerate(rows):
        result[number] = shapley_values(predict(np.where(inside, row, base)))
    return result


def shapley_values(worth: Floats) -> Floats:
    """Return each player's value, from the worth of all coalitions.

    The bits of a coalition's number say who is in it.

    >>> shapley_values(np.array([0.0, 10.0, 20.0, 60.0]))  # no one, the first, the second, both
    array([25., 35.])
    """
    players = len(worth).bit_length() - 1
    numbers = np.arange(len(worth))
    sizes = np.array([int(number).bit_count() for number in numbers])
    weights = [
        factorial(size) * factorial(players - size - 1) / factorial(players)
        for size in range(players)
    ]
    values = np.empty(players)
    for player in range(players):
        without = numbers[numbers >> player & 1 == 0]
        added = worth[without | 1 << player] - worth[without]
        values[player] = np.dot(np.array(weights)[sizes[without]], added)
    return values


def _players(groups: Sequence[Sequence[int]] | None, width: int) -> list[list[int]]:
    if groups is None:
        return [[column] for column in range(width)]
    return [list(group) for group in groups]


def _coalitions(players: list[list[int]], width: int) -> NDArray[np.bool_]:
    """Return which columns each coalition has: (2**players, columns)."""
    numbers = np.arange(2 ** len(players))
    inside = np.zeros((len(numbers), width), dtype=bool)
    for player, columns in enumerate(players):
        inside[:, columns] = (numbers >> player & 1 == 1)[:, None]
    return inside


def _check(rows: Floats, base: Floats, players: list[list[int]]) -> None:
    if rows.ndim != 2 or rows.shape[1] != len(base):
        raise InputError(
            f"features of shape {rows.shape} and a background of {len(base)}: "
            "one column for each feature is needed"
        )
    if not np.isfinite(base).all():
        raise InputError(
            f"the background of feature {np.argmin(np.isfinite(base)) + 1} is not a number"
        )
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise InputError(
            f"{len(players)} features to tell apart: from 1 to {MOST_PLAYERS} can be; put some in "
            "groups"
        )
    columns = [column for group in players for column in group]
    if len(set(columns)) != len(columns) or not set(columns) <= set(range(len(base))):
        raise InputError(f"groups {players}: each column may be in one group, from 0 on")
