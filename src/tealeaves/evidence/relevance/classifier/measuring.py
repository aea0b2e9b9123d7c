"""How good answers are: accuracy and F1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def accuracy(
    true: Sequence[int] | NDArray[np.int64], found: Sequence[int] | NDArray[np.int64]
) -> float:
    """Return the share of right answers; NaN where there are none at all.

    >>> accuracy([0, 1, 1], [0, 1, 0])
    0.667
    """
    right = np.asarray(true) == np.asarray(found)
    return float(right.mean()) if len(right) else float("nan")


def macro_f1(
    true: Sequence[int] | NDArray[np.int64], found: Sequence[int] | NDArray[np.int64]
) -> float:
    """Return the mean F1 = 2 right / (true + found) of all classes that are true or found.

    >>> macro_f1([0, 1, 1], [0, 1, 0])  # 2/3 and 2/3
    0.667
    """
    truth, answers = np.asarray(true, dtype=np.int64), np.asarray(found, dtype=np.int64)
    size = max(truth.max(initial=-1), answers.max(initial=-1)) + 1
    right = np.bincount(truth[truth == answers], minlength=size)
    either = np.bincount(truth, minlength=size) + np.bincount(answers, minlength=size)
    seen = either > 0
    return float((2 * right[seen] / either[seen]).mean()) if seen.any() else float("nan")


def largest_share(true: Sequence[int] | NDArray[np.int64]) -> float:
    """Return the share of the largest class: the accuracy of always answering the same.

    >>> largest_share([0, 1, 1])
    0.667
    """
    return float(np.bincount(true).max() / len(true)) if len(true) else float("nan")
