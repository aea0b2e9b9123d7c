"""Embeddings: the vectors of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.cache_folder import (
        CachedFile,
        cached_vectors,
        clear_cache,
    )
    from tealeaves.evidence.embeddings.catalogue import list_embeddings
    from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings, WordVectors

_PUBLIC_NAMES = {
    "cache_folder": ("CachedFile", "cached_vectors", "clear_cache"),
    "catalogue": ("list_embeddings",),
    "embeddings": ("Embedder", "Embeddings", "WordVectors"),
}

__all__ = [
    "CachedFile",
    "Embedder",
    "Embeddings",
    "WordVectors",
    "cached_vectors",
    "clear_cache",
    "list_embeddings",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
