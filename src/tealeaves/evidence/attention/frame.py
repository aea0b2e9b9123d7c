"""``Frame``: what all parts of one gathering of relevance share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from tealeaves.errors import EvidenceError
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.network.rules import RuleName
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import Term

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Integers

#: The class whose logit is explained; or words that are masked.
Target = Literal["predicted", "true", "masked"]
_GATHER = "gather the relevance for these topics"


class RelevanceStamp(msgspec.Struct, frozen=True):
    """How relevance was gathered; only what was gathered in the same way adds.

    ``weights`` identifies the classifier's content, ``kind`` says how it was fitted. ``longest``
    is the number of word pieces beyond which texts were cut. ``target`` is the class whose logit
    was explained, ``procedure`` the version of the rules. Without ``improved`` the third of the
    sums was left out; ``rules`` are those that it was shared out by.
    ``seed`` decided which words were masked; it is None where none were.
    """

    classifier: str
    weights: str
    kind: str
    longest: int
    layers: int
    heads: int
    target: Target
    procedure: str
    pipeline: PipelineStamp
    improved: bool = True
    rules: RuleName = "sizes"
    seed: int | None = None


class RelevanceTotals(msgspec.Struct, frozen=True):
    """What became of the texts.

    Each of the ``documents`` read is one of four: ``dropped`` (too few tokens), ``without`` (no
    requested pair of words, or no label that is needed), ``left`` (not drawn by the budget), or
    ``used``. Of those used, ``cut`` were longer than the limit, and ``undecided`` have a logit of
    0, so that there is no relevance to share out. Of those without, ``unlabelled`` have no label
    that the classifier knows.
    """

    documents: int = 0
    dropped: int = 0
    without: int = 0
    left: int = 0
    used: int = 0
    cut: int = 0
    undecided: int = 0
    unlabelled: int = 0

    def __add__(self, other: RelevanceTotals) -> RelevanceTotals:
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return RelevanceTotals(*(a + b for a, b in zip(mine, theirs, strict=True)))


@dataclass(frozen=True, eq=False, repr=False)
class Frame:
    """How texts are read, which words are requested, and which heads were fixed.

    ``terms`` are sorted. ``pairs`` has the unordered pairs that are requested, two term positions a
    row, the smaller first, rows sorted; None stands for all pairs of the terms. A pair has one
    number, its key: the first position times the number of terms, plus the second.
    """

    stamp: RelevanceStamp
    terms: tuple[Term, ...]
    pairs: Integers | None
    sample: HeadStatistics
    fixed: FixedHeads

    def __repr__(self) -> str:
        pairs = "all" if self.pairs is None else len(self.pairs)
        return f"Frame({self.stamp.classifier}, {len(self.terms)} terms, {pairs} pairs)"

    @cached_property
    def positions(self) -> Mapping[Term, int]:
        """The position of each term in ``terms``."""
        return {term: position for position, term in enumerate(self.terms)}

    @cached_property
    def pair_keys(self) -> Integers:
        """The keys of the requested pairs, ascending; none if all pairs are requested."""
        if self.pairs is None:
            return np.zeros(0, dtype=np.int64)
        return self.pairs[:, 0] * len(self.terms) + self.pairs[:, 1]

    def are_requested(self, keys: Integers) -> Bools:
        """Tell which keys, in either order, belong to pairs that are requested."""
        left, right = np.divmod(np.asarray(keys, dtype=np.int64), max(len(self.terms), 1))
        if self.pairs is None:
            return np.not_equal(left, right)
        unordered = np.minimum(left, right) * len(self.terms) + np.maximum(left, right)
        return contained(unordered, self.pair_keys)[1]

    def check_requested(self, keys: Integers) -> None:
        """Raise for pairs of different words that are not requested."""
        wrong = ~self.are_requested(keys)
        if wrong.any():
            left, right = divmod(int(keys[wrong][0]), len(self.terms))
            names = f"{str(self.terms[left])!r} and {str(self.terms[right])!r}"
            raise EvidenceError(f"the words {names} were not asked for together: {_GATHER}")

    # ------------------------------------------------------------------ comparing

    def same_words(self, other: Frame) -> bool:
        """Tell whether the same terms and pairs are requested."""
        if self.pairs is None or other.pairs is None:
            return self.pairs is other.pairs and self.terms == other.terms
        return self.terms == other.terms and np.array_equal(self.pair_keys, other.pair_keys)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frame):
            return NotImplemented
        return self is other or (
            self.stamp == other.stamp
            and self.same_words(other)
            and self.sample == other.sample
            and self.fixed == other.fixed
        )

    __hash__ = None  # type: ignore[assignment]

    def check_addable(self, other: Frame) -> None:
        """Raise for a frame whose relevance does not add to that of this one."""
        if self is other:
            return
        if self.stamp != other.stamp:
            mine, theirs = msgspec.to_builtins(self.stamp), msgspec.to_builtins(other.stamp)
            field = next(name for name in mine if mine[name] != theirs[name])
            raise EvidenceError(
                f"relevance of different {field} cannot be added: {_shown(mine[field])} and "
                f"{_shown(theirs[field])}: gather both in the same way"
            )
        if not self.same_words(other):
            raise EvidenceError(
                "relevance of different words cannot be added: gather both for the same topics"
            )
        if self.fixed != other.fixed or self.sample != other.sample:
            raise EvidenceError(
                "the heads were fixed from different texts: gather the second with the heads of "
                "the first (--heads-of FILE)"
            )


def _shown(value: object) -> str:
    return str(value["signature"]) if isinstance(value, dict) else str(value)


def contained(wanted: Integers, known: Integers) -> tuple[Integers, Bools]:
    """Return the position of each number among ascending ones, and whether it is one of them."""
    if not len(known):
        return np.zeros(wanted.shape, dtype=np.int64), np.zeros(wanted.shape, dtype=np.bool_)
    positions = np.searchsorted(known, wanted)
    positions[positions == len(known)] = 0
    return positions, known[positions] == wanted
