"""Symmetrization: the links of both directions of an aligner, and how they become one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import InputError, did_you_mean
from tealeaves.kernels import Arguments
from tealeaves.lexicon.alignment.links import Links

if TYPE_CHECKING:
    from tealeaves.arrays import Bools
    from tealeaves.kernels import F32, I32, I64

#: The ways to make one of two directions.
Joining = Literal["union", "intersection", "gdfa", "forward", "backward"]


@dataclass(frozen=True, eq=False)
class TwoWay:
    """The links of both directions of an aligner, each from source tokens to target places.

    Parameters
    ----------
    forward
        Of the model that explains target words by source words.
    backward
        Of the model that explains source words by target words, reversed.
    passages
        Where the source tokens of each passage begin: ``bitext.source.words.starts``.

    >>> forward = Links.of(3, [(0, 0, 0.9), (0, 1, 0.5), (2, 3, 0.8)])
    >>> backward = Links.of(3, [(0, 0, 0.7), (1, 2, 0.6), (2, 5, 0.4)])
    >>> both = TwoWay(forward, backward, np.array([0, 3]))
    >>> [(how, len(both.joined(how))) for how in ("union", "intersection", "gdfa")]
    [('union', 5), ('intersection', 1), ('gdfa', 4)]
    """

    forward: Links
    backward: Links
    passages: I64

    def joined(self, how: Joining | str) -> Links:
        """Join the links of both directions.

        ``union`` has the links of either, ``intersection`` those of both. ``gdfa``
        (grow-diag-final-and, Koehn et al. 2005) starts with those of both. It adds links of either
        that are next to a link, also diagonally, if one of the two words has none yet; in the end
        it adds links of the forward, then of the backward direction if both words have none.
        Candidates are visited in the order of source tokens, then of places, until none is added,
        as in fast_align's ``atools``. ``forward`` and ``backward`` are one direction alone.

        A link of both directions has the greater of its two probabilities; in the intersection,
        which needs both to be right, the lesser.
        """
        if how == "forward":
            return self.forward
        if how == "backward":
            return self.backward
        either = self.either
        if how == "union":
            return either.select(np.ones(len(either.places), bool), np.maximum)
        if how == "intersection":
            return either.select((either.forward > 0) & (either.backward > 0), np.minimum)
        if how == "gdfa":
            return either.select(_grown(either, self.passages), np.maximum)
        known = get_args(Joining)
        raise InputError(
            f"unknown way to join links {how}{did_you_mean(how, known)} (known: {', '.join(known)})"
        )

    def likely(self) -> Links:
        """Return the links of either direction, with the mean of their probabilities in both."""
        either = self.either
        half = np.float32(0.5)
        return either.select(np.ones(len(either.places), bool), lambda a, b: (a + b) * half)

    @cached_property
    def either(self) -> Either:
        """The links of either direction."""
        width = 1 + max(
            int(self.forward.places.max(initial=0)), int(self.backward.places.max(initial=0))
        )
        one, other = (
            links.tokens * width + links.places for links in (self.forward, self.backward)
        )
        keys, at = _merged(one, other)
        probabilities = np.zeros((2, len(keys)), np.float32)
        probabilities[0, at[: len(one)]] = self.forward.probabilities
        probabilities[1, at[len(one) :]] = self.backward.probabilities
        tokens = np.bincount(keys // width, minlength=len(self.forward.starts) - 1)
        starts = offsets(tokens)
        return Either(starts, (keys % width).astype(np.int32), *probabilities)


@dataclass(frozen=True, eq=False)
class Either(Arguments):
    """The links of either direction, as in ``Links``, with the probability of each direction.

    The probability is 0 if a direction does not have the link.
    """

    starts: I64
    places: I32
    forward: F32
    backward: F32

    def select(self, chosen: Bools, probability: Callable[[F32, F32], F32]) -> Links:
        """Return some of the links, with a probability computed from those of both directions."""
        before = offsets(chosen)
        probabilities = probability(self.forward[chosen], self.backward[chosen])
        return Links(before[self.starts], self.places[chosen], probabilities)


def _merged(one: I64, other: I64) -> tuple[I64, I64]:
    """Merge ascending numbers; return the distinct ones, and the index of each input among them."""
    both = np.concatenate([one, other])
    # a stable sort recognises the two runs and merges them
    order = np.argsort(both, kind="stable")
    ordered = both[order]
    new = np.ones(len(ordered), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    at = np.empty(len(ordered), np.int64)
    at[order] = np.cumsum(new) - 1
    return ordered[new], at


def _grown(either: Either, passages: I64) -> Bools:
    from tealeaves.lexicon.alignment.kernels.symmetrization import grow_diag_final_and

    grown = np.zeros(len(either.places), np.uint8)
    # the passage, counted from 1, in which a target place got its last link
    linked = np.zeros(int(either.places.max(initial=0)) + 1, np.int64)
    grow_diag_final_and(np.ascontiguousarray(passages, np.int64), either, linked, grown)
    return grown.astype(bool)
