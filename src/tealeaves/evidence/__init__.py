"""Evidence: what texts and models say of words and word pairs."""

from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings import Embeddings
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.gathering import gather
from tealeaves.evidence.preparing import prepare
from tealeaves.evidence.request import Request
from tealeaves.evidence.storage import load_counts, save_counts
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit

__all__ = [
    "Counts",
    "Embeddings",
    "Evidence",
    "Request",
    "Term",
    "Unit",
    "gather",
    "load_counts",
    "prepare",
    "save_counts",
]
