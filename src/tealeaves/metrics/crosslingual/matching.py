"""Matching: the words of two lists that translate each other, each word at most once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tealeaves.evidence.dictionaries import Dictionaries, normalize_word
from tealeaves.evidence.sources import multilingual
from tealeaves.metrics.crosslingual.family import LanguagePair
from tealeaves.topics.topics import Topics


class Matched(NamedTuple):
    """What a dictionary says of two lists of words."""

    matches: dict[int, int]
    """Places in the first list, and where in the second their translations stand."""
    known: tuple[int, int]
    """How many words of each list it has an entry of."""


def dictionary_words(model: Topics, language: str, top: int | None) -> list[tuple[str, ...]]:
    """Return the first words of each topic as dictionaries compare them, each once.

    >>> from tealeaves.topics.multilingual import MultilingualTopics
    >>> topics = MultilingualTopics.of_languages({"en": [["King", "house"]], "sv": [["kung"]]})
    >>> dictionary_words(topics, "en", 10)
    [('king', 'house')]
    """
    side = multilingual(model).side(language)
    return [tuple(dict.fromkeys(map(normalize_word, topic.words)))[:top] for topic in side.topics]


def match_words(
    left: Sequence[str],
    right: Sequence[str],
    pair: LanguagePair,
    dictionaries: Dictionaries,
    *,
    identical: bool,
) -> Matched:
    """Match as many words of two lists as can be."""
    place = {word: number for number, word in enumerate(right)}
    entries = [dictionaries.translations(pair, word, identical=identical) for word in left]
    edges = [sorted(place[word] for word in found if word in place) for found in entries]
    known = sum(dictionaries.knows(pair, pair[1], word, identical=identical) for word in right)
    return Matched(maximum_matching(edges), (sum(map(bool, entries)), known))


def maximum_matching(edges: Sequence[Iterable[int]]) -> dict[int, int]:
    """Return a largest set of edges of which no two share an end, by augmenting paths.

    ``edges`` are the numbers on the right that each number on the left may be matched with.

    >>> maximum_matching([[0, 1], [0], []])
    {0: 1, 1: 0}
    """
    holder: dict[int, int] = {}  # of each number on the right
    for number in range(len(edges)):
        _augment(number, edges, holder)
    return dict(sorted((left, right) for right, left in holder.items()))


def _augment(start: int, edges: Sequence[Iterable[int]], holder: dict[int, int]) -> None:
    """Match one more on the left if others, moved to another of theirs, make room for it."""
    came: dict[int, int] = {}  # from which number on the left each on the right was reached
    waiting = deque([start])
    while waiting:
        left = waiting.popleft()
        for right in edges[left]:
            if right in came:
                continue
            came[right] = left
            if right not in holder:
                _move(right, start, came, holder)
                return
            waiting.append(holder[right])


def _move(free: int, start: int, came: dict[int, int], holder: dict[int, int]) -> None:
    """Let each on the path take the number on the right it was reached by, back to the start."""
    held = {left: right for right, left in holder.items()}
    while True:
        left = holder[free] = came[free]
        if left == start:
            return
        free = held[left]
