"""Transfer: a classifier learns from the topics of one language's documents, and judges another's.

The documents of all languages are described by the shares of the same topics, so that what was
learnt in one language can be asked of another.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.metrics.crosslingual.f1 import Average, f1

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import ArrayLike

    from tealeaves.arrays import Bools, Floats

SEPARATOR = "|"
_STEPS = 100_000  # enough to converge: where it ends must not show


def transfer_f1(
    train_theta: ArrayLike,
    train_labels: Sequence[str | Collection[str]],
    test_theta: ArrayLike,
    test_labels: Sequence[str | Collection[str]],
    *,
    average: Average = "macro",
    c: float = 1.0,
    separator: str = SEPARATOR,
    folds: tuple[ArrayLike, ArrayLike] | None = None,
) -> float:
    """Train a classifier on documents of one language, and return its F1 on those of another.

    Where every document has one label it is multinomial logistic regression; where any has several
    it is logistic regression of each label against the rest, which gives a document all labels that
    are more probable than not.

    Parameters
    ----------
    train_theta, test_theta
        p(t|d), a row a document and a column a topic.
    train_labels, test_labels
        The labels of each document: a collection, or a string. Documents without one are left out.
    average
        ``macro`` is the mean of the labels' F1, ``micro`` that of all labels together.
    c
        The inverse of the strength of regularisation.
    separator
        What stands between the labels in a string.
    folds
        The folds of the training and of the test documents: those of a test fold are judged by
        what was learnt from all other folds.

    >>> english, swedish = [[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]], [[0.2, 0.8], [0.7, 0.3]]
    >>> transfer_f1(english, ["kings", "kings", "bread"], swedish, ["bread", "kings"], c=100)
    1.0
    """
    train, test = label_sets(train_labels, separator), label_sets(test_labels, separator)
    names = sorted(frozenset[str]().union(*train, *test))
    apart = (np.zeros(len(train)), np.ones(len(test)))
    known, asked = (
        _Documents.of(theta, sets, names, fold)
        for theta, sets, fold in zip(
            (train_theta, test_theta), (train, test), folds or apart, strict=True
        )
    )
    if known.theta.shape[1] != asked.theta.shape[1]:
        raise InputError(
            f"the training documents have {known.theta.shape[1]} topics, the test documents "
            f"{asked.theta.shape[1]}: they must be the same topics"
        )
    if known.truth.any(axis=0).sum() < 2:
        raise InputError("a classifier needs training documents of two labels or more")
    several = any(len(labels) > 1 for labels in (*train, *test))
    predicted = np.zeros_like(asked.truth)
    for fold in np.unique(asked.fold):
        learnt, judged = known.fold != fold, asked.fold == fold
        if not learnt.any():
            raise InputError(f"all training documents are in fold {fold:g}, which is tested")
        predict = _each_label if several else _one_label
        predicted[judged] = predict(
            known.theta[learnt], known.truth[learnt], asked.theta[judged], c
        )
    return f1(asked.truth, predicted, average)


def label_sets(
    labels: Sequence[str | Collection[str]], separator: str = SEPARATOR
) -> list[frozenset[str]]:
    """Return the labels of each document.

    >>> [sorted(labels) for labels in label_sets(["art | design", "art", "", ["a|b"]])]
    [['art', 'design'], ['art'], [], ['a|b']]
    """
    found = []
    for given in labels:
        parts = given.split(separator) if isinstance(given, str) else given
        found.append(frozenset(part.strip() for part in parts if part.strip()))
    return found


def sklearn(module: str = "sklearn") -> ModuleType:
    """Return a module of scikit-learn, or say how to install it."""
    return require(module, extra="models", reason="crosslingual classification")


@dataclass(frozen=True, eq=False)
class _Documents:
    """Documents with a label: p(t|d), which labels each has, and its fold."""

    theta: Floats
    truth: Bools
    fold: Floats

    @classmethod
    def of(
        cls, theta: ArrayLike, labels: list[frozenset[str]], names: list[str], fold: ArrayLike
    ) -> _Documents:
        shares, folds = np.asarray(theta, dtype=np.float64), np.asarray(fold, dtype=np.float64)
        if shares.ndim != 2 or len(shares) != len(labels) or folds.shape != (len(labels),):
            raise InputError(
                f"{len(labels)} documents have labels: give a row of topics, and a fold if any, "
                f"for each (topics: {shares.shape}, folds: {folds.shape})"
            )
        truth = np.array([[name in one for name in names] for one in labels], dtype=np.bool_)
        truth = truth.reshape(len(labels), len(names))
        there = truth.any(axis=1)
        return cls(shares[there], truth[there], folds[there])


def _one_label(theta: Floats, truth: Bools, asked: Floats, c: float) -> Bools:
    """Give each document the most probable label."""
    labels = truth.argmax(axis=1)
    if len(set(labels.tolist())) < 2:  # nothing to tell apart
        given = np.full(len(asked), labels[0])
    else:
        given = _regression(c).fit(theta, labels).predict(asked)
    found: Bools = np.eye(truth.shape[1], dtype=np.bool_)[given]
    return found


def _each_label(theta: Floats, truth: Bools, asked: Floats, c: float) -> Bools:
    """Give each document every label that is more probable than not."""
    found = np.zeros((len(asked), truth.shape[1]), dtype=np.bool_)
    for number, has in enumerate(truth.T):
        if has.all() or not has.any():  # all have it or none has: so it is predicted
            found[:, number] = has.all()
        else:
            found[:, number] = _regression(c).fit(theta, has).predict(asked)
    return found


def _regression(c: float) -> Any:
    return sklearn("sklearn.linear_model").LogisticRegression(C=c, max_iter=_STEPS)
