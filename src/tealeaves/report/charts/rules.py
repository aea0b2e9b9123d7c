"""Lines from top to bottom of a forest plot, and above it what they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tealeaves.report.charts.intervals import Intervals
from tealeaves.report.charts.style import DARK, OFFSET

_ABOVE, _HALF, _LINE = 8, 5, 12  # pixels: from rule to text, half a letter's height, a line


class Rule(NamedTuple):
    """A line from top to bottom, on the side of each metric, and what it is."""

    sides: Sequence[float]
    text: str
    dash: Sequence[int]


def offset_above(rules: Sequence[Rule]) -> int:
    """Return the room between title and panel: that of all titles, and the texts above rules."""
    return OFFSET + (_ABOVE + _HALF + _LINE * (len(rules) - 1) if rules else 0)


def ruled(drawing: Intervals, rules: Sequence[Rule]) -> list[Any]:
    """Return lines from top to bottom, and above the panel what they are, one above the other."""
    altair, middle = drawing.altair, sum(drawing.domain) / 2
    layers = []
    for number, rule in enumerate(rules):
        right = rule.sides[0] > middle
        label = drawing.upright(rule.sides[:1]).mark_text(
            align="right" if right else "left",
            dx=4 if right else -4,
            dy=-_ABOVE - _LINE * number,
            fontSize=10,
            color=DARK,
        )
        layers += [
            drawing.upright(rule.sides).mark_rule(
                color=DARK, strokeWidth=1, strokeDash=list(rule.dash)
            ),
            label.encode(y=altair.value(0), text=altair.value(rule.text)),
        ]
    return layers
