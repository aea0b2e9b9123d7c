"""Requests: of which words a metric wants vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class EmbeddingRequest:
    """Asks for the vectors of words, from an embedding of that name; None: whichever is chosen.

    ``words`` are those of topics, ``further`` others, such as stop words, which need not be known.
    """

    embedding: str | None = None
    words: frozenset[str] = frozenset()
    further: frozenset[str] = frozenset()

    def __or__(self, other: EmbeddingRequest) -> EmbeddingRequest:
        if self.embedding != other.embedding:
            raise ValueError(f"vectors of {self.embedding} and {other.embedding} cannot be joined")
        words, further = self.words | other.words, self.further | other.further
        return EmbeddingRequest(self.embedding, words, further)


def joined_by_embedding(
    requests: Iterable[EmbeddingRequest],
) -> dict[str | None, EmbeddingRequest]:
    """Make one request of all that ask the same embedding."""
    joined: dict[str | None, EmbeddingRequest] = {}
    for request in requests:
        known = joined.get(request.embedding)
        joined[request.embedding] = known | request if known else request
    return joined
