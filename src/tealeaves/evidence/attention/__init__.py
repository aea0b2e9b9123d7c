"""What the attention and the relevance in a classifier say about pairs of words.

``network`` is the transformer that is followed, ``classifiers`` and ``training`` make classifiers,
``gathering`` lets one read texts, and ``Relevance`` is what is gathered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.evidence.attention.classifiers.classifier import Classifier
    from tealeaves.evidence.attention.gathering import gather_relevance
    from tealeaves.evidence.attention.relevance import Relevance
    from tealeaves.evidence.attention.relevance_file import load_relevance, save_relevance
    from tealeaves.evidence.attention.topic_relevance import gather_file
    from tealeaves.evidence.attention.training.fit import fit_classifier, fit_folder

__all__ = [
    "Classifier",
    "Relevance",
    "fit_classifier",
    "fit_folder",
    "gather_file",
    "gather_relevance",
    "load_relevance",
    "save_relevance",
]

# imported on first use, because scoring needs no network
_PUBLIC_NAMES = {
    "classifiers.classifier": ("Classifier",),
    "training.fit": ("fit_classifier", "fit_folder"),
    "topic_relevance": ("gather_file",),
    "gathering": ("gather_relevance",),
    "relevance": ("Relevance",),
    "relevance_file": ("load_relevance", "save_relevance"),
}

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
