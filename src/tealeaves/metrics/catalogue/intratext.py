"""Intra-text coherence: how long does a topic last where it comes up in a text?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.following.family import TokenMetric
from tealeaves.metrics.following.token_topics import Assignment, assignment_of
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tealeaves.metrics.following.segments import Segments
    from tealeaves.metrics.following.token_topics import TokenTopics


class Segmenting(msgspec.Struct, frozen=True, kw_only=True):
    """What a segment is, what of it counts, and what is averaged.

    Parameters
    ----------
    measure
        ``length``: the number of the topic's words in a segment; ``weight``: the sum of p(w|t).
    gap
        The most other words that may stand between two words of a segment.
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

    settings: Segmenting

    def lacks(self, model: Topics) -> str:
        """Ask for the topics of tokens and, for weights, for the words they belong to."""
        lack = super().lacks(model)
        if lack or self.settings.measure == "length":
            return lack
        given = assignment_of(model, self.settings.assignment) == "given"
        if given and model.assignments is not None and (model.assignments.words < 0).any():
            return "its token assignments do not say which words they are of"
        return missing_part(model, "phi")

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Cut the texts into segments for each model."""
        return [self._of(model, self.token_topics(model, evidence, wording)) for model in models]

    def _of(self, model: Topics, found: TokenTopics) -> Result:
        import numpy as np

        from tealeaves.metrics.following.segments import segments

        values = self._means(segments(found, self.settings.gap), len(found), len(model))
        followed = len(np.unique(found.text_of_token[found.topics >= 0]))
        share = followed / len(found) if len(found) else 0.0
        return Result(values, np.where(np.isnan(values), 0.0, share))

    def _means(self, found: Segments, texts: int, topics: int) -> NDArray[np.float64]:
        """Average over the segments of each topic, or first over those in each text."""
        import numpy as np

        from tealeaves.metrics.following.segments import means

        values = found.lengths.astype(np.float64)
        if self.settings.measure == "weight" and found.weights is not None:
            values = found.weights
        if self.settings.average == "segments":
            return means(values, found.topics, topics)
        pairs, place = np.unique(found.topics * texts + found.texts, return_inverse=True)
        return means(means(values, place, len(pairs)), pairs // max(1, texts), topics)


intratext = Intratext(
    name="intratext",
    summary="mean number of a topic's words in the segments of texts where it comes up",
    better="higher",
    bounds=(0.0, inf),
    cite="Alekseev, Bulatov & Vorontsov 2018",
    settings=Segmenting(),
    accepts=("measure", "gap", "average", "assignment"),
    aliases=("toplen",),
    formula=(
        r"\frac{1}{\lvert D_t \rvert} \sum_{d \in D_t} \frac{1}{\lvert S_{td} \rvert} "
        r"\sum_{s \in S_{td}} \lvert s \rvert"
    ),
    misleads=(
        "Longer texts and fewer topics have longer segments: a model of one topic has the longest "
        "of all, and so has a background topic that is in every sentence."
    ),
    details="""\
    A segment of a topic starts with a word of the topic and goes on while at most gap words of
    other topics stand before the next one. Its length is the number of its words of the topic
    (TopLen); its weight (measure=weight) the sum of their p(w|t). The value of a topic is the mean
    over the segments S_td of each text, then over the texts D_t that have any; average=segments is
    the mean over all segments. The value of a model is the mean of its topics.

    Defaults: length, gap 9, means over texts. assignment says where the topics of words come from:
    given by the model, else (auto) the largest p(w|t) p(t|d); assignment=word takes the largest
    p(w|t), whatever the text. The definition is that of the authors' TopicNet, whose
    max_num_out_of_topic_words=10 ends a segment at the tenth other word, which is gap=9; its
    SEGMENT_LENGTH is intratext(assignment=word), SEGMENT_WEIGHT with measure=weight. Different
    here: words outside the vocabulary are passed over instead of counted as other words, topics
    without a segment have no value instead of 0, and models have the mean instead of the median.
    The support is the share of texts with a word that has a topic.
    """,
)
