"""``Relevance``: what a classifier's attention and relevance say about pairs of words. It adds."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import EvidenceError
from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals
from tealeaves.evidence.attention.heads import FixedHeads, HeadsTable, HeadStatistics
from tealeaves.evidence.requests import Term
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Bools, Floats, Integers

#: The arrays of relevance: those with each head by itself, those with a number for each row, those
#: with a number for each row of each text, and all of them.
BY_HEAD = ("attention", "lrp", "positive")
BY_ROW = ("together", *BY_HEAD, "sums", "counted")
BY_TEXT = ("text_rows", "text_values", "text_together", "text_counted")
ARRAYS = ("rows", *BY_ROW, "text_starts", *BY_TEXT)


@dataclass(frozen=True, eq=False, repr=False)
class Relevance:
    """Attention and relevance between requested words, summed over texts.

    ``Relevance`` of other texts adds with ``+``. A pair of words that was not requested is an
    error, never a zero.

    ``pairs`` holds the unordered pairs that were requested, as in :class:`Frame`.

    ``rows`` holds the ordered pairs that were seen, two term positions a row, sorted: the word
    that attends, then the word attended to. ``together`` counts the pairs of positions in the
    texts. ``attention``, ``lrp`` and ``positive`` (pairs of positions with a relevance above 0)
    have a number for each row, layer and head; they are None if only sums were kept.

    ``sums`` are those of the fixed heads: attention (mean over layers of the most confident
    head), LRP (summed over the important heads) and Improved LRP (all heads, rolled out).
    ``counted`` are the pairs of positions whose LRP over the important heads is above 0.

    The same text by text: the rows of text ``s`` are ``text_rows[text_starts[s]:text_starts[s +
    1]]``, ascending, with ``text_values``, ``text_together`` and ``text_counted`` beside them.
    """

    stamp: RelevanceStamp
    fingerprint: Fingerprint
    totals: RelevanceTotals
    terms: tuple[Term, ...]
    pairs: Integers | None
    rows: Integers
    together: Integers
    attention: Floats | None
    lrp: Floats | None
    positive: Integers | None
    sums: Floats
    counted: Integers
    sample: HeadStatistics
    statistics: HeadStatistics
    fixed: FixedHeads
    text_starts: Integers
    text_rows: Integers
    text_values: Floats
    text_together: Integers
    text_counted: Integers

    def __repr__(self) -> str:
        return (
            f"Relevance({len(self.terms)} terms, {len(self.rows)} ordered pairs in "
            f"{self.totals.used} texts: {self.stamp.classifier})"
        )

    @cached_property
    def frame(self) -> Frame:
        """What parts that add to this one share with it."""
        return Frame(self.stamp, self.terms, self.pairs, self.sample, self.fixed)

    @property
    def positions(self) -> Mapping[Term, int]:
        """The position of each term in ``terms``."""
        return self.frame.positions

    @property
    def texts(self) -> int:
        """The number of texts that were used."""
        return len(self.text_starts) - 1

    @property
    def has_heads(self) -> bool:
        """Whether each head was kept by itself, so that heads can be selected afterwards."""
        return self.attention is not None

    @property
    def provenance(self) -> str:
        """The classifier, what was explained, the texts and the fixed heads, for signatures."""
        stamp = self.stamp
        masked = "" if stamp.seed is None else f"|seed={stamp.seed}"
        return (
            f"classifier={stamp.classifier}#{stamp.weights[:16]}|longest={stamp.longest}"
            f"|target={stamp.target}{masked}|procedure={stamp.procedure}|rules={stamp.rules}"
            f"|tokens={stamp.pipeline.signature}|texts={self.fingerprint}"
            f"|fixed={self.fixed.digest}"
        )

    def heads_table(self) -> HeadsTable:
        """Return a row for each head: how confident and important it is, and whether it is used."""
        return HeadsTable.of(self)

    @cached_property
    def row_keys(self) -> Integers:
        """The key of each row, ascending; :class:`Frame` says what a key is."""
        return self.rows[:, 0] * len(self.terms) + self.rows[:, 1]

    def sums_of_texts(self, mask: Bools) -> tuple[Integers, Floats, Integers]:
        """Return ``together``, ``sums`` and ``counted`` of the texts that the mask marks."""
        if mask.shape != (self.texts,):
            raise ValueError(f"a mask of {self.texts} texts is needed, not of {mask.shape}")
        entries = np.repeat(mask, np.diff(self.text_starts))
        rows, size = self.text_rows[entries], len(self.rows)
        return (
            _sum_by_row(self.text_together[entries], rows, size),
            _sum_by_row(self.text_values[entries], rows, size),
            _sum_by_row(self.text_counted[entries], rows, size),
        )

    # ------------------------------------------------------------------ adding

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Relevance):
            return NotImplemented
        return (
            self.frame == other.frame
            and self.fingerprint == other.fingerprint
            and self.totals == other.totals
            and self.statistics == other.statistics
            and all(_equal(getattr(self, name), getattr(other, name)) for name in ARRAYS)
        )

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Relevance) -> Relevance:
        """Add the relevance of other texts; texts in both are an error."""
        self.frame.check_addable(other.frame)  # before texts are compared, which may be the same
        return add_parts([self, other], self.fingerprint + other.fingerprint)

    # ------------------------------------------------------------------ files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one file, completely or not at all."""
        from tealeaves.evidence.attention.relevance_file import save_relevance

        save_relevance(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Relevance:
        """Read a file of relevance."""
        from tealeaves.evidence.attention.relevance_file import load_relevance

        return load_relevance(path)


def _equal(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    """Tell whether arrays are equal, with NaN equal to NaN."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


# ---------------------------------------------------------------------- making


class PairSums(NamedTuple):
    """Sums over a chunk of texts, for the ordered pairs that were seen, in any order, each once.

    ``keys`` are those of the pairs, ``together`` counts the pairs of positions; the numbers by
    layer and head are None if only sums are kept.
    """

    keys: Integers
    together: Integers
    attention: Floats | None = None
    lrp: Floats | None = None
    positive: Integers | None = None


class TextSums(NamedTuple):
    """Sums of each text of a chunk: text ``s`` has ``keys[starts[s]:starts[s + 1]]``.

    ``values`` are the three sums of the fixed heads.
    """

    starts: Integers
    keys: Integers
    values: Floats
    together: Integers
    counted: Integers


def of_chunk(
    frame: Frame,
    fingerprint: Fingerprint,
    totals: RelevanceTotals,
    statistics: HeadStatistics,
    pairs: PairSums,
    texts: TextSums,
) -> Relevance:
    """Make the relevance of some texts that a network read."""
    frame.check_requested(np.asarray(pairs.keys, np.int64))
    order = np.argsort(pairs.keys, kind="stable")
    row_keys = np.asarray(pairs.keys, np.int64)[order]
    starts = np.asarray(texts.starts, np.int64)
    text_rows = np.searchsorted(row_keys, texts.keys).astype(np.int64)
    _check_chunk(totals, row_keys, starts, np.asarray(texts.keys), text_rows)
    in_text = np.lexsort((text_rows, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))
    text_rows = text_rows[in_text]
    values = np.asarray(texts.values, np.float64).reshape(-1, 3)[in_text]
    together, counted = (
        np.asarray(counts, np.int64)[in_text] for counts in (texts.together, texts.counted)
    )
    by_row = _sum_by_row(together, text_rows, len(row_keys))
    if not np.array_equal(by_row, np.asarray(pairs.together)[order]):
        raise ValueError("the texts of a chunk do not add up to its pairs of positions")
    heads: dict[str, Any] = {
        name: None if array is None else np.ascontiguousarray(array[order], kind)
        for name, array, kind in (
            ("attention", pairs.attention, np.float64),
            ("lrp", pairs.lrp, np.float64),
            ("positive", pairs.positive, np.int64),
        )
    }
    return Relevance(
        stamp=frame.stamp,
        fingerprint=fingerprint,
        totals=totals,
        terms=frame.terms,
        pairs=frame.pairs,
        rows=np.stack(np.divmod(row_keys, max(len(frame.terms), 1)), axis=1),
        together=by_row,
        sums=_sum_by_row(values, text_rows, len(row_keys)),
        counted=_sum_by_row(counted, text_rows, len(row_keys)),
        sample=frame.sample,
        statistics=statistics,
        fixed=frame.fixed,
        text_starts=starts,
        text_rows=text_rows,
        text_values=values,
        text_together=together,
        text_counted=counted,
        **heads,
    )


def _check_chunk(
    totals: RelevanceTotals,
    row_keys: Integers,
    starts: Integers,
    text_keys: Integers,
    text_rows: Integers,
) -> None:
    """Raise for arrays that do not belong together: a mistake of the program, not of its user."""
    if totals.used != len(starts) - 1 or starts[0] != 0 or starts[-1] != len(text_keys):
        raise ValueError("the texts of a chunk do not fit its totals")
    if len(row_keys) and (np.diff(row_keys) <= 0).any():
        raise ValueError("an ordered pair of a chunk is there twice")
    if len(text_rows) and (
        text_rows.max() == len(row_keys) or (row_keys[text_rows] != text_keys).any()
    ):
        raise ValueError("a text of a chunk has a pair that the chunk has not")


def empty(frame: Frame, *, by_head: bool = True) -> Relevance:
    """Return the relevance of no text, to which that of texts is added."""
    shape = (0, frame.stamp.layers, frame.stamp.heads)
    nothing = np.zeros(0, dtype=np.int64)
    heads = (np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=np.int64)) if by_head else ()
    return of_chunk(
        frame,
        Fingerprint(),
        RelevanceTotals(),
        HeadStatistics.zeros(*shape[1:]),
        PairSums(nothing, nothing, *heads),
        TextSums(np.zeros(1, dtype=np.int64), nothing, np.zeros((0, 3)), nothing, nothing),
    )


# ---------------------------------------------------------------------- adding


def total(parts: Iterable[Relevance]) -> Relevance:
    """Add the parts of one gathering, from first to last, as ``+`` does but at once."""
    listed = list(parts)
    if not listed:
        raise EvidenceError("there is no relevance to add")
    for part in listed[1:]:
        listed[0].frame.check_addable(part.frame)
    fingerprint = Fingerprint.join(part.fingerprint for part in listed)
    fingerprint.check_copies()
    return add_parts(listed, fingerprint)


def add_parts(parts: Sequence[Relevance], fingerprint: Fingerprint) -> Relevance:
    """Add parts of the same frame, which together have the fingerprint."""
    first = parts[0]
    if len({part.has_heads for part in parts}) > 1:
        raise EvidenceError(
            "relevance by head and sums only cannot be added: gather both in the same detail"
        )
    keys = np.unique(np.concatenate([part.row_keys for part in parts]))
    places = [np.searchsorted(keys, part.row_keys).astype(np.int64) for part in parts]
    columns: dict[str, Any] = {
        name: _add_columns([getattr(part, name) for part in parts], places, len(keys))
        for name in BY_ROW
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
        pairs=first.pairs,
        rows=np.stack(np.divmod(keys, max(len(first.terms), 1)), axis=1),
        sample=first.sample,
        statistics=statistics,
        fixed=first.fixed,
        text_starts=offsets(np.concatenate(sizes)),
        text_rows=np.concatenate(
            [place[part.text_rows] for place, part in zip(places, parts, strict=True)]
        ),
        **columns,
        **texts,
    )


def _add_columns(
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


def _sum_by_row(values: NDArray[Any], rows: Integers, size: int) -> NDArray[Any]:
    """Sum values, one by one or three by three, by the rows that they belong to."""
    flat = values.reshape(len(values), math.prod(values.shape[1:]))
    columns = [np.bincount(rows, column, minlength=size) for column in flat.T]
    return np.stack(columns, axis=1).astype(values.dtype).reshape(size, *values.shape[1:])
