"""``Drift``: how alike the contexts of a word are in two texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.contexts.contexts import Contexts
from tealeaves.evidence.contexts.ppmi import ppmi
from tealeaves.evidence.terms import Term

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from tealeaves.compiling.arrays import F64


@dataclass(frozen=True, eq=False, repr=False)
class Drift:
    """The cosine of each term's context vectors in two texts, after Hamilton et al. (2016).

    1 is a word whose neighbours are the same, 0 one that has none in common. A vector holds the
    PPMI of the term and of each context word that is frequent in both texts. NaN stands for terms
    that are too rare in either, or have no PPMI above 0 there.

    ``words`` are the context words that both texts share.
    """

    language: str
    cosines: Mapping[Term, float]
    words: tuple[str, ...]
    signature: str

    @classmethod
    def between(cls, one: Contexts, other: Contexts, *, at_least: int = 5) -> Drift:
        """Compare the contexts of the terms that were asked for in both.

        Parameters
        ----------
        at_least
            How often terms and context words have to occur, in each of the texts.

        >>> from tealeaves.evidence.contexts import ContextRequest, gather_contexts
        >>> from tealeaves.text.corpus import Corpus
        >>> from tealeaves.text.pipeline import Pipeline
        >>> king = Term(("king",))
        >>> request = ContextRequest("", frozenset({king}), window=1)
        >>> texts = [["old king", "new sea"], ["old king", "new king", "new sea"]]
        >>> one, other = (
        ...     gather_contexts(Corpus.of(t), Pipeline.parse("words"), request) for t in texts
        ... )
        >>> round(Drift.between(one, other, at_least=1).of(king), 3)
        0.938
        """
        if at_least < 1:
            raise InputError(f"words occur at least once, not {at_least} times")
        _check(one, other, at_least)
        words = tuple(sorted(one.frequent(at_least) & other.frequent(at_least)))
        if not words:
            raise InputError(
                f"no word occurs {at_least} times in both texts: are they of one language, and "
                "large enough?"
            )
        terms = [term for term in one.terms if term in other.positions]
        rows = [[each.positions[term] for term in terms] for each in (one, other)]
        vectors = [ppmi(each, words)[mine] for each, mine in zip((one, other), rows, strict=True)]
        cosines = _cosines(*vectors)
        rare = (one.singles[rows[0]] < at_least) | (other.singles[rows[1]] < at_least)
        cosines[rare] = np.nan
        found = dict(zip(terms, cosines.tolist(), strict=True))
        return cls(one.language, found, words, _signature(one, other, words, at_least))

    def of(self, term: Term) -> float:
        """Return the cosine of a term, or NaN; one that was not asked for is an error."""
        if term not in self.cosines:
            raise EvidenceError(
                f"the contexts of the word {str(term)!r} were not counted in both texts"
            )
        return self.cosines[term]

    def __repr__(self) -> str:
        return f"Drift({len(self.cosines)} terms, {len(self.words)} shared words)"


def _check(one: Contexts, other: Contexts, at_least: int) -> None:
    if one.language != other.language:
        named = f"{one.language!r} and {other.language!r}"
        raise EvidenceError(f"words drift within a language, not between {named}")
    if one.pipeline.signature != other.pipeline.signature:
        named = f"{one.pipeline.signature} and {other.pipeline.signature}"
        raise EvidenceError(f"contexts of different tokens cannot be compared: {named}")
    if one.window != other.window:
        named = f"{one.window} and of {other.window}"
        raise EvidenceError(f"contexts of {named} tokens cannot be compared")
    for mine, theirs in ((one, other), (other, one)):
        unknown = [] if theirs.complete else mine.frequent(at_least) - theirs.columns.keys()
        if unknown:
            raise EvidenceError(
                f"{len(unknown)} frequent words of one text, such as {min(unknown)!r}, were not "
                "counted in the other: gather contexts for the words of this one"
            )


def _cosines(one: csr_array, other: csr_array) -> F64:
    """Return the cosine of each row; NaN where a vector has nothing but zeros.

    Equal rows give exactly 1: all three sums then add the same numbers in the same order, and
    the root of a square is exact.
    """
    product, squares, others = (
        a.multiply(b).sum(axis=1) for a, b in ((one, other), (one, one), (other, other))
    )
    sizes = np.sqrt(squares * others)
    found: F64 = np.full(len(sizes), np.nan)
    np.divide(product, sizes, out=found, where=sizes > 0)
    return np.minimum(found, 1.0, out=found)


def _signature(one: Contexts, other: Contexts, words: Sequence[str], at_least: int) -> str:
    """Return a digest of all that decides the numbers."""
    said = [f"{each.pipeline} {each.fingerprint} {each.language}" for each in (one, other)]
    digest = hashlib.blake2b(digest_size=8)
    for part in (f"ppmi cosine {one.window} {at_least}", *said, *words):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
