"""What relevance was gathered with, and what became of the texts."""

from __future__ import annotations

from typing import Literal

import msgspec

from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.relevance.network.sharing import RuleName

Target = Literal["predicted", "true", "masked"]


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

    Of the ``documents`` read, the ``dropped`` ones had too few tokens, the ones ``without`` no
    asked pair of words, or no label that was asked for; the ones ``left`` were not drawn by the
    budget, and the others ``used``. Of those, ``cut`` ones were longer than the limit, and
    ``undecided`` ones have a logit of 0, so that there is no relevance to share out. Of the ones
    ``without``, those that are ``unlabelled`` have no label that the classifier knows.
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
