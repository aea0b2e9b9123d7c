"""Expressions of languages: their inventory, and which groups of tokens they colexify."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tealeaves.kernels import I64

Series = Sequence[frozenset[str] | None]


@dataclass(frozen=True)
class Inventory:
    """The expressions of a language, with the number of their tokens.

    Parameters
    ----------
    expressions
        Each expression with the number of its tokens, the most frequent first.
    expressed
        The number of tokens that have an expression.
    several
        The number of tokens that have more than one.
    without
        The number of tokens that have a passage, but no expression.
    missing
        The number of tokens that have no passage in this language.
    """

    expressions: tuple[tuple[str, int], ...]
    expressed: int
    several: int
    without: int
    missing: int


def count_expressions(series: Iterable[frozenset[str] | None]) -> Inventory:
    """Count the expressions of a language; None is a token without a passage.

    >>> count_expressions([frozenset({"käsi"}), frozenset(), None, frozenset({"käsi", "oikea"})])
    ... # doctest: +NORMALIZE_WHITESPACE
    Inventory(expressions=(('käsi', 2), ('oikea', 1)), expressed=2, several=1, without=1,
              missing=1)
    """
    tokens = list(series)
    known = [one for one in tokens if one]
    counts = Counter(expression for one in known for expression in one)
    return Inventory(
        # among equally frequent ones, in alphabetical order
        tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        len(known),
        sum(len(one) > 1 for one in known),
        sum(one is not None and not one for one in tokens),
        sum(one is None for one in tokens),
    )


class MainExpression(NamedTuple):
    """The most frequent expression of a group of tokens in a language.

    ``tokens`` is the number of tokens that have it, ``expressed`` of those that have any.
    """

    expression: str
    tokens: int
    expressed: int


class GroupPair(NamedTuple):
    """Two groups, and the languages that express them alike, apart, or lack one of them."""

    one: int
    other: int
    alike: tuple[str, ...]
    apart: tuple[str, ...]
    silent: tuple[str, ...]

    @property
    def separated(self) -> float:
        """The share of languages that separate the two groups; NaN if no language has both."""
        known = len(self.alike) + len(self.apart)
        return len(self.apart) / known if known else float("nan")


@dataclass(frozen=True)
class Colexification:
    """The main expressions of groups of tokens, and which groups share theirs.

    Parameters
    ----------
    main
        For each language the main expression of each group; None if it has none.
    pairs
        All pairs of groups, those that most languages separate first.
    """

    main: Mapping[str, tuple[MainExpression | None, ...]]
    pairs: tuple[GroupPair, ...]


def colexify(languages: Mapping[str, Series], members: I64, number: int) -> Colexification:
    """Compare the main expressions of groups: a language colexifies groups that share theirs.

    Parameters
    ----------
    languages
        The expressions of each token, by language.
    members
        The group of each token; -1 for tokens that are in none.
    number
        The number of groups.

    >>> import numpy as np
    >>> one, two = frozenset({"ruka"}), frozenset({"desnica"})
    >>> result = colexify({"ru": [one, one, two], "xx": [one, None, one]}, np.array([0, 0, 1]), 2)
    >>> result.main["ru"]
    (MainExpression(expression='ruka', tokens=2, expressed=2),
     MainExpression(expression='desnica', tokens=1, expressed=1))
    >>> result.pairs
    (GroupPair(one=0, other=1, alike=('xx',), apart=('ru',), silent=()),)
    """
    main = {
        language: tuple(_main(series, members, group) for group in range(number))
        for language, series in languages.items()
    }
    pairs = [_pair(main, one, other) for one, other in combinations(range(number), 2)]
    # sorted by number, not by share: a pair that few languages have says little
    pairs.sort(key=lambda pair: (-len(pair.apart), len(pair.alike)))
    return Colexification(main, tuple(pairs))


def _main(series: Series, members: I64, group: int) -> MainExpression | None:
    known = [one for one, member in zip(series, members, strict=True) if member == group and one]
    counts = Counter(expression for one in known for expression in one)
    if not counts:
        return None
    # among equally frequent ones, that which the language has more of, then by the alphabet
    every = Counter(expression for one in series for expression in one or ())
    best = min(counts, key=lambda name: (-counts[name], -every[name], name))
    return MainExpression(best, counts[best], len(known))


def _pair(main: Mapping[str, tuple[MainExpression | None, ...]], one: int, other: int) -> GroupPair:
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
