"""Requests: everything that a metric can ask to be gathered.

A metric yields requests before anything is read. Requests of one kind join with ``|``, so that a
corpus is read once for all metrics.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.units import Unit

if TYPE_CHECKING:
    from tealeaves.arrays import Integers

T = TypeVar("T")


class Term(NamedTuple):
    """A sequence of tokens in a language; a plain word is a sequence of one token.

    A term without tokens (a word of which the pipeline leaves nothing) is never found.

    Parameters
    ----------
    tokens
        The tokens.
    language
        The language; empty if all texts are in one language.
    """

    tokens: tuple[str, ...]
    language: str = ""

    def __str__(self) -> str:
        return " ".join(self.tokens)


Pair = tuple[Term, Term]
TermSet = tuple[Term, ...]


# ---------------------------------------------------------------------- counts


@dataclass(frozen=True)
class CountRequest:
    """Asks for the counts of terms, pairs and larger sets in one kind of unit.

    The terms of a pair or set are in sorted order, so that each pair and set has one key.

    Parameters
    ----------
    unit
        The unit that is counted: documents, windows …
    terms
        The terms that are counted alone.
    pairs
        The pairs of terms.
    sets
        The larger sets of terms.
    """

    unit: Unit
    terms: frozenset[Term] = frozenset()
    pairs: frozenset[Pair] = frozenset()
    sets: frozenset[TermSet] = frozenset()

    @classmethod
    def of(
        cls, unit: Unit, topics: Iterable[Iterable[Term]], sets: Iterable[Iterable[Term]] = ()
    ) -> CountRequest:
        """Ask for the terms of some topics, for the pairs of each topic, and for more sets.

        >>> a, b = Term(("a",)), Term(("b",))
        >>> sorted(CountRequest.of(Unit(), [[b, a]]).pairs) == [(a, b)]
        True
        """
        terms, pairs = terms_and_pairs(topics)
        larger: set[TermSet] = set()
        for members in sets:
            key = tuple(sorted(set(members)))
            terms.update(key)
            if len(key) == 2:
                pairs.add((key[0], key[1]))
            elif len(key) > 2:
                larger.add(key)
        return cls(unit, frozenset(terms), frozenset(pairs), frozenset(larger))

    def __or__(self, other: CountRequest) -> CountRequest:
        if self.unit != other.unit:
            raise ValueError(f"requests for {self.unit} and {other.unit} cannot be joined")
        return CountRequest(
            self.unit,
            _union(self.terms, other.terms),
            _union(self.pairs, other.pairs),
            _union(self.sets, other.sets),
        )


def terms_and_pairs(topics: Iterable[Iterable[Term]]) -> tuple[set[Term], set[Pair]]:
    """Return the terms of all topics, and the pairs of terms that share a topic."""
    terms: set[Term] = set()
    pairs: set[Pair] = set()
    for topic in topics:
        ordered = sorted(set(topic))
        terms.update(ordered)
        pairs.update(combinations(ordered, 2))
    return terms, pairs


def _union(one: frozenset[T], other: frozenset[T]) -> frozenset[T]:
    """Join two sets; return one of them itself where the other adds nothing.

    Requests for the same words thus keep sharing their sets: counting compares sets by identity.
    """
    if one is other or not other:
        return one
    return one | other if one else other


def join_count_requests(requests: Iterable[CountRequest]) -> list[CountRequest]:
    """Join the requests for each unit into one."""
    joined: dict[Unit, CountRequest] = {}
    for request in requests:
        known = joined.get(request.unit)
        joined[request.unit] = known | request if known else request
    return [joined[unit] for unit in sorted(joined, key=repr)]


def pair_positions(pairs: Collection[Pair], positions: Mapping[Term, int]) -> Integers:
    """Return one row per pair, sorted: the positions of its two terms, the smaller first."""
    flat = map(positions.__getitem__, chain.from_iterable(pairs))
    rows = np.fromiter(flat, np.int64, count=2 * len(pairs)).reshape(-1, 2)
    rows.sort(axis=1)
    keys = np.sort(rows[:, 0] * len(positions) + rows[:, 1])
    return np.stack(np.divmod(keys, max(len(positions), 1)), axis=1)


# ---------------------------------------------------------------------- texts


@dataclass(frozen=True)
class TextRequest:
    """Asks for the texts with their ids and labels, as sequences of these terms."""

    terms: frozenset[Term] = frozenset()

    def __or__(self, other: TextRequest) -> TextRequest:
        return TextRequest(self.terms | other.terms)


@dataclass(frozen=True)
class SidesRequest:
    """Asks for the documents of each language of a paired corpus, as sequences of these terms.

    Each term names its language; ``languages`` are those whose documents are kept.
    """

    languages: frozenset[str]
    terms: frozenset[Term] = frozenset()

    def __or__(self, other: SidesRequest) -> SidesRequest:
        return SidesRequest(self.languages | other.languages, self.terms | other.terms)


@dataclass(frozen=True)
class ContextRequest:
    """Asks which words stand at most ``window`` tokens before or after each of these terms.

    All terms are of one language, and each of them names it.

    >>> king, sea = Term(("king",), "en"), Term(("sea",), "en")
    >>> both = ContextRequest("en", frozenset({king})) | ContextRequest("en", frozenset({sea}))
    >>> sorted(map(str, both.terms)), both.window
    (['king', 'sea'], 5)
    """

    language: str
    terms: frozenset[Term]
    window: int = 5

    def __post_init__(self) -> None:
        if self.window < 1:
            raise InputError(f"a context window must have at least 1 token, not {self.window}")
        for term in sorted(self.terms):
            if term.language != self.language:
                raise InputError(
                    f"a request for contexts has terms of one language: {str(term)!r} is of "
                    f"{term.language!r}, not of {self.language!r}"
                )

    def __or__(self, other: ContextRequest) -> ContextRequest:
        if (self.language, self.window) != (other.language, other.window):
            raise ValueError(f"requests for contexts cannot be joined: {self} and {other}")
        return ContextRequest(self.language, self.terms | other.terms, self.window)


# ---------------------------------------------------------------------- other sources


@dataclass(frozen=True)
class EmbeddingRequest:
    """Asks for the vectors of words from the embedding of that name; None: from the default one.

    ``words`` are those of topics. ``further`` are other words, such as stop words, which the
    embedding need not know.
    """

    embedding: str | None = None
    words: frozenset[str] = frozenset()
    further: frozenset[str] = frozenset()

    def __or__(self, other: EmbeddingRequest) -> EmbeddingRequest:
        if self.embedding != other.embedding:
            raise ValueError(f"vectors of {self.embedding} and {other.embedding} cannot be joined")
        words, further = self.words | other.words, self.further | other.further
        return EmbeddingRequest(self.embedding, words, further)


def join_embedding_requests(
    requests: Iterable[EmbeddingRequest],
) -> dict[str | None, EmbeddingRequest]:
    """Join the requests for each embedding into one."""
    joined: dict[str | None, EmbeddingRequest] = {}
    for request in requests:
        known = joined.get(request.embedding)
        joined[request.embedding] = known | request if known else request
    return joined


@dataclass(frozen=True)
class DictionaryRequest:
    """Asks for a dictionary of at least one of the language pairs of each model.

    If it is ``optional``, a dictionary is used where there is one.
    """

    models: frozenset[tuple[tuple[str, str], ...]]
    optional: bool = False

    def __or__(self, other: DictionaryRequest) -> DictionaryRequest:
        return DictionaryRequest(self.models | other.models, self.optional and other.optional)


@dataclass(frozen=True)
class RelevanceRequest:
    """Asks for the relevance of terms and of unordered pairs of terms.

    The terms of a pair are in sorted order, so that each pair has one key. ``pairs=None`` asks for
    all pairs of the terms. ``improved`` asks for Improved LRP too, which takes most of the time.
    """

    terms: frozenset[Term] = frozenset()
    pairs: frozenset[Pair] | None = frozenset()
    improved: bool = False

    @classmethod
    def of(cls, topics: Iterable[Iterable[Term]], *, improved: bool = False) -> RelevanceRequest:
        """Ask for the terms of some topics, and for the pairs of each topic.

        >>> a, b = Term(("a",)), Term(("b",))
        >>> sorted(RelevanceRequest.of([[b, a]]).pairs) == [(a, b)]
        True
        """
        terms, pairs = terms_and_pairs(topics)
        return cls(frozenset(terms), frozenset(pairs), improved)

    def __or__(self, other: RelevanceRequest) -> RelevanceRequest:
        if self is other or self == other:
            return self  # so that equal requests keep sharing their sets
        both = self.pairs is not None and other.pairs is not None
        pairs = self.pairs | other.pairs if both else None  # type: ignore[operator]
        return RelevanceRequest(self.terms | other.terms, pairs, self.improved or other.improved)

    def terms_and_positions(self) -> tuple[tuple[Term, ...], Integers | None]:
        """Return the terms, sorted, and the pairs as positions of terms, sorted."""
        if self.pairs is None:
            return tuple(sorted(self.terms)), None
        terms = tuple(sorted(self.terms | {term for pair in self.pairs for term in pair}))
        positions = {term: position for position, term in enumerate(terms)}
        return terms, pair_positions(self.pairs, positions)


# ---------------------------------------------------------------------- optional requests


@dataclass(frozen=True)
class OptionalRequest:
    """Asks for something that a metric uses if it is available; ``Evidence.has`` says if it is.

    - Counts come from the corpus, or from given counts that include everything asked for. With
      ``reference`` they come from the reference, whose terms ``wording.reference`` makes.
    - Vectors come from an embedding that can be opened on this machine. A request without a name
      stands for each embedding that the user gave.
    - Relevance must be given: no classifier reads texts for an optional request.
    """

    request: CountRequest | EmbeddingRequest | RelevanceRequest
    reference: bool = False

    def __post_init__(self) -> None:
        if self.reference and not isinstance(self.request, CountRequest):
            raise ValueError("a reference has only counts: ask for counts, or for no reference")
