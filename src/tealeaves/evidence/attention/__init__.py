"""What the attention and the relevance in a classifier say about pairs of words.

``network`` is the transformer that is followed, ``classifiers`` and ``training`` make classifiers,
``gathering`` lets one read texts, and ``Relevance`` is what is gathered.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tealeaves.evidence.attention.relevance import Relevance

if TYPE_CHECKING:
    from tealeaves.evidence.attention.classifiers.classifier import Classifier
    from tealeaves.evidence.attention.gathering import gather_relevance
    from tealeaves.evidence.attention.topic_relevance import gather_file
    from tealeaves.evidence.attention.relevance_file import load_relevance, save_relevance
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
_MODULES = {
    "Classifier": "classifiers.classifier",
    "fit_classifier": "training.fit",
    "fit_folder": "training.fit",
    "gather_file": "topic_relevance",
    "gather_relevance": "gathering",
    "load_relevance": "relevance_file",
    "save_relevance": "relevance_file",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
