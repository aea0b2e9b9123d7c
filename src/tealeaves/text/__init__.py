"""Texts: corpora, which are read from files again and again, and the pipelines that make tokens."""

from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document, Fields
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline

__all__ = ["Corpus", "Document", "Fields", "Fingerprint", "PairedCorpus", "Pipeline"]
