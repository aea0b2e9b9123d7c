"""Score many topics at once from counts: from segments to the values of topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.metrics.base import Result
from tealeaves.metrics.coherence_by_counts.confirmation import (
    CONFIRMATIONS,
    SegmentProbabilities,
    confirm,
)
from tealeaves.metrics.coherence_by_counts.segmentation import (
    SETS,
    Segment,
    count_segments,
    pair_ranks,
    segments,
)

if TYPE_CHECKING:
    from tealeaves.arrays import Array, Bools, Floats, Integers
    from tealeaves.evidence.counts import Counts
    from tealeaves.evidence.requests import TermNumbers
    from tealeaves.metrics.coherence_by_counts.settings import CoherenceSettings

_CHUNK_CELLS = 1_000_000
_NOT_COUNTED = -2

AGGREGATIONS: dict[str, Callable[..., Floats]] = {
    "mean": np.nanmean,
    "median": np.nanmedian,
    "sum": np.nansum,
    "min": np.nanmin,
    "max": np.nanmax,
}


def score_topics(batch: TopicBatch, settings: CoherenceSettings) -> Result:
    """Score topics; the support is the share of their segments that could be judged."""
    sizes, place = np.unique(batch.full_sizes, return_inverse=True)
    possible = np.array([float(_count_segments(settings, int(size))) for size in sizes])[place]
    values = np.full(len(batch.full_sizes), np.nan)
    judged = np.zeros(len(values))
    for rows in batch.chunks():
        segment_values = _segment_values(batch, rows, settings)
        judged[rows] = (~np.isnan(segment_values)).sum(axis=1)
        if settings.oov == "zero":
            segment_values = np.where(_with_absent(batch, rows, settings), 0.0, segment_values)
        values[rows] = aggregate(settings.aggregate, segment_values)
    values[judged == 0] = np.nan
    support = np.divide(judged, possible, out=np.zeros(len(values)), where=possible > 0)
    return Result(values, support)


def aggregate(name: str, values: Floats) -> Floats:
    """Summarise each row without its NaN; a row of nothing but NaN stays NaN.

    >>> aggregate("mean", np.array([[1.0, 3.0, np.nan], [np.nan] * 3])).tolist()
    [2.0, nan]
    """
    result = np.full(len(values), np.nan)
    some = ~np.isnan(values).all(axis=1) if values.size else np.zeros(len(values), dtype=bool)
    if some.any():
        result[some] = AGGREGATIONS[name](values if some.all() else values[some], axis=1)
    return result


class TopicBatch:
    """Topics as a matrix of term positions, one row per topic, padded on the right.

    ``listed`` marks the words that a topic has, ``present`` those that the corpus has too.
    ``full_sizes`` are the numbers of words that topics should have: ``top``, or all their words.
    """

    def __init__(
        self, topics: TermNumbers, counts: Counts, top: int | None, *, compat: bool
    ) -> None:
        self.full_sizes = topics.sizes if top is None else np.full(len(topics.sizes), top)
        self._pair_places: list[Integers] = []  # of all topics; batches in other units share it
        if compat:  # unknown words are dropped first, and others move up
            frequency = np.append(counts.singles, 0)[_positions(topics, counts)]
            topics = topics.only(frequency > 0)
        if top is not None:
            topics = topics.only(topics.ranks < top)
        self.sizes = topics.sizes
        width = int(self.sizes.max(initial=0))
        self.listed: Bools = np.arange(width) < self.sizes[:, None]
        self.position: Integers = np.full(self.listed.shape, -1, dtype=np.int64)
        self.position[self.listed] = _positions(topics, counts)
        self._count(counts)

    def _count(self, counts: Counts) -> None:
        self.counts = counts
        self._joint_counts: list[Floats] = []
        self.frequency: Integers = np.append(counts.singles, 0)[self.position]  # 0 at position -1
        self.present = self.frequency > 0

    def in_other_units(self, counts: Counts) -> TopicBatch:
        """Return the same topics with counts of the same terms and pairs in other units."""
        batch = copy(self)
        batch._count(counts)
        return batch

    @cached_property
    def pairs(self) -> UnorderedPairs:
        """All pairs of ranks: not for topics of many words."""
        return UnorderedPairs.of(self.position.shape[1])

    @property
    def is_small(self) -> bool:
        """Whether the pairs of all topics fit in memory: measures share what is known of them."""
        rows, width = self.position.shape
        return bool(rows * width * width <= _CHUNK_CELLS)

    def joint_counts(self, rows: slice, one: Integers, other: Integers) -> Floats:
        """Return how often the words of pairs of ranks are together; 0 if one is absent."""
        if not self.is_small:
            return self._joint_counts_at(rows, one, other, self._places(rows, one, other))
        pairs, every = self.pairs, slice(0, len(self.position))
        if not self._joint_counts:
            if not self._pair_places:
                self._pair_places.append(self._places(every, pairs.one, pairs.other))
            self._joint_counts.append(
                self._joint_counts_at(every, pairs.one, pairs.other, self._pair_places[0])
            )
        return self._joint_counts[0].take(pairs.column[one, other], axis=1)

    def _places(self, rows: slice, one: Integers, other: Integers) -> Integers:
        position = self.position[rows]
        return self.counts.pair_places(position.take(one, axis=1), position.take(other, axis=1))

    def _joint_counts_at(
        self, rows: slice, one: Integers, other: Integers, places: Integers
    ) -> Floats:
        position, present = self.position[rows], self.present[rows]
        both = present.take(one, axis=1) & present.take(other, axis=1)
        if (lacking := both & (one != other) & (places < 0)).any():
            left, right = position.take(one, axis=1)[lacking], position.take(other, axis=1)[lacking]
            self.counts.check_counted(left, right, places[lacking])
        pair_counts = np.append(self.counts.pair_counts, 0)  # 0 at place -1
        joint = np.where(both, pair_counts[places], 0).astype(float)
        same = one == other
        joint[:, same] = self.frequency[rows].take(one[same], axis=1)
        return joint

    def chunks(self) -> Iterator[slice]:
        """Yield slices of rows that are small enough for their pair matrices to fit in memory."""
        rows, width = self.position.shape
        step = max(1, _CHUNK_CELLS // max(1, width * width))
        for start in range(0, rows, step):
            yield slice(start, min(start + step, rows))

    def segments_of(self, rows: slice, settings: CoherenceSettings) -> list[tuple[Segment, ...]]:
        """Return the segments of each topic of a slice."""
        return [_segments(settings, int(size)) for size in self.sizes[rows]]


class UnorderedPairs(NamedTuple):
    """The pairs of a topic's ranks, a rank with itself too; and where each ordered pair is."""

    one: Integers
    other: Integers
    column: Integers

    @classmethod
    def of(cls, width: int) -> UnorderedPairs:
        """List the pairs of so many ranks."""
        one, other = np.triu_indices(width)
        column = np.empty((width, width), dtype=np.int64)
        column[one, other] = column[other, one] = np.arange(len(one))
        return cls(one, other, column)


# ------------------------------------------------------------------ the values of segments


def _segment_values(batch: TopicBatch, rows: slice, settings: CoherenceSettings) -> Floats:
    """Return the value of each segment, NaN where it cannot be judged or is padding."""
    if settings.similarity:
        return _by_cosine(batch, rows, settings)
    if settings.segmentation in SETS:
        return _by_sets(batch, rows, settings)
    values = np.empty((rows.stop - rows.start, _count_segments(settings, batch.position.shape[1])))
    for columns, target, condition in _pairs_of_ranks(batch, rows, settings):
        values[:, columns] = _by_pairs(batch, rows, target, condition, settings)
    return values


def _pairs_of_ranks(
    batch: TopicBatch, rows: slice, settings: CoherenceSettings
) -> Iterator[tuple[slice, Integers, Integers]]:
    """Yield the ranks of segments that are pairs, as many as fit in memory, and their columns."""
    width = batch.position.shape[1]
    count, step = _count_segments(settings, width), _at_once(rows)
    for start in range(0, count, step):
        columns = slice(start, min(start + step, count))
        numbers = range(columns.start, columns.stop)
        symmetric = _is_symmetric(settings)
        yield columns, *pair_ranks(settings.segmentation, width, numbers, symmetric=symmetric)


def _at_once(rows: slice) -> int:
    """Return how many numbers of each of some rows fit in memory."""
    return int(max(1, _CHUNK_CELLS // max(1, rows.stop - rows.start)))


def _by_pairs(
    batch: TopicBatch,
    rows: slice,
    target: Integers,
    condition: Integers,
    settings: CoherenceSettings,
) -> Floats:
    """Confirm pairs of words, given by two arrays of ranks; NaN where a word is absent."""
    frequency, present = batch.frequency[rows].astype(float), batch.present[rows]
    with np.errstate(divide="ignore", invalid="ignore"):  # where a word is absent
        probabilities = SegmentProbabilities.of(
            frequency.take(target, axis=1),
            frequency.take(condition, axis=1),
            batch.joint_counts(rows, target, condition),
            batch.counts.totals.units,
            settings,
        )
        values = confirm(probabilities, settings)
    return np.where(present.take(target, axis=1) & present.take(condition, axis=1), values, np.nan)


def _by_cosine(batch: TopicBatch, rows: slice, settings: CoherenceSettings) -> Floats:
    """Compare the vectors of W' and W*: the sums of their words' confirmations by all words."""
    vectors = _confirmation_vectors(batch, rows, settings)
    lengths = _lengths(vectors)
    parts = _segments(settings, batch.position.shape[1])
    words = np.array([word for (word,), _ in parts], dtype=np.int64)
    present = batch.present[rows].astype(float)
    if all(len(members) == 1 for _, members in parts):
        partners = np.array([word for _, (word,) in parts], dtype=np.int64)
        right, right_words, inside = vectors, partners, partners == words
        right_lengths, others = lengths.take(partners, axis=1), present.take(partners, axis=1)
    else:
        condition = _membership(parts, batch.position.shape[1])
        right, right_words = condition @ vectors, np.arange(len(parts))
        right_lengths = _lengths(right)
        others, inside = present @ condition.T, condition[right_words, words] > 0
    if not settings.compat:
        # a single word agrees with itself whatever the counts are; gensim scores it all the same
        others = others - present.take(words, axis=1) * inside
    with np.errstate(invalid="ignore", divide="ignore"):
        products = lengths.take(words, axis=1) * right_lengths
        dot = np.empty_like(products)
        step = max(1, _CHUNK_CELLS // max(1, vectors.shape[0] * vectors.shape[2]))
        for part in (slice(start, start + step) for start in range(0, len(words), step)):
            left = vectors.take(words[part], axis=1)
            dot[:, part] = (left * right.take(right_words[part], axis=1)).sum(axis=-1)
        cosine = np.where(products > 0, dot / products, np.nan)
    return np.where((present.take(words, axis=1) > 0) & (others > 0), cosine, np.nan)


def _confirmation_vectors(batch: TopicBatch, rows: slice, settings: CoherenceSettings) -> Floats:
    """Return the vector of each word of each topic: its confirmations by all words, 0 for none."""
    width = batch.position.shape[1]
    symmetric = CONFIRMATIONS[settings.confirmation].symmetric
    if symmetric and batch.is_small:
        one, other, column = batch.pairs
        values = _by_pairs(batch, rows, one, other, settings).take(column.ravel(), axis=1)
        return _without_nan(values).reshape(len(values), width, width)
    vectors = np.empty((rows.stop - rows.start, width, width))
    step = max(1, _at_once(rows) // max(1, width))
    for start in range(0, width, step):
        stop = min(start + step, width)
        ranks = np.indices((stop - start, width)).reshape(2, -1)
        values = _by_pairs(batch, rows, ranks[0] + start, ranks[1], settings)
        vectors[:, start:stop] = _without_nan(values).reshape(len(values), stop - start, width)
    return vectors


def _without_nan(values: Floats) -> Floats:
    return np.where(np.isnan(values), 0.0, values) + 0.0  # without negative zeros


def _lengths(vectors: Floats) -> Floats:
    """Return the lengths of the vectors of each topic, some words at a time."""
    lengths = np.empty(vectors.shape[:2])
    step = max(1, _CHUNK_CELLS // max(1, vectors.shape[0] * vectors.shape[2]))
    for part in (slice(start, start + step) for start in range(0, vectors.shape[1], step)):
        lengths[:, part] = np.sqrt((vectors[:, part] ** 2).sum(axis=-1))
    return lengths


def _by_sets(batch: TopicBatch, rows: slice, settings: CoherenceSettings) -> Floats:
    """Confirm words by sets of words; a segment with an absent word cannot be judged."""
    first = rows.indices(len(batch.sizes))[0]
    values = [
        [_set_value(batch, row, part, settings) for part in parts]
        for row, parts in enumerate(batch.segments_of(rows, settings), first)
    ]
    return _padded(values, np.nan)


def _set_value(batch: TopicBatch, row: int, part: Segment, settings: CoherenceSettings) -> float:
    target, condition = part
    if not batch.present[row, [*target, *condition]].all():
        return float("nan")

    def units_with(*ranks: int) -> Floats:
        members = tuple(batch.position[row, list(ranks)].tolist())
        return np.array([float(batch.counts.all_together(members))])

    probabilities = SegmentProbabilities.of(
        units_with(*target),
        units_with(*condition),
        units_with(*target, *condition),
        batch.counts.totals.units,
        settings,
    )
    return float(confirm(probabilities, settings)[0])


# ------------------------------------------------------------------ segments with absent words


def _with_absent(batch: TopicBatch, rows: slice, settings: CoherenceSettings) -> Bools:
    """Mark the segments of listed words of which the corpus lacks at least one."""
    if settings.segmentation in SETS and not settings.similarity:
        first = rows.indices(len(batch.sizes))[0]
        marks = [
            [not batch.present[row, [*target, *condition]].all() for target, condition in parts]
            for row, parts in enumerate(batch.segments_of(rows, settings), first)
        ]
        return _padded(marks, fill=False)
    listed = batch.listed[rows]
    absent = listed & ~batch.present[rows]
    if settings.segmentation not in ("one_set", *SETS):
        marked = np.empty((len(listed), _count_segments(settings, listed.shape[1])), dtype=bool)
        for columns, one, other in _pairs_of_ranks(batch, rows, settings):
            both = listed.take(one, axis=1) & listed.take(other, axis=1)
            marked[:, columns] = both & (absent.take(one, axis=1) | absent.take(other, axis=1))
        return marked
    # where W* has many words, an absent one is just left out
    return absent.take([word for (word,), _ in _segments(settings, listed.shape[1])], axis=1)


# ------------------------------------------------------------------ helpers


def _padded(rows: Sequence[Sequence[Any]], fill: float) -> Array:
    """Return rows of different lengths as a matrix."""
    width = max((len(row) for row in rows), default=0)
    matrix = np.full((len(rows), width), fill)
    for number, row in enumerate(rows):
        matrix[number, : len(row)] = row
    return matrix


def _membership(parts: Sequence[Segment], width: int) -> Floats:
    """Return which ranks are in W* of each segment, as a matrix of 0 and 1."""
    condition = np.zeros((len(parts), width))
    for number, (_, members) in enumerate(parts):
        condition[number, list(members)] = 1.0
    return condition


def _segments(settings: CoherenceSettings, size: int) -> tuple[Segment, ...]:
    return segments(settings.segmentation, size, symmetric=_is_symmetric(settings))


def _count_segments(settings: CoherenceSettings, size: int) -> int:
    return count_segments(settings.segmentation, size, symmetric=_is_symmetric(settings))


def _is_symmetric(settings: CoherenceSettings) -> bool:
    return settings.similarity is not None or CONFIRMATIONS[settings.confirmation].symmetric


def _positions(topics: TermNumbers, counts: Counts) -> Integers:
    """Return the positions of the topics' terms in the counts, -1 for terms without tokens."""
    known = counts.positions
    places = [known.get(term, _NOT_COUNTED) if term.tokens else -1 for term in topics.terms]
    positions = np.array(places, dtype=np.int64)[topics.numbers]
    if (lacking := np.flatnonzero(positions == _NOT_COUNTED)).size:
        counts.position(topics.terms[topics.numbers[lacking[0]]])  # raises
    return positions
