"""Heads of attention: how confident and how important each is, and which heads are used."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.parameters import wrong_value
from tealeaves.statistics.spread import size_of_most
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats, Integers
    from tealeaves.evidence.attention.relevance import Relevance

#: The rules by which heads are selected, besides a number of heads.
HEAD_RULES = ("confident", "important", "top1", "all")
_MARK = "*"
_MOST_HEADS = 0.95
_UNDEFINED = "–"


@dataclass(frozen=True, eq=False)
class HeadStatistics:
    """Confidence and relevance of each head, summed over texts; statistics of other texts add.

    A head's confidence in a text is the mean, over the attending tokens, of the largest attention
    it pays. Its relevance is what LRP finds in its outputs. Both are arrays of layers times heads.
    """

    texts: int
    confidence: Floats
    relevance: Floats

    @classmethod
    def zeros(cls, layers: int, heads: int) -> HeadStatistics:
        """Return the statistics of no text at all."""
        return cls(0, np.zeros((layers, heads)), np.zeros((layers, heads)))

    @classmethod
    def of_texts(cls, confidence: Floats, relevance: Floats) -> HeadStatistics:
        """Sum over texts, the first axis; relevance that is not a number adds nothing.

        >>> relevance = np.array([[[3.0, -1.0]]])
        >>> statistics = HeadStatistics.of_texts(np.array([[[0.5, 0.9]]]), relevance)
        >>> statistics.mean_importance.tolist()
        [[1.5, -0.5]]
        """
        known = np.where(np.isfinite(relevance), relevance, 0.0)
        return cls(len(confidence), confidence.sum(axis=0), known.sum(axis=0))

    @property
    def mean_confidence(self) -> Floats:
        """The mean confidence of each head, NaN without any text."""
        nothing = np.full(self.confidence.shape, np.nan)
        return self.confidence / self.texts if self.texts else nothing

    @property
    def mean_importance(self) -> Floats:
        """Each head's signed share of the relevance of its layer, NaN where there is none.

        The layer's relevance is taken without its sign, so that a head that speaks for the class is
        above 0 even if the heads of its layer together speak against it.

        It is the share of sums over texts. The mean of each text's shares, as in Voita et al.,
        depends on the few texts in which the heads of a layer cancel out: there, shares are
        hundreds.
        """
        whole = np.abs(self.relevance.sum(axis=1, keepdims=True))
        share = np.full(self.relevance.shape, np.nan)
        np.divide(self.relevance, whole, out=share, where=whole > 0)
        return share

    def __add__(self, other: HeadStatistics) -> HeadStatistics:
        return HeadStatistics(
            self.texts + other.texts,
            self.confidence + other.confidence,
            self.relevance + other.relevance,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HeadStatistics):
            return NotImplemented
        return (
            self.texts == other.texts
            and np.array_equal(self.confidence, other.confidence, equal_nan=True)
            and np.array_equal(self.relevance, other.relevance, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class FixedHeads:
    """The heads that were chosen before the texts were summed.

    ``confident`` has the number of each layer's most confident head, ``important`` marks the
    important heads of all layers.
    """

    confident: Integers
    important: Bools

    @classmethod
    def of(cls, statistics: HeadStatistics) -> FixedHeads:
        """Choose heads by the statistics of a sample of texts."""
        return cls(
            _largest(statistics.mean_confidence),
            select_heads(statistics, "important"),
        )

    @cached_property
    def digest(self) -> str:
        """A short name of just these heads."""
        shape = str(self.important.shape).encode()
        content = self.confident.astype("<i8").tobytes() + self.important.astype("u1").tobytes()
        return hashlib.blake2b(shape + content, digest_size=6).hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FixedHeads):
            return NotImplemented
        return np.array_equal(self.confident, other.confident) and np.array_equal(
            self.important, other.important
        )

    __hash__ = None  # type: ignore[assignment]


def select_heads(statistics: HeadStatistics, rule: str | int) -> Bools:
    """Mark the heads that a rule selects; of equal heads the one with the lowest number.

    ``confident``: the most confident head of each layer. ``important``: all heads whose mean
    importance is above an equal share of the layer. ``top1``: the most important head of each
    layer. A number: that many most important heads of all layers. ``all``: every head.

    >>> four = np.array([[0.3, 0.4, 0.2, 0.1]])
    >>> select_heads(HeadStatistics(1, confidence=1 - four, relevance=four), "important").tolist()
    [[True, True, False, False]]
    """
    importance = statistics.mean_importance
    if isinstance(rule, int) and not isinstance(rule, bool):
        return _most(importance, rule)
    if rule == "all":
        return np.ones(importance.shape, dtype=np.bool_)
    if rule == "important":
        above: Bools = importance > 1 / importance.shape[1]  # NaN is not above anything
        return above
    if rule in ("confident", "top1"):
        values = statistics.mean_confidence if rule == "confident" else importance
        return np.equal(_largest(values)[:, None], np.arange(values.shape[1]))
    raise wrong_value("heads", rule, f"{', '.join(HEAD_RULES)} or a number", HEAD_RULES)


def _largest(values: Floats) -> Integers:
    """Return the number of each layer's largest value; the unknown counts as the smallest."""
    known = np.where(np.isnan(values), -np.inf, values)
    largest: Integers = known.argmax(axis=1).astype(np.int64)
    return largest


def _most(importance: Floats, number: int) -> Bools:
    if not 1 <= number <= importance.size:
        raise wrong_value("heads", number, f"from 1 to {importance.size}, the number of heads")
    flat = importance.ravel()
    best = np.argsort(np.where(np.isnan(flat), np.inf, -flat), kind="stable")[:number]
    marked = np.zeros(flat.shape, dtype=np.bool_)
    marked[best] = True
    return marked.reshape(importance.shape)


class HeadsTable(Tidy):
    """All heads, layer by layer; the heads that metrics use are marked.

    Parameters
    ----------
    rows
        ``layer``, ``head``, ``confidence``, ``importance``, and whether the head was chosen as a
        ``confident`` or as an ``important`` one.
    subtitle
        The classifier and the number of texts, in one line.
    notes
        Further facts about the classifier and the texts.

    Attributes
    ----------
    equal_share
        The importance that each head of a layer would have if all had the same.
    most_within
        The distance from an equal share within which 95 % of all heads are; NaN if none is known.
    """

    columns = ("layer", "head", "confidence", "importance", "confident", "important")

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], *, subtitle: str = "", notes: Sequence[str] = ()
    ) -> None:
        self.rows = [dict(row) for row in rows]
        self.subtitle = subtitle
        self.notes = list(notes)
        self.equal_share = 1 / max(1, len({row["head"] for row in self.rows}))
        importance = np.array([row["importance"] for row in self.rows], dtype=np.float64)
        self.most_within = size_of_most(importance - self.equal_share, _MOST_HEADS)

    @classmethod
    def of(cls, relevance: Relevance) -> HeadsTable:
        """List the heads of the classifier that relevance was gathered with."""
        stamp, texts = relevance.stamp, relevance.statistics.texts
        sample = relevance.sample.texts
        notes = [
            f"{stamp.classifier} ({stamp.kind}): {stamp.layers} layers of {stamp.heads} heads",
            f"the numbers are from {texts:,} texts; heads were chosen by {sample:,} texts",
        ]
        subtitle = f"{stamp.classifier}, {texts:,} texts"
        confidence = relevance.statistics.mean_confidence
        importance = relevance.statistics.mean_importance
        rows = [
            {
                "layer": layer + 1,
                "head": head + 1,
                "confidence": float(confidence[layer, head]),
                "importance": float(importance[layer, head]),
                "confident": bool(relevance.fixed.confident[layer] == head),
                "important": bool(relevance.fixed.important[layer, head]),
            }
            for layer, head in np.ndindex(confidence.shape)
        ]
        return cls(rows, subtitle=subtitle, notes=notes)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one row per head."""
        return [dict(row) for row in self.rows]

    def table(self) -> Table:
        """Return the table that is printed: one row per head; a layer is named once."""
        lines, previous = [], None
        for row in self.rows:
            layer = "" if row["layer"] == previous else str(row["layer"])
            previous = row["layer"]
            cells = [
                _cell(row["confidence"], chosen=row["confident"]),
                _cell(row["importance"], chosen=row["important"]),
            ]
            lines.append(([layer, str(row["head"])], cells))
        return text_table(["layer", "head"], ["confidence", "importance"], lines)

    @property
    def legend(self) -> list[str]:
        """The meaning of the columns and of the mark."""
        return [
            "confidence: the largest attention that a token pays, on average; "
            f"{_MARK}: the head of its layer in attention_sum",
            f"importance: signed share of the layer's relevance, {self.equal_share:.3f} if all "
            f"were equal; {_MARK}: a head of lrp_sum and relevance_count",
        ]


def _cell(value: float, *, chosen: bool) -> str:
    """Return a number with its mark, or a space instead, so that decimal points are aligned."""
    number = _UNDEFINED if math.isnan(value) else f"{value:.3f}"
    return f"{number}{_MARK if chosen else ' '}"
