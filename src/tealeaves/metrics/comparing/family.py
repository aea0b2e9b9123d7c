"""Families of metrics that compare topics with each other, and so need no text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.textless import TextlessMetric
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.metrics.comparing.lists import WordLists

DEFAULT_P = 0.9
Persistence = Annotated[float, Meta(gt=0, lt=1)]

_MOST_CELLS = 500_000  # pairs of topics at once: what bounds the memory


class NoSettings(msgspec.Struct, frozen=True):
    """The parameters of a metric that has none."""


@dataclass(frozen=True, repr=False, eq=False)
class WordListMetric(TextlessMetric):
    """What the word lists of one model's topics say of each other."""

    @property
    def source(self) -> str:
        """Nothing but the topics."""
        return "the topics' words"

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Score each model by its own word lists."""
        from tealeaves.metrics.comparing.models import lists_of, shares_of

        results = []
        for model in models:
            lists = lists_of([model], self.top)
            results.append(self.of_lists(lists, shares_of(lists, self.top)))
        return results

    @abstractmethod
    def of_lists(self, lists: WordLists, share: Floats) -> Result:
        """Score word lists, each of which has some share of the words that were asked for."""


@dataclass(frozen=True, repr=False, eq=False)
class PairMetric(WordListMetric):
    """The mean of something over all pairs of topics; a topic's is that over its own pairs.

    A model of one topic has no pairs, and so no score. The support is the share of the pairs of
    ranks that are there: where topics are shorter than asked, fewer words can be compared.
    """

    def of_lists(self, lists: WordLists, share: Floats) -> Result:
        """Compare each list with all others."""
        import numpy as np

        count = len(lists)
        if count == 1:
            return Result(np.full(1, np.nan), np.zeros(1))
        sums = np.empty(count)
        height = max(1, _MOST_CELLS // count)
        for start in range(0, count, height):
            rows = range(start, min(start + height, count))
            likeness = self.likeness(lists, rows, range(count))
            likeness[np.arange(len(rows)), np.arange(rows.start, rows.stop)] = 0.0
            sums[rows.start : rows.stop] = likeness.sum(axis=1)
        support = share * (share.sum() - share) / (count - 1)
        return Result(self.value(sums / (count - 1), lists), np.minimum(support, 1.0))

    @abstractmethod
    def likeness(self, lists: WordLists, rows: range, columns: range) -> Floats:
        """Return how alike each of the rows is to each of the columns."""

    def value(self, means: Floats, lists: WordLists) -> Floats:  # noqa: ARG002
        """Make the topics' values of their mean likeness to the others."""
        return means


class LikenessSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How two topics are compared.

    Parameters
    ----------
    similarity
        ``rbo`` and ``jaccard`` compare word lists, ``js`` (1 - Jensen-Shannon divergence, in bits)
        and ``cosine`` the distributions over words.
    p
        The persistence of ``rbo``: the lower, the more the first words count.
    """

    similarity: Literal["rbo", "jaccard", "js", "cosine"] = "rbo"
    p: Persistence | None = DEFAULT_P


@dataclass(frozen=True, repr=False, eq=False)
class LikenessMetric(TextlessMetric):
    """A metric with a choice of similarity; ``p`` is a parameter of one of them only."""

    settings: LikenessSettings

    @property
    def by_words(self) -> bool:
        """Whether word lists are compared, not distributions."""
        return self.settings.similarity in ("rbo", "jaccard")

    def _changed(self, changes: dict[str, Value]) -> Any:
        similarity = changes.get("similarity", self.settings.similarity)
        if similarity != "rbo" and changes.get("p") is not None:
            raise InputError(f"{self.name}: p is a parameter of similarity=rbo alone; leave it out")
        p = changes.get("p")
        if p is None and similarity == "rbo":
            p = DEFAULT_P if self.settings.p is None else self.settings.p
        return super()._changed(changes | {"p": p})

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        return {n: v for n, v in changed.items() if n != "p" or v not in (None, DEFAULT_P)}
