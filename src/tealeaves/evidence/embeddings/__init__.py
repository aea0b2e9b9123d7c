"""Embeddings: the vectors of words."""

from tealeaves.evidence.embeddings.cache import clear_cache
from tealeaves.evidence.embeddings.catalogue import list_embeddings
from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings, WordVectors

__all__ = ["Embedder", "Embeddings", "WordVectors", "clear_cache", "list_embeddings"]
