"""``Evidence``: everything that was gathered, by kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.requests import (
    CountRequest,
    EmbeddingRequest,
    Pair,
    RelevanceRequest,
    Term,
    pair_keys,
    pair_positions,
)
from tealeaves.evidence.texts import EncodedTexts
from tealeaves.evidence.units import Unit
from tealeaves.memo import Memo

if TYPE_CHECKING:
    from tealeaves.arrays import Integers
    from tealeaves.evidence.attention.relevance import Relevance
    from tealeaves.evidence.dictionaries import Dictionaries
    from tealeaves.evidence.drift import Drift
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.wording import Wording
    from tealeaves.evidence.years import WordYears


class Evidence:
    """The counts of each unit, and everything else that was requested.

    ``has`` says whether an optional request was answered.

    Parameters
    ----------
    counts
        Counts of the corpus. Two of the same unit are joined with ``|``, as they are of more
        words of the same texts.
    texts
        The texts themselves.
    vectors
        Word vectors by the name of their embedding; None is the default embedding.
    relevance
        The relevance of pairs of words.
    sides
        The texts of each language of a paired corpus; their ids are the keys of their links.
    dictionaries
        Which words translate which. A metric can do without these, and without the next two.
    years
        Since when a language has had its words.
    drift
        How alike the neighbours of words are in the reference and in another text.
    reference
        The counts of a reference.
    chosen_embeddings
        The names of the embeddings that the user gave, if a metric asked for vectors of them.
    relevance_read
        Whether a classifier read the texts for metrics that require it. Such relevance answers no
        optional request, so that no metric depends on the other metrics of a run.
    wording
        How the words of topics were looked for in the texts.
    notes
        What should be known of how the evidence was gathered.
    """

    def __init__(
        self,
        counts: Iterable[Counts] = (),
        texts: EncodedTexts | None = None,
        vectors: Mapping[str | None, WordVectors] | None = None,
        relevance: Relevance | None = None,
        *,
        sides: Mapping[str, EncodedTexts] | None = None,
        dictionaries: Dictionaries | None = None,
        years: WordYears | None = None,
        drift: Drift | None = None,
        reference: Evidence | None = None,
        chosen_embeddings: Sequence[str] = (),
        relevance_read: bool = False,
        wording: Wording | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self._counts: dict[Unit, Counts] = {}
        self._texts = texts
        self._vectors = dict(vectors or {})
        self._relevance = relevance
        self._sides = dict(sides or {})
        self._dictionaries = dictionaries
        self.years = years
        self.drift = drift
        self.reference = reference
        self.chosen_embeddings = tuple(name for name in chosen_embeddings if name in self._vectors)
        self._relevance_read = relevance_read
        self._wording = wording
        self.notes = list(notes)
        #: intermediate results that metrics keep here for their next computation
        self.memo = Memo(self)
        for new in counts:
            known = self._counts.get(new.unit)
            self._counts[new.unit] = known | new if known else new

    def __iter__(self) -> Iterator[Counts]:
        return iter(self._counts.values())

    def has(self, request: Unit | CountRequest | EmbeddingRequest | RelevanceRequest) -> bool:
        """Return whether a request was answered completely, with all its words and pairs.

        For a unit, return whether anything was counted in it. A request for vectors without the
        name of an embedding stands for each embedding that the user gave.

        >>> evidence = Evidence([Counts.of({"cat": 4}, {}, units=7)])
        >>> evidence.has(Unit()), evidence.has(Unit("window", 10))
        (True, False)
        """
        if isinstance(request, Unit):
            return request in self._counts
        if isinstance(request, CountRequest):
            counts = self._counts.get(request.unit)
            return counts is not None and _covers_counts(counts, request)
        if isinstance(request, EmbeddingRequest):
            names = self.chosen_embeddings if request.embedding is None else (request.embedding,)
            words = request.words | request.further
            return bool(names) and all(
                name in self._vectors and all(word in self._vectors[name].numbers for word in words)
                for name in names
            )
        if self._relevance is None or self._relevance_read:
            return False
        return _covers_relevance(self._relevance, request)

    @property
    def wording(self) -> Wording:
        """How the words of topics were looked for in the texts."""
        if self._wording is None:
            raise EvidenceError("it is not known how words were looked for in the texts")
        return self._wording

    def counts(self, unit: Unit) -> Counts:
        """Return the counts of a unit."""
        if unit not in self._counts:
            known = ", ".join(map(str, self._counts)) or "nothing"
            raise EvidenceError(f"there are no counts of {unit}, only of {known}: count them first")
        return self._counts[unit]

    @property
    def texts(self) -> EncodedTexts:
        """The texts, as sequences of the requested terms."""
        if self._texts is None:
            raise EvidenceError("the texts themselves are missing: give the corpus, not counts")
        return self._texts

    def vectors(self, embedding: str | None = None) -> WordVectors:
        """Return the vectors of the requested words from an embedding."""
        if embedding not in self._vectors:
            name = "the embedding" if embedding is None else embedding
            raise EvidenceError(f"there are no vectors of {name}: ask for them first")
        return self._vectors[embedding]

    @property
    def relevance(self) -> Relevance:
        """The relevance of the requested pairs of words."""
        if self._relevance is None:
            raise EvidenceError("there is no relevance: gather it (tealeaves relevance gather)")
        return self._relevance

    def side(self, language: str) -> EncodedTexts:
        """Return the texts of a language, as sequences of the requested terms."""
        if language not in self._sides:
            raise EvidenceError(
                f"the documents of {language} are missing: give the corpora, not counts"
            )
        return self._sides[language]

    @property
    def dictionaries(self) -> Dictionaries:
        """The dictionaries: which words translate which."""
        if self._dictionaries is None:
            raise EvidenceError("there is no dictionary: give one (--dictionary)")
        return self._dictionaries

    def translates(self, one: str, other: str) -> bool:
        """Return whether there is a dictionary of two languages."""
        return self._dictionaries is not None and self._dictionaries.covers(one, other)

    @property
    def reference_provenance(self) -> str:
        """Which texts of the reference were counted, and how they were read; empty if none."""
        provenances = dict.fromkeys(one.provenance for one in self.reference or ())
        return "|".join(f"reference({one})" for one in provenances)


# ---------------------------------------------------------------------- complete answers


def _covers_counts(counts: Counts, request: CountRequest) -> bool:
    """Return whether all terms, pairs and sets of a request were counted."""
    positions = counts.positions
    if not all(term in positions for term in request.terms):
        return False
    keys, known = _pair_keys(request.pairs, positions), counts.pair_keys
    if keys is None:
        return False
    places = np.searchsorted(known, keys)
    if (places == len(known)).any() or (known[places] != keys).any():
        return False
    sets = (tuple(sorted(positions.get(term, -1) for term in one)) for one in request.sets)
    return all(members in counts.set_positions for members in sets)


def _covers_relevance(relevance: Relevance, request: RelevanceRequest) -> bool:
    """Return whether relevance was gathered for all terms and pairs of a request."""
    if request.improved and not relevance.stamp.improved:
        return False
    positions = relevance.positions
    if not all(term in positions for term in request.terms):
        return False
    if request.pairs is None:
        return relevance.pairs is None
    keys = _pair_keys(request.pairs, positions)
    return keys is not None and bool(relevance.frame.are_requested(keys).all())


def _pair_keys(pairs: Collection[Pair], positions: Mapping[Term, int]) -> Integers | None:
    """Return the keys of pairs as in ``Counts.pair_keys``; None if a term is unknown."""
    try:
        rows = pair_positions(pairs, positions)
    except KeyError:
        return None
    return pair_keys(rows, len(positions))
