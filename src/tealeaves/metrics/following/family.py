"""What metrics that follow a model through the texts have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tealeaves.errors import EvidenceError
from tealeaves.evidence.encoded import TextRequest
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric
from tealeaves.metrics.following.model_texts import request_for
from tealeaves.metrics.following.token_topics import (
    TokenTopics,
    assignment_of,
    given_topics,
    lack_of_tokens,
    likely_topics,
)
from tealeaves.topics.topics import Topics


@dataclass(frozen=True, repr=False, eq=False)
class FollowingMetric(Metric):
    """A metric for which each model goes through the texts with its own words."""

    @property
    def source(self) -> str:
        """Say that the time it takes grows with the number of models."""
        return "the model's own pass over the texts"

    def reads_texts(self, model: Topics) -> bool:  # noqa: ARG002
        """Tell whether the texts are needed for this model."""
        return True

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[TextRequest]:
        """Ask for the texts, and for the models' vocabularies in them."""
        reading = [model for model in models if self.reads_texts(model)]
        if reading:
            yield request_for(reading, wording)

    def provenance_of(
        self,
        model: Topics,
        beside: Sequence[Topics],  # noqa: ARG002
        evidence: Evidence,
    ) -> str:
        """Return the tokens and texts that were read for this model, if any were."""
        return provenance_of_texts(evidence) if self.reads_texts(model) else ""


@dataclass(frozen=True, repr=False, eq=False)
class TokenMetric(FollowingMetric):
    """A metric of the topics that tokens have; its settings say which (``assignment``)."""

    def lacks(self, model: Topics) -> str:
        """Say what is missing for tokens to have topics."""
        return self.lack_of_words or lack_of_tokens(model, self.settings.assignment)

    @property
    def why_undefined(self) -> str:
        """Topics may never come up."""
        return "as no word of the texts has them"

    def reads_texts(self, model: Topics) -> bool:
        """Topics that the model gave to tokens are known without the texts."""
        return assignment_of(model, self.settings.assignment) != "given"

    def provenance_of(self, model: Topics, beside: Sequence[Topics], evidence: Evidence) -> str:
        """Return where the topics of the tokens come from."""
        read = super().provenance_of(model, beside, evidence)
        if self.settings.assignment != "auto":
            return read
        chosen = f"assignment={assignment_of(model, self.settings.assignment)}"
        return f"{chosen}|{read}" if read else chosen

    def token_topics(self, model: Topics, evidence: Evidence, wording: Wording) -> TokenTopics:
        """Return the topic of each token of each text."""
        chosen = assignment_of(model, self.settings.assignment)
        if chosen == "given":
            return given_topics(model)
        return likely_topics(model, evidence.texts, wording, chosen)


def provenance_of_texts(evidence: Evidence) -> str:
    """Return the tokens and texts that were read; nothing where only the models were."""
    try:
        texts = evidence.texts
    except EvidenceError:
        return ""
    return f"tokens={texts.pipeline.signature}|texts={texts.fingerprint}"
