"""F1 of predicted labels, of which a document may have several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tealeaves.arrays import Bools

Average = Literal["macro", "micro"]


def f1(truth: Bools, predicted: Bools, average: Average) -> float:
    """Return 2 TP / (2 TP + FP + FN) of labels, a row a document and a column a label.

    ``macro`` is the mean of the labels' F1; a label that no document has and none was given has
    no F1, and is not among them. ``micro`` adds the counts of all labels first; where each
    document has one label, and is given one, it is the share of those that are right.

    >>> truth = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], dtype=bool)
    >>> predicted = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool)
    >>> f1(truth, predicted, "macro") == (4 / 5 + 2 / 3) / 2, f1(truth, predicted, "micro")
    (True, 0.75)
    """
    right = (truth & predicted).sum(axis=0)
    either = truth.sum(axis=0) + predicted.sum(axis=0)
    if average == "micro":
        right, either = right.sum(keepdims=True), either.sum(keepdims=True)
    known = either > 0
    return float((2 * right[known] / either[known]).mean()) if known.any() else float("nan")
