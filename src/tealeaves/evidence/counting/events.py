"""Events: where terms stand in the texts of a block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import InputError
from tealeaves.evidence.counting.hits import (
    ByteFinder,
    HitFinder,
    Hits,
    StringFinder,
    can_find_in_bytes,
)
from tealeaves.evidence.counting.kernels.events import (
    TermEvents,
    TermTables,
    count_events,
    find_events,
)
from tealeaves.evidence.requests import Term
from tealeaves.text.blocks import TextBlock
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Integers


@dataclass(frozen=True)
class Vocabulary:
    """The ids of the tokens of all terms, and which terms each token belongs to.

    If all terms are ``single`` tokens, token ids and term numbers are the same.
    """

    token_ids: dict[str, int]
    tables: TermTables
    single: bool

    @classmethod
    def of(cls, terms: Sequence[Term]) -> Vocabulary:
        """Make the vocabulary of some terms; the number of a term is its position."""
        if all(len(term.tokens) == 1 for term in terms):
            numbers, none = np.arange(len(terms)), np.zeros(len(terms) + 1, dtype=np.int64)
            tables = TermTables(numbers, none, none[:0], np.arange(len(terms) + 1), numbers)
            return cls({term.tokens[0]: n for n, term in enumerate(terms)}, tables, single=True)
        token_ids: dict[str, int] = {}
        for term in terms:
            for token in term.tokens:
                token_ids.setdefault(token, len(token_ids))
        sequences = [[token_ids[token] for token in term.tokens] for term in terms]
        term_of_token = np.full(len(token_ids), -1, dtype=np.int64)
        by_last: list[list[int]] = [[] for _ in token_ids]
        for number, sequence in enumerate(sequences):
            if len(sequence) == 1:
                term_of_token[sequence[0]] = number
            elif sequence:
                by_last[sequence[-1]].append(number)
        tables = TermTables(term_of_token, *ragged_rows(by_last), *ragged_rows(sequences))
        return cls(token_ids, tables, single=False)


def ragged_rows(rows: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    """Concatenate rows of different lengths; return where each row starts, and all values."""
    start = offsets([len(row) for row in rows])
    return start, np.array([value for row in rows for value in row], dtype=np.int64)


def term_events(hits: Hits, vocabulary: Vocabulary) -> TermEvents:
    """Find terms among hits; where all terms are single tokens, the hits are the events."""
    if vocabulary.single:
        return TermEvents(hits.token, hits.place, hits.place, hits.bounds)
    most = count_events(hits.token, vocabulary.tables.gram_start)
    term, start, end = (np.empty(most, dtype=np.int32) for _ in range(3))
    events = TermEvents(term, start, end, np.empty(len(hits.bounds), dtype=np.int64))
    count = find_events(hits.token, hits.place, hits.bounds, vocabulary.tables, events)
    return TermEvents(term[:count], start[:count], end[:count], events.bounds)


class TermSearch:
    """How some terms are found in texts; all threads share it."""

    def __init__(self, terms: Sequence[Term], pipeline: Pipeline) -> None:
        languages = {term.language for term in terms}
        if len(languages) > 1:
            listed = ", ".join(sorted(map(repr, languages)))
            raise InputError(f"words of several languages ({listed}) cannot be found in one text")
        self.vocabulary = Vocabulary.of(terms)
        self.in_bytes = can_find_in_bytes(pipeline)
        self._pipeline = pipeline
        self._byte_finder: ByteFinder | None = None

    def finder(self) -> HitFinder:
        """Return a finder of hits for one more thread."""
        token_ids = self.vocabulary.token_ids
        if not self.in_bytes:
            return StringFinder(self._pipeline, token_ids)
        if self._byte_finder is None:
            self._byte_finder = ByteFinder(self._pipeline, token_ids)
            return self._byte_finder
        return self._byte_finder.copy()


class TermFinder:
    """Finds terms in block after block, in one thread. ``terms`` are sorted."""

    def __init__(self, terms: Iterable[Term], pipeline: Pipeline) -> None:
        self.terms = tuple(sorted({term for term in terms if term.tokens}))
        self._search = TermSearch(self.terms, pipeline)
        self._find_hits = self._search.finder()

    def __call__(self, block: TextBlock) -> tuple[Hits, TermEvents]:
        """Return the hits and events of all texts of a block."""
        hits = self._find_hits(block, np.ones(block.count, dtype=np.uint8))
        return hits, term_events(hits, self._search.vocabulary)
