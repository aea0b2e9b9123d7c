"""Texts: corpora, which are read from files again and again, and the pipelines that make tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.document import Document, Fields
    from tealeaves.text.fingerprint import Fingerprint
    from tealeaves.text.paired import PairedCorpus
    from tealeaves.text.pipeline import Pipeline

_PUBLIC_NAMES = {
    "corpus": ("Corpus",),
    "document": ("Document", "Fields"),
    "fingerprint": ("Fingerprint",),
    "paired": ("PairedCorpus",),
    "pipeline": ("Pipeline",),
}

__all__ = ["Corpus", "Document", "Fields", "Fingerprint", "PairedCorpus", "Pipeline"]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
