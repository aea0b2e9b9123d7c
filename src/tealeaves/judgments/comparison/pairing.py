"""Which unit of one model stands beside which of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Integers
from tealeaves.errors import InputError
from tealeaves.judgments.comparison.groups import Group
from tealeaves.metrics.topic_similarity.matching import match_topics
from tealeaves.metrics.topic_similarity.word_lists import WordLists, jaccard

FEWEST = 2  # units that can be tested
PAIRINGS = ("auto", "matched", "id", "none")


@dataclass(frozen=True)
class Pairing:
    """Positions of units that stand side by side, or ``kind`` none.

    ``strangers`` is how many pairs of topics share no word; ``why`` says what "auto" decided.
    """

    kind: str
    left: Integers
    right: Integers
    strangers: int = 0
    why: str = ""


def unpaired(why: str = "") -> Pairing:
    """Return that nothing stands side by side."""
    nothing = np.empty(0, np.int64)
    return Pairing("none", nothing, nothing, why=why)


#: Tells whether so many pairs of units can ever differ significantly.
Reach = Callable[[int], bool]


def pair_topics(a: Group, b: Group, pairing: str, reach: Reach) -> Pairing:
    """Pair the topics of two models: by their words, by their ids, or not at all."""
    if pairing == "none":
        return unpaired()
    if pairing == "id":
        return _by_key(a, b, "id")
    if pairing == "auto":
        if not (a.words and b.words):
            return unpaired("compared without pairs, as the words of topics are not known")
        if len(a.keys) != len(b.keys):
            return unpaired("compared without pairs, as they have not equally many topics")
        if not reach(len(a.keys)):
            return unpaired(_out_of_reach("topics"))
    return _matched(a, b)


def _out_of_reach(what: str) -> str:
    return f"compared without pairs, as so few pairs of {what} can never differ significantly"


def _matched(a: Group, b: Group) -> Pairing:
    """Match topics one to one so that the Jaccard coefficients of their first words sum highest."""
    for one in (a, b):
        if not one.words:
            raise InputError(f"{one.name}: its words are not known, so no topic can be matched")
    lists = WordLists.of([*a.words, *b.words])
    sizes = [len(a.words), len(b.words)]
    left, right, likeness = match_topics(lambda rows, columns: jaccard(lists, rows, columns), sizes)
    return Pairing("matched", left, right - sizes[0], int((likeness == 0).sum()))


def pair_runs(a: Group, b: Group, pairing: str, reach: Reach) -> Pairing:
    """Pair runs by their seeds, where both families have the same ones."""
    if pairing == "matched":
        raise InputError("matched pairs are of topics: runs are paired by their seeds (id) or none")
    if pairing == "none" or min(len(a.keys), len(b.keys)) < FEWEST:  # the latter is not tested
        return unpaired()
    if pairing == "id":
        return _by_key(a, b, "seed")
    for one in (a, b):
        if None in one.keys or len(set(one.keys)) < len(one.keys):
            return unpaired("compared without pairs, as not every run has a seed of its own")
    if set(a.keys) != set(b.keys):
        return unpaired("compared without pairs, as their seeds are not the same")
    if not reach(len(a.keys)):
        return unpaired(_out_of_reach("runs"))
    return _by_key(a, b, "seed")


def _by_key(a: Group, b: Group, kind: str) -> Pairing:
    for one in (a, b):
        known = [key for key in one.keys if key is not None]
        if len(set(known)) < len(known):
            raise InputError(f"{one.name}: the {kind} {_twice(known)} is that of several runs")
    where = {key: place for place, key in enumerate(b.keys) if key is not None}
    found = [(i, where[key]) for i, key in enumerate(a.keys) if key is not None and key in where]
    if not found:
        raise InputError(f"{a.name} and {b.name} have no {kind} in common: pair them otherwise")
    pairs = np.array(found, dtype=np.int64)
    left, right = pairs[:, 0], pairs[:, 1]
    return Pairing(kind, left, right, _strangers(a, b, left, right))


def _strangers(a: Group, b: Group, left: Integers, right: Integers) -> int:
    if not (a.words and b.words):
        return 0
    both = zip(left.tolist(), right.tolist(), strict=True)
    return sum(set(a.words[i]).isdisjoint(b.words[j]) for i, j in both)


def _twice(keys: list[str]) -> str:
    return next(key for key in keys if keys.count(key) > 1)
