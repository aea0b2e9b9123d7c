"""Topics: the ranked words and the matrices of models, which metrics judge."""

from tealeaves.topics.adapters import adapt
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_models, read_multilingual, read_topics
from tealeaves.topics.topics import Topic, Topics

__all__ = [
    "MultilingualTopics",
    "Topic",
    "Topics",
    "adapt",
    "read_models",
    "read_multilingual",
    "read_topics",
]
