"""Evidence: what metrics ask for, and what is gathered from texts and other sources."""

from tealeaves.evidence.addition import add
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.counts import Counts, load_counts, save_counts
from tealeaves.evidence.embeddings import Embeddings
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import CountRequest, Term
from tealeaves.evidence.sources import Sources
from tealeaves.evidence.units import Unit

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
