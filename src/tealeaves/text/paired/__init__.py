"""Paired texts: documents that are linked across languages."""

from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.paired.links import LinkRule

__all__ = ["LinkRule", "PairedCorpus"]
