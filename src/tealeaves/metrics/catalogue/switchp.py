"""SwitchP: how often do neighbouring words have different topics?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.per_text.token_topics import (
    Assignment,
    TokenMetric,
    TokenTopics,
    group_means,
)
from tealeaves.topics.topics import Topics


class SwitchPSettings(msgspec.Struct, frozen=True, kw_only=True):
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

    settings: SwitchPSettings

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Compare the topics of neighbouring tokens for each model."""
        return [
            self._result(model, self.token_topics(model, evidence, wording)) for model in models
        ]

    def _result(self, model: Topics, tokens: TokenTopics) -> Result:
        with_topic = tokens.topics >= 0
        topics, texts = tokens.topics[with_topic], tokens.text_of_token[with_topic]
        pair = texts[1:] == texts[:-1]
        first_topic, text = topics[:-1][pair], texts[1:][pair]
        switches = (topics[1:][pair] != first_topic).astype(np.float64)
        if not len(switches):
            return Result.of_model(model, np.nan)
        by_text = group_means(switches, text, len(tokens))
        support = float(np.isfinite(by_text).mean())
        by_topic = group_means(switches, first_topic, len(model))
        overall = switches if self.settings.average == "tokens" else by_text[np.isfinite(by_text)]
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
    settings=SwitchPSettings(),
    formula=(
        r"\mathrm{SwitchP} = \frac{1}{\lvert D \rvert} \sum_{d \in D} \frac{1}{N_d - 1} "
        r"\sum_{i=2}^{N_d} \left[ z_{d,i} \ne z_{d,i-1} \right], \quad "
        r"\mathrm{SwitchP}_t = \frac{\sum_{d,i} [z_{d,i-1} = t, z_{d,i} \ne t]}"
        r"{\sum_{d,i} [z_{d,i-1} = t]}"
    ),
    misleads=(
        "A model of one topic never switches, and a model whose background topic has most words "
        "seldom does. Sampled topics switch more often than the most probable ones: compare only "
        "models of similar size and the same assignment."
    ),
    details="""\
    Of all pairs of neighbouring words of a text, the share in which the topic switches: 0 if each
    text keeps to one topic, 1 if no word has the topic of the word before it. Of a topic: the share
    of switches among the pairs that start in it. D are the texts with two words or more, N_d words
    each, and z is the topic of a word; [...] is 1 where the condition holds, else 0. Lund et al.
    call this consistency.

    assignment says where the topics of words come from. given: the model's own topic of each token
    (a sampler's last state); it needs no texts. probable: the topic of the largest p(w|t) p(t|d).
    word: of the largest p(w|t), the same in every text, as in AutoTM. The default auto takes given
    topics where the model has them, else probable ones; the signature says which.

    average=documents, the default, is the mean over texts ("Avg SwitchP"); average=tokens counts
    all pairs the same, as the authors' code does. Words outside the vocabulary are ignored: the
    words on both sides become neighbours. The support is the share of texts with two words or more.
    """,
)
