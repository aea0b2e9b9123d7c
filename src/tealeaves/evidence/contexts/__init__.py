"""Contexts: which words stand near a word, and how far that differs between two texts."""

from tealeaves.evidence.contexts.contexts import Contexts
from tealeaves.evidence.contexts.drift import Drift
from tealeaves.evidence.contexts.gathering import gather_contexts
from tealeaves.evidence.contexts.request import ContextRequest

__all__ = [
    "ContextRequest",
    "Contexts",
    "Drift",
    "gather_contexts",
]
