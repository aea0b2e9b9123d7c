"""Wishes: what a metric uses where it is at hand, and can do without."""

from __future__ import annotations

from dataclasses import dataclass

from tealeaves.evidence.embeddings.request import EmbeddingRequest
from tealeaves.evidence.relevance.request import RelevanceRequest
from tealeaves.evidence.request import Request


@dataclass(frozen=True)
class Wish:
    """Asks for what may stay unanswered; ``Evidence.has`` tells whether it was.

    - Counts are those of the corpus, or of counts that are given and hold all that is asked; with
      ``reference`` those of the reference, whose terms are made by ``wording.reference``.
    - Vectors are those of an embedding that can be opened here; without a name, those of each
      embedding that the user named.
    - Relevance is that which was given: no classifier reads texts for a wish.
    """

    request: Request | EmbeddingRequest | RelevanceRequest
    reference: bool = False

    def __post_init__(self) -> None:
        if self.reference and not isinstance(self.request, Request):
            raise ValueError("of a reference only counts can be asked for")
