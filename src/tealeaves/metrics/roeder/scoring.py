"""Scoring many topics at once from counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counts import Counts
from tealeaves.metrics.base import Result
from tealeaves.metrics.roeder.aggregation import aggregate
from tealeaves.metrics.roeder.confirmation import CONFIRMATIONS, Probabilities, confirm
from tealeaves.metrics.roeder.policy import Policy
from tealeaves.metrics.roeder.segmentation import SETS, Segment, count_segments, segments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.terms import Term

    Flags = NDArray[np.bool_]

_CHUNK_CELLS = 2_000_000


class _Batch:
    """Topics as a matrix of term positions, one row a topic, padded on the right.

    ``listed`` marks the words a topic has, ``present`` those that the text has too.
    """

    def __init__(
        self,
        topics: Sequence[Sequence[Term]],
        counts: Counts,
        top: int | None,
        *,
        compat: bool,
    ) -> None:
        whole = topics
        if compat:  # unknown words are dropped first, and others move up
            topics = [[term for term in terms if _occurs(term, counts)] for terms in topics]
        cut = [terms[:top] for terms in topics]
        width = max((len(terms) for terms in cut), default=0)
        self.counts = counts
        self._topics = whole  # kept, so that its id stays taken
        self._joint: dict[tuple[bytes, bytes], Integers] = {}
        self.position = np.zeros((len(cut), width), dtype=np.int64)
        self.sizes = np.array([len(terms) for terms in cut], dtype=np.int64)
        self.listed = np.arange(width) < self.sizes[:, None]
        flat = _positions([term for terms in cut for term in terms], counts)
        self.position[self.listed] = np.maximum(flat, 0)
        known = self.listed.copy()
        known[self.listed] = flat >= 0
        singles = counts.singles if len(counts.singles) else np.zeros(1, dtype=np.int64)
        self.frequency = np.where(known, singles[self.position], 0)
        self.present = self.frequency > 0

    def joint(self, rows: slice, one: Integers, given: Integers, judged: Flags) -> Integers:
        """Count pairs given by two arrays of ranks; kept, for other measures ask for the same."""
        whole = rows.start == 0 and rows.stop >= len(self.position)
        key = (one.tobytes(), given.tobytes())
        if whole and key in self._joint:
            return self._joint[key]
        position = self.position[rows]
        found = self.counts.together(position[:, one][judged], position[:, given][judged])
        if whole:  # of many topics, keeping all would take too much memory
            self._joint[key] = found
        return found

    def chunks(self) -> Iterator[slice]:
        """Yield slices of rows small enough for their pair matrices to fit in memory."""
        rows, width = self.position.shape
        step = max(1, _CHUNK_CELLS // max(1, width * width))
        for start in range(0, rows, step):
            yield slice(start, start + step)


def score_topics(
    topics: Sequence[Sequence[Term]],
    counts: Counts,
    policy: Policy,
    top: int | None,
    kept: dict[Any, Any],
) -> Result:
    """Score topics; the support is the share of their segments that could be judged.

    In ``kept`` stays what other measures of the same topics and counts can use.
    """
    key = id(topics), id(counts), top, bool(policy.compat)
    if key not in kept:
        kept[key] = _Batch(topics, counts, top, compat=bool(policy.compat))
    batch: _Batch = kept[key]
    sizes, place = np.unique([top or len(terms) for terms in topics], return_inverse=True)
    possible = np.array([float(_possible(policy, int(size))) for size in sizes])[place]
    values = np.full(len(topics), np.nan)
    judged = np.zeros(len(topics))
    for rows in batch.chunks():
        found = _segment_values(batch, rows, policy)
        defined = ~np.isnan(found)
        judged[rows] = defined.sum(axis=1)
        if policy.oov == "zero":
            found = np.where(_with_absent(batch, rows, policy), 0.0, found)
        values[rows] = aggregate(policy.aggregate, found)
    values[judged == 0] = np.nan
    support = np.divide(judged, possible, out=np.zeros(len(topics)), where=possible > 0)
    return Result(values, support)


def _segment_values(batch: _Batch, rows: slice, policy: Policy) -> Floats:
    """Return the value of each segment, NaN where it cannot be judged or is not there."""
    if policy.similarity:
        return _by_cosine(batch, rows, policy)
    if policy.segmentation in SETS:
        return _by_sets(batch, rows, policy)
    return _by_pairs(batch, rows, policy)


def _by_pairs(batch: _Batch, rows: slice, policy: Policy) -> Floats:
    left, right = _ranks(policy, batch.position.shape[1])
    return _pair_values(batch, rows, left, right, policy)


def _pair_values(
    batch: _Batch, rows: slice, one: Integers, given: Integers, policy: Policy
) -> Floats:
    """Confirm word pairs given by two arrays of ranks; NaN where a word is absent."""
    frequency = batch.frequency[rows]
    judged = batch.present[rows][:, one] & batch.present[rows][:, given]
    joint = batch.joint(rows, one, given, judged)
    probabilities = Probabilities.of(
        frequency[:, one][judged].astype(float),
        frequency[:, given][judged].astype(float),
        joint.astype(float),
        batch.counts.totals.units,
        policy,
    )
    values = np.full(judged.shape, np.nan)
    values[judged] = confirm(probabilities, policy)
    return values


def _by_cosine(batch: _Batch, rows: slice, policy: Policy) -> Floats:
    """Compare the vectors of W' and W*: the sums of their words' confirmations by all words."""
    width = batch.position.shape[1]
    left, right = (ranks.ravel() for ranks in np.indices((width, width)))
    pairs = _pair_values(batch, rows, left, right, policy)
    vectors = np.nan_to_num(pairs, nan=0.0).reshape(len(pairs), width, width)
    one, given = _membership(policy, width)
    cosine = _cosine(one @ vectors, given @ vectors)
    present = batch.present[rows].astype(float)
    complete = present @ one.T == one.sum(axis=1)
    # a lone word agrees with itself whatever the text says; gensim scores it all the same
    others = given if policy.compat else np.maximum(given - one, 0.0)
    return np.where(complete & (present @ others.T > 0), cosine, np.nan)


def _by_sets(batch: _Batch, rows: slice, policy: Policy) -> Floats:
    """Confirm words by sets of words; a segment with an absent word cannot be judged."""
    found = []
    for row in range(*rows.indices(len(batch.sizes))):
        parts = _segments(policy, int(batch.sizes[row]))
        found.append([_set_value(batch, row, part, policy) for part in parts])
    width = max((len(values) for values in found), default=0)
    values = np.full((len(found), width), np.nan)
    for number, row_values in enumerate(found):
        values[number, : len(row_values)] = row_values
    return values


def _set_value(batch: _Batch, row: int, part: Segment, policy: Policy) -> float:
    one, given = part
    if not batch.present[row, [*one, *given]].all():
        return float("nan")

    def counted(*ranks: int) -> Floats:
        members = tuple(batch.position[row, list(ranks)].tolist())
        return np.array([float(batch.counts.all_together(members))])

    probabilities = Probabilities.of(
        counted(*one), counted(*given), counted(*one, *given), batch.counts.totals.units, policy
    )
    return float(confirm(probabilities, policy)[0])


def _with_absent(batch: _Batch, rows: slice, policy: Policy) -> Flags:
    """Mark the segments of listed words of which at least one is absent from the text."""
    width = batch.position.shape[1]
    if policy.segmentation in SETS and not policy.similarity:
        return _sets_with_absent(batch, rows, policy)
    one, given = _membership(policy, width)
    # beside many words in W* an absent one is just left out
    alone = policy.segmentation in ("one_set", *SETS)
    members = one if alone else np.maximum(one, given)
    listed = batch.listed[rows].astype(float)
    absent = listed - batch.present[rows]
    there = listed @ members.T == members.sum(axis=1)
    return np.asarray(there & (absent @ members.T > 0))


def _sets_with_absent(batch: _Batch, rows: slice, policy: Policy) -> Flags:
    found = []
    for row in range(*rows.indices(len(batch.sizes))):
        parts = _segments(policy, int(batch.sizes[row]))
        found.append([not batch.present[row, [*a, *b]].all() for a, b in parts])
    width = max((len(values) for values in found), default=0)
    marks = np.zeros((len(found), width), dtype=bool)
    for number, values in enumerate(found):
        marks[number, : len(values)] = values
    return marks


def _membership(policy: Policy, width: int) -> tuple[Floats, Floats]:
    """Return which ranks are in W' and in W* of each segment, as matrices of 0 and 1."""
    parts = _segments(policy, width)
    one, given = np.zeros((len(parts), width)), np.zeros((len(parts), width))
    for number, (left, right) in enumerate(parts):
        one[number, list(left)] = 1.0
        given[number, list(right)] = 1.0
    return one, given


def _ranks(policy: Policy, width: int) -> tuple[Integers, Integers]:
    parts = _segments(policy, width)
    pairs = np.array([(a[0], b[0]) for a, b in parts], dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _cosine(left: Floats, right: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        dot = (left * right).sum(axis=-1)
        lengths = np.sqrt((left**2).sum(axis=-1)) * np.sqrt((right**2).sum(axis=-1))
        return np.asarray(np.where(lengths > 0, dot / lengths, np.nan))


def _segments(policy: Policy, size: int) -> tuple[Segment, ...]:
    return segments(policy.segmentation, size, symmetric=_is_symmetric(policy))


def _possible(policy: Policy, size: int) -> int:
    return count_segments(policy.segmentation, size, symmetric=_is_symmetric(policy))


def _is_symmetric(policy: Policy) -> bool:
    return policy.similarity is not None or CONFIRMATIONS[policy.confirmation].symmetric


def _occurs(term: Term, counts: Counts) -> bool:
    return bool(term.tokens) and counts.single(term) > 0


def _positions(terms: Sequence[Term], counts: Counts) -> Integers:
    """Return where terms stand in the counts, -1 for those without tokens."""
    known = counts.positions
    try:
        found = [known[term] if term.tokens else -1 for term in terms]
    except KeyError as error:
        raise EvidenceError(
            f"the word {str(error.args[0])!r} was not counted in {counts.unit}: count with these "
            "topics"
        ) from None
    return np.array(found, dtype=np.int64)
