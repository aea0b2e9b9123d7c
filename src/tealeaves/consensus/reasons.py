"""Reasons: the signals that moved a topic's value most, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tealeaves.consensus.signals import AGREEMENT, meaning
from tealeaves.learners.results import main_parts

#: The number of signals that are named for lowering a value, and for raising it.
NAMED_REASONS = 2
_BRIEF_REASONS = 3
_LEAST = 0.005  # signals that move a value by less are no reasons

# a kind of signals in a few words; less or more than an average topic has
_BRIEF = {
    "best": "best words {} related",
    "worst": "worst words {} related",
    "first": "first words {} related",
    "second": "a second theme",
    AGREEMENT: "sources agree {}",
    "common": "how common words are",
    "length": "length of vectors",
}
#: What agreement as the main reason means, for legends.
AGREEING = (
    f"{_BRIEF[AGREEMENT].format('more')}: texts and vectors (or two texts, two embeddings) agree "
    "on which words belong together, better than for an average topic; less: worse"
)


class Reason(NamedTuple):
    """A signal, and what it adds to the value of an average topic.

    >>> str(Reason("texts.worst", -0.123))
    '-0.12 how related the third of words is that fits worst, by the texts'
    """

    signal: str
    part: float

    def __str__(self) -> str:
        return f"{self.part:+.2f} {meaning(self.signal)}"


def reasons_of(parts: Mapping[str, float], number: int = NAMED_REASONS) -> list[Reason]:
    """Return the signals that lowered a value most, and that raised it; the stronger side first.

    >>> parts = {"texts.best": -0.2, "texts.worst": -0.1, "texts.first": 0.05, "texts.common": 0.0}
    >>> [reason.signal for reason in reasons_of(parts)]
    ['texts.best', 'texts.worst', 'texts.first']
    """
    ordered = sorted((Reason(name, part) for name, part in parts.items()), key=lambda one: one.part)
    lowered = [one for one in ordered if one.part <= -_LEAST][:number]
    raised = [one for one in reversed(ordered) if one.part >= _LEAST][:number]
    return [*lowered, *raised] if sum(parts.values()) < 0 else [*raised, *lowered]


def main_reason(parts: Mapping[str, float]) -> str:
    """Say in a few words what moved a value most, in the direction of its change.

    The parts of texts and vectors for the same kind of signal are added up, as they are similar.

    >>> main_reason({"texts.best": -0.2, "vectors.best": -0.1, "agreement.joined": 0.25})
    '-0.30 best words less related'
    >>> main_reason({"texts.best": 0.001})
    ''
    """
    kind, part = kind_of_main_reason(parts)
    return f"{part:+.2f} {_BRIEF[kind].format('less' if part < 0 else 'more')}" if kind else ""


def brief_reasons(parts: Mapping[str, float]) -> list[str]:
    """Say in a few words what moved a value, the strongest first.

    >>> brief_reasons({"texts.best": -0.2, "vectors.best": -0.1, "agreement.joined": 0.25})
    ['best words less related (-0.30)', 'sources agree more (+0.25)']
    """
    kinds = _by_kind(parts)
    return [
        f"{_BRIEF[kind].format('less' if kinds[kind] < 0 else 'more')} ({kinds[kind]:+.2f})"
        for kind in main_parts(kinds, _LEAST)[:_BRIEF_REASONS]
    ]


def kind_of_main_reason(parts: Mapping[str, float]) -> tuple[str, float]:
    """Return the kind of signals that moved a value most, and its part; '' and 0 if none did.

    >>> kind_of_main_reason({"texts.best": -0.25, "vectors.best": -0.125})
    ('best', -0.375)
    """
    kinds = _by_kind(parts)
    sign = -1.0 if sum(parts.values()) < 0 else 1.0
    kind = max(kinds, key=lambda name: sign * kinds[name], default="")
    return (kind, kinds[kind]) if kind and sign * kinds[kind] >= _LEAST else ("", 0.0)


def _by_kind(parts: Mapping[str, float]) -> dict[str, float]:
    """Add up the parts of texts and vectors by kind, and those of agreement."""
    kinds: dict[str, float] = {}
    for signal, part in parts.items():
        source, _, shape = signal.partition(".")
        kind = AGREEMENT if source == AGREEMENT else shape
        kinds[kind] = kinds.get(kind, 0.0) + part
    return kinds
