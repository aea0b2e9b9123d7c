"""SwitchP: how often do neighbouring words have different topics?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.following.family import TokenMetric
from tealeaves.metrics.following.token_topics import Assignment
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.metrics.following.token_topics import TokenTopics


class Switching(msgspec.Struct, frozen=True, kw_only=True):
    """Which topics tokens have, and what is averaged.

    Parameters
    ----------
    assignment
        ``given``: the topics that the model itself gave to tokens; ``probable``: the largest
        p(w|t) p(t|d); ``word``: the largest p(w|t), whatever the text; ``auto``: given ones where
        the model has them, else probable ones.
    average
        ``documents``: the mean over texts; ``tokens``: the share of all pairs of neighbours.
    """

    assignment: Assignment = "auto"
    average: Literal["documents", "tokens"] = "documents"


@dataclass(frozen=True, repr=False, eq=False)
class SwitchP(TokenMetric):
    """The share of neighbouring tokens that have different topics."""

    settings: Switching

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Let each model go through the texts, or take the topics that it gave to tokens."""
        return [self._of(model, self.token_topics(model, evidence, wording)) for model in models]

    def _of(self, model: Topics, found: TokenTopics) -> Result:
        import numpy as np

        from tealeaves.metrics.following.segments import means

        there = found.topics >= 0
        topics, texts = found.topics[there], found.text_of_token[there]
        pair = texts[1:] == texts[:-1]
        start, text = topics[:-1][pair], texts[1:][pair]
        switched = (topics[1:][pair] != start).astype(np.float64)
        if not len(switched):
            return Result.of_model(model, np.nan)
        by_text = means(switched, text, len(found))
        support = float(np.isfinite(by_text).mean())
        by_topic = means(switched, start, len(model))
        overall = switched if self.settings.average == "tokens" else by_text[np.isfinite(by_text)]
        return Result(
            by_topic,
            np.where(np.isnan(by_topic), 0.0, support),
            overall=(float(overall.mean()), support),
        )


switchp = SwitchP(
    name="switchp",
    summary="share of neighbouring words that have different topics",
    better="lower",
    bounds=(0.0, 1.0),
    cite="Lund et al. 2019",
    settings=Switching(),
    accepts=("assignment", "average"),
    formula=(
        r"\mathrm{SwitchP} = \frac{1}{\lvert D \rvert} \sum_{d \in D} \frac{1}{N_d - 1} "
        r"\sum_{i=2}^{N_d} \left[ z_{d,i} \ne z_{d,i-1} \right], \quad "
        r"\mathrm{SwitchP}_t = \frac{\sum_{d,i} [z_{d,i-1} = t, z_{d,i} \ne t]}"
        r"{\sum_{d,i} [z_{d,i-1} = t]}"
    ),
    misleads=(
        "A model of one topic never switches, and one whose background topic has most words "
        "seldom does. Sampled topics switch more often than the most probable ones: compare only "
        "models of like size and the same assignment."
    ),
    details="""\
    Of all pairs of neighbouring words of a text, the share in which the topic switches: 0 if each
    text keeps to one topic, 1 if no word has the topic of the word before it. Of a topic: the share
    of switches among the pairs that start in it. D are the texts with two words or more, N_d words
    each, and z is the topic of a word; [...] is 1 where that holds, else 0. Lund et al. call what
    it measures consistency.

    assignment says where the topics of words come from. given: the model's own topic of each token
    (a sampler's last state), needs no texts. probable: the topic of the largest p(w|t) p(t|d).
    word: of the largest p(w|t), the same in every text, as in AutoTM. The default auto takes given
    ones, else probable ones; the signature says which.

    average=documents, the default, is the mean over texts ("Avg SwitchP"); average=tokens counts
    all pairs alike, as the authors' code does. Words outside the vocabulary are passed over: their
    neighbours become neighbours. The support is the share of texts with two words or more.
    """,
)
