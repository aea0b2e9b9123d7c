"""Texts: corpora that are streamed, never held, and pipelines that make tokens of them."""

from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document, Fields
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline

__all__ = ["Corpus", "Document", "Fields", "Fingerprint", "PairedCorpus", "Pipeline"]
