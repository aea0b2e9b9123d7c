"""CNPMI, INPMI and TWC: topics in several languages judged by linked documents.

CNPMI asks whether the words of two languages are about the same subject, INPMI whether the words
of each language are coherent, TWC how many of the words the linked documents have.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec
import numpy as np

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import CountRequest, Pair, Term
from tealeaves.evidence.units import Unit
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.family import (
    CrosslingualMetric,
    LanguagePair,
    coherence_verdict,
    language_pairs,
    mean_result,
    side_terms,
    side_words,
)
from tealeaves.metrics.formulas import npmi_formula
from tealeaves.tables.numbers import list_text
from tealeaves.topics.multilingual import MultilingualTopics, require_multilingual
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.counts import Counts

    # for each topic: its value, and the share of its words or pairs of words that was judged
    ValuesAndShares = tuple[Floats, Floats]

TermLists = list[tuple[Term, ...]]


# ---------------------------------------------------------------------- linked documents


@dataclass(frozen=True, repr=False, eq=False)
class LinkedMetric(CrosslingualMetric):
    """A metric of word counts in documents that are linked across languages.

    The reference of two languages is the documents that both have. With more than two languages,
    the value is the mean over pairs of languages.
    """

    source: ClassVar[str] = "counts of linked documents"

    @abstractmethod
    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:
        """Return the pairs of a topic's terms in two languages that are to be counted."""

    @abstractmethod
    def score_pair(self, lists: dict[str, TermLists], counts: Counts) -> ValuesAndShares:
        """Return the values of all topics in two languages, and the shares of judged pairs."""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[CountRequest]:
        """Ask for terms and pairs in the documents that two languages share."""
        for model in models:
            for pair in language_pairs(model, self.judges):
                yield self._request(model, pair, wording)

    def _request(self, model: Topics, pair: LanguagePair, wording: Wording) -> CountRequest:
        terms: set[Term] = set()
        pairs: set[Pair] = set()
        lists = (side_terms(model, language, self.top, wording) for language in pair)
        for topic in zip(*lists, strict=True):
            one, other = (tuple(term for term in side if term.tokens) for side in topic)
            terms.update(one, other)
            pairs.update((a, b) if a < b else (b, a) for a, b in self.pairs_of(one, other))
        return CountRequest(Unit.of_link(*pair), frozenset(terms), frozenset(pairs))

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score each topic by the mean over pairs of languages."""
        return [self._score_model(model, evidence, wording) for model in models]

    def _score_model(self, model: Topics, evidence: Evidence, wording: Wording) -> Result:
        results = []
        for pair in language_pairs(model, self.judges):
            lists = {name: side_terms(model, name, self.top, wording) for name in pair}
            results.append(self.score_pair(lists, evidence.counts(Unit.of_link(*pair))))
        return mean_result(*zip(*results, strict=True))

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Name the words that the reference lacks."""
        return [
            f"{model.model}: not in the reference ({language}): {list_text(absent)}"
            for model in models
            for language in filter(self.judges, require_multilingual(model).languages)
            if (absent := self._absent_words(model, language, evidence, wording))
        ]

    def _absent_words(
        self, model: Topics, language: str, evidence: Evidence, wording: Wording
    ) -> list[str]:
        """Return the words of a language that no linked document has."""
        pairs = language_pairs(model, lambda name: name == language)
        all_counts = [evidence.counts(Unit.of_link(*pair)) for pair in pairs]
        topics = zip(
            side_words(model, language, self.top, wording),
            side_terms(model, language, self.top, wording),
            strict=True,
        )
        absent = (
            word
            for words, terms in topics
            for word, term in zip(words, terms, strict=True)
            if not any(term.tokens and counts.single(term) for counts in all_counts)
        )
        return list(dict.fromkeys(absent))

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the texts and tokens of this model's languages."""
        units = [Unit.of_link(*pair) for pair in language_pairs(model, self.judges)]
        return "|".join(f"{unit}|{evidence.counts(unit).provenance}" for unit in units)


def _positions(terms: Iterable[Term], counts: Counts) -> Integers:
    """Return the positions of terms in counts; -1 for a term without tokens."""
    positions = [counts.position(term) if term.tokens else -1 for term in terms]
    return np.array(positions, dtype=np.int64)


def _single_counts(positions: Integers, counts: Counts) -> Integers:
    """Return how many linked documents hold each of these terms."""
    singles = np.zeros(len(positions), dtype=np.int64)
    singles[positions >= 0] = counts.singles[positions[positions >= 0]]
    return singles


def _joint_counts(left: Integers, right: Integers, counts: Counts) -> Integers:
    """Return how many linked documents hold both terms of each pair."""
    joint = np.zeros(len(left), dtype=np.int64)
    known = (left >= 0) & (right >= 0)
    joint[known] = counts.together(left[known], right[known])
    return joint


# ---------------------------------------------------------------------- coherence


class CnpmiSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The value of pairs of words that are never together.

    Parameters
    ----------
    never
        The value of two words that are both in the reference but never in linked documents: 0 as
        in the paper, or -1, the limit.
    """

    never: Literal[0, -1] = 0


class InpmiSettings(CnpmiSettings, frozen=True, kw_only=True):
    """The value of pairs of words that are never together, and the language of the words.

    Parameters
    ----------
    language
        The one language that is judged; by default the mean over languages.
    """

    language: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class LinkedCoherence(LinkedMetric):
    """Coherence of words in linked documents."""

    settings: CnpmiSettings
    why_undefined: ClassVar[str] = "unjudgeable because no pair of their words is in the reference"

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Name the incoherent topics, to tell them from those that cannot be judged."""
        notes = super().caveats(models, evidence, wording)
        for model, result in zip(models, self.score(models, evidence, wording), strict=True):
            incoherent = [
                topic.id
                for topic, value in zip(model.topics, result.values.tolist(), strict=True)
                if coherence_verdict(value) == "incoherent"
            ]
            if incoherent:
                notes.append(
                    f"{model.model}: incoherent by {self!r} (their words are in the reference, "
                    f"together no more than by chance): {list_text(incoherent)}"
                )
        return notes

    def mean_npmi(
        self,
        left: TermLists,
        right: TermLists,
        pairs: list[tuple[Integers, Integers]],
        wanted: int,
        counts: Counts,
    ) -> ValuesAndShares:
        """Return the mean NPMI of each topic's pairs, and the share of pairs that is judged.

        ``pairs`` are places in the lists of terms of each topic.
        """
        topic = np.repeat(np.arange(len(pairs)), [len(first) for first, _ in pairs])
        a, b = (
            np.concatenate(
                [_positions(terms, counts)[chosen] for terms, chosen in zip(*side, strict=True)]
            )
            for side in zip((left, right), zip(*pairs, strict=True), strict=True)
        )
        values = pair_npmi(
            _joint_counts(a, b, counts),
            _single_counts(a, counts),
            _single_counts(b, counts),
            counts.totals.units,
            never=float(self.settings.never),
        )
        return _topic_means(values, topic, len(pairs), wanted)


@dataclass(frozen=True, repr=False, eq=False)
class CrosslingualCoherence(LinkedCoherence):
    """The mean NPMI over all pairs of a word of one language and a word of another."""

    def lacks(self, model: Topics) -> str:
        """Require several languages; for one, name the metrics that fit."""
        lack = super().lacks(model)
        several = isinstance(model, MultilingualTopics)
        return lack if several else f"{lack} (npmi and c_npmi are for one)"

    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:
        """Return each word of one language with each of the other."""
        return product(left, right)

    def score_pair(self, lists: dict[str, TermLists], counts: Counts) -> ValuesAndShares:
        """Compare the words of two languages."""
        left, right = lists.values()
        sizes = [(len(a), len(b)) for a, b in zip(left, right, strict=True)]
        pairs = [(np.repeat(np.arange(a), b), np.tile(np.arange(b), a)) for a, b in sizes]
        return self.mean_npmi(left, right, pairs, (self.top or 0) ** 2, counts)


@dataclass(frozen=True, repr=False, eq=False)
class IntrinsicCoherence(LinkedCoherence):
    """The mean NPMI over the pairs of words inside each language, in its linked documents."""

    settings: InpmiSettings

    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:
        """Return the pairs of each language."""
        for terms in (left, right):
            if not terms or self.judges(terms[0].language):
                yield from combinations(terms, 2)

    def score_pair(self, lists: dict[str, TermLists], counts: Counts) -> ValuesAndShares:
        """Judge the words of each language, and take the mean."""
        results = []
        wanted = comb(self.top or 0, 2)
        for language, terms in lists.items():
            if self.judges(language):
                pairs = [np.triu_indices(len(topic_terms), 1) for topic_terms in terms]
                results.append(self.mean_npmi(terms, terms, pairs, wanted, counts))
        mean = mean_result(*zip(*results, strict=True))
        return mean.values, mean.support


def pair_npmi(
    joint: Integers, left: Integers, right: Integers, units: int, *, never: float
) -> Floats:
    """Return log(P(a,b) / P(a)P(b)) / -log P(a,b) of pairs, given how many units hold them.

    NaN where a word is in no unit; ``never`` where both are, but never together; 1 where both are
    in every unit, the limit.

    >>> pair_npmi(*np.array([[4, 0, 8, 0], [4, 2, 8, 0], [4, 2, 8, 5]]), 8, never=0.0).tolist()
    [1.0, 0.0, 1.0, nan]
    """
    # where words are never or always together this divides by zero: both are set below
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [np.log(count / units) for count in (joint, left, right)]
        values = (logs[0] - logs[1] - logs[2]) / -logs[0]
    values = np.clip(values, -1.0, 1.0)
    values[joint == 0] = never
    values[joint == units] = 1.0
    values[(left == 0) | (right == 0)] = np.nan
    return values


def _topic_means(values: Floats, topic: Integers, topics: int, wanted: int) -> ValuesAndShares:
    """Return the mean of each topic's pairs and the share of pairs that could be judged.

    A pair that cannot be judged counts 0. If no pair can be judged the mean is NaN. ``wanted`` is
    the number of pairs of a topic that is long enough.
    """
    pairs = np.bincount(topic, minlength=topics)
    known = ~np.isnan(values)
    known_pairs = np.bincount(topic[known], minlength=topics)
    total = np.bincount(topic[known], weights=values[known], minlength=topics)
    share = known_pairs / np.maximum(pairs, max(1, wanted))
    mean = np.divide(total, pairs, out=np.full(topics, np.nan), where=known_pairs > 0)
    return mean, share


cnpmi = CrosslingualCoherence(
    name="cnpmi",
    summary="crosslingual NPMI: words of two languages in linked documents",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=CnpmiSettings(),
    formula=(
        r"\frac{1}{\lvert W_1 \rvert \, \lvert W_2 \rvert} \sum_{a \in W_1} \sum_{b \in W_2} "
        r"\mathrm{NPMI}(a, b), \quad " + npmi_formula("0")
    ),
    misleads=(
        "With fewer than about 5,000 links the reference itself changes the value, and the Bible "
        "has no words of our time: words that it lacks count 0, as if they were unrelated. The "
        "value falls with the number of words, so compare topics at the same @n."
    ),
    details="""\
    The mean NPMI over all pairs of a word a of one language and a word b of another, W_1 and W_2.
    p(a,b) is the share of linked documents with a on its own side and b on the other, p(a) the
    share of the same documents with a. With more than two languages, it is the mean over pairs of
    languages. The equations as printed lack a minus; the published numbers have it, and so has
    this.

    Defaults: all words of the topics (10 are usual: @10); two words that are never in linked
    documents count 0, as in the paper (never=-1 is the limit). A pair with a word that the
    reference lacks counts 0 and lowers the support; a topic without one pair that can be judged has
    no number. A pair that is in every document counts 1. Scripts that divide counts of tokens by
    counts of documents compute something else, which may leave [-1, 1].
    """,
)

inpmi = IntrinsicCoherence(
    name="inpmi",
    summary="intrinsic NPMI of a multilingual topic: words of each language in its own documents",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=InpmiSettings(),
    formula=(
        r"\frac{1}{2} \sum_{\ell=1}^{2} \frac{1}{\lvert P_{\ell} \rvert} "
        r"\sum_{\{a, b\} \in P_{\ell}} \mathrm{NPMI}(a, b), \quad " + npmi_formula("0")
    ),
    misleads=(
        "A topic may be coherent in each language and still be about two different things; cnpmi "
        "shows that. Words that the reference lacks count 0, so a small or old reference makes "
        "topics of our time look incoherent."
    ),
    details="""\
    The mean NPMI over P, the pairs of words inside one language, in its documents that are linked
    to the other language, averaged over the two languages; inpmi(language=en) is that of one. p is
    the share of these documents with a word, or with both. With more than two languages, it is the
    mean over pairs of languages.

    Defaults: all words of the topics (10 are usual: @10). Words that are never together, or not in
    the reference, are treated as in cnpmi (0; the latter also lower the support).
    """,
)


# ---------------------------------------------------------------------- coverage


class CoverageSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The language whose words are looked for.

    Parameters
    ----------
    language
        The one language that is looked at; by default the mean over languages.
    """

    language: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class TopicWordCoverage(LinkedMetric):
    """The share of a topic's words that linked documents have."""

    settings: CoverageSettings

    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:
        """Return no pairs: single words are enough."""
        return ()

    def score_pair(self, lists: dict[str, TermLists], counts: Counts) -> ValuesAndShares:
        """Count the words that linked documents have, language by language."""
        sides = [lists[name] for name in lists if self.judges(name)]
        shares = [
            [
                float((_single_counts(_positions(terms, counts), counts) > 0).mean())
                for terms in side
            ]
            for side in sides
        ]
        lengths = [
            [len(terms) / max(len(terms), self.top or 1) for terms in side] for side in sides
        ]
        return np.array(shares).mean(axis=0), np.array(lengths).mean(axis=0)


twc = TopicWordCoverage(
    name="twc",
    summary="topic word coverage: share of the words that the linked documents have",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=CoverageSettings(),
    formula=(
        r"\frac{1}{2} \sum_{\ell=1}^{2} "
        r"\frac{\lvert \{w \in W_{\ell} \, : \, D_{\ell}(w) > 0\} \rvert}{\lvert W_{\ell} \rvert}"
    ),
    misleads=(
        "It judges the reference as much as the topic, and says nothing about coherence: common "
        "words are in any reference, whatever topic they make. If it is low, cnpmi and inpmi rest "
        "on few words, as their support shows."
    ),
    details="""\
    The share of a topic's words that are in at least one linked document of their own language,
    averaged over the two languages; twc(language=sv) is that of one. W are the words of a language,
    D(w) is the number of its linked documents with w. With more than two languages, it is the mean
    over pairs of languages.

    Defaults: all words of the topics (10 are usual: @10).
    """,
)
