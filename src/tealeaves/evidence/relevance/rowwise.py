"""Relevance row by row: made of chunks of texts, added, and taken apart by texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.relevance.frame import Frame
from tealeaves.evidence.relevance.heads import HeadStatistics
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.stamp import RelevanceTotals
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Bools, Floats, Integers

BY_HEAD = ("attention", "lrp", "positive")
BY_ROW = ("together", *BY_HEAD, "sums", "counted")
BY_TEXT = ("text_rows", "text_values", "text_together", "text_counted")
ARRAYS = ("rows", *BY_ROW, "text_starts", *BY_TEXT)


# ---------------------------------------------------------------------- making


def of_chunk(
    frame: Frame,
    fingerprint: Fingerprint,
    totals: RelevanceTotals,
    statistics: HeadStatistics,
    keys: Integers,
    together: Integers,
    attention: Floats | None,
    lrp: Floats | None,
    positive: Integers | None,
    text_starts: Integers,
    text_keys: Integers,
    text_values: Floats,
    text_together: Integers,
    text_counted: Integers,
) -> Relevance:
    """Make the relevance of some texts that went through the network.

    ``keys`` are those of the ordered pairs that were seen, in any order, each once; beside them
    the numbers by layer and head (None: only sums are kept). ``text_keys`` are those of each
    text, likewise, with the text's own sums; the sums of the rows are made of these.
    """
    frame.refuse_unasked(np.asarray(keys, np.int64))
    order = np.argsort(keys, kind="stable")
    row_keys = np.asarray(keys, np.int64)[order]
    starts = np.asarray(text_starts, np.int64)
    text_rows = np.searchsorted(row_keys, text_keys).astype(np.int64)
    _check_chunk(totals, row_keys, starts, np.asarray(text_keys), text_rows)
    in_text = np.lexsort((text_rows, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))
    text_rows = text_rows[in_text]
    values = np.asarray(text_values, np.float64).reshape(-1, 3)[in_text]
    counts = [np.asarray(one, np.int64)[in_text] for one in (text_together, text_counted)]
    summed = [_summed(one, text_rows, len(row_keys)) for one in (values, *counts)]
    if not np.array_equal(summed[1], np.asarray(together)[order]):
        raise ValueError("the texts of a chunk do not add up to its pairs of positions")
    heads: list[Any] = [
        None if one is None else np.ascontiguousarray(one[order], kind)
        for one, kind in ((attention, np.float64), (lrp, np.float64), (positive, np.int64))
    ]
    return Relevance(
        stamp=frame.stamp,
        fingerprint=fingerprint,
        totals=totals,
        terms=frame.terms,
        asked=frame.asked,
        rows=np.stack(np.divmod(row_keys, max(len(frame.terms), 1)), axis=1),
        together=summed[1],
        attention=heads[0],
        lrp=heads[1],
        positive=heads[2],
        sums=summed[0],
        counted=summed[2],
        sample=frame.sample,
        statistics=statistics,
        fixed=frame.fixed,
        text_starts=starts,
        text_rows=text_rows,
        text_values=values,
        text_together=counts[0],
        text_counted=counts[1],
    )


def _check_chunk(
    totals: RelevanceTotals,
    row_keys: Integers,
    starts: Integers,
    text_keys: Integers,
    text_rows: Integers,
) -> None:
    """Refuse arrays that do not belong together: a mistake of the program, not of its user."""
    if totals.used != len(starts) - 1 or starts[0] != 0 or starts[-1] != len(text_keys):
        raise ValueError("the texts of a chunk do not fit its totals")
    if len(row_keys) and (np.diff(row_keys) <= 0).any():
        raise ValueError("an ordered pair of a chunk is there twice")
    if len(text_rows) and (
        text_rows.max() == len(row_keys) or (row_keys[text_rows] != text_keys).any()
    ):
        raise ValueError("a text of a chunk has a pair that the chunk has not")


def empty(frame: Frame, *, by_head: bool = True) -> Relevance:
    """Return the relevance of no text at all, to which that of texts is added."""
    shape = (0, frame.stamp.layers, frame.stamp.heads)
    nothing = np.zeros(0, dtype=np.int64)
    return of_chunk(
        frame,
        Fingerprint(),
        RelevanceTotals(),
        HeadStatistics.zeros(*shape[1:]),
        keys=nothing,
        together=nothing,
        attention=np.zeros(shape) if by_head else None,
        lrp=np.zeros(shape) if by_head else None,
        positive=np.zeros(shape, dtype=np.int64) if by_head else None,
        text_starts=np.zeros(1, dtype=np.int64),
        text_keys=nothing,
        text_values=np.zeros((0, 3)),
        text_together=nothing,
        text_counted=nothing,
    )


# ---------------------------------------------------------------------- adding


def total(parts: Iterable[Relevance]) -> Relevance:
    """Add the parts of one gathering, from first to last, as ``+`` does but at once."""
    listed = list(parts)
    if not listed:
        raise EvidenceError("there is no relevance to add")
    for part in listed[1:]:
        listed[0].frame.refuse_other(part.frame)
    fingerprint = Fingerprint.join(part.fingerprint for part in listed)
    fingerprint.check_copies()
    return added(listed, fingerprint)


def added(parts: Sequence[Relevance], fingerprint: Fingerprint) -> Relevance:
    """Add parts of the same frame, whose fingerprint together is given."""
    first = parts[0]
    if len({part.has_heads for part in parts}) > 1:
        raise EvidenceError(
            "relevance by head and sums only cannot be added: gather both in the same detail"
        )
    keys = np.unique(np.concatenate([part.row_keys for part in parts]))
    places = [np.searchsorted(keys, part.row_keys).astype(np.int64) for part in parts]
    columns: dict[str, Any] = {
        name: _joined([getattr(part, name) for part in parts], places, len(keys)) for name in BY_ROW
    }
    texts: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in BY_TEXT[1:]
    }
    sizes = [np.diff(part.text_starts) for part in parts]
    statistics, totals = first.statistics, first.totals
    for part in parts[1:]:
        statistics, totals = statistics + part.statistics, totals + part.totals
    return Relevance(
        stamp=first.stamp,
        fingerprint=fingerprint,
        totals=totals,
        terms=first.terms,
        asked=first.asked,
        rows=np.stack(np.divmod(keys, max(len(first.terms), 1)), axis=1),
        sample=first.sample,
        statistics=statistics,
        fixed=first.fixed,
        text_starts=np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64),
        text_rows=np.concatenate(
            [place[part.text_rows] for place, part in zip(places, parts, strict=True)]
        ),
        **columns,
        **texts,
    )


def _joined(
    columns: Sequence[NDArray[Any] | None], places: Sequence[Integers], rows: int
) -> NDArray[Any] | None:
    """Add columns at their places, one part after the other, so that rounding is the same."""
    known = [column for column in columns if column is not None]
    if not known:
        return None
    result = np.zeros((rows, *known[0].shape[1:]), dtype=known[0].dtype)
    for column, place in zip(known, places, strict=True):
        result[place] += column  # a part has each row once
    return result


# ---------------------------------------------------------------------- text by text


def sums_of_texts(relevance: Relevance, mask: Bools) -> tuple[Integers, Floats, Integers]:
    """Return ``together``, ``sums`` and ``counted`` of the texts that the mask marks."""
    if mask.shape != (relevance.texts,):
        raise ValueError(f"a mask of {relevance.texts} texts is needed, not of {mask.shape}")
    entries = np.repeat(mask, np.diff(relevance.text_starts))
    rows, size = relevance.text_rows[entries], len(relevance.rows)
    return (
        _summed(relevance.text_together[entries], rows, size),
        _summed(relevance.text_values[entries], rows, size),
        _summed(relevance.text_counted[entries], rows, size),
    )


def _summed(values: NDArray[Any], rows: Integers, size: int) -> NDArray[Any]:
    """Sum values, one by one or three by three, by the rows they belong to."""
    flat = values.reshape(len(values), math.prod(values.shape[1:]))
    columns = [np.bincount(rows, column, minlength=size) for column in flat.T]
    return np.stack(columns, axis=1).astype(values.dtype).reshape(size, *values.shape[1:])
