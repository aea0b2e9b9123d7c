"""``Subsets``: scores from random subsets of the texts of a stored relevance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.metrics.attention.family import RelevanceMetric
from tealeaves.metrics.attention.topic_sums import TopicRows
from tealeaves.statistics.resampling import memory_slices

_FIRST = 25
# subsets times topics whose values are held at once: 64 MB
_BUDGET = 64 << 20


@dataclass(frozen=True)
class Subsets:
    """Random subsets of so many texts: in each draw, a larger one holds the smaller ones.

    ``place`` (draws, texts) tells the first size at which a text is in; beyond the last size it is
    in none.
    """

    sizes: Integers
    place: Integers

    @property
    def texts(self) -> int:
        """How many texts there are in all."""
        return int(self.place.shape[1])

    @classmethod
    def drawn(cls, texts: int, sizes: Sequence[int], draws: int, seed: int) -> Subsets:
        """Shuffle the texts in each draw; a subset holds the first of them."""
        rng = np.random.default_rng(seed)
        turn = rng.permuted(np.tile(np.arange(texts), (draws, 1)), axis=1)
        ordered = np.asarray(sizes, dtype=np.int64)
        return cls(ordered, np.searchsorted(ordered, turn, side="right"))

    def sums(self, cells: Any) -> Iterator[tuple[slice, Floats]]:
        """Sum a sparse matrix of texts and columns over the texts of each subset.

        Some draws at a time: (draws, sizes, columns). A text is added once in a draw, to the
        smallest subset that holds it; the larger ones go on from there.
        """
        from scipy.sparse import csr_array

        draws, steps, columns = len(self.place), len(self.sizes), cells.shape[1]
        for some in memory_slices(draws, 8 * steps * columns, budget=_BUDGET):
            place = self.place[some]
            number, text = np.nonzero(place < steps)
            rows = number * steps + place[number, text]
            shape = (len(place) * steps, place.shape[1])
            members = csr_array((np.ones(len(rows)), (rows, text)), shape=shape)
            found = (members @ cells).toarray().reshape(len(place), steps, columns)
            yield some, np.cumsum(found, axis=1)


def doubling(texts: int) -> list[int]:
    """Return 25, 50, 100 and so on, and last all texts.

    >>> doubling(120), doubling(7)
    ([25, 50, 100, 120], [7])
    """
    sizes = []
    size = _FIRST
    while size < texts:
        sizes.append(size)
        size *= 2
    return [*sizes, texts]


def topic_values(
    metric: RelevanceMetric, relevance: Relevance, topics: TopicRows, subsets: Subsets
) -> Floats:
    """Return the value of each topic from each subset: (draws, sizes, topics).

    It is what the metric gives where the network has read no other texts, with the same heads:
    NaN where no text of the subset holds two words of the topic.
    """
    entries = entries_of(metric, relevance)
    cells, sizes = topics.by_text(entries), topics.sizes_by_text(metric.settings.reduction)
    found = np.empty((len(subsets.place), len(subsets.sizes), len(topics)))
    for (some, sums), (_, held) in zip(subsets.sums(cells), subsets.sums(sizes), strict=True):
        divisor = 1.0 if metric.settings.reduction == "sum" else np.maximum(held, 1.0)
        found[some] = np.where(held > 0, sums / divisor, np.nan)
    return found


def entries_of(metric: RelevanceMetric, relevance: Relevance) -> NDArray[Any]:
    """Return what each text has for a metric; an error where that was not kept."""
    _, entries = metric.numbers(relevance)
    if entries is None:
        raise InputError(
            f"{metric!r}: text by text only the sums of the heads that were fixed are known: leave "
            "heads, of and by as they are"
        )
    return entries


def model_means(values: Floats, bounds: Sequence[int]) -> Floats:
    """Average over the topics of each model that have a value: the last axis is the models.

    >>> model_means(np.array([[1.0, 3.0, np.nan, 5.0]]), [0, 2, 4]).tolist()
    [[2.0, 5.0]]
    """
    known = np.isfinite(values)
    starts = np.asarray(bounds[:-1])
    total = np.add.reduceat(np.where(known, values, 0.0), starts, axis=-1)
    count = np.add.reduceat(known.astype(np.float64), starts, axis=-1)
    means: Floats = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return means
