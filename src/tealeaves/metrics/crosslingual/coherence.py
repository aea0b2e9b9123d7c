"""Coherence in linked documents: across languages (CNPMI) and inside each (INPMI)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.request import Pair
from tealeaves.evidence.terms import Term
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.crosslingual.linked import (
    LinkedMetric,
    Lists,
    mean_result,
    occurrences,
    places,
    together,
)
from tealeaves.metrics.crosslingual.npmi import means, npmi
from tealeaves.metrics.crosslingual.verdicts import incoherent
from tealeaves.metrics.notes import listed
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.counts import Counts


class CrossPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What decides the value of pairs of words.

    Parameters
    ----------
    never
        The value of two words that are both in the reference but never in linked documents: 0 as
        in the paper, or -1, the limit.
    """

    never: Literal[0, -1] = 0


class InnerPolicy(CrossPolicy, frozen=True, kw_only=True):
    """What decides the value of pairs of words, and of which language they are.

    Parameters
    ----------
    language
        The one language that is judged; by default the mean over languages.
    """

    language: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class LinkedCoherence(LinkedMetric):
    """Coherence of words in linked documents."""

    settings: CrossPolicy

    @property
    def why_undefined(self) -> str:
        """Why a topic has no score."""
        return "unjudgeable as no pair of their words is in the reference"

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Tell topics that are incoherent from those that cannot be judged."""
        notes = super().caveats(models, evidence, wording)
        for model, result in zip(models, self.score(models, evidence, wording), strict=True):
            found = [
                topic.id
                for topic, value in zip(model.topics, result.values.tolist(), strict=True)
                if incoherent(value)
            ]
            if found:
                notes.append(
                    f"{model.model}: incoherent by {self!r} (their words are in the reference, "
                    f"together no more than by chance): {listed(found)}"
                )
        return notes

    def _judged(
        self,
        left: Lists,
        right: Lists,
        pairs: list[tuple[Integers, Integers]],
        wanted: int,
        counts: Counts,
    ) -> tuple[Floats, Floats]:
        """Return the mean NPMI of each topic's pairs, given by places in two lists of terms."""
        topic = np.repeat(np.arange(len(pairs)), [len(first) for first, _ in pairs])
        a, b = (
            np.concatenate([places(one, counts)[chosen] for one, chosen in zip(*both, strict=True)])
            for both in zip((left, right), zip(*pairs, strict=True), strict=True)
        )
        values = npmi(
            together(a, b, counts),
            occurrences(a, counts),
            occurrences(b, counts),
            counts.totals.units,
            never=float(self.settings.never),
        )
        return means(values, topic, len(pairs), wanted)


@dataclass(frozen=True, repr=False, eq=False)
class CrosslingualCoherence(LinkedCoherence):
    """The mean NPMI over all pairs of a word of one language and a word of another."""

    def lacks(self, model: Topics) -> str:
        """Ask for several languages; who has one may have meant another metric."""
        lack = super().lacks(model)
        several = isinstance(model, MultilingualTopics)
        return lack if several else f"{lack} (npmi and c_npmi are for one)"

    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:
        """Return each word of one language with each of the other."""
        return product(left, right)

    def of_pair(self, lists: dict[str, Lists], counts: Counts) -> tuple[Floats, Floats]:
        """Compare the words of two languages."""
        left, right = lists.values()
        sizes = [(len(a), len(b)) for a, b in zip(left, right, strict=True)]
        pairs = [(np.repeat(np.arange(a), b), np.tile(np.arange(b), a)) for a, b in sizes]
        return self._judged(left, right, pairs, (self.top or 0) ** 2, counts)


@dataclass(frozen=True, repr=False, eq=False)
class IntrinsicCoherence(LinkedCoherence):
    """The mean NPMI over the pairs of words inside each language, of its linked documents."""

    settings: InnerPolicy

    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:
        """Return the pairs of each language."""
        for terms in (left, right):
            if not terms or self.judges(terms[0].language):
                yield from combinations(terms, 2)

    def of_pair(self, lists: dict[str, Lists], counts: Counts) -> tuple[Floats, Floats]:
        """Judge the words of each language, and take the mean."""
        found = []
        wanted = comb(self.top or 0, 2)
        for language, terms in lists.items():
            if self.judges(language):
                pairs = [np.triu_indices(len(one), 1) for one in terms]
                found.append(self._judged(terms, terms, pairs, wanted, counts))
        result = mean_result([values for values, _ in found], [share for _, share in found])
        return result.values, result.support
