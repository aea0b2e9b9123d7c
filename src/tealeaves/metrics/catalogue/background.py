"""Background: how many tokens say nothing about the topic of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Literal, Self

import msgspec
import numpy as np
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.distributions import (
    WholeDistributionMetric,
    kl_divergence,
    lack_of_prior,
)
from tealeaves.metrics.formulas import TOPIC_OF_WORD
from tealeaves.topics.distributions import (
    Prior,
    missing_part,
    phi,
    topic_shares,
    topics_given_words,
)
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.evidence import Evidence

_ROUNDING = 1e-12
_NO_SHARES = "how large its topics are is not known: no document-topic matrix, no token assignments"
_BETTER: dict[str, Literal["higher", "lower"]] = {
    "near": "lower",
    "bigartm": "higher",
    "topics": "lower",
}


class BackgroundSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What counts as background.

    Parameters
    ----------
    rule
        ``near``: tokens whose p(t|w) is near p(t); ``bigartm``: words that are far from it;
        ``topics``: tokens of background topics.
    delta
        The divergence that separates near from far, in nats.
    kl
        ``direct`` is KL(p(t) || p(t|w)), ``reverse`` KL(p(t|w) || p(t)).
    prior
        What p(t) is taken from.
    background
        The ids of the background topics, with * and ? for any letters; several are separated by
        spaces.
    """

    rule: Literal["near", "bigartm", "topics"] = "near"
    delta: Annotated[float, Meta(ge=0, le=1e9)] = 0.5
    kl: Literal["direct", "reverse"] = "direct"
    prior: Prior = "auto"
    background: Annotated[str, Meta(min_length=1)] | None = None


@dataclass(frozen=True, repr=False, eq=False)
class BackgroundRatio(WholeDistributionMetric):
    """How many tokens say nothing about the topic?"""

    settings: BackgroundSettings

    def __call__(self, **changes: Value) -> Self:
        """Return this metric with other parameters; BigARTM counts what is not background."""
        changed = super().__call__(**changes)
        return replace(changed, better=_BETTER[changed.settings.rule])

    def _changed(self, changes: dict[str, Value]) -> BackgroundSettings:
        settings: BackgroundSettings = super()._changed(changes)
        if settings.rule == "topics" and settings.background is None:
            raise InputError(
                f"{self.name}: rule=topics needs the ids of the background topics, such as "
                "background='bcg*'"
            )
        if settings.rule != "topics" and settings.background is not None:
            raise InputError(f"{self.name}: background={settings.background} is for rule=topics")
        return settings

    @property
    def source(self) -> str:
        """The matrix it is computed from."""
        by_topics = self.settings.rule == "topics"
        return "document-topic matrix" if by_topics else "topic-word matrix"

    def lack_of_matrices(self, model: Topics) -> str:
        """Say which matrix is missing, or that no topic is a background topic."""
        if self.settings.rule != "topics":
            return missing_part(model, "phi") or self.lack_of_prior(model)
        if not _matching_topics(model, self.settings.background or ""):
            return f"none of its topics is called {self.settings.background}"
        if self.settings.prior == "auto" and lack_of_prior(model, "tokens"):
            return _NO_SHARES if lack_of_prior(model, "documents") else ""
        return self.lack_of_prior(model)

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return what p(t) and, for rule=near, the weights of words were taken from."""
        prior = self.origin_of_prior(model)
        if self.settings.rule != "near":
            return prior
        return f"{prior}|tokens={'counted' if _has_frequencies(model) else 'expected'}"

    def result(self, model: Topics) -> Result:
        """Return the share of background."""
        settings = self.settings
        shares = topic_shares(model, settings.prior).values
        if settings.rule == "topics":
            rows = _matching_topics(model, settings.background or "")
            return Result.of_model(model, float(shares[rows].sum()))
        if settings.rule == "bigartm":
            return Result.of_model(model, _share_of_far_words(model, shares, settings))
        return Result.of_model(model, *_share_of_near_tokens(model, shares, settings))


def _share_of_near_tokens(
    topics: Topics, shares: Floats, settings: BackgroundSettings
) -> tuple[float, float]:
    """Return the share of tokens whose word is within delta of p(t), and the support.

    Words of the corpus that no topic has are left out and lower the support.
    """
    posterior = topics_given_words(phi(topics), shares).T
    pair = (shares, posterior) if settings.kl == "direct" else (posterior, shares)
    distance = kl_divergence(*pair)
    weights = _word_weights(topics, shares)
    known = posterior.any(axis=1)
    total, known_total = weights.sum(), weights[known].sum()
    if not known_total:
        return float("nan"), 0.0
    near = known & (distance <= settings.delta + _ROUNDING)
    return float(weights[near].sum() / known_total), float(known_total / total)


def _share_of_far_words(topics: Topics, shares: Floats, settings: BackgroundSettings) -> float:
    """Return the share of the vocabulary that is further than delta from p(t), as BigARTM does.

    The sum leaves out topics with p(t|w) = 0, so it may be negative.
    """
    posterior = topics_given_words(phi(topics), shares).T
    positive = posterior > 0
    logs = np.zeros(posterior.shape)
    np.log(posterior, out=logs, where=positive)
    with np.errstate(divide="ignore", invalid="ignore"):
        differences = np.where(positive, np.log(shares) - logs, 0.0)
    terms = shares * differences if settings.kl == "direct" else -posterior * differences
    return float((terms.sum(axis=1) > settings.delta + _ROUNDING).mean())


def _word_weights(topics: Topics, shares: Floats) -> Floats:
    """Return how often each word occurs or, where that is not known, its probability."""
    if topics.term_frequency is not None and _has_frequencies(topics):
        return topics.term_frequency.astype(np.float64)
    weights: Floats = shares @ phi(topics)
    return weights


def _has_frequencies(topics: Topics) -> bool:
    return topics.term_frequency is not None and bool(topics.term_frequency.any())


def _matching_topics(topics: Topics, patterns: str) -> list[int]:
    """Return the positions of the topics whose id matches one of the patterns.

    >>> _matching_topics(Topics.of({"sport": ["a"], "bcg0": ["b"], "bcg1": ["c"]}), "bcg*")
    [1, 2]
    """
    return [
        row
        for row, topic in enumerate(topics.topics)
        if any(fnmatchcase(str(topic.id), pattern) for pattern in patterns.split())
    ]


background_ratio = BackgroundRatio(
    name="background_ratio",
    summary="share of tokens that say nothing about the topic: p(t|w) is near p(t)",
    better="lower",
    bounds=(0.0, 1.0),
    cite="Vorontsov & Potapenko 2015; BigARTM (Vorontsov et al. 2015)",
    settings=BackgroundSettings(),
    level="model",
    formula=(
        r"\frac{\sum_{w} n_w \left[ D_w \le \delta \right]}{\sum_{w} n_w}, \quad "
        r"D_w = \sum_{t} p(t) \, \log \, \frac{p(t)}{p(t \mid w)}, \quad " + TOPIC_OF_WORD
    ),
    misleads=(
        "Neither 0 nor 1 is good: at 0 stop words were taken for topics, or removed beforehand; "
        "at 1 the words do not distinguish the topics. Sparse models tend to 0 by themselves, "
        "because a word that some topic never has does not count as background. Models with "
        "different K cannot be compared: the divergence grows with the number of topics."
    ),
    details="""\
    rule=near: the share of tokens whose word w has a divergence D_w = KL(p(t) || p(t|w)) of at most
    delta: knowing the word changes little of what is known about the topic. n_w counts the tokens
    of w, and [...] is 1 where the condition holds, else 0. A word that some topic never has is
    infinitely far, so it is not background; kl=reverse compares KL(p(t|w) || p(t)), which is
    finite. Tokens are the word frequencies where the model has them, else p(w) = sum of p(w|t)
    p(t); the signature says which. Words that no topic has are left out and lower the support.
    rule=bigartm: BigARTM's BackgroundTokensRatio. It counts words, not tokens, and those with a
    divergence of more than delta, which are the words of topics, not of the background. The sum
    leaves out topics with p(t|w) = 0, so that a word of few topics may come out below 0. Here
    higher is better.
    rule=topics: the paper's BackgroundRatio: the share of tokens that belong to the background
    topics, such as background_ratio(rule=topics, background='bcg*'). It is the sum of p(t) over
    these topics, exact where token assignments are known.

    Defaults: delta 0.5 nats, as in BigARTM. prior says what p(t) is taken from: tokens (token
    assignments, or theta and the documents' lengths), documents (the mean of theta) or uniform;
    auto takes the first of these that the model knows, and the signature says which.
    """,
)
