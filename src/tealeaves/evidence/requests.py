"""Requests: everything that a metric can ask to be gathered.

A metric yields requests before anything is read. Requests of one kind join with ``|``, so that a
corpus is read once for all metrics.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from tealeaves.arrays import ranges
from tealeaves.errors import InputError
from tealeaves.evidence.units import Unit
from tealeaves.limits import check

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Integers

T = TypeVar("T")
SomeSet = TypeVar("SomeSet", bound=Set[object])

_MOST_PAIRS = 4_000_000  # at once: this bounds the memory


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


class TermPairs(Set[Pair]):
    """Pairs of terms as rows of positions. It equals the set of these pairs.

    The pairs themselves are made only if somebody looks at them: there may be millions.

    Parameters
    ----------
    terms
        The terms, sorted.
    rows
        The positions of the two terms of each pair, the smaller first; rows are sorted.

    >>> a, b, c = (Term((word,)) for word in "abc")
    >>> pairs = TermPairs([a, b, c], np.array([[0, 2]]))
    >>> pairs == {(a, c)}, len(pairs)
    (True, 1)
    """

    def __init__(self, terms: Sequence[Term], rows: Integers) -> None:
        self.terms = terms
        self.rows = rows

    @cached_property
    def _pairs(self) -> frozenset[Pair]:
        return frozenset((self.terms[a], self.terms[b]) for a, b in self.rows.tolist())

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._pairs)

    def __contains__(self, pair: object) -> bool:
        return pair in self._pairs

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TermPairs) and self.terms == other.terms:
            return np.array_equal(self.rows, other.rows)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self._pairs)

    def __or__(self, other: Set[T]) -> Set[Pair | T]:
        if not isinstance(other, TermPairs):
            return self._pairs | other
        terms = sorted({*self.terms, *other.terms})
        positions = {term: position for position, term in enumerate(terms)}
        rows = np.concatenate([pair_positions(pairs, positions) for pairs in (self, other)])
        return TermPairs(terms, np.unique(rows, axis=0))

    @classmethod
    def _from_iterable(cls, pairs: Iterable[T]) -> frozenset[T]:
        return frozenset(pairs)


@dataclass(frozen=True)
class TermNumbers:
    """Lists of distinct terms, in which each term is a number.

    Parameters
    ----------
    terms
        The terms of all lists, each once.
    numbers
        The positions of the lists' terms in ``terms``, list after list.
    sizes
        How many terms each list has.
    """

    terms: Sequence[Term]
    numbers: Integers
    sizes: Integers

    @classmethod
    def of(cls, lists: Sequence[Sequence[Term]]) -> TermNumbers:
        """Number the terms of lists."""
        terms = dict.fromkeys(chain.from_iterable(lists))
        known = dict(zip(terms, range(len(terms)), strict=True))
        numbers = [known[term] for term in chain.from_iterable(lists)]
        return cls(list(terms), np.array(numbers, dtype=np.int64), np.array(list(map(len, lists))))

    @property
    def ranks(self) -> Integers:
        """The rank of each term in its list, from 0."""
        return ranges(np.zeros(len(self.sizes), dtype=np.int64), self.sizes)

    def only(self, kept: Bools) -> TermNumbers:
        """Return the lists with some of their terms."""
        lists = np.repeat(np.arange(len(self.sizes)), self.sizes)[kept]
        sizes = np.bincount(lists, minlength=len(self.sizes))
        return TermNumbers(self.terms, self.numbers[kept], sizes)

    def terms_and_pairs(self) -> tuple[frozenset[Term], TermPairs]:
        """Return the terms of all lists, and the pairs of terms that share a list."""
        check_pairs(self.sizes.tolist())
        used = sorted(np.unique(self.numbers).tolist(), key=self.terms.__getitem__)
        place = np.zeros(len(self.terms), dtype=np.int64)
        place[used] = np.arange(len(used))
        starts = np.cumsum(self.sizes) - self.sizes
        keys = np.empty(0, dtype=np.int64)  # one number for each pair
        for size in np.unique(self.sizes[self.sizes > 1]).tolist():
            first, second = np.triu_indices(size, 1)
            alike = starts[self.sizes == size]
            step = max(1, _MOST_PAIRS // len(first))
            for part in (alike[start : start + step] for start in range(0, len(alike), step)):
                rows = np.sort(place[self.numbers[part[:, None] + np.arange(size)]], axis=1)
                new = rows.take(first, axis=1) * len(used) + rows.take(second, axis=1)
                keys = sorted_distinct(np.append(keys, new))
        terms = [self.terms[number] for number in used]
        return frozenset(terms), TermPairs(terms, np.stack(np.divmod(keys, max(1, len(used))), 1))


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
    pairs: Set[Pair] = frozenset()
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
    distinct = [sorted(set(topic)) for topic in topics]
    check_pairs(map(len, distinct))
    for ordered in distinct:
        terms.update(ordered)
        pairs.update(combinations(ordered, 2))
    return terms, pairs


def check_pairs(sizes: Iterable[int]) -> None:
    """Raise, before memory is taken, if topics of so many words have too many pairs of words."""
    known = list(sizes)
    words = max(known, default=0)
    what = f"pairs of words of {len(known)} topics of up to {words} words (npmi@10 takes 10)"
    check("pairs", sum(size * (size - 1) // 2 for size in known), what)


def sorted_distinct(numbers: Integers) -> Integers:
    """Return each number once, ascending; faster than ``np.unique``, which fills a hash table."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def _union(one: SomeSet, other: SomeSet) -> SomeSet:
    """Join two sets; return one of them itself where the other adds nothing.

    Requests for the same words thus keep sharing their sets: counting compares sets by identity.
    """
    if one is other or not other:
        return one
    return one | other if one else other  # type: ignore[return-value]


def join_count_requests(requests: Iterable[CountRequest]) -> list[CountRequest]:
    """Join the requests for each unit into one."""
    joined: dict[Unit, CountRequest] = {}
    for request in requests:
        known = joined.get(request.unit)
        joined[request.unit] = known | request if known else request
    return [joined[unit] for unit in sorted(joined, key=repr)]


def pair_positions(pairs: Collection[Pair], positions: Mapping[Term, int]) -> Integers:
    """Return one row per pair, sorted: the positions of its two terms, the smaller first."""
    if isinstance(pairs, TermPairs):
        places = np.array([positions[term] for term in pairs.terms], dtype=np.int64)
        rows = places[pairs.rows]
        if (places[1:] > places[:-1]).all():  # true of positions in sorted terms
            return rows
    else:
        flat = map(positions.__getitem__, chain.from_iterable(pairs))
        rows = np.fromiter(flat, np.int64, count=2 * len(pairs)).reshape(-1, 2)
    rows.sort(axis=1)
    size = max(1, len(positions))
    keys = np.sort(rows[:, 0] * size + rows[:, 1])
    return np.stack(np.divmod(keys, size), axis=1)


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
    pairs: Set[Pair] | None = frozenset()
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
