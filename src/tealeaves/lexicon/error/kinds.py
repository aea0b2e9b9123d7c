"""``Kinds``: tokens that are extracted alike and annotated alike, and what kinds share.

All measures here look at pairs of tokens. Tokens of one kind are the same to them, so that pairs of
kinds are looked at, each as often as it occurs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.compiling.arrays import F64

    Flags = NDArray[np.bool_]

_COLLECTIONS = {frozenset, set, list, tuple}

#: The expressions of each token, in order; an empty set says that nothing expresses it.
Series = Sequence[Iterable[str]]


@dataclass(frozen=True, eq=False)
class Side:
    """What each kind is expressed by, on one side: extracted, or annotated."""

    sets: list[frozenset[str]]

    @cached_property
    def sizes(self) -> F64:
        """How many expressions each kind has."""
        return np.array([len(one) for one in self.sets], np.float64)

    @cached_property
    def empty(self) -> Flags:
        """Tell where nothing expresses a kind."""
        found: Flags = self.sizes == 0
        return found

    @cached_property
    def shared(self) -> F64:
        """How many expressions each two kinds share."""
        number: dict[str, int] = {}
        held = [[number.setdefault(text, len(number)) for text in one] for one in self.sets]
        # single precision counts exactly up to 2^24, and no token has so many expressions
        has = np.zeros((len(held), len(number)), np.float32)
        rows = np.repeat(np.arange(len(held)), self.sizes.astype(np.int64))
        has[rows, [column for row in held for column in row]] = 1
        return (has @ has.T).astype(np.float64)

    @cached_property
    def jaccard(self) -> F64:
        """Jaccard's coefficient of each two kinds; 0 for two empty sets, which no rule asks for."""
        either = self.sizes[:, None] + self.sizes[None, :] - self.shared
        found: F64 = self.shared / np.maximum(either, 1)
        return found


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of tokens of one lemma: how many tokens each has, and its two sides."""

    counts: F64
    extracted: Side
    annotated: Side

    @classmethod
    def of(cls, extracted: Series, annotated: Series) -> Kinds:
        """Sort tokens into kinds.

        >>> kinds = Kinds.of([{"a"}, {"a"}, {"b"}], [{"x"}, {"x"}, {"x"}])
        >>> kinds.counts.tolist(), kinds.tokens, kinds.pairs
        ([2.0, 1.0], 3, 3)
        """
        sides = (as_sets(extracted, "extracted"), as_sets(annotated, "annotated"))
        if len(sides[0]) != len(sides[1]):
            raise InputError(
                f"{len(sides[0])} tokens are extracted and {len(sides[1])} annotated: "
                "both sides must have the same tokens, in the same order"
            )
        kinds = Counter(zip(*sides, strict=True))
        counts = np.array(list(kinds.values()), np.float64)
        return cls(counts, Side([e for e, _ in kinds]), Side([a for _, a in kinds]))

    @cached_property
    def tokens(self) -> int:
        """How many tokens there are."""
        return int(self.counts.sum())

    @property
    def pairs(self) -> int:
        """How many pairs of different tokens there are."""
        return self.tokens * (self.tokens - 1) // 2

    @cached_property
    def weights(self) -> F64:
        """How many ordered pairs of different tokens each two kinds have."""
        found: F64 = np.outer(self.counts, self.counts) - np.diag(self.counts)
        return found

    @cached_property
    def mismatched(self) -> Flags:
        """Tell, of each two kinds, whether one is empty on one side and not on the other."""
        odd = self.extracted.empty != self.annotated.empty
        return _either(odd)

    @cached_property
    def expressed(self) -> Flags:
        """Tell, of each two kinds, whether both are expressed on both sides."""
        return ~_either(self.extracted.empty | self.annotated.empty)


def _either(flags: Flags) -> Flags:
    found: Flags = flags[:, None] | flags[None, :]
    return found


def as_sets(series: Series, name: str) -> list[frozenset[str]]:
    """Return the expressions of each token as a set; raise where they are none.

    >>> as_sets([["a", "a"], ()], "extracted")
    [frozenset({'a'}), frozenset()]
    """
    if isinstance(series, str):
        raise InputError(f"{name}: {series!r} is one text, not a set of expressions for each token")
    if not isinstance(series, Iterable):
        raise InputError(f"{name}: {series!r:.40} is no series of sets, one for each token")
    tokens = list(series)
    # all texts at once, which is quicker; one by one, to say which is wrong
    if {type(one) for one in tokens} <= _COLLECTIONS:
        with suppress(TypeError):  # of lists in lists
            found = [frozenset(one) for one in tokens]
            texts: frozenset[object] = frozenset().union(*found)
            if "" not in texts and all(isinstance(text, str) for text in texts):
                return found
    return [_as_set(one, name, place) for place, one in enumerate(tokens, 1)]


def _as_set(given: Iterable[str], name: str, place: int) -> frozenset[str]:
    where = f"{name}, token {place}"
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError(f"{where}: {given!r} is no set; write {{{given!r}}}, or set() for nothing")
    texts = list(given)
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"{where}: the expression {text!r} is no text")
        if not text:
            raise InputError(f"{where}: an expression is empty text; nothing is written set()")
    return frozenset(texts)
