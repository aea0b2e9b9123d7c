"""``Relevance``: what a classifier's attention and relevance say of pairs of words. It adds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.evidence.relevance.frame import Frame, contained
from tealeaves.evidence.relevance.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.relevance.stamp import RelevanceStamp, RelevanceTotals
from tealeaves.evidence.requests import Term
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Bools, Floats, Integers


@dataclass(frozen=True, eq=False, repr=False)
class Relevance:
    """Attention and relevance between asked words, summed over texts.

    ``Relevance`` of other texts adds with ``+``. A pair of words that was not asked for is an
    error, never a zero.

    ``rows`` holds the ordered pairs that were seen, two term positions a row, sorted: the word
    that attends, then the word attended to. ``together`` counts the pairs of positions in the
    texts. ``attention``, ``lrp`` and ``positive`` (pairs of positions with a relevance above 0)
    have a number for each row, layer and head; they are None where only sums were kept.

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
    asked: Integers | None
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
        return Frame(self.stamp, self.terms, self.asked, self.sample, self.fixed)

    @property
    def positions(self) -> Mapping[Term, int]:
        """Where each term stands in ``terms``."""
        return self.frame.positions

    @property
    def texts(self) -> int:
        """The number of texts that were used."""
        return len(self.text_starts) - 1

    @property
    def has_heads(self) -> bool:
        """Whether each head was kept by itself, so that heads can be chosen afterwards."""
        return self.attention is not None

    @property
    def provenance(self) -> str:
        """The classifier, how it was asked, the texts and the fixed heads, for signatures."""
        stamp = self.stamp
        masked = "" if stamp.seed is None else f"|seed={stamp.seed}"
        return (
            f"classifier={stamp.classifier}#{stamp.weights[:16]}|longest={stamp.longest}"
            f"|target={stamp.target}{masked}|procedure={stamp.procedure}|rules={stamp.rules}"
            f"|tokens={stamp.pipeline.signature}|texts={self.fingerprint}"
            f"|fixed={self.fixed.digest}"
        )

    # ------------------------------------------------------------------ looking up

    @cached_property
    def row_keys(self) -> Integers:
        """One number for each row, ascending."""
        return self.rows[:, 0] * len(self.terms) + self.rows[:, 1]

    def numbers(self, terms: Iterable[Term]) -> Integers:
        """Return the positions of terms; one that was not asked for is an error."""
        return self.frame.numbers(terms)

    def row_numbers(self, left: Integers, right: Integers) -> tuple[Integers, Bools]:
        """Return the rows of ordered pairs of term positions, and which pairs were seen at all.

        The row of a pair that was never seen is 0, and means nothing. A word is never together
        with itself: such a pair is not seen.
        """
        keys = np.asarray(left, np.int64) * len(self.terms) + np.asarray(right, np.int64)
        self.frame.refuse_unasked(keys[np.not_equal(left, right)])
        return contained(keys, self.row_keys)

    # ------------------------------------------------------------------ text by text

    def sums_of_texts(self, mask: Bools) -> tuple[Integers, Floats, Integers]:
        """Return ``together``, ``sums`` and ``counted`` of some of the texts only."""
        from tealeaves.evidence.relevance.rowwise import sums_of_texts

        return sums_of_texts(self, mask)

    def heads_table(self) -> list[dict[str, Any]]:
        """Return a row for each head, of all texts; layers and heads are counted from 1.

        ``confident`` and ``important`` tell whether the head is one of the fixed ones.
        """
        confidence = self.statistics.mean_confidence
        importance = self.statistics.mean_importance
        return [
            {
                "layer": layer + 1,
                "head": head + 1,
                "confidence": float(confidence[layer, head]),
                "importance": float(importance[layer, head]),
                "confident": bool(self.fixed.confident[layer] == head),
                "important": bool(self.fixed.important[layer, head]),
            }
            for layer, head in np.ndindex(confidence.shape)
        ]

    # ------------------------------------------------------------------ adding

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Relevance):
            return NotImplemented
        from tealeaves.evidence.relevance.rowwise import ARRAYS

        return (
            self.frame == other.frame
            and self.fingerprint == other.fingerprint
            and self.totals == other.totals
            and self.statistics == other.statistics
            and all(_same(getattr(self, name), getattr(other, name)) for name in ARRAYS)
        )

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Relevance) -> Relevance:
        """Add the relevance of other texts; texts in both are an error."""
        from tealeaves.evidence.relevance.rowwise import added

        self.frame.refuse_other(other.frame)  # said before the texts, of which all have some
        return added([self, other], self.fingerprint + other.fingerprint)

    # ------------------------------------------------------------------ files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one file, whole or not at all."""
        from tealeaves.evidence.relevance.storage import save_relevance

        save_relevance(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Relevance:
        """Read a file of relevance."""
        from tealeaves.evidence.relevance.storage import load_relevance

        return load_relevance(path)


def _same(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    """Tell whether arrays hold the same, where NaN is the same as NaN."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
