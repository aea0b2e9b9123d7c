"""Background: how much of the texts says nothing of the topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, Self

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.expressions import Value
from tealeaves.metrics.artm.shares import lack_of_prior, origin_of_prior
from tealeaves.metrics.artm.whole import WholeMetric
from tealeaves.metrics.base import Result
from tealeaves.metrics.formulas import TOPIC_OF_WORD
from tealeaves.topics.distributions import Prior, missing_part, topic_shares
from tealeaves.topics.topics import Topics


class BackgroundSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is background.

    Parameters
    ----------
    rule
        ``near``: tokens whose p(t|w) is near p(t); ``bigartm``: words that are far from it;
        ``topics``: tokens of background topics.
    delta
        The divergence that parts near from far, in nats.
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
class BackgroundRatio(WholeMetric):
    """How much of the texts says nothing of the topic?"""

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

    def _lacks(self, model: Topics) -> str:
        lack = lack_of_prior(model, self.settings.prior)
        if self.settings.rule != "topics":
            return missing_part(model, "phi") or lack
        from tealeaves.metrics.artm.background import fitting_topics

        if not fitting_topics(model, self.settings.background or ""):
            return f"none of its topics is called {self.settings.background}"
        if self.settings.prior == "auto" and lack_of_prior(model, "tokens"):
            return _NO_SHARES if lack_of_prior(model, "documents") else ""
        return lack

    def origin(self, model: Topics, beside: Sequence[Topics]) -> str:  # noqa: ARG002
        """Return what the number was taken from."""
        from tealeaves.metrics.artm.background import weights_origin

        prior = origin_of_prior(model, self.settings.prior)
        return f"{prior}|{weights_origin(model)}" if self.settings.rule == "near" else prior

    def _result(self, model: Topics) -> Result:
        from tealeaves.metrics.artm.background import (
            fitting_topics,
            share_of_far_words,
            share_of_near_tokens,
        )

        asked = self.settings
        shares = topic_shares(model, asked.prior).values
        if asked.rule == "topics":
            rows = fitting_topics(model, asked.background or "")
            return Result.of_model(model, float(shares[rows].sum()))
        if asked.rule == "bigartm":
            far = share_of_far_words(model, shares, asked.delta, asked.kl)
            return Result.of_model(model, far)
        return Result.of_model(model, *share_of_near_tokens(model, shares, asked.delta, asked.kl))


_NO_SHARES = "how large its topics are is not known: no document-topic matrix, no token assignments"
_BETTER: dict[str, Literal["higher", "lower"]] = {
    "near": "lower",
    "bigartm": "higher",
    "topics": "lower",
}

background_ratio = BackgroundRatio(
    name="background_ratio",
    summary="share of tokens that say nothing of the topic: p(t|w) is near p(t)",
    better="lower",
    bounds=(0.0, 1.0),
    cite="Vorontsov & Potapenko 2015; BigARTM (Vorontsov et al. 2015)",
    settings=BackgroundSettings(),
    accepts=("rule", "delta", "kl", "prior", "background"),
    level="model",
    formula=(
        r"\frac{\sum_{w} n_w \left[ D_w \le \delta \right]}{\sum_{w} n_w}, \quad "
        r"D_w = \sum_{t} p(t) \, \log \, \frac{p(t)}{p(t \mid w)}, \quad " + TOPIC_OF_WORD
    ),
    misleads=(
        "Neither 0 nor 1 is good: at 0 stop words were taken for topics, or removed before; at 1 "
        "the model tells nothing apart. Sparse models go to 0 by themselves, for a word that some "
        "topic never has is no background. Models with other K do not compare: the divergence "
        "grows with the number of topics."
    ),
    details="""\
    rule=near: the share of tokens whose word w has a divergence D_w = KL(p(t) || p(t|w)) of at most
    delta: knowing the word changes little in what is known of the topic. n_w counts the tokens of
    w, and [...] is 1 where that holds, else 0. A word that some topic never has is infinitely far,
    so no background; kl=reverse compares KL(p(t|w) || p(t)), which is finite. Tokens are the word
    frequencies where the model has them, else p(w) = sum of p(w|t) p(t); the signature says which.
    Words that no topic has are left out and lower the support.
    rule=bigartm: BigARTM's BackgroundTokensRatio. It counts words, not tokens, and those with a
    divergence of more than delta, which are the words of topics, not of the background; topics
    with p(t|w) = 0 are passed over in the sum, so that a word of few topics may come out below 0.
    Here higher is better.
    rule=topics: the paper's BackgroundRatio: the share of tokens that belong to the background
    topics, such as background_ratio(rule=topics, background='bcg*'). It is the sum of p(t) over
    these topics, exact where token assignments are known.

    Defaults: delta 0.5 nats, as BigARTM. prior says what p(t) is taken from: tokens (token
    assignments, or theta and the documents' lengths), documents (the mean of theta) or uniform;
    auto takes the first of these that the model knows, and the signature says which.
    """,
)
