"""Diversity: do the topics of a model differ in their words?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Literal, Self

import msgspec
import numpy as np

from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.formulas import RBO
from tealeaves.metrics.topic_similarity import word_lists
from tealeaves.metrics.topic_similarity.family import (
    NoSettings,
    WordListMetric,
    WordListPairMetric,
)
from tealeaves.metrics.topic_similarity.word_lists import DEFAULT_P, Persistence, WordLists

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


@dataclass(frozen=True, repr=False, eq=False)
class Diversity(WordListMetric):
    """The share of distinct words among all topics' words."""

    def of_lists(self, lists: WordLists, share: Floats) -> list[Result]:
        """Divide each word among the topics that have it."""
        shares = share.reshape(lists.models, lists.per_model)
        uniqueness = np.add.reduceat(1.0 / lists.lists_per_word(), lists.starts[:-1])
        values = (uniqueness / lists.lengths).reshape(shares.shape)
        starts = lists.starts[:: lists.per_model]  # of models
        highest = np.maximum.reduceat(lists.words, starts[:-1])  # words are numbered from 0
        overall = np.diff(highest, prepend=-1) / np.diff(starts)
        models = zip(overall.tolist(), shares.mean(axis=1).tolist(), strict=True)
        return [Result(*one) for one in zip(values, shares, models, strict=True)]


class IrboSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of inverted rank-biased overlap.

    Parameters
    ----------
    p
        The persistence of the reader: the lower, the more the first words count.
    """

    p: Persistence = DEFAULT_P


@dataclass(frozen=True, repr=False, eq=False)
class InvertedRbo(WordListPairMetric):
    """1 minus the mean rank-biased overlap."""

    settings: IrboSettings

    def similarity(self, lists: WordLists, rows: range) -> Floats:
        """Return the rank-biased overlap."""
        return word_lists.rbo(lists, rows, None, self.settings.p)

    def value(self, means: Floats, lists: WordLists) -> Floats:
        """Turn similarity into difference."""
        return 1.0 - means


@dataclass(frozen=True, repr=False, eq=False)
class PairwiseJaccard(WordListPairMetric):
    """The mean Jaccard coefficient."""

    def similarity(self, lists: WordLists, rows: range) -> Floats:
        """Return the Jaccard coefficient."""
        return word_lists.jaccard(lists, rows, None)


class RedundancySettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of topic redundancy.

    Parameters
    ----------
    aggregate
        ``sum`` adds up the topic's words, as published; ``mean`` divides by their number.
    """

    aggregate: Literal["sum", "mean"] = "sum"


@dataclass(frozen=True, repr=False, eq=False)
class Redundancy(WordListPairMetric):
    """The mean number of words that a topic shares with another topic."""

    settings: RedundancySettings

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; a mean has other bounds."""
        changed = super().__call__(**changes)
        return replace(changed, bounds=(0.0, 1.0 if changed.settings.aggregate == "mean" else inf))

    def similarity(self, lists: WordLists, rows: range) -> Floats:
        """Return the number of shared words."""
        return lists.sum_shared(rows, None)

    def value(self, means: Floats, lists: WordLists) -> Floats:
        """Return the sum over the topic's words, or their mean."""
        return means if self.settings.aggregate == "sum" else means / lists.lengths


diversity = Diversity(
    name="diversity",
    summary="share of distinct words among the top words of all topics",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Dieng, Ruiz & Blei 2020; by topic: Nan et al. 2019",
    settings=NoSettings(),
    aliases=("topic_diversity",),
    formula=(
        r"\mathrm{TD} = \frac{\lvert \bigcup_{k} W_k \rvert}{\sum_{k} \lvert W_k \rvert}, \quad "
        r"\mathrm{TU}_k = \frac{1}{\lvert W_k \rvert} \sum_{w \in W_k} \frac{1}{n_w}"
    ),
    misleads=(
        "It says nothing about meaning: car and cars are two words, and topics of random words "
        "score 1; read it with coherence. It falls when topics are added that rightly have words "
        "in common. Its values of single topics hardly agree with people."
    ),
    details="""\
    TD, of a model: the number of distinct words among the first words W of all topics, divided by
    the number of these words. 1: no word is in two topics; 1/K: all K topics have the same words.
    TU, of a topic, is topic uniqueness; n_w is the number of topics that have the word w. In the
    model's value all words count the same, so with topics of different lengths it is not the
    topics' mean, and document weights do not change it.

    Defaults: all words of the topics; 25 are usual: diversity@25. Words are compared as the topics
    spell them.
    """,
)

irbo = InvertedRbo(
    name="irbo",
    summary="1 - rank-biased overlap of the top words of topic pairs, mean",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Webber, Moffat & Zobel 2010; Bianchi, Terragni & Hovy 2021; Terragni et al. 2021",
    settings=IrboSettings(),
    aliases=("inverted_rbo",),
    formula=r"1 - \frac{1}{K - 1} \sum_{j \ne k} \mathrm{RBO}(W_k, W_j), \quad " + RBO,
    misleads=(
        "It says nothing about meaning: car and cars are two words, and topics of random words "
        "score 1. Most pairs of topics share nothing, so that values of good and bad models all "
        "lie near 1."
    ),
    details="""\
    1 minus the mean rank-biased overlap of a topic's words W_k with those of the K - 1 others. A_d
    is the share of the first d words that both lists have, X_d their number. Where the list of s
    words ends before the other, of l words, and beyond the end of both, the agreement seen last is
    extrapolated (equation 32 of Webber et al.). 1: no two topics share a word; 0: all lists are the
    same. A shared word counts more the higher it is in both lists.

    Defaults: p = 0.9: the first 10 words have 86% of the weight; all words of the topics.
    """,
)

jaccard = PairwiseJaccard(
    name="jaccard",
    summary="Jaccard coefficient of the top words of topic pairs, mean",
    better="lower",
    bounds=(0.0, 1.0),
    cite="Tran et al. 2013",
    settings=NoSettings(),
    aliases=("pairwise_jaccard",),
    formula=(
        r"\frac{1}{K - 1} \sum_{j \ne k} "
        r"\frac{\lvert W_k \cap W_j \rvert}{\lvert W_k \cup W_j \rvert}"
    ),
    misleads=(
        "It says nothing about meaning: car and cars are two words, and topics of random words "
        "score 0, the best. Most pairs of topics share nothing, so that values of good and bad "
        "models all lie near 0; and a shared first word costs no more than a shared last one."
    ),
    details="""\
    The share of the words of a topic, W_k, and another topic that both have, averaged over the
    K - 1 others. 0: no two topics share a word; 1: all have the same words. Ranks do not count.

    Defaults: all words of the topics.
    """,
)

redundancy = Redundancy(
    name="redundancy",
    summary="how many of a topic's top words another topic has too, mean",
    better="lower",
    bounds=(0.0, inf),
    cite="Burkhardt & Kramer 2019",
    settings=RedundancySettings(),
    aliases=("topic_redundancy",),
    formula=r"\frac{1}{K - 1} \sum_{j \ne k} \lvert W_k \cap W_j \rvert",
    misleads=(
        "A topic that lists fewer words than requested has fewer to share. It says nothing about "
        "meaning: topics of random words score 0, the best."
    ),
    details="""\
    TR: the number of its words W_k that topic k shares with another topic, averaged over the K - 1
    others. 0: none; n: the n words of the topic are in every topic.

    Defaults: the sum over words, as published, which grows with the number of words;
    redundancy(aggregate=mean) divides by that number and lies between 0 and 1.
    """,
)
