"""Events: where terms stand in the texts of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.compiling.kernel import Kernel
from tealeaves.errors import InputError
from tealeaves.evidence.counting.hits import (
    ByteFinder,
    HitFinder,
    Hits,
    StringFinder,
    can_find_in_bytes,
)
from tealeaves.evidence.counting.kernels.events import count_events, find_events
from tealeaves.evidence.counting.kernels.tokens import find_hits
from tealeaves.evidence.counting.kernels.word_table import fill_table
from tealeaves.evidence.requests import Term
from tealeaves.text.blocks import BLOCK_TEXTS, TextBlock
from tealeaves.text.digest import digest_texts
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Integers
    from tealeaves.compiling.arrays import I32, I64

SMALL_TEXT = 1 << 17  # bytes: Python counts so many before compiled kernels could be loaded

#: returns what runs a kernel: its machine code, or its Python function
KernelRunner = Callable[[Kernel], Callable[..., Any]]


def kernel_runner(*, compiled: bool) -> KernelRunner:
    """Return what runs kernels as machine code, or as the Python functions that they are."""
    return attrgetter("__call__" if compiled else "interpreted")


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of all terms, and which terms each token belongs to.

    ``term_of_token`` is the one-token term of each token id, or -1. Longer terms are filed under
    their last token: those of token t are ``grams[gram_start[t]:gram_start[t + 1]]``, and the
    token ids of term g are ``tokens[token_start[g]:token_start[g + 1]]``. If all terms are
    ``single`` tokens, token ids and term numbers are the same.
    """

    token_ids: dict[str, int]
    term_of_token: Integers
    gram_start: Integers
    grams: Integers
    token_start: Integers
    tokens: Integers
    single: bool

    @classmethod
    def of(cls, terms: Sequence[Term]) -> Vocabulary:
        """Make the vocabulary of some terms; the number of a term is its position."""
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
        gram_start, grams = ragged_rows(by_last)
        token_start, tokens = ragged_rows(sequences)
        single = all(len(sequence) == 1 for sequence in sequences)
        return cls(token_ids, term_of_token, gram_start, grams, token_start, tokens, single)


def ragged_rows(rows: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    """Concatenate rows of different lengths; return where each row starts, and all values."""
    start = offsets([len(row) for row in rows])
    return start, np.array([value for row in rows for value in row], dtype=np.int64)


class TermEvents(NamedTuple):
    """Where terms stand in the documents of a block (see :mod:`.kernels.events`)."""

    term: I32
    start: I32
    end: I32
    bounds: I64


def term_events(hits: Hits, vocabulary: Vocabulary, run: KernelRunner) -> TermEvents:
    """Find terms among hits; where all terms are single tokens, the hits are the events."""
    if vocabulary.single:
        return TermEvents(hits.token, hits.place, hits.place, hits.bounds)
    most = run(count_events)(hits.token, vocabulary.gram_start)
    term, start, end = (np.empty(most, dtype=np.int32) for _ in range(3))
    bounds = np.empty(len(hits.bounds), dtype=np.int64)
    v = vocabulary
    tables = v.term_of_token, v.gram_start, v.grams, v.token_start, v.tokens
    count = run(find_events)(hits.token, hits.place, hits.bounds, *tables, term, start, end, bounds)
    return TermEvents(term[:count], start[:count], end[:count], bounds)


class TermSearch:
    """How some terms are found in texts; all threads share it."""

    def __init__(self, terms: Sequence[Term], pipeline: Pipeline, *, compiled: bool) -> None:
        languages = {term.language for term in terms}
        if len(languages) > 1:
            listed = ", ".join(sorted(map(repr, languages)))
            raise InputError(f"words of several languages ({listed}) cannot be found in one text")
        self.vocabulary = Vocabulary.of(terms)
        self.run = kernel_runner(compiled=compiled)
        self.in_bytes = compiled and can_find_in_bytes(pipeline)
        self._pipeline = pipeline
        self._compiled = compiled
        self._byte_finder: ByteFinder | None = None

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels that find terms."""
        if not self._compiled:
            return []
        kernels = [find_hits, fill_table] if self.in_bytes else [digest_texts]
        return kernels if self.vocabulary.single else [*kernels, count_events, find_events]

    def finder(self) -> HitFinder:
        """Return a finder of hits for one more thread."""
        token_ids = self.vocabulary.token_ids
        if not self.in_bytes:
            return StringFinder(self._pipeline, token_ids, compiled=self._compiled)
        if self._byte_finder is None:
            self._byte_finder = ByteFinder(self._pipeline, token_ids)
            return self._byte_finder
        return self._byte_finder.copy()


class TermFinder:
    """Finds terms in block after block, in one thread. ``terms`` are sorted."""

    def __init__(self, terms: Iterable[Term], pipeline: Pipeline) -> None:
        self.terms = tuple(sorted({term for term in terms if term.tokens}))
        self._pipeline = pipeline
        self._search: TermSearch | None = None

    def __call__(self, block: TextBlock) -> tuple[Hits, TermEvents]:
        """Return the hits and events of all texts of a block."""
        if self._search is None:  # a first block that is small, in bytes and texts, is the only one
            large = block.size > SMALL_TEXT or block.count >= BLOCK_TEXTS
            self._search = TermSearch(self.terms, self._pipeline, compiled=large)
            self._find_hits = self._search.finder()
        hits = self._find_hits(block, np.ones(block.count, dtype=np.uint8))
        return hits, term_events(hits, self._search.vocabulary, self._search.run)
