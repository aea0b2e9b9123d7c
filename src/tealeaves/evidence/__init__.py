"""Evidence: what metrics ask for, and what is gathered from texts and other sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.evidence.addition import add
    from tealeaves.evidence.counting.corpus import count_corpus
    from tealeaves.evidence.counts import Counts, load_counts, save_counts
    from tealeaves.evidence.embeddings import Embeddings
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.requests import CountRequest, Term
    from tealeaves.evidence.sources import Sources
    from tealeaves.evidence.units import Unit

_PUBLIC_NAMES = {
    "addition": ("add",),
    "counting.corpus": ("count_corpus",),
    "counts": ("Counts", "load_counts", "save_counts"),
    "embeddings": ("Embeddings",),
    "evidence": ("Evidence",),
    "requests": ("CountRequest", "Term"),
    "sources": ("Sources",),
    "units": ("Unit",),
}

__all__ = [
    "CountRequest",
    "Counts",
    "Embeddings",
    "Evidence",
    "Sources",
    "Term",
    "Unit",
    "add",
    "count_corpus",
    "load_counts",
    "save_counts",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
