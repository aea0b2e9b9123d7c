"""``TopicRows``: which rows of relevance are of the words of each topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.frame import contained
from tealeaves.evidence.terms import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.relevance.relevance import Relevance

_MOST_PAIRS = 2_000_000  # pairs that are looked up at once: 16 MB
_MOST_NAMED = 5
_REMEDY = "gather relevance for these topics (`tealeaves relevance gather`)"


@dataclass(frozen=True, eq=False)
class TopicRows:
    """The rows of all ordered pairs of different words of each topic.

    Parameters
    ----------
    relevance
        Where the rows are.
    rows, topics
        The rows of all topics in turn, and the topic of each.
    seen
        How many pairs of words of each topic some text holds, each counted once.
    possible
        How many pairs were asked for of each topic.
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
        """Look the first words of topics up, all at once."""
        words = _numbers([terms[:top] for terms in lists], relevance)
        seen = np.zeros(len(lists), dtype=np.int64)
        rows, topics = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for numbers, members in _of_one_size(words):
            found, there = _looked_up(members, relevance)
            seen[numbers] = there.any(axis=1).sum(axis=1)
            rows.append(found[there])
            topics.append(numbers[there.nonzero()[0]])
        asked = np.array([max(top or len(terms), 2) for terms in lists], dtype=np.float64)
        possible = asked * (asked - 1) / 2
        return cls(relevance, np.concatenate(rows), np.concatenate(topics), seen, possible)

    def __len__(self) -> int:
        return len(self.seen)

    @property
    def support(self) -> Floats:
        """The share of each topic's pairs that some text holds."""
        return np.minimum(self.seen / self.possible, 1.0)

    def summed(self, values: NDArray[Any]) -> Floats:
        """Sum a number of each row over the rows of each topic."""
        return np.bincount(self.topics, values[self.rows], minlength=len(self)).astype(np.float64)

    @cached_property
    def together(self) -> Floats:
        """How often two words of each topic are in a text, by their positions."""
        return self.summed(self.relevance.together)

    # ------------------------------------------------------------------ text by text

    @cached_property
    def _members(self) -> Any:
        """A matrix of rows and topics that says which belong together."""
        from scipy.sparse import csr_array

        shape = (len(self.relevance.rows), len(self))
        return csr_array((np.ones(len(self.rows)), (self.rows, self.topics)), shape=shape)

    def by_text(self, values: NDArray[Any]) -> Any:
        """Sum a number of each row in each text: a sparse matrix of texts and topics."""
        from scipy.sparse import csr_array

        given = self.relevance
        shape = (given.texts, len(given.rows))
        cells = (values.astype(np.float64), given.text_rows, given.text_starts)
        return csr_array(cells, shape=shape) @ self._members

    @cached_property
    def together_by_text(self) -> Any:
        """How often two words of each topic are in each text; cells that are 0 are left out."""
        return self.by_text(self.relevance.text_together)

    def sizes_by_text(self, reduction: str) -> Any:
        """Return what each text adds to what the sum of each topic is divided by.

        For ``text`` that is 1 where it holds two words of the topic, for ``pair`` how often.
        """
        if reduction != "text":
            return self.together_by_text
        held = self.together_by_text.copy()
        held.data = np.ones_like(held.data)
        return held

    @cached_property
    def texts(self) -> Floats:
        """How many texts hold two words of each topic."""
        held = self.together_by_text.indices
        return np.bincount(held, minlength=len(self)).astype(np.float64)


def _numbers(topics: Sequence[Sequence[Term]], relevance: Relevance) -> list[list[int]]:
    """Return the positions of words, ascending; those of which no token is left have none."""
    places = relevance.positions
    unknown = {str(t): None for terms in topics for t in terms if t.tokens and t not in places}
    if unknown:
        raise InputError(f"the relevance was not gathered for {_named(list(unknown))}: {_REMEDY}")
    return [sorted(places[term] for term in terms if term.tokens) for terms in topics]


def _of_one_size(words: Sequence[Sequence[int]]) -> Iterator[tuple[Integers, Integers]]:
    """Put topics of as many words together: their numbers, and a row of words for each."""
    sizes = np.array([len(one) for one in words], dtype=np.int64)
    for size in np.unique(sizes[sizes > 1]).tolist():
        numbers = np.flatnonzero(sizes == size)
        height = max(1, _MOST_PAIRS // (size * size))
        for start in range(0, len(numbers), height):
            part = numbers[start : start + height]
            yield part, np.array([words[number] for number in part], dtype=np.int64)


def _looked_up(members: Integers, relevance: Relevance) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the rows of each topic's pairs there and back (second axis), and if there are any."""
    left, right = np.triu_indices(members.shape[1], 1)
    one, other, size = members[:, left], members[:, right], len(relevance.terms)
    keys = np.stack([one * size + other, other * size + one], axis=1)
    asked = relevance.frame.asked_keys(keys[:, 0])
    if not asked.all():
        wrong = np.unique(keys[:, 0][~asked]).tolist()
        pairs = [" and ".join(str(relevance.terms[n]) for n in divmod(k, size)) for k in wrong]
        raise InputError(f"the relevance was not gathered for {_named(pairs)}: {_REMEDY}")
    return contained(keys, relevance.row_keys)


def _named(things: Sequence[str]) -> str:
    more = len(things) - _MOST_NAMED
    return ", ".join(map(repr, things[:_MOST_NAMED])) + (f" and {more} more" if more > 0 else "")
