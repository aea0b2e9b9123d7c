"""``Evidence``: all that was gathered, by what it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.request import EmbeddingRequest
from tealeaves.evidence.encoded import EncodedTexts
from tealeaves.evidence.holding import counts_hold, relevance_holds, vectors_hold
from tealeaves.evidence.request import Request
from tealeaves.evidence.units import Unit

if TYPE_CHECKING:
    from tealeaves.evidence.contexts.drift import Drift
    from tealeaves.evidence.dictionaries import Dictionaries
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.linked.side import Side
    from tealeaves.evidence.relevance.relevance import Relevance
    from tealeaves.evidence.relevance.request import RelevanceRequest
    from tealeaves.evidence.wording import Wording
    from tealeaves.evidence.years import WordYears


class Evidence:
    """The counts at hand, one for each unit, and what else was asked for.

    Counts of the same unit given twice are joined with ``|`` (more words of the same texts).
    ``texts`` are the texts themselves; ``vectors`` are those of words, by the embedding's name,
    None for the one that is taken where none is named; ``relevance`` is that of pairs of words.
    Of texts linked across languages, ``sides`` are the documents of each; ``dictionaries`` say
    which words translate which, ``eras`` since when a language has its words, and ``drift`` how far
    the reference uses them as another text does. Of these three a metric may do without.

    What a metric only wished for (:class:`~tealeaves.evidence.wish.Wish`) may be at hand or not:
    ``has`` tells. ``reference`` is what was counted in a reference beside the corpus. ``named``
    are the embeddings that the user named, where vectors of them were wished for.
    ``relevance_read`` says that a classifier read the texts for metrics that need it; of such
    relevance no wish is granted, so that no metric depends on those beside it. ``wording`` says how
    words were looked for, and ``notes`` what should be known of the gathering.
    """

    def __init__(
        self,
        counts: Iterable[Counts] = (),
        texts: EncodedTexts | None = None,
        vectors: Mapping[str | None, WordVectors] | None = None,
        relevance: Relevance | None = None,
        *,
        sides: Mapping[str, Side] | None = None,
        dictionaries: Dictionaries | None = None,
        eras: WordYears | None = None,
        drift: Drift | None = None,
        reference: Evidence | None = None,
        named: Sequence[str] = (),
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
        self.eras = eras
        self.drift = drift
        self.reference = reference
        self.named = tuple(name for name in named if name in self._vectors)
        self._relevance_read = relevance_read
        self._wording = wording
        #: What should be known of how the evidence was gathered.
        self.notes = list(notes)
        #: What metrics keep that they made of it, for what they are asked next.
        self.kept: dict[Any, Any] = {}
        for one in counts:
            known = self._counts.get(one.unit)
            self._counts[one.unit] = known | one if known else one

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
            raise EvidenceError(f"no counts of {unit} at hand, only of {known}: count them first")
        return self._counts[unit]

    def has(self, asked: Unit | Request | EmbeddingRequest | RelevanceRequest) -> bool:
        """Tell whether what is asked for is at hand: all its words and pairs, not only some.

        Of a unit it tells whether anything was counted in it. An embedding without a name stands
        for those that the user named.

        >>> evidence = Evidence([Counts.of({"cat": 4}, {}, units=7)])
        >>> evidence.has(Unit()), evidence.has(Unit("window", 10))
        (True, False)
        """
        if isinstance(asked, Unit):
            return asked in self._counts
        if isinstance(asked, Request):
            known = self._counts.get(asked.unit)
            return known is not None and counts_hold(known, asked)
        if isinstance(asked, EmbeddingRequest):
            names = self.named if asked.embedding is None else (asked.embedding,)
            words = asked.words | asked.further
            return bool(names) and all(vectors_hold(self._vectors.get(n), words) for n in names)
        if self._relevance is None or self._relevance_read:
            return False
        return relevance_holds(self._relevance, asked)

    @property
    def reference_provenance(self) -> str:
        """What was counted in the reference, and how it was read; nothing if there is none."""
        found = dict.fromkeys(one.provenance for one in self.reference or ())
        return "|".join(f"reference({one})" for one in found)

    @property
    def texts(self) -> EncodedTexts:
        """The texts, as sequences of the asked words."""
        if self._texts is None:
            raise EvidenceError("the texts themselves are not at hand: give the corpus, not counts")
        return self._texts

    def vectors(self, embedding: str | None = None) -> WordVectors:
        """Return the vectors that an embedding gives the asked words."""
        if embedding not in self._vectors:
            name = "the embedding" if embedding is None else embedding
            raise EvidenceError(f"no vectors of {name} at hand: ask for them first")
        return self._vectors[embedding]

    @property
    def relevance(self) -> Relevance:
        """What a classifier says of the asked pairs of words."""
        if self._relevance is None:
            raise EvidenceError("no relevance at hand: gather it (tealeaves relevance gather)")
        return self._relevance

    def side(self, language: str) -> Side:
        """Return the documents of a language, as sequences of the asked words."""
        if language not in self._sides:
            raise EvidenceError(
                f"the documents of {language} are not at hand: give the corpora, not counts"
            )
        return self._sides[language]

    @property
    def dictionaries(self) -> Dictionaries:
        """Which words translate which."""
        if self._dictionaries is None:
            raise EvidenceError("no dictionary is at hand: give one (--dictionary)")
        return self._dictionaries

    def translates(self, one: str, other: str) -> bool:
        """Tell whether a dictionary of two languages is at hand."""
        return self._dictionaries is not None and self._dictionaries.covers(one, other)

    def __iter__(self) -> Iterator[Counts]:
        return iter(self._counts.values())
