"""Paired texts: documents that are linked across languages."""

from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.paired.links import Links

__all__ = ["Links", "PairedCorpus"]
