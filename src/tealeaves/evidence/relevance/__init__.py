"""Relevance: what a classifier's attention and relevance say of pairs of words."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tealeaves.evidence.relevance.relevance import Relevance

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.classifier.classifier import Classifier
    from tealeaves.evidence.relevance.classifier.fitting import fit as fit_classifier
    from tealeaves.evidence.relevance.gathering import gather_relevance
    from tealeaves.evidence.relevance.storage import load_relevance, save_relevance

__all__ = [
    "Classifier",
    "Relevance",
    "fit_classifier",
    "gather_relevance",
    "load_relevance",
    "save_relevance",
]

# Loaded on first use: whoever only scores needs no network.
_HOMES = {
    "Classifier": ("classifier.classifier", "Classifier"),
    "fit_classifier": ("classifier.fitting", "fit"),
    "gather_relevance": ("gathering", "gather_relevance"),
    "load_relevance": ("storage", "load_relevance"),
    "save_relevance": ("storage", "save_relevance"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, original = _HOMES[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), original)
