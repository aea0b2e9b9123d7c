"""Colexification: which groups of tokens a language expresses alike, and which it separates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I64

Series = Sequence[frozenset[str] | None]


class MainExpression(NamedTuple):
    """The most frequent expression of a group of tokens in a language.

    ``tokens`` of the group have it, of those that are ``expressed`` at all.
    """

    expression: str
    tokens: int
    expressed: int


class GroupPair(NamedTuple):
    """Two groups, and the languages that express them alike, otherwise, or one of them not."""

    one: int
    other: int
    alike: tuple[str, ...]
    apart: tuple[str, ...]
    silent: tuple[str, ...]

    @property
    def separated(self) -> float:
        """The share of languages that separate the two; NaN if no language has both."""
        known = len(self.alike) + len(self.apart)
        return len(self.apart) / known if known else float("nan")


@dataclass(frozen=True)
class Colexification:
    """How languages lexify groups of tokens.

    Parameters
    ----------
    main
        For each language the main expression of each group; None where it has none.
    pairs
        All pairs of groups, those that most languages separate first.
    """

    main: Mapping[str, tuple[MainExpression | None, ...]]
    pairs: tuple[GroupPair, ...]


def colexify(languages: Mapping[str, Series], members: I64, number: int) -> Colexification:
    """Compare the main expressions of groups: a language colexifies two that share theirs.

    Parameters
    ----------
    languages
        The expressions of each token, by language.
    members
        The group of each token; -1 for tokens that are in none.
    number
        How many groups there are.

    >>> import numpy as np
    >>> one, two = frozenset({"ruka"}), frozenset({"desnica"})
    >>> found = colexify({"ru": [one, one, two], "xx": [one, None, one]}, np.array([0, 0, 1]), 2)
    >>> found.main["ru"]
    (MainExpression(expression='ruka', tokens=2, expressed=2),
     MainExpression(expression='desnica', tokens=1, expressed=1))
    >>> found.pairs
    (GroupPair(one=0, other=1, alike=('xx',), apart=('ru',), silent=()),)
    """
    main = {
        language: tuple(_main(series, members, group) for group in range(number))
        for language, series in languages.items()
    }
    pairs = [_compared(main, one, other) for one, other in combinations(range(number), 2)]
    # how many, not what share: one language that has both says little
    pairs.sort(key=lambda pair: (-len(pair.apart), len(pair.alike)))
    return Colexification(main, tuple(pairs))


def _main(series: Series, members: I64, group: int) -> MainExpression | None:
    known = [one for one, member in zip(series, members, strict=True) if member == group and one]
    counts = Counter(expression for one in known for expression in one)
    if not counts:
        return None
    # of equally frequent ones the one that the language has more of, then the alphabet
    every = Counter(expression for one in series for expression in one or ())
    best = min(counts, key=lambda name: (-counts[name], -every[name], name))
    return MainExpression(best, counts[best], len(known))


def _compared(
    main: Mapping[str, tuple[MainExpression | None, ...]], one: int, other: int
) -> GroupPair:
    alike, apart, silent = [], [], []
    for language, groups in main.items():
        first, second = groups[one], groups[other]
        if first is None or second is None:
            silent.append(language)
        elif first.expression == second.expression:
            alike.append(language)
        else:
            apart.append(language)
    return GroupPair(one, other, tuple(alike), tuple(apart), tuple(silent))
