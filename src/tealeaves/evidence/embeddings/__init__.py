"""Embeddings: what models say of words, as vectors."""

from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.request import EmbeddingRequest
from tealeaves.evidence.embeddings.vectors import WordVectors

__all__ = ["Embedder", "EmbeddingRequest", "Embeddings", "WordVectors"]
