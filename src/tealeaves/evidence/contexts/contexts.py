"""``Contexts``: how often each asked term has each word near it. Exact integers that add."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.terms import Term
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from tealeaves.compiling.arrays import I64


@dataclass(frozen=True, eq=False, repr=False)
class Contexts:
    """Neighbours of terms in some texts.

    Two tokens of one document are neighbours if they are at most ``window`` tokens apart. A term
    of several tokens has its neighbours before its first and after its last.

    Parameters
    ----------
    terms
        The terms that were asked for, sorted.
    vocabulary
        The words that were counted as neighbours (*context words*), sorted.
    matrix
        Terms by context words: how often the word is a neighbour of the term.
    singles
        How often each term occurs.
    frequencies
        How often each context word occurs.
    marginals
        How many neighbours, whatever words they are, the occurrences of each context word have.
    complete
        Whether all words of the texts are context words; if not, the vocabulary was given, and
        nothing is known of others.

    Contexts of other texts add with ``+``.
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
        """Where each term stands in ``terms``."""
        return {term: position for position, term in enumerate(self.terms)}

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """Where each context word stands in ``vocabulary``."""
        return {word: position for position, word in enumerate(self.vocabulary)}

    def neighbours(self, term: Term) -> dict[str, int]:
        """Return the context words near a term, and how often each is; most frequent first."""
        if term not in self.positions:
            raise EvidenceError(f"the contexts of the word {str(term)!r} were not counted")
        start, stop = self.matrix.indptr[self.positions[term] :][:2].tolist()
        columns, counts = (a[start:stop].tolist() for a in (self.matrix.indices, self.matrix.data))
        found = sorted(zip(columns, counts, strict=True), key=lambda pair: (-pair[1], pair[0]))
        return {self.vocabulary[column]: count for column, count in found}

    def frequent(self, at_least: int) -> frozenset[str]:
        """Return the context words that occur so many times or more."""
        found = np.flatnonzero(self.frequencies >= at_least).tolist()
        return frozenset(self.vocabulary[column] for column in found)

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
        return self.language, self.window, self.complete, self.pipeline, self.terms

    def __add__(self, other: Contexts) -> Contexts:
        """Add the contexts of other texts; texts in both are an error."""
        self._check_frame(other)
        if not self.complete and self.vocabulary != other.vocabulary:
            raise EvidenceError("contexts of other words cannot be added: give one vocabulary")
        vocabulary = tuple(sorted({*self.vocabulary, *other.vocabulary}))
        mine, theirs = (one._widened(vocabulary) for one in (self, other))
        return replace(
            self,
            fingerprint=self.fingerprint + other.fingerprint,
            vocabulary=vocabulary,
            matrix=mine.matrix + theirs.matrix,
            singles=self.singles + other.singles,
            frequencies=mine.frequencies + theirs.frequencies,
            marginals=mine.marginals + theirs.marginals,
        )

    def _check_frame(self, other: Contexts) -> None:
        if self.pipeline != other.pipeline:
            named = f"{self.pipeline} and {other.pipeline}"
            raise EvidenceError(f"contexts of different tokens do not go together: {named}")
        if self.window != other.window:
            named = f"{self.window} and of {other.window}"
            raise EvidenceError(f"contexts of {named} tokens do not go together")
        if self._frame != other._frame:
            raise EvidenceError("contexts of different words cannot be added: ask for the same")

    def _widened(self, vocabulary: tuple[str, ...]) -> _Sums:
        """Return the sums for more context words, which do not occur in these texts."""
        if vocabulary == self.vocabulary:
            return _Sums(self.matrix, self.frequencies, self.marginals)
        from scipy.sparse import csr_array

        place = {word: column for column, word in enumerate(vocabulary)}
        columns = np.array([place[word] for word in self.vocabulary], dtype=np.int64)
        frequencies, marginals = (np.zeros(len(vocabulary), dtype=np.int64) for _ in range(2))
        frequencies[columns], marginals[columns] = self.frequencies, self.marginals
        parts = self.matrix.data, columns[self.matrix.indices], self.matrix.indptr
        matrix = csr_array(parts, shape=(len(self.terms), len(vocabulary)))
        return _Sums(matrix, frequencies, marginals)


class _Sums(NamedTuple):
    matrix: csr_array
    frequencies: I64
    marginals: I64
