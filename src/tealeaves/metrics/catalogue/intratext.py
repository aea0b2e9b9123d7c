"""Intra-text coherence: how long does a topic last where it occurs in a text?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.per_text.token_topics import (
    Assignment,
    TokenMetric,
    TokenTopics,
    assignment_of,
    group_means,
)
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers


class IntratextSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a segment is, how it is measured, and what is averaged.

    Parameters
    ----------
    measure
        ``length``: the number of the topic's words in a segment; ``weight``: the sum of p(w|t).
    gap
        The most other words that may come between two words of a segment.
    average
        ``documents``: the mean over the texts that have the topic, of the mean over their
        segments; ``segments``: the mean over all segments.
    assignment
        Where the topics of words come from, as in ``switchp``.
    """

    measure: Literal["length", "weight"] = "length"
    gap: Annotated[int, Meta(ge=0, le=2**31 - 2)] = 9
    average: Literal["documents", "segments"] = "documents"
    assignment: Assignment = "auto"


@dataclass(frozen=True, repr=False, eq=False)
class Intratext(TokenMetric):
    """The mean length, or weight, of the segments of a topic."""

    settings: IntratextSettings

    def lacks(self, model: Topics) -> str:
        """Ask for the topics of tokens and, for weights, for the words of these tokens."""
        lack = super().lacks(model)
        if lack or self.settings.measure == "length":
            return lack
        given = assignment_of(model, self.settings.assignment) == "given"
        if given and model.assignments is not None and (model.assignments.words < 0).any():
            return "its token assignments do not say which words they are of"
        return missing_part(model, "phi")

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Cut the texts into segments for each model."""
        return [
            self._result(model, self.token_topics(model, evidence, wording)) for model in models
        ]

    def _result(self, model: Topics, tokens: TokenTopics) -> Result:
        segments = _cut_segments(tokens, self.settings.gap)
        values = self._topic_means(segments, len(tokens), len(model))
        with_topic = len(np.unique(tokens.text_of_token[tokens.topics >= 0]))
        share = with_topic / len(tokens) if len(tokens) else 0.0
        return Result(values, np.where(np.isnan(values), 0.0, share))

    def _topic_means(self, segments: TopicSegments, texts: int, topics: int) -> Floats:
        """Average over the segments of each topic, or first over those in each text."""
        values = segments.lengths.astype(np.float64)
        if self.settings.measure == "weight" and segments.weights is not None:
            values = segments.weights
        if self.settings.average == "segments":
            return group_means(values, segments.topics, topics)
        pairs, place = np.unique(segments.topics * texts + segments.texts, return_inverse=True)
        by_text = group_means(values, place, len(pairs))
        return group_means(by_text, pairs // max(1, texts), topics)


@dataclass(frozen=True, eq=False)
class TopicSegments:
    """The topic and the text of each segment, how many words of the topic it has, their weight."""

    topics: Integers
    texts: Integers
    lengths: Integers
    weights: Floats | None


def _cut_segments(tokens: TokenTopics, gap: int) -> TopicSegments:
    """Cut the texts into segments, separately for each topic.

    A segment starts with a word of the topic and continues while at most ``gap`` other words come
    before its next word. Segments of different topics may overlap.

    >>> tokens = TokenTopics(np.array([0, 5]), np.array([0, 1, 0, 1, 1], dtype=np.int32))
    >>> [_cut_segments(tokens, gap).lengths.tolist() for gap in (0, 1)]
    [[1, 1, 1, 2], [2, 3]]
    """
    order = np.argsort(tokens.topics, kind="stable")
    order = order[tokens.topics[order] >= 0]
    topics, texts = tokens.topics[order].astype(np.int64), tokens.text_of_token[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(topics) != 0) | (np.diff(texts) != 0) | (np.diff(order) > gap + 1)
    starts = np.flatnonzero(first)
    lengths = np.diff(np.append(starts, len(order)))
    weights = None
    if tokens.weights is not None:
        number = np.cumsum(first) - 1
        weights = np.bincount(number, tokens.weights[order], len(starts)).astype(np.float64)
    return TopicSegments(topics[starts], texts[starts], lengths, weights)


intratext = Intratext(
    name="intratext",
    summary="mean number of a topic's words in the segments of texts where it occurs",
    better="higher",
    bounds=(0.0, inf),
    cite="Alekseev, Bulatov & Vorontsov 2018",
    settings=IntratextSettings(),
    aliases=("toplen",),
    formula=(
        r"\frac{1}{\lvert D_t \rvert} \sum_{d \in D_t} \frac{1}{\lvert S_{td} \rvert} "
        r"\sum_{s \in S_{td}} \lvert s \rvert"
    ),
    misleads=(
        "Longer texts and fewer topics give longer segments: a model of one topic has the longest "
        "of all, and so has a background topic that is in every sentence."
    ),
    details="""\
    A segment of a topic starts with a word of the topic and continues while at most gap words of
    other topics come before its next word. Its length is the number of its words of the topic
    (TopLen); its weight (measure=weight) is the sum of their p(w|t). The value of a topic is the
    mean over the segments S_td of each text, then over the texts D_t that have any;
    average=segments is the mean over all segments. The value of a model is the mean of its topics.

    Defaults: length, gap 9, means over texts. assignment says where the topics of words come from:
    given by the model, else (auto) the largest p(w|t) p(t|d); assignment=word takes the largest
    p(w|t), whatever the text. The definition is that of the authors' TopicNet, whose
    max_num_out_of_topic_words=10 ends a segment at the tenth other word, which is gap=9; its
    SEGMENT_LENGTH is intratext(assignment=word), SEGMENT_WEIGHT with measure=weight. Different
    here: words outside the vocabulary are ignored instead of counted as other words, topics
    without a segment have no value instead of 0, and models have the mean instead of the median.
    The support is the share of texts with a word that has a topic.
    """,
)
