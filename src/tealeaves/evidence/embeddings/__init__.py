"""Embeddings: the vectors of words."""

from tealeaves.evidence.embeddings.cache import clear_cache
from tealeaves.evidence.embeddings.catalogue import list_embeddings
from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings, WordVectors
from tealeaves.evidence.embeddings.request import EmbeddingRequest

__all__ = [
    "Embedder",
    "EmbeddingRequest",
    "Embeddings",
    "WordVectors",
    "clear_cache",
    "list_embeddings",
]
