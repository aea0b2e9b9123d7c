"""Whether the arrays of a relevance fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Integers
    from tealeaves.evidence.relevance.relevance import Relevance


def check(relevance: Relevance) -> None:
    """Raise ``ValueError`` where a size, a number or an order is wrong."""
    _check_shapes(relevance)
    _check_frame(relevance)
    _check_rows(relevance)
    _check_texts(relevance)


def _shapes(relevance: Relevance) -> dict[str, tuple[int, ...]]:
    rows, entries = len(relevance.rows), len(relevance.text_rows)
    heads = (relevance.stamp.layers, relevance.stamp.heads)
    return {
        "rows": (rows, 2),
        "together": (rows,),
        "attention": (rows, *heads),
        "lrp": (rows, *heads),
        "positive": (rows, *heads),
        "sums": (rows, 3),
        "counted": (rows,),
        "text_starts": (relevance.totals.used + 1,),
        "text_rows": (entries,),
        "text_values": (entries, 3),
        "text_together": (entries,),
        "text_counted": (entries,),
        "asked": (0 if relevance.asked is None else len(relevance.asked), 2),
    }


def _check_shapes(relevance: Relevance) -> None:
    _demand(relevance.totals.used >= 0, "a negative number of texts was used")
    for name, shape in _shapes(relevance).items():
        array = getattr(relevance, name)
        _demand(array is None or array.shape == shape, f"{name} has the wrong size")
    heads = (relevance.stamp.layers, relevance.stamp.heads)
    for statistics in (relevance.sample, relevance.statistics):
        arrays: tuple[NDArray[Any], ...] = (statistics.confidence, statistics.relevance)
        _demand(all(array.shape == heads for array in arrays), "statistics have the wrong size")
        _demand(statistics.texts >= 0, "statistics are of a negative number of texts")
    fixed = relevance.fixed
    _demand(fixed.confident.shape == heads[:1], "the confident heads have the wrong size")
    _demand(fixed.important.shape == heads, "the important heads have the wrong size")
    _demand(_within(fixed.confident, heads[1]), "there is no such confident head")


def _check_frame(relevance: Relevance) -> None:
    terms = list(relevance.terms)
    _demand(terms == sorted(set(terms)), "the terms are not sorted")
    asked = relevance.asked
    if asked is not None:
        _demand(_within(asked, len(terms)), "a pair of unknown words is asked for")
        _demand(bool((asked[:, 0] < asked[:, 1]).all()), "an asked pair is not in order")
        _demand(_ascending(relevance.frame.pair_keys), "the asked pairs are not sorted")


def _check_rows(relevance: Relevance) -> None:
    _demand(_within(relevance.rows, len(relevance.terms)), "rows name unknown words")
    _demand(_ascending(relevance.row_keys), "the rows are not sorted")
    asked = relevance.frame.asked_keys(relevance.row_keys)
    _demand(bool(asked.all()), "a row is of words that were not asked for together")
    for name in ("together", "counted", "positive", "text_together", "text_counted"):
        counts = getattr(relevance, name)
        _demand(counts is None or counts.min(initial=0) >= 0, f"{name} has a negative number")


def _check_texts(relevance: Relevance) -> None:
    starts, rows = relevance.text_starts, relevance.text_rows
    _demand(starts[0] == 0 and starts[-1] == len(rows), "the texts do not fit their rows")
    _demand(bool((np.diff(starts) >= 0).all()), "the texts do not fit their rows")
    _demand(_within(rows, len(relevance.rows)), "a text has an unknown row")
    texts = np.repeat(np.arange(relevance.texts), np.diff(starts))
    _demand(_ascending(texts * len(relevance.rows) + rows), "the rows of a text are not sorted")
    together, _, counted = relevance.sums_of_texts(np.ones(relevance.texts, dtype=np.bool_))
    _demand(np.array_equal(together, relevance.together), "the texts do not add up to together")
    _demand(np.array_equal(counted, relevance.counted), "the texts do not add up to counted")


def _within(numbers: Integers, size: int) -> bool:
    return numbers.size == 0 or bool(numbers.min() >= 0 and numbers.max() < size)


def _ascending(numbers: Integers) -> bool:
    return bool((np.diff(numbers) > 0).all())


def _demand(holds: bool, otherwise: str) -> None:  # noqa: FBT001
    if not holds:
        raise ValueError(otherwise)
