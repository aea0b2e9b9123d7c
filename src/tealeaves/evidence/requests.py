"""Requests: everything that a metric can ask to be gathered.

A metric yields requests before anything is read. Requests of one kind join with ``|``, so that a
corpus is read once for all metrics.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from tealeaves.arrays import ranges
from tealeaves.errors import InputError
from tealeaves.evidence.units import Unit
from tealeaves.limits import check, limit

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Integers, Integers32

T = TypeVar("T")
SomeSet = TypeVar("SomeSet", bound=Set[object])

_AT_ONCE = 1 << 20  # pairs that are listed at a time: this bounds the memory


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

    def __init__(self, terms: Sequence[Term], rows: Integers | Integers32) -> None:
        self.terms = terms
        self.rows: Integers32 = np.ascontiguousarray(rows, dtype=np.int32)

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
        return TermPairs(
            terms, rows_of_keys(sorted_distinct(pair_keys(rows, len(terms))), len(terms))
        )

    @classmethod
    def _from_iterable(cls, pairs: Iterable[T]) -> frozenset[T]:
        return frozenset(pairs)


@dataclass(frozen=True)
class TermNumbers:
    """Lists of distinct terms, in which each term is a number.

    Parameters
    ----------
    terms
        The terms of all lists, each once, sorted.
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
        terms = sorted(set(chain.from_iterable(lists)))
        known = dict(zip(terms, range(len(terms)), strict=True))
        numbers = [known[term] for term in chain.from_iterable(lists)]
        sizes = np.array(list(map(len, lists)), dtype=np.int64)
        return cls(terms, np.array(numbers, dtype=np.int64), sizes)

    @property
    def ranks(self) -> Integers:
        """The rank of each term in its list, from 0."""
        return ranges(np.zeros(len(self.sizes), dtype=np.int64), self.sizes)

    @property
    def most_pairs(self) -> int:
        """The number of pairs of terms that share a list, counted again for each list."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    def only(self, kept: Bools) -> TermNumbers:
        """Return the lists with some of their terms."""
        lists = np.repeat(np.arange(len(self.sizes)), self.sizes)[kept]
        sizes = np.bincount(lists, minlength=len(self.sizes))
        return TermNumbers(self.terms, self.numbers[kept], sizes)

    def terms_and_pairs(self) -> tuple[frozenset[Term], TermPairs]:
        """Return the terms of all lists, and the pairs of terms that share a list."""
        largest = int(self.sizes.max(initial=0))
        check_pairs(largest * (largest - 1) // 2, len(self.sizes), largest)
        used = sorted_distinct(self.numbers)
        size = len(used)
        place = np.zeros(len(self.terms), dtype=np.int64)
        place[used] = np.arange(size)
        terms = [self.terms[number] for number in used.tolist()]
        room = min(self.most_pairs, min(size * (size - 1), 2 * limit("pairs")) + _AT_ONCE)
        keys, filled, known = np.empty(room, dtype=np.int64), 0, 0
        for new in self._keys(place, size):
            if filled + len(new) > min(room, 2 * known + _AT_ONCE):
                known = filled = _put_distinct_first(keys[:filled])
                check_pairs(known, len(self.sizes), largest)
            keys[filled : filled + len(new)] = new
            filled += len(new)
        keys = keys[: _put_distinct_first(keys[:filled])]
        check_pairs(len(keys), len(self.sizes), largest)
        return frozenset(terms), TermPairs(terms, rows_of_keys(keys, size))

    def _keys(self, place: Integers, count: int) -> Iterator[Integers]:
        """Yield the keys of pairs, some at a time; ``place`` has the position of each number."""
        starts = np.cumsum(self.sizes) - self.sizes
        for size in sorted_distinct(self.sizes[self.sizes > 1]).tolist():
            alike = starts[self.sizes == size]
            step = max(1, _AT_ONCE // (size * (size - 1) // 2))
            for part in (alike[start : start + step] for start in range(0, len(alike), step)):
                rows = np.sort(place[self.numbers[part[:, None] + np.arange(size)]], axis=1)
                if step > 1:
                    first, second = np.triu_indices(size, 1)
                    keys = rows.take(first, axis=1) * count
                    keys += rows.take(second, axis=1)
                    yield keys.ravel()
                else:
                    for rank in range(size - 1):
                        yield rows[0, rank] * count + rows[0, rank + 1 :]


def pair_keys(rows: Integers32, count: int) -> Integers:
    """Return one number for each pair of positions among ``count`` terms; it sorts as rows do."""
    keys: Integers = rows[:, 0].astype(np.int64)
    keys *= count
    keys += rows[:, 1]
    return keys


def rows_of_keys(keys: Integers, count: int) -> Integers32:
    """Return the pairs of positions that keys stand for."""
    rows = np.empty((len(keys), 2), dtype=np.int32)
    np.floor_divide(keys, max(1, count), out=rows[:, 0], casting="unsafe")
    np.remainder(keys, max(1, count), out=rows[:, 1], casting="unsafe")
    return rows


def _put_distinct_first(numbers: Integers) -> int:
    """Sort numbers in place, each once at the beginning; return how many these are."""
    numbers.sort()
    new = numbers[1:] != numbers[:-1]
    found = int(new.sum()) + bool(len(numbers))
    if found < len(numbers):
        numbers[1:found] = numbers[1:][new]
    return found


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
        keys = {tuple(sorted(set(members))) for members in sets}
        larger = frozenset(key for key in keys if len(key) > 2)
        terms, pairs = terms_and_pairs([*topics, *(key for key in keys if len(key) < 3)])
        return cls(unit, terms.union(*larger), pairs, larger)

    def sorted_terms(self) -> tuple[Term, ...]:
        """Return the terms in order; pairs of the same terms know it."""
        listed = self.pairs.terms if isinstance(self.pairs, TermPairs) else ()
        if len(listed) == len(self.terms) and self.terms.issuperset(listed):
            return tuple(listed)
        return tuple(sorted(self.terms))

    def __or__(self, other: CountRequest) -> CountRequest:
        if self.unit != other.unit:
            raise ValueError(f"requests for {self.unit} and {other.unit} cannot be joined")
        return CountRequest(
            self.unit,
            _union(self.terms, other.terms),
            _union(self.pairs, other.pairs),
            _union(self.sets, other.sets),
        )


def terms_and_pairs(topics: Iterable[Iterable[Term]]) -> tuple[frozenset[Term], TermPairs]:
    """Return the terms of all topics, and the pairs of terms that share a topic."""
    return TermNumbers.of([list(dict.fromkeys(topic)) for topic in topics]).terms_and_pairs()


def check_pairs(found: int, topics: int, largest: int) -> None:
    """Raise, before more memory is taken, if so many pairs of words were found."""
    of = "one topic" if topics == 1 else f"{topics:,} topics"
    what = f"pairs of words in {of} of up to {largest:,} words (fewer words are scored by npmi@10)"
    check("pairs", found, what)


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


def pair_positions(pairs: Collection[Pair], positions: Mapping[Term, int]) -> Integers32:
    """Return one row per pair, sorted: the positions of its two terms, the smaller first."""
    if isinstance(pairs, TermPairs):
        places = np.array([positions[term] for term in pairs.terms], dtype=np.int32)
        if (places == np.arange(len(places))).all():
            return pairs.rows
        rows = places[pairs.rows]
        if (places[1:] > places[:-1]).all():  # true of positions in sorted terms
            return rows
    else:
        flat = map(positions.__getitem__, chain.from_iterable(pairs))
        rows = np.fromiter(flat, np.int32, count=2 * len(pairs)).reshape(-1, 2)
    rows.sort(axis=1)
    keys = pair_keys(rows, len(positions))
    keys.sort()
    return rows_of_keys(keys, len(positions))


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
        return cls(terms, pairs, improved)

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
        return terms, pair_positions(self.pairs, positions).astype(np.int64)


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
