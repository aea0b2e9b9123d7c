"""The report of a training: how good a classifier is, as values and as lines to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.evidence.attention.training.pieces import Numbers

Report = dict[str, Any]
_SOURCES = {"given": "classes given with the texts", "clusters": "clusters of the texts"}


def held_out_report(expected: Numbers, predicted: Numbers) -> Report:
    """Return the number of texts, accuracy, macro F1, and the accuracy of a constant answer.

    >>> import numpy as np
    >>> report = held_out_report(np.array([0, 0, 1]), np.array([0, 1, 1]))
    >>> report["held_out"], report["accuracy"], report["largest_class"]
    (3, 0.667, 0.667)
    """
    return {
        "held_out": len(expected),
        "accuracy": accuracy(expected, predicted),
        "f1": macro_f1(expected, predicted),
        "largest_class": largest_share(expected),
    }


def report_lines(report: Report) -> list[str]:
    """Return lines that say how a classifier was fitted, and how good it is."""
    return [
        *_texts(report),
        *_measures(report),
        *_rounds(report),
        *(f"note: {note}" for note in report.get("notes", ())),
        *_encoder(report),
    ]


def _texts(report: Report) -> Iterator[str]:
    if "fitted" not in report:  # of a model that was fitted elsewhere
        return
    read = f", of {report['read']:,} in {report['corpus']}" if "read" in report else ""
    yield f"texts: {report['fitted']:,} fitted on, {report['held_out']:,} held out{read}"
    if "labels" in report:
        yield f"labels: {report['classes']} {_SOURCES[report['labels']]}"
    longest = report.get("longest")
    yield f"cut: {report['cut']:,} texts, longer than {longest} word pieces"


def _measures(report: Report) -> Iterator[str]:
    if report.get("f1") is not None:
        yield (
            f"held out: macro F1 {report['f1']:.3f}, accuracy {report['accuracy']:.3f}; the largest"
            f" class has {report['largest_class']:.3f} of the texts"
        )
    if report.get("perplexity") is not None:
        yield (
            f"held out: perplexity {report['perplexity']:.4g}, {report['perplexity_before']:.4g} "
            f"before; {report['accuracy']:.3f} of masked words predicted, "
            f"{report['accuracy_before']:.3f} before"
        )


def _rounds(report: Report) -> Iterator[str]:
    if "best_epoch" in report:
        yield f"epochs: {len(report['epochs'])}, of which number {report['best_epoch']} is kept"
    if report.get("converged") is False:
        yield "note: the search for weights did not end: they are about the best"


def _encoder(report: Report) -> Iterator[str]:
    if "encoder" in report:
        pooling = f", pooling {report['pooling']}" if "pooling" in report else ""
        yield f"encoder: {report['encoder']}{pooling}"
    if "seconds" in report:
        yield f"time: {report['seconds']:,.0f} seconds"


def accuracy(
    true: Sequence[int] | NDArray[np.int64], answers: Sequence[int] | NDArray[np.int64]
) -> float:
    """Return the share of right answers; NaN where there are none at all.

    >>> accuracy([0, 1, 1], [0, 1, 0])
    0.667
    """
    right = np.asarray(true) == np.asarray(answers)
    return float(right.mean()) if len(right) else float("nan")


def macro_f1(
    true: Sequence[int] | NDArray[np.int64], answers: Sequence[int] | NDArray[np.int64]
) -> float:
    """Return the mean F1 = 2 right / (true + answered) of all classes that are true or answered.

    >>> macro_f1([0, 1, 1], [0, 1, 0])  # 2/3 and 2/3
    0.667
    """
    truth, answered = np.asarray(true, dtype=np.int64), np.asarray(answers, dtype=np.int64)
    size = max(truth.max(initial=-1), answered.max(initial=-1)) + 1
    right = np.bincount(truth[truth == answered], minlength=size)
    either = np.bincount(truth, minlength=size) + np.bincount(answered, minlength=size)
    seen = either > 0
    return float((2 * right[seen] / either[seen]).mean()) if seen.any() else float("nan")


def largest_share(true: Sequence[int] | NDArray[np.int64]) -> float:
    """Return the share of the largest class: the accuracy of always answering the same.

    >>> largest_share([0, 1, 1])
    0.667
    """
    return float(np.bincount(true).max() / len(true)) if len(true) else float("nan")
