"""Topics: the ranked words and the matrices of models, which metrics judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.topics.adapters import adapt
    from tealeaves.topics.multilingual import MultilingualTopics
    from tealeaves.topics.reading import read_models, read_multilingual, read_topics
    from tealeaves.topics.topics import Topic, Topics

_PUBLIC_NAMES = {
    "adapters": ("adapt",),
    "multilingual": ("MultilingualTopics",),
    "reading": ("read_models", "read_multilingual", "read_topics"),
    "topics": ("Topic", "Topics"),
}

__all__ = [
    "MultilingualTopics",
    "Topic",
    "Topics",
    "adapt",
    "read_models",
    "read_multilingual",
    "read_topics",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
