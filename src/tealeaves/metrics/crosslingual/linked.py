"""``LinkedMetric``: metrics of words counted in linked documents."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.request import Pair, Request
from tealeaves.evidence.sources import multilingual
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.family import (
    CrosslingualMetric,
    LanguagePair,
    language_pairs,
    side_terms,
    side_words,
)
from tealeaves.metrics.notes import listed
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.counts import Counts

Lists = list[tuple[Term, ...]]


@dataclass(frozen=True, repr=False, eq=False)
class LinkedMetric(CrosslingualMetric):
    """A metric of how often words are found in documents that are linked across languages.

    The reference of two languages is the documents that both have. Of more than two languages, the
    value is the mean over pairs of them.
    """

    @property
    def source(self) -> str:
        """What is counted."""
        return "counts of linked documents"

    @abstractmethod
    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:
        """Return the pairs of a topic's terms in two languages that are to be counted."""

    @abstractmethod
    def of_pair(self, lists: dict[str, Lists], counts: Counts) -> tuple[Floats, Floats]:
        """Return the values of all topics in two languages, and the share that was judged."""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Request]:
        """Ask for terms and pairs in the documents that two languages share."""
        for model in models:
            for pair in language_pairs(model, self.judges):
                yield self._request(model, pair, wording)

    def _request(self, model: Topics, pair: LanguagePair, wording: Wording) -> Request:
        terms: set[Term] = set()
        pairs: set[Pair] = set()
        left, right = (_findable(self._lists(model, name, wording)) for name in pair)
        for one, other in zip(left, right, strict=True):
            terms.update(one, other)
            pairs.update((a, b) if a < b else (b, a) for a, b in self.pairs_of(one, other))
        return Request(Unit.of_link(*pair), frozenset(terms), frozenset(pairs))

    def _lists(self, model: Topics, language: str, wording: Wording) -> Lists:
        return side_terms(model, language, self.top, wording)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score each topic by the mean over pairs of languages."""
        return [self._of_model(model, evidence, wording) for model in models]

    def _of_model(self, model: Topics, evidence: Evidence, wording: Wording) -> Result:
        found = []
        for pair in language_pairs(model, self.judges):
            lists = {name: self._lists(model, name, wording) for name in pair}
            found.append(self.of_pair(lists, evidence.counts(Unit.of_link(*pair))))
        return mean_result([values for values, _ in found], [share for _, share in found])

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Name the words that the reference lacks."""
        notes = []
        for model in models:
            for language in multilingual(model).languages:
                if not self.judges(language):
                    continue
                absent = self._absent(model, language, evidence, wording)
                if absent:
                    notes.append(
                        f"{model.model}: not in the reference ({language}): {listed(absent)}"
                    )
        return notes

    def _absent(
        self, model: Topics, language: str, evidence: Evidence, wording: Wording
    ) -> list[str]:
        """Return the words of a language that no linked document has."""
        pairs = language_pairs(model, lambda one: one == language)
        counted = [evidence.counts(Unit.of_link(*pair)) for pair in pairs]
        words = side_words(model, language, self.top, wording)
        found: dict[str, None] = {}
        for named, terms in zip(words, self._lists(model, language, wording), strict=True):
            for word, term in zip(named, terms, strict=True):
                if not any(term.tokens and counts.single(term) for counts in counted):
                    found[word] = None
        return list(found)

    def provenance_of(
        self,
        model: Topics,
        beside: Sequence[Topics],  # noqa: ARG002
        evidence: Evidence,
    ) -> str:
        """Return the texts and tokens of this model's languages."""
        if self.why_not(model):
            return ""
        units = [Unit.of_link(*pair) for pair in language_pairs(model, self.judges)]
        return "|".join(f"{unit}|{evidence.counts(unit).provenance}" for unit in units)


def mean_result(values: Sequence[Floats], shares: Sequence[Floats]) -> Result:
    """Return the mean over parts of what is known of them; support is that of all parts."""
    stacked, judged = np.array(values), np.array(shares)
    known = ~np.isnan(stacked)
    number = known.sum(axis=0)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    mean = np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
    return Result(mean, np.where(number > 0, judged.mean(axis=0), 0.0))


def places(terms: Iterable[Term], counts: Counts) -> Integers:
    """Return where terms stand in counts; -1 is a word that the tokens leave nothing of."""
    found = [counts.position(term) if term.tokens else -1 for term in terms]
    return np.array(found, dtype=np.int64)


def occurrences(positions: Integers, counts: Counts) -> Integers:
    """Return how many linked documents hold each of these terms."""
    found = np.zeros(len(positions), dtype=np.int64)
    found[positions >= 0] = counts.singles[positions[positions >= 0]]
    return found


def together(left: Integers, right: Integers, counts: Counts) -> Integers:
    """Return how many linked documents hold both terms of each pair."""
    found = np.zeros(len(left), dtype=np.int64)
    there = (left >= 0) & (right >= 0)
    found[there] = counts.together(left[there], right[there])
    return found


def _findable(lists: Lists) -> Lists:
    return [tuple(term for term in terms if term.tokens) for terms in lists]
