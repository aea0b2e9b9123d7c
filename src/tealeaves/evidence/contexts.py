"""``Contexts``: how often each term has each word near it. Exact integers that add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counting.blocks import (
    FingerprintBuilder,
    ReadingProgress,
    source_names_in_errors,
)
from tealeaves.evidence.counting.events import SMALL_TEXT, kernel_runner, term_events
from tealeaves.evidence.counting.hits import (
    ByteFinder,
    HitFinder,
    Hits,
    StringFinder,
    can_find_in_bytes,
)
from tealeaves.evidence.counting.tables import Vocabulary
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import ContextRequest, Term
from tealeaves.files import Meter
from tealeaves.text.blocks import TextBlock
from tealeaves.text.corpus import Corpus
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from tealeaves.compiling.arrays import I64

_PAIRS_AT_ONCE = 1 << 22  # pairs that are kept one by one before they are summed
_KEY_BITS = 32
_LOW_KEY = (1 << _KEY_BITS) - 1


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

    ``+`` adds the contexts of other texts.
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

    # ------------------------------------------------------------------ looking up

    @property
    def total(self) -> int:
        """The sum of all marginals."""
        return int(self.marginals.sum())

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

    # ------------------------------------------------------------------ comparing and adding

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Contexts):
            return NotImplemented
        return (
            self._frame == other._frame
            and self.vocabulary == other.vocabulary
            and self.fingerprint == other.fingerprint
            and np.array_equal(self.singles, other.singles)
            and np.array_equal(self.frequencies, other.frequencies)
            and np.array_equal(self.marginals, other.marginals)
            and (self.matrix != other.matrix).nnz == 0
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def _frame(self) -> tuple[object, ...]:
        """What contexts must have in common to be added."""
        return self.language, self.window, self.complete, self.pipeline, self.terms

    def __add__(self, other: Contexts) -> Contexts:
        """Add the contexts of other texts; it is an error if a text is in both."""
        self._check_addable(other)
        vocabulary = tuple(sorted({*self.vocabulary, *other.vocabulary}))
        mine, theirs = (one._with_vocabulary(vocabulary) for one in (self, other))
        return replace(
            mine,
            fingerprint=self.fingerprint + other.fingerprint,
            matrix=mine.matrix + theirs.matrix,
            singles=self.singles + other.singles,
            frequencies=mine.frequencies + theirs.frequencies,
            marginals=mine.marginals + theirs.marginals,
        )

    def _check_addable(self, other: Contexts) -> None:
        if self.pipeline != other.pipeline:
            pipelines = f"{self.pipeline} and {other.pipeline}"
            raise EvidenceError(f"contexts of different tokens do not go together: {pipelines}")
        if self.window != other.window:
            windows = f"{self.window} and of {other.window}"
            raise EvidenceError(f"contexts of {windows} tokens do not go together")
        if self._frame != other._frame:
            raise EvidenceError(
                "contexts of different words cannot be added: request the same terms"
            )
        if not self.complete and self.vocabulary != other.vocabulary:
            raise EvidenceError(
                "contexts with different context words cannot be added: give one vocabulary"
            )

    def _with_vocabulary(self, vocabulary: tuple[str, ...]) -> Contexts:
        """Return the same contexts with more context words, which do not occur in these texts."""
        if vocabulary == self.vocabulary:
            return self
        from scipy.sparse import csr_array

        position = {word: column for column, word in enumerate(vocabulary)}
        columns = np.array([position[word] for word in self.vocabulary], dtype=np.int64)
        frequencies, marginals = (np.zeros(len(vocabulary), dtype=np.int64) for _ in range(2))
        frequencies[columns], marginals[columns] = self.frequencies, self.marginals
        parts = self.matrix.data, columns[self.matrix.indices], self.matrix.indptr
        return replace(
            self,
            vocabulary=vocabulary,
            matrix=csr_array(parts, shape=(len(self.terms), len(vocabulary))),
            frequencies=frequencies,
            marginals=marginals,
        )


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
        self._token_ids = self._number_tokens()
        self._size = 0
        self._finder: HitFinder | None = None
        self._tally = PairTally()
        self._singles = np.zeros(len(self._terms), dtype=np.int64)
        self._frequencies = self._marginals = np.zeros(0, dtype=np.int64)
        self._read = FingerprintBuilder()

    def _number_tokens(self) -> dict[str, int]:
        """Number the tokens of terms as their vocabulary does, then the other context words."""
        known = self._term_tokens.token_ids
        if self._vocabulary is None:
            return OpenVocabulary(known)
        more = sorted(self._vocabulary - known.keys())
        return {**known, **{word: number for number, word in enumerate(more, len(known))}}

    def add(self, block: TextBlock) -> None:
        """Read one block."""
        hits = self._find_hits(block)
        line = _TokenLine(hits, self._request.window)
        self._add_words(hits, line)
        self._add_neighbours(hits, line)
        self._read.add(block, hits.digests)

    def _find_hits(self, block: TextBlock) -> Hits:
        """Find the tokens; compiled kernels are loaded once there is enough text for them."""
        before = self._size
        self._size += block.size
        compiled = self._size > SMALL_TEXT
        if self._finder is None or (compiled and before <= SMALL_TEXT):
            self._run = kernel_runner(compiled=compiled)
            known = self._vocabulary is not None
            self._finder = (
                ByteFinder(self._pipeline, self._token_ids)
                if compiled and known and can_find_in_bytes(self._pipeline)
                else StringFinder(self._pipeline, self._token_ids, compiled=compiled)
            )
        return self._finder(block, np.ones(block.count, dtype=np.uint8))

    def _add_words(self, hits: Hits, line: _TokenLine) -> None:
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
        line.token[line.base[line.row] + hits.place] = hits.token

    def _add_neighbours(self, hits: Hits, line: _TokenLine) -> None:
        """Add the tokens near each occurrence of a term."""
        known = _hits_of_first(hits, len(self._term_tokens.token_ids))
        events = term_events(known, self._term_tokens, self._run)
        rows = self._rows[events.term]
        self._singles += np.bincount(rows, minlength=len(self._terms))
        base: I64 = np.repeat(line.base, np.diff(events.bounds))
        for places in line.around(base + events.start, base + events.end):
            near = line.token[places]
            self._tally.add(rows[near >= 0], near[near >= 0])

    def contexts(self) -> Contexts:
        """Return the contexts in all texts so far."""
        from scipy.sparse import csr_array

        size = len(self._token_ids)
        frequencies, marginals = _pad(self._frequencies, size), _pad(self._marginals, size)
        words = self._context_words(frequencies)
        tokens = np.array([self._token_ids[word] for word in words], dtype=np.int64)
        column = np.full(size, -1, dtype=np.int64)
        column[tokens] = np.arange(len(words))
        rows, near, counts = self._tally.sums()
        kept = column[near] >= 0
        cells = rows[kept], column[near[kept]]
        matrix = csr_array((counts[kept], cells), shape=(len(self._terms), len(words)))
        matrix.sort_indices()
        return Contexts(
            self._request.language,
            self._request.window,
            self._vocabulary is None,
            PipelineStamp.of(self._pipeline, self._unit),
            self._read.fingerprint(),
            self._terms,
            words,
            matrix,
            self._singles.copy(),
            frequencies[tokens],
            marginals[tokens],
        )

    def _context_words(self, frequencies: I64) -> tuple[str, ...]:
        """Return the given context words, or all words that occur."""
        if self._vocabulary is not None:
            return tuple(sorted(self._vocabulary))
        occurs = (frequencies > 0).tolist()
        return tuple(sorted(word for word, number in self._token_ids.items() if occurs[number]))


class _TokenLine:
    """The texts of a block on one line of tokens, with gaps between them as wide as the window.

    ``base`` is where each text begins, and ``row`` is the text of each hit. -1 stands for tokens
    that were not requested, and for gaps.
    """

    def __init__(self, hits: Hits, window: int) -> None:
        self.window = min(window, int(hits.lengths.max(initial=0)))  # no text has more neighbours
        ends = np.cumsum(hits.lengths + self.window)
        self.base: I64 = ends - hits.lengths
        self.row = np.repeat(np.arange(len(hits.lengths)), np.diff(hits.bounds))
        size = int(ends[-1]) + self.window if len(ends) else 0
        self.token = np.full(size, -1, dtype=np.int64)

    def around(self, start: I64, end: I64) -> Iterator[I64]:
        """Yield the places of the neighbours of terms that stand from ``start`` to ``end``."""
        for distance in range(1, self.window + 1):
            yield start - distance
            yield end + distance


def _hits_of_first(hits: Hits, tokens: int) -> Hits:
    """Return the hits of the first ``tokens`` token ids, which are those of terms."""
    known = hits.token < tokens
    before = np.concatenate([[0], np.cumsum(known)])
    token, place = hits.token[known], hits.place[known]
    return replace(hits, token=token, place=place, bounds=before[hits.bounds])


def _pad(values: I64, size: int) -> I64:
    return np.concatenate([values, np.zeros(size - len(values), dtype=np.int64)])


class PairTally:
    """Counts pairs of numbers that are below 2^31.

    Only a few of all possible pairs occur, so they are sorted rather than kept in a table. Pairs
    are summed when at least as many are waiting as there are sums, so each is merged only a few
    times.

    >>> tally = PairTally()
    >>> tally.add(np.array([2, 1, 2]), np.array([7, 0, 7]))
    >>> [values.tolist() for values in tally.sums()]
    [[1, 2], [0, 7], [1, 2]]
    """

    def __init__(self) -> None:
        self._keys: I64 = np.empty(0, dtype=np.int64)
        self._counts: I64 = np.empty(0, dtype=np.int64)
        self._waiting: list[I64] = []
        self._waiting_pairs = 0

    def add(self, left: I64, right: I64) -> None:
        """Count some pairs, each as often as it is given."""
        self._waiting.append((left.astype(np.int64) << _KEY_BITS) | right)
        self._waiting_pairs += len(left)
        if self._waiting_pairs >= max(_PAIRS_AT_ONCE, len(self._keys)):
            self._sum_up()

    def sums(self) -> tuple[I64, I64, I64]:
        """Return the left and the right numbers of the pairs, sorted, and their counts."""
        self._sum_up()
        return self._keys >> _KEY_BITS, self._keys & _LOW_KEY, self._counts

    def _sum_up(self) -> None:
        if not self._waiting_pairs:
            return
        waiting = np.sort(np.concatenate(self._waiting))
        self._waiting, self._waiting_pairs = [], 0
        keys, counts = _sum_equal_keys(waiting, np.ones(len(waiting), dtype=np.int64))
        keys = np.concatenate([self._keys, keys])
        order = np.argsort(keys, kind="stable")  # two sorted halves: quick to merge
        counts = np.concatenate([self._counts, counts])[order]
        self._keys, self._counts = _sum_equal_keys(keys[order], counts)


def _sum_equal_keys(keys: I64, counts: I64) -> tuple[I64, I64]:
    """Add up the counts of equal keys, which are sorted."""
    first = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    return keys[first], np.add.reduceat(counts, first)
