"""``Contexts``: how often each term has each word near it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import EvidenceError
from tealeaves.evidence.counting.blocks import (
    FingerprintBuilder,
    ReadingProgress,
    source_names_in_errors,
)
from tealeaves.evidence.counting.events import Vocabulary, term_events
from tealeaves.evidence.counting.hits import (
    ByteFinder,
    HitFinder,
    Hits,
    StringFinder,
    can_find_in_bytes,
)
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import ContextRequest, Term
from tealeaves.files import Meter
from tealeaves.text.blocks import TextBlock
from tealeaves.text.corpus import Corpus
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from tealeaves.kernels import I64

_PAIRS_AT_ONCE = 1 << 22  # pairs of neighbours that are kept one by one before they are summed
_NO_PAIRS = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Contexts:
    """The neighbours of terms in some texts.

    Two tokens of one document are neighbours if they are at most ``window`` tokens apart. The
    neighbours of a term of several tokens are before its first token and after its last.

    Parameters
    ----------
    terms
        The requested terms, sorted.
    vocabulary
        The words that were counted as neighbours (*context words*), sorted.
    matrix
        Terms by context words: how often the word is a neighbour of the term.
    singles
        How often each term occurs.
    frequencies
        How often each context word occurs.
    marginals
        How many neighbours the occurrences of each context word have, whatever words these are.
    complete
        Whether all words of the texts are context words. If not, the vocabulary was given, and
        other words were not counted.
    """

    language: str
    window: int
    complete: bool
    pipeline: PipelineStamp
    fingerprint: Fingerprint
    terms: tuple[Term, ...]
    vocabulary: tuple[str, ...]
    matrix: csr_array
    singles: I64
    frequencies: I64
    marginals: I64

    def __repr__(self) -> str:
        return (
            f"Contexts({len(self.terms)} terms among {len(self.vocabulary)} words, "
            f"window {self.window}, {self.fingerprint.documents} documents)"
        )

    @cached_property
    def positions(self) -> Mapping[Term, int]:
        """The position of each term in ``terms``."""
        return {term: position for position, term in enumerate(self.terms)}

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """The position of each context word in ``vocabulary``."""
        return {word: position for position, word in enumerate(self.vocabulary)}

    def neighbours(self, term: Term) -> dict[str, int]:
        """Return the context words near a term with their counts, most frequent first."""
        if term not in self.positions:
            raise EvidenceError(f"the contexts of the word {str(term)!r} were not counted")
        start, stop = self.matrix.indptr[self.positions[term] :][:2].tolist()
        columns, counts = (a[start:stop].tolist() for a in (self.matrix.indices, self.matrix.data))
        ordered = sorted(zip(columns, counts, strict=True), key=lambda pair: (-pair[1], pair[0]))
        return {self.vocabulary[column]: count for column, count in ordered}

    def frequent(self, at_least: int) -> frozenset[str]:
        """Return the context words that occur so many times or more."""
        columns = np.flatnonzero(self.frequencies >= at_least).tolist()
        return frozenset(self.vocabulary[column] for column in columns)


# ---------------------------------------------------------------------- reading


def gather_contexts(
    corpus: Corpus,
    pipeline: Pipeline,
    request: ContextRequest,
    *,
    vocabulary: frozenset[str] | None = None,
    progress: bool = False,
) -> Contexts:
    """Count the neighbours of terms, reading the corpus once.

    Parameters
    ----------
    vocabulary
        The words that are counted as neighbours; by default all words of the texts. With a
        vocabulary, texts need not become strings, which is several times faster. To compare with
        another text, its frequent words are enough (``other.frequent(5)``).
    progress
        Show a bar on standard error.

    >>> corpus = Corpus.of(["the king of the sea", "a king"])
    >>> king = Term(("king",))
    >>> request = ContextRequest("", frozenset({king}), window=2)
    >>> contexts = gather_contexts(corpus, Pipeline.parse("words"), request)
    >>> contexts.neighbours(king)
    {'the': 2, 'a': 1, 'of': 1}
    """
    reader = ContextReader(request, pipeline, vocabulary, corpus.unit)
    meter = Meter(corpus.size)
    with (
        source_names_in_errors(corpus),
        ReadingProgress("contexts", [meter], shown=progress) as bar,
    ):
        for block in corpus.blocks(meter):
            reader.add(block)
            bar.update()
        contexts = reader.contexts()
        contexts.fingerprint.check_copies()
    return contexts


class OpenVocabulary(dict[str, int]):
    """Numbers of tokens, in which each new token gets the next number.

    >>> numbers = OpenVocabulary({"cat": 0})
    >>> [numbers.get(token) for token in ("dog", "cat", "dog")]
    [1, 0, 1]
    """

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number

    def get(self, token: str, default: Any = None) -> int:
        """Return the number of a token, new or not."""
        return self[token]


class ContextReader:
    """Adds up the neighbours of terms, block by block."""

    def __init__(
        self,
        request: ContextRequest,
        pipeline: Pipeline,
        vocabulary: frozenset[str] | None = None,
        unit: str = "",
    ) -> None:
        self._request, self._pipeline, self._unit = request, pipeline, unit
        self._terms = tuple(sorted(request.terms))
        rows = [row for row, term in enumerate(self._terms) if term.tokens]
        self._rows = np.array(rows, dtype=np.int64)
        self._term_tokens = Vocabulary.of([self._terms[row] for row in rows])
        self._vocabulary = vocabulary
        # the tokens of terms have the numbers of their vocabulary, the other context words follow
        known = self._term_tokens.token_ids
        self._token_ids: dict[str, int] = OpenVocabulary(known)
        if vocabulary is not None:
            more = enumerate(sorted(vocabulary - known.keys()), len(known))
            self._token_ids = {**known, **{word: number for number, word in more}}
        self._finder: HitFinder = (
            ByteFinder(pipeline, self._token_ids)
            if vocabulary is not None and can_find_in_bytes(pipeline)
            else StringFinder(pipeline, self._token_ids)
        )
        self._waiting: list[tuple[I64, I64]] = []  # rows of terms, and tokens near them
        self._waiting_pairs = 0
        self._pairs: csr_array | None = None  # the sums of all pairs but the waiting ones
        self._singles = np.zeros(len(self._terms), dtype=np.int64)
        self._frequencies = self._marginals = np.zeros(0, dtype=np.int64)
        self._read = FingerprintBuilder()

    def add(self, block: TextBlock) -> None:
        """Read one block."""
        hits = self._finder(block, np.ones(block.count, dtype=np.uint8))
        self._add_words(hits)
        self._add_neighbours(hits)
        self._read.add(block, hits.digests)

    def _add_words(self, hits: Hits) -> None:
        """Add how often tokens occur, and how many neighbours they have."""
        last = np.repeat(hits.lengths, np.diff(hits.bounds)) - 1 - hits.place
        window = self._request.window
        around = np.minimum(hits.place, window) + np.minimum(last, window)
        size = len(self._token_ids)
        occurrences = np.bincount(hits.token, minlength=size)
        # floats: the sums of a block are far below 2^53, so they are exact
        neighbours = np.bincount(hits.token, around, minlength=size).astype(np.int64)
        self._frequencies = _pad(self._frequencies, size) + occurrences
        self._marginals = _pad(self._marginals, size) + neighbours

    def _add_neighbours(self, hits: Hits) -> None:
        """Add the tokens near each occurrence of a term."""
        line = _TokenLine(hits, self._request.window)
        known = _hits_of_first(hits, len(self._term_tokens.token_ids))
        events = term_events(known, self._term_tokens)
        rows = self._rows[events.term]
        self._singles += np.bincount(rows, minlength=len(self._terms))
        base: I64 = np.repeat(line.base, np.diff(events.bounds))
        for places in line.around(base + events.start, base + events.end):
            near = line.token[places]
            self._waiting.append((rows[near >= 0], near[near >= 0]))
            self._waiting_pairs += len(self._waiting[-1][0])
        known_pairs = 0 if self._pairs is None else self._pairs.nnz
        if self._waiting_pairs >= max(_PAIRS_AT_ONCE, known_pairs):
            self._sum_pairs()

    def _sum_pairs(self) -> csr_array:
        """Add the waiting pairs to the sums: a matrix of terms by tokens."""
        from scipy.sparse import csr_array

        rows, near = zip(*[_NO_PAIRS, *self._waiting], strict=True)
        cells = np.concatenate(rows), np.concatenate(near)
        shape = len(self._terms), len(self._token_ids)
        sums = csr_array((np.ones(len(cells[0]), dtype=np.int64), cells), shape=shape)
        if self._pairs is not None:
            self._pairs.resize(shape)  # there may be new tokens
            sums += self._pairs
        self._pairs, self._waiting, self._waiting_pairs = sums, [], 0
        return sums

    def contexts(self) -> Contexts:
        """Return the contexts in all texts so far."""
        size = len(self._token_ids)
        frequencies, marginals = _pad(self._frequencies, size), _pad(self._marginals, size)
        words = self._context_words(frequencies)
        tokens = np.array([self._token_ids[word] for word in words], dtype=np.int64)
        matrix = self._sum_pairs()[:, tokens]
        matrix.sort_indices()
        return Contexts(
            language=self._request.language,
            window=self._request.window,
            complete=self._vocabulary is None,
            pipeline=PipelineStamp.of(self._pipeline, self._unit),
            fingerprint=self._read.fingerprint(),
            terms=self._terms,
            vocabulary=words,
            matrix=matrix,
            singles=self._singles.copy(),
            frequencies=frequencies[tokens],
            marginals=marginals[tokens],
        )

    def _context_words(self, frequencies: I64) -> tuple[str, ...]:
        """Return the given context words, or all words that occur."""
        if self._vocabulary is not None:
            return tuple(sorted(self._vocabulary))
        occurs = (frequencies > 0).tolist()
        return tuple(sorted(word for word, number in self._token_ids.items() if occurs[number]))


class _TokenLine:
    """The texts of a block on one line of tokens, with gaps between them as wide as the window.

    ``base`` is where each text begins. -1 stands for tokens that were not requested, and for gaps.
    """

    def __init__(self, hits: Hits, window: int) -> None:
        self.window = min(window, int(hits.lengths.max(initial=0)))  # no text has more neighbours
        ends = np.cumsum(hits.lengths + self.window)
        self.base: I64 = ends - hits.lengths
        size = int(ends[-1]) + self.window if len(ends) else 0
        self.token = np.full(size, -1, dtype=np.int64)
        self.token[np.repeat(self.base, np.diff(hits.bounds)) + hits.place] = hits.token

    def around(self, start: I64, end: I64) -> Iterator[I64]:
        """Yield the places of the neighbours of terms that stand from ``start`` to ``end``."""
        for distance in range(1, self.window + 1):
            yield start - distance
            yield end + distance


def _hits_of_first(hits: Hits, tokens: int) -> Hits:
    """Return the hits of the first ``tokens`` token ids, which are those of terms."""
    known = hits.token < tokens
    token, place = hits.token[known], hits.place[known]
    return replace(hits, token=token, place=place, bounds=offsets(known)[hits.bounds])


def _pad(values: I64, size: int) -> I64:
    return np.concatenate([values, np.zeros(size - len(values), dtype=np.int64)])
