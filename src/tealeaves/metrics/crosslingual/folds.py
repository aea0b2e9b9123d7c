"""Folds of tuples: a translation of a training text is never a test text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Integers

Labels = frozenset[str]


class Dealable(NamedTuple):
    """What a document is known by: the key of its tuple, ``""`` for none, its text, its labels."""

    key: str
    text: int
    labels: Labels


def deal(sides: Mapping[str, Sequence[Dealable]], *, folds: int, seed: int) -> dict[str, Integers]:
    """Return the fold of each document of each language; linked documents share one.

    The documents of each set of labels are dealt evenly, in each language. The seed decides how;
    the order of the documents does not.

    >>> kings, bread = frozenset(["kings"]), frozenset(["bread"])
    >>> en = [Dealable("a", 1, kings), Dealable("b", 2, kings), Dealable("", 3, bread)]
    >>> sv = [Dealable("b", 4, kings), Dealable("a", 5, kings)]
    >>> found = deal({"en": en, "sv": sv}, folds=2, seed=0)
    >>> bool(found["en"][0] == found["sv"][1] != found["en"][1])
    True
    """
    tuples = {language: _tuples(language, listed) for language, listed in sides.items()}
    labels: dict[_Tuple, set[str]] = {}
    languages: dict[_Tuple, list[str]] = {}
    for language in sorted(sides):
        for one, document in zip(tuples[language], sides[language], strict=True):
            labels.setdefault(one, set()).update(document.labels)
            languages.setdefault(one, []).append(language)
    fold_of = {one: place % folds for place, one in enumerate(_order(labels, languages, seed))}
    return {
        language: np.array([fold_of[one] for one in found], dtype=np.int64)
        for language, found in tuples.items()
    }


class _Tuple(NamedTuple):
    """What tells tuples apart: a key or, of a document without one, its text and number."""

    key: str
    language: str = ""
    text: int = 0
    labels: tuple[str, ...] = ()
    number: int = 0


def _tuples(language: str, documents: Sequence[Dealable]) -> list[_Tuple]:
    """Return the tuple of each document; unlinked ones that are all the same are numbered."""
    seen: Counter[Dealable] = Counter()
    found = []
    for document in documents:
        key, text, labels = document
        if key:
            found.append(_Tuple(key))
        else:
            found.append(_Tuple("", language, text, tuple(sorted(labels)), seen[document]))
            seen[document] += 1
    return found


def _order(
    labels: Mapping[_Tuple, set[str]], languages: Mapping[_Tuple, list[str]], seed: int
) -> list[_Tuple]:
    """Return the tuples in the order in which they are dealt: labels by labels, else at random."""
    listed = sorted(labels)
    strata: dict[tuple[str, ...], list[_Tuple]] = {}
    for place in np.random.default_rng(seed).permutation(len(listed)):
        strata.setdefault(tuple(sorted(labels[listed[place]])), []).append(listed[place])
    # [en], [en, sv], [sv]: in this order the documents of either language stand together, so
    # that dealing them one by one is even in both
    each = [sorted(stratum, key=languages.__getitem__) for stratum in strata.values()]
    return [one for stratum in each for one in stratum]
