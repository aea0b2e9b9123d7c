"""What a report says of a classifier: values, and lines to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tealeaves.evidence.relevance.classifier.batching import Numbers
from tealeaves.evidence.relevance.classifier.measuring import accuracy, largest_share, macro_f1

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


def lines_of(report: Report) -> list[str]:
    """Return the lines in which a user is told how a classifier was fitted, and how good it is."""
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
            f"before; {report['accuracy']:.3f} of masked words told, "
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
