"""``EmbeddingRequest``: the words that a metric needs vectors of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class EmbeddingRequest:
    """Requests the vectors of words from the embedding of that name; None: the chosen one.

    ``words`` are those of topics. ``further`` are others, such as stop words, which the embedding
    need not know.
    """

    embedding: str | None = None
    words: frozenset[str] = frozenset()
    further: frozenset[str] = frozenset()

    def __or__(self, other: EmbeddingRequest) -> EmbeddingRequest:
        if self.embedding != other.embedding:
            raise ValueError(f"vectors of {self.embedding} and {other.embedding} cannot be joined")
        words, further = self.words | other.words, self.further | other.further
        return EmbeddingRequest(self.embedding, words, further)


def requests_by_embedding(
    requests: Iterable[EmbeddingRequest],
) -> dict[str | None, EmbeddingRequest]:
    """Join the requests for each embedding into one."""
    joint: dict[str | None, EmbeddingRequest] = {}
    for request in requests:
        earlier = joint.get(request.embedding)
        joint[request.embedding] = earlier | request if earlier else request
    return joint
