"""Heads of attention: how confident and how important each is, and which of them are taken."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats, Integers

RULES = ("confident", "important", "top1", "all")


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

        >>> found = HeadStatistics.of_texts(np.array([[[0.5, 0.9]]]), np.array([[[3.0, -1.0]]]))
        >>> found.mean_importance.tolist()
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

        The whole is taken without its sign, so that a head that speaks for the class is above 0
        also where the heads of its layer, together, speak against it.

        It is the share of sums over texts. The mean of each text's own shares, as Voita et al.
        have it, is at the mercy of the few texts in which the heads of a layer cancel out: there
        shares are hundreds.
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
            chosen(statistics, "important"),
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


def chosen(statistics: HeadStatistics, rule: str | int) -> Bools:
    """Mark the heads of a rule; of equal heads the one with the lowest number is taken.

    ``confident``: the most confident head of each layer. ``important``: all heads whose mean
    importance is above an equal share of the layer. ``top1``: the most important head of each
    layer. A number: that many most important heads of all layers. ``all``: every head.

    >>> four = np.array([[0.3, 0.4, 0.2, 0.1]])
    >>> chosen(HeadStatistics(1, confidence=1 - four, relevance=four), "important").tolist()
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
    hint = did_you_mean(str(rule), RULES)
    raise InputError(f"heads={rule}: give {', '.join(RULES)} or a number{hint}")


def _largest(values: Floats) -> Integers:
    """Return the number of each layer's largest value; the unknown counts as the smallest."""
    known = np.where(np.isnan(values), -np.inf, values)
    largest: Integers = known.argmax(axis=1).astype(np.int64)
    return largest


def _most(importance: Floats, number: int) -> Bools:
    if not 1 <= number <= importance.size:
        raise InputError(f"heads={number}: give a number from 1 to {importance.size}, all heads")
    flat = importance.ravel()
    best = np.argsort(np.where(np.isnan(flat), np.inf, -flat), kind="stable")[:number]
    marked = np.zeros(flat.shape, dtype=np.bool_)
    marked[best] = True
    return marked.reshape(importance.shape)
