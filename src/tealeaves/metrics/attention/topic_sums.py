r"""Sums of relevance over the pairs of words of each topic, and the errors of these sums.

Let :math:`x_s` be the sum of a topic in text :math:`s`, one of :math:`T` texts. Then ``sum`` is
:math:`\sum_s x_s`, and ``text`` and ``pair`` are :math:`\sum_s x_s / \sum_s n_s`, where
:math:`n_s` is 1 if the text holds two of the topic's words, or the number of their pairs of
positions in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.attention.frame import contained
from tealeaves.evidence.requests import Term
from tealeaves.metrics.base import Result
from tealeaves.tables.numbers import list_text

if TYPE_CHECKING:
    from tealeaves.arrays import Array, Bools, Floats, Integers
    from tealeaves.evidence.attention.relevance import Relevance

Reduction = Literal["sum", "text", "pair"]

_MOST_PAIRS = 2_000_000  # pairs that are looked up at once: 16 MB
_MOST_ROWS = 4_000_000  # texts times models that are multiplied at once: 32 MB
_MOST_NAMED = 5
_REMEDY = "gather relevance for these topics (`tealeaves relevance gather`)"


@dataclass(frozen=True, eq=False)
class TopicRows:
    """The rows of relevance of all ordered pairs of different words of each topic.

    Parameters
    ----------
    relevance
        The relevance that has these rows.
    rows, topics
        The rows of all topics in turn, and the topic of each.
    seen
        The number of pairs of words of each topic that occur in some text, each counted once.
    possible
        The number of pairs that were asked for of each topic.
    """

    relevance: Relevance
    rows: Integers
    topics: Integers
    seen: Integers
    possible: Floats

    @classmethod
    def of(
        cls, lists: Sequence[tuple[Term, ...]], relevance: Relevance, top: int | None
    ) -> TopicRows:
        """Look up the first words of all topics at once."""
        positions = _word_positions([terms[:top] for terms in lists], relevance)
        seen = np.zeros(len(lists), dtype=np.int64)
        rows, topics = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for numbers, members in _batches_of_one_size(positions):
            pair_rows, exists = _pair_rows(members, relevance)
            seen[numbers] = exists.any(axis=1).sum(axis=1)
            rows.append(pair_rows[exists])
            topics.append(numbers[exists.nonzero()[0]])
        words_wanted = np.array([max(top or len(terms), 2) for terms in lists], dtype=np.float64)
        possible = words_wanted * (words_wanted - 1) / 2
        return cls(relevance, np.concatenate(rows), np.concatenate(topics), seen, possible)

    def __len__(self) -> int:
        return len(self.seen)

    @property
    def support(self) -> Floats:
        """The share of each topic's pairs that occur in some text."""
        return np.minimum(self.seen / self.possible, 1.0)

    def sum_rows(self, values: Array) -> Floats:
        """Sum the values of rows over the rows of each topic."""
        return np.bincount(self.topics, values[self.rows], minlength=len(self)).astype(np.float64)

    @cached_property
    def together(self) -> Floats:
        """The number of pairs of positions of two words of each topic in all texts."""
        return self.sum_rows(self.relevance.together)

    # ------------------------------------------------------------------ text by text

    def by_text(self, values: Array) -> Any:
        """Sum the values of rows in texts: a sparse matrix of texts and topics."""
        from scipy.sparse import csr_array

        relevance = self.relevance
        shape = (relevance.texts, len(relevance.rows))
        cells = (values.astype(np.float64), relevance.text_rows, relevance.text_starts)
        return csr_array(cells, shape=shape) @ self._topic_matrix

    @cached_property
    def _topic_matrix(self) -> Any:
        """A sparse matrix of rows and topics: 1 where a row belongs to a topic."""
        from scipy.sparse import csr_array

        shape = (len(self.relevance.rows), len(self))
        return csr_array((np.ones(len(self.rows)), (self.rows, self.topics)), shape=shape)

    @cached_property
    def together_by_text(self) -> Any:
        """The pairs of positions of two words of each topic in each text, a sparse matrix."""
        return self.by_text(self.relevance.text_together)

    def sizes_by_text(self, reduction: str) -> Any:
        """Return the part of each text in the divisor of each topic's sum.

        For ``text`` that is 1 if the text holds two words of the topic, for ``pair`` the number of
        their pairs of positions.
        """
        if reduction != "text":
            return self.together_by_text
        sizes = self.together_by_text.copy()
        sizes.data = np.ones_like(sizes.data)
        return sizes

    @cached_property
    def texts(self) -> Floats:
        """The number of texts that hold two words of each topic."""
        topics = self.together_by_text.indices
        return np.bincount(topics, minlength=len(self)).astype(np.float64)


def _word_positions(topics: Sequence[Sequence[Term]], relevance: Relevance) -> list[list[int]]:
    """Return the positions of words, ascending; words without a token are left out."""
    places = relevance.positions
    unknown = {str(t): None for terms in topics for t in terms if t.tokens and t not in places}
    if unknown:
        raise InputError(f"the relevance was not gathered for {_quoted(unknown)}: {_REMEDY}")
    return [sorted(places[term] for term in terms if term.tokens) for terms in topics]


def _batches_of_one_size(words: Sequence[Sequence[int]]) -> Iterator[tuple[Integers, Integers]]:
    """Yield topics of equal length together: their numbers, and one row of words per topic."""
    sizes = np.array([len(topic_words) for topic_words in words], dtype=np.int64)
    for size in np.unique(sizes[sizes > 1]).tolist():
        numbers = np.flatnonzero(sizes == size)
        height = max(1, _MOST_PAIRS // (size * size))
        for start in range(0, len(numbers), height):
            batch = numbers[start : start + height]
            yield batch, np.array([words[number] for number in batch], dtype=np.int64)


def _pair_rows(members: Integers, relevance: Relevance) -> tuple[Integers, Bools]:
    """Return the rows of each topic's pairs in both orders (second axis), and which exist."""
    left, right = np.triu_indices(members.shape[1], 1)
    one, other, size = members[:, left], members[:, right], len(relevance.terms)
    keys = np.stack([one * size + other, other * size + one], axis=1)
    gathered = relevance.frame.are_requested(keys[:, 0])
    if not gathered.all():
        wrong = np.unique(keys[:, 0][~gathered]).tolist()
        pairs = [" and ".join(str(relevance.terms[n]) for n in divmod(k, size)) for k in wrong]
        raise InputError(f"the relevance was not gathered for {_quoted(pairs)}: {_REMEDY}")
    return contained(keys, relevance.row_keys)


def _quoted(names: Iterable[str]) -> str:
    return list_text(map(repr, names), _MOST_NAMED)


# ---------------------------------------------------------------------- values and errors


def reduced_results(
    topics: TopicRows,
    values: Array,
    entries: Array | None,
    reduction: Reduction,
    bounds: Sequence[int],
) -> list[Result]:
    """Return the result of each model, whose topics begin and end at ``bounds``.

    ``values`` are those of rows; ``entries`` are the same text by text, or None if these are not
    known: then errors are not known either.
    """
    reduced, support = _reduced_values(topics, values, reduction), topics.support
    spread: Iterable[Floats | None] = [None] * (len(bounds) - 1)
    if entries is not None:
        spread = _covariances(topics, _deviations(topics, entries, reduced, reduction), bounds)
    unknown = _varying_texts(topics, reduction) < 2
    return [
        _result(reduced[start:stop], support[start:stop], covariance, unknown[start:stop])
        for (start, stop), covariance in zip(pairwise(bounds), spread, strict=True)
    ]


def _result(values: Floats, support: Floats, covariance: Floats | None, unknown: Bools) -> Result:
    """Return a result; the error of a value that one text alone decides is unknown, not 0."""
    if covariance is None:
        return Result(values, support)
    covariance[unknown] = covariance[:, unknown] = np.nan
    error = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    error = np.where(np.isnan(values), np.nan, error)
    return Result(values, support, error=error, covariance=covariance)


def _reduced_values(topics: TopicRows, values: Array, reduction: Reduction) -> Floats:
    """Return the value of each topic; NaN where no text holds two of its words."""
    with np.errstate(invalid="ignore", divide="ignore"):
        reduced = topics.sum_rows(values) / _divisors(topics, reduction)
    return np.where(topics.seen > 0, reduced, np.nan)


def _divisors(topics: TopicRows, reduction: Reduction) -> Floats:
    if reduction == "sum":
        return np.ones(len(topics))
    return topics.texts if reduction == "text" else topics.together


def _varying_texts(topics: TopicRows, reduction: Reduction) -> Floats:
    """Return the number of texts that make the value of each topic vary."""
    if reduction == "sum":
        return np.full(len(topics), float(topics.relevance.texts))
    return topics.texts


def _deviations(topics: TopicRows, entries: Array, values: Floats, reduction: Reduction) -> Any:
    r"""Return the part of each text in the error of each topic: a sparse matrix.

    For a sum over T texts it is :math:`\sqrt{T / (T - 1)}\,(x_s - \bar x)`; the mean is subtracted
    later, to keep the matrix sparse. For a quotient :math:`q` it is, by the delta method,
    :math:`\sqrt{t / (t - 1)}\,(x_s - q n_s) / \sum_s n_s`, whose mean is 0. Here t is the number
    of texts that hold two words of the topic, because only these can vary: for ``text`` that is the
    standard error of their mean.
    """
    from scipy.sparse import diags_array

    sums = topics.by_text(entries)
    varying = _varying_texts(topics, reduction)
    # a single text gives no error, which _result takes care of
    scale = np.sqrt(varying / np.maximum(varying - 1, 1))
    if reduction == "sum":
        return sums @ diags_array(scale)
    known = topics.seen > 0
    expected = topics.sizes_by_text(reduction) @ diags_array(np.where(known, values, 0.0))
    np.divide(scale, _divisors(topics, reduction), out=scale, where=known)
    return (sums - expected) @ diags_array(scale)


def _covariances(topics: TopicRows, deviations: Any, bounds: Sequence[int]) -> Iterator[Floats]:
    """Yield for each model the covariance of its topics' values, had other texts been taken.

    It is always that of other texts like these, whether these are all that exist or a sample: for
    a total over T texts it is T times that of one text.
    """
    used = topics.relevance.texts
    columns = deviations.tocsc()
    height = max(1, _MOST_ROWS // used)
    for first in range(0, len(bounds) - 1, height):
        batch = bounds[first : first + height + 1]
        for square, total in _model_products(columns[:, batch[0] : batch[-1]], batch):
            yield square - np.outer(total, total) / used


def _model_products(columns: Any, bounds: Sequence[int]) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each model the sums over texts of its topics' products, and of its topics.

    Each model gets rows of its own, so that one multiplication is enough for all, with no products
    between models. (Dense multiplications are fast too, but not with many threads of theirs.)
    """
    from scipy.sparse import csr_array

    texts, models = columns.shape[0], len(bounds) - 1
    owners = np.repeat(np.arange(models), np.diff(bounds))
    rows = columns.indices + texts * np.repeat(owners, np.diff(columns.indptr))
    shape = (columns.shape[1], texts * models)
    wide = csr_array((columns.data, rows, columns.indptr), shape=shape)
    products = wide @ wide.T.tocsr()
    totals = np.asarray(columns.sum(axis=0))
    for start, stop in pairwise(np.subtract(bounds, bounds[0]).tolist()):
        yield products[start:stop, start:stop].toarray(), totals[start:stop]
