"""Families of metrics that compare topics with each other, and so need no text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result, TextlessMetric
from tealeaves.metrics.topic_similarity.similarity import SimilaritySettings
from tealeaves.metrics.topic_similarity.word_lists import (
    DEFAULT_P,
    WordLists,
    filled_shares,
    lists_by_model,
)
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording

_MOST_CELLS = 500_000  # pairs of topics at once: this bounds the memory


class NoSettings(msgspec.Struct, frozen=True):
    """The parameters of a metric that has none."""


@dataclass(frozen=True, repr=False, eq=False)
class WordListMetric(TextlessMetric):
    """A metric of the word lists of one model's topics."""

    source: ClassVar[str] = "the topics' words"

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score each model by its own word lists, which other metrics use too."""
        return self._of_parts(wording.memo.once(lists_by_model, models, self.top))

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Score each model by its own word lists."""
        return self._of_parts(lists_by_model(models, self.top))

    def _of_parts(self, parts: Sequence[WordLists]) -> list[Result]:
        return [
            one for lists in parts for one in self.of_lists(lists, filled_shares(lists, self.top))
        ]

    @abstractmethod
    def of_lists(self, lists: WordLists, share: Floats) -> list[Result]:
        """Score the word lists of some models; ``share`` is the share of the requested words that
        each list has.
        """


@dataclass(frozen=True, repr=False, eq=False)
class WordListPairMetric(WordListMetric):
    """The mean of a similarity over all pairs of topics; a topic's value is that of its own pairs.

    A model of one topic has no pairs, and so no score. The support is the share of the pairs of
    ranks that exist: where topics are shorter than requested, fewer words can be compared.
    """

    def of_lists(self, lists: WordLists, share: Floats) -> list[Result]:
        """Compare each list with all others of its model."""
        count = lists.per_model
        if count == 1:
            return [Result(np.full(1, np.nan), np.zeros(1)) for _ in range(lists.models)]
        sums = np.empty(len(lists))
        height = max(1, _MOST_CELLS // count)
        for start in range(0, len(lists), height):
            rows = range(start, min(start + height, len(lists)))
            cells = self.similarity(lists, rows)
            cells[np.arange(len(rows)), np.arange(rows.start, rows.stop) % count] = 0.0
            sums[rows.start : rows.stop] = cells.sum(axis=1)
        shares = share.reshape(lists.models, count)
        support = shares * (shares.sum(axis=1, keepdims=True) - shares) / (count - 1)
        values = self.value(sums / (count - 1), lists).reshape(support.shape)
        return [Result(*one) for one in zip(values, np.minimum(support, 1.0), strict=True)]

    @abstractmethod
    def similarity(self, lists: WordLists, rows: range) -> Floats:
        """Return how similar each of the rows is to each list of its model."""

    def value(self, means: Floats, lists: WordLists) -> Floats:
        """Return the topics' values, from their mean similarity to the others."""
        return means


@dataclass(frozen=True, repr=False, eq=False)
class SimilarityMetric(TextlessMetric):
    """A metric with a choice of similarity; ``p`` is a parameter of ``rbo`` only."""

    settings: SimilaritySettings

    def _changed(self, changes: dict[str, Value]) -> Any:
        similarity = changes.get("similarity", self.settings.similarity)
        if similarity != "rbo" and changes.get("p") is not None:
            raise InputError(f"{self.name}: p is a parameter of similarity=rbo only; leave it out")
        p = changes.get("p")
        if p is None and similarity == "rbo":
            p = DEFAULT_P if self.settings.p is None else self.settings.p
        return super()._changed(changes | {"p": p})

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        return {n: v for n, v in changed.items() if n != "p" or v not in (None, DEFAULT_P)}
