"""``Drift``: how alike the contexts of a word are in two texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.contexts import Contexts
from tealeaves.evidence.requests import Term
from tealeaves.parameters import check_natural

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from tealeaves.arrays import Floats


@dataclass(frozen=True, eq=False, repr=False)
class Drift:
    """The cosine of each term's context vectors in two texts, after Hamilton et al. (2016).

    A word with the same neighbours in both texts has 1, a word with no common neighbour has 0. A
    vector holds the PPMI of the term with each context word that is frequent in both texts. NaN
    stands for terms that are too rare in a text, or have no PPMI above 0 in it.

    ``words`` are the context words that both texts share.
    """

    language: str
    cosines: Mapping[Term, float]
    words: tuple[str, ...]
    signature: str

    @classmethod
    def between(cls, one: Contexts, other: Contexts, *, at_least: int = 5) -> Drift:
        """Compare the contexts of the terms that were counted in both texts.

        Parameters
        ----------
        at_least
            How often terms and context words must occur in each of the texts.

        >>> from tealeaves.evidence.contexts import gather_contexts
        >>> from tealeaves.evidence.requests import ContextRequest
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
        check_natural("at_least", at_least)
        _check_comparable(one, other, at_least)
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
        by_term = dict(zip(terms, cosines.tolist(), strict=True))
        return cls(one.language, by_term, words, _signature(one, other, words, at_least))

    def of(self, term: Term) -> float:
        """Return the cosine of a term, or NaN; a term that was not counted is an error."""
        if term not in self.cosines:
            raise EvidenceError(
                f"the contexts of the word {str(term)!r} were not counted in both texts"
            )
        return self.cosines[term]

    def __repr__(self) -> str:
        return f"Drift({len(self.cosines)} terms, {len(self.words)} shared words)"


def _check_comparable(one: Contexts, other: Contexts, at_least: int) -> None:
    if one.language != other.language:
        languages = f"{one.language!r} and {other.language!r}"
        raise EvidenceError(f"contexts are compared within a language, not between {languages}")
    if one.pipeline.signature != other.pipeline.signature:
        pipelines = f"{one.pipeline.signature} and {other.pipeline.signature}"
        raise EvidenceError(f"contexts of different tokens cannot be compared: {pipelines}")
    if one.window != other.window:
        windows = f"{one.window} and of {other.window}"
        raise EvidenceError(f"contexts of {windows} tokens cannot be compared")
    for mine, theirs in ((one, other), (other, one)):
        unknown = [] if theirs.complete else mine.frequent(at_least) - theirs.columns.keys()
        if unknown:
            raise EvidenceError(
                f"{len(unknown)} frequent words of one text, such as {min(unknown)!r}, were not "
                "counted in the other: gather its contexts with these words as vocabulary"
            )


def ppmi(contexts: Contexts, words: Sequence[str]) -> csr_array:
    """Return the positive pointwise mutual information of each term with some context words.

    It is max(0, ln(N(w,c) N / (N(w) N(c)))) for term w and context word c. The events are pairs of
    neighbours of which the second is one of these words; the first may be any token of the texts.
    So N(w,c) is how often c is a neighbour of w, N(w) is its sum over these words, N(c) is how many
    neighbours c has, and N is the sum of N(c) over these words.
    """
    columns = np.array([contexts.columns[word] for word in words], dtype=np.int64)
    matrix = contexts.matrix[:, columns].astype(np.float64)
    matrix.sort_indices()
    of_word = contexts.marginals[columns].astype(np.float64)
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    of_term = matrix.sum(axis=1)
    # both products are rounded alike, so that the value of independent words is exactly 0
    ratio = (matrix.data * of_word.sum()) / (of_term[row] * of_word[matrix.indices])
    matrix.data = np.log(np.maximum(ratio, 1.0))
    matrix.eliminate_zeros()
    return matrix


def _cosines(one: csr_array, other: csr_array) -> Floats:
    """Return the cosine of each row; NaN if all numbers of a vector are 0.

    Equal rows give exactly 1: all three sums then add the same numbers in the same order, and
    the root of a square is exact.
    """
    product, squares, others = (
        a.multiply(b).sum(axis=1) for a, b in ((one, other), (one, one), (other, other))
    )
    sizes = np.sqrt(squares * others)
    cosines: Floats = np.full(len(sizes), np.nan)
    np.divide(product, sizes, out=cosines, where=sizes > 0)
    return np.minimum(cosines, 1.0, out=cosines)


def _signature(one: Contexts, other: Contexts, words: Sequence[str], at_least: int) -> str:
    """Return a digest of everything that changes the cosines."""
    texts = [f"{each.pipeline} {each.fingerprint} {each.language}" for each in (one, other)]
    digest = hashlib.blake2b(digest_size=8)
    for part in (f"ppmi cosine {one.window} {at_least}", *texts, *words):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
