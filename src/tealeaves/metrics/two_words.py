"""A check for metrics that compare words with each other: topics need two words at least."""

from __future__ import annotations

from tealeaves.topics.topics import Topics


def lack_of_two_words(model: Topics, top: int | None) -> str:
    """Say why a model has no two words to compare, in a few words; nothing if it has.

    >>> lack_of_two_words(Topics.of([["cat"]]), 10)
    'it compares two words or more, and no topic has two'
    """
    if top == 1:
        return "it compares two words or more: take @2 or more"
    if all(len(topic.words) < 2 for topic in model.topics):
        return "it compares two words or more, and no topic has two"
    return ""
