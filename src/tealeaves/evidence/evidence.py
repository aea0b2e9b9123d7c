"""``Evidence``: all that was gathered, by what it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tealeaves.errors import EvidenceError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.encoded import EncodedTexts
from tealeaves.evidence.units import Unit

if TYPE_CHECKING:
    from tealeaves.evidence.contexts.drift import Drift
    from tealeaves.evidence.dictionaries.dictionaries import Dictionaries
    from tealeaves.evidence.embeddings.vectors import WordVectors
    from tealeaves.evidence.eras.eras import Eras
    from tealeaves.evidence.linked.side import Side
    from tealeaves.evidence.relevance.relevance import Relevance


class Evidence:
    """The counts at hand, one for each unit, and what else was asked for.

    Counts of the same unit given twice are joined with ``|`` (more words of the same texts).
    ``texts`` are the texts themselves; ``vectors`` are those of words, by the embedding's name,
    None for the one that is taken where none is named; ``relevance`` is that of pairs of words.
    Of texts linked across languages, ``sides`` are the documents of each; ``dictionaries`` say
    which words translate which, ``eras`` since when a language has its words, and ``drift`` how far
    the reference uses them as another text does. Of these three a metric may do without.
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
        eras: Eras | None = None,
        drift: Drift | None = None,
    ) -> None:
        self._counts: dict[Unit, Counts] = {}
        self._texts = texts
        self._vectors = dict(vectors or {})
        self._relevance = relevance
        self._sides = dict(sides or {})
        self._dictionaries = dictionaries
        self.eras = eras
        self.drift = drift
        for one in counts:
            known = self._counts.get(one.unit)
            self._counts[one.unit] = known | one if known else one

    def counts(self, unit: Unit) -> Counts:
        """Return the counts of a unit."""
        if unit not in self._counts:
            known = ", ".join(map(str, self._counts)) or "nothing"
            raise EvidenceError(f"no counts of {unit} at hand, only of {known}: count them first")
        return self._counts[unit]

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
