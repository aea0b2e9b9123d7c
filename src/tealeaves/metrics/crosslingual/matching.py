"""Matching: the words of two lists that translate each other, each word at most once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tealeaves.evidence.dictionaries import Dictionaries, normalize_word
from tealeaves.metrics.crosslingual.family import LanguagePair
from tealeaves.topics.multilingual import require_multilingual
from tealeaves.topics.topics import Topics


class WordMatching(NamedTuple):
    """The words of two lists that a dictionary matches."""

    matches: dict[int, int]
    """Places in the first list, and the places of their translations in the second."""
    known: tuple[int, int]
    """How many words of each list have an entry in the dictionary."""


def dictionary_words(model: Topics, language: str, top: int | None) -> list[tuple[str, ...]]:
    """Return the first words of each topic as dictionaries compare them, each once.

    >>> from tealeaves.topics.multilingual import MultilingualTopics
    >>> topics = MultilingualTopics.of_languages({"en": [["King", "house"]], "sv": [["kung"]]})
    >>> dictionary_words(topics, "en", 10)
    [('king', 'house')]
    """
    side = require_multilingual(model).side(language)
    return [tuple(dict.fromkeys(map(normalize_word, topic.words)))[:top] for topic in side.topics]


def match_words(
    left: Sequence[str],
    right: Sequence[str],
    pair: LanguagePair,
    dictionaries: Dictionaries,
    *,
    identical: bool,
) -> WordMatching:
    """Match as many words of two lists as possible."""
    place = {word: number for number, word in enumerate(right)}
    entries = [dictionaries.translations(pair, word, identical=identical) for word in left]
    edges = [sorted(place[word] for word in words if word in place) for words in entries]
    known = sum(dictionaries.knows(pair, pair[1], word, identical=identical) for word in right)
    return WordMatching(maximum_matching(edges), (sum(map(bool, entries)), known))


def maximum_matching(edges: Sequence[Iterable[int]]) -> dict[int, int]:
    """Return a largest set of edges of which no two share an end, by augmenting paths.

    ``edges`` are the numbers on the right that each number on the left may be matched with.

    >>> maximum_matching([[0, 1], [0], []])
    {0: 1, 1: 0}
    """
    holder: dict[int, int] = {}  # the number on the left that each number on the right has
    for start in range(len(edges)):
        _augment(start, edges, holder)
    return dict(sorted((left, right) for right, left in holder.items()))


def _augment(start: int, edges: Sequence[Iterable[int]], holder: dict[int, int]) -> None:
    """Match one more number on the left, if others can move to another number on the right."""
    reached_from: dict[int, int] = {}  # the number on the left that led to each on the right
    waiting = deque([start])
    while waiting:
        left = waiting.popleft()
        for right in edges[left]:
            if right in reached_from:
                continue
            reached_from[right] = left
            if right not in holder:
                _move_along_path(right, start, reached_from, holder)
                return
            waiting.append(holder[right])


def _move_along_path(
    free: int, start: int, reached_from: dict[int, int], holder: dict[int, int]
) -> None:
    """Give each number on the path the number on the right that it led to, back to the start."""
    held = {left: right for right, left in holder.items()}
    while True:
        left = holder[free] = reached_from[free]
        if left == start:
            return
        free = held[left]
