"""Annotators as points: who agrees with the rest, and how long that took."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.report.charts.style import COLOURS, GREY, chart_of, known, titled

if TYPE_CHECKING:
    from tealeaves.judgments.agreement.careless import Annotator

_WIDTH, _HEIGHT = 340, 260
_NAMED = 12  # more names would lie on each other
_WIDE = 20  # from this ratio of the longest time to the shortest the axis is logarithmic

_TIME, _ANSWERS = "median time of an answer (seconds)", "number of answers"
_ORDER = "annotators, the one who agrees best first"


def annotator_panel(altair: Any, people: Sequence[Annotator], subtitle: Sequence[str]) -> Any:
    """Return the annotators of one task: correlation with the rest against time.

    Where not all times are known, the number of answers takes their place, and where that is the
    same for all, their order. Annotators without correlation are crosses at the bottom, so that
    they do not go missing.
    """
    across = _across(people)
    rows = [_row(one, place) for one, place in zip(people, _places(people, across), strict=True)]
    placed = [row for row in rows if row["y"] is not None]
    below = [row for row in rows if row["y"] is None]
    x = _x(altair, rows, across)
    y = altair.Y(
        "y:Q",
        title="correlation with the rest (Spearman)",
        scale=altair.Scale(domain=_limits(placed, room=bool(below)), nice=False),
        axis=altair.Axis(tickCount=5),
    )
    flagged = [row for row in rows if row["kind"] == "flagged"]
    colour = _colour(altair, legend=bool(flagged))
    tooltip = _tooltip(altair)
    base = chart_of(altair, placed).encode(x=x, y=y)
    crosses = chart_of(altair, below).encode(x=x, y=altair.value(_HEIGHT - 6))
    layers = [
        base.mark_point(filled=True, size=40, opacity=0.65, aria=False),
        crosses.mark_point(shape="cross", filled=True, angle=45, size=50, aria=False),
    ]
    drawn = [layer.encode(color=colour, tooltip=tooltip) for layer in layers]
    if len(flagged) <= _NAMED:
        drawn += [_names(layer) for layer in (base, crosses)]
    title = titled(altair, "Annotators", subtitle, size=12)
    return altair.layer(*drawn, width=_WIDTH, height=_HEIGHT, title=title)


def _across(people: Sequence[Annotator]) -> str:
    """Say what the axis from left to right is: something that tells annotators apart."""
    if all(math.isfinite(one.time) for one in people) and len({one.time for one in people}) > 1:
        return _TIME
    return _ANSWERS if len({one.answers for one in people}) > 1 else _ORDER


def _places(people: Sequence[Annotator], across: str) -> list[float]:
    if across == _TIME:
        return [one.time for one in people]
    if across == _ANSWERS:
        return [float(one.answers) for one in people]
    best = [-math.inf if math.isnan(one.rest) else one.rest for one in people]
    order = sorted(range(len(people)), key=lambda one: -best[one])
    return [float(order.index(one) + 1) for one in range(len(people))]


def _row(one: Annotator, place: float) -> dict[str, Any]:
    return {
        "x": place,
        "y": known(one.rest),
        "annotator": one.annotator,
        "answers": one.answers,
        "time": known(one.time),
        "line": one.line,
        "gold": f"{one.gold_right} of {one.gold}" if one.gold else "–",
        "flags": "; ".join(one.flags) or "–",
        "kind": "flagged" if one.flags else "not flagged",
    }


def _colour(altair: Any, *, legend: bool) -> Any:
    scale = altair.Scale(domain=["not flagged", "flagged"], range=COLOURS[:2])
    shown = altair.Legend(title="annotators", symbolOpacity=1, orient="bottom") if legend else None
    return altair.Color("kind:N", scale=scale, legend=shown)


def _x(altair: Any, rows: Sequence[dict[str, Any]], across: str) -> Any:
    values = [row["x"] for row in rows]
    title = across
    scale: dict[str, Any] = {"zero": False, "nice": across != _ORDER}
    if across != _ORDER and min(values) > 0 and max(values) > _WIDE * min(values):
        scale["type"] = "log"
        title += ", logarithmic"
    if across == _ORDER:
        scale["domain"] = [0.5, len(values) + 0.5]
    axis = altair.Axis(
        tickCount=5,
        grid=False,
        labels=across != _ORDER,
        ticks=across != _ORDER,
        **({} if across == _TIME else {"format": "d"}),
    )
    return altair.X("x:Q", title=title, scale=altair.Scale(**scale, padding=12), axis=axis)


def _limits(rows: Sequence[dict[str, Any]], *, room: bool) -> list[float]:
    """Return limits, where need be with room at the bottom for the crosses."""
    low = min([0.0, *(row["y"] for row in rows)])
    # above 1 too: a label at the very top would push the title up
    return [low - (0.12 if room else 0.04 * (low < 0)), 1.05]


def _names(layer: Any) -> Any:
    text = layer.transform_filter("datum.kind === 'flagged'").mark_text(
        align="left", dx=7, dy=-5, fontSize=10, color=GREY, limit=110, aria=False
    )
    return text.encode(text="annotator:N")


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("annotator:N"),
        altair.Tooltip("answers:Q"),
        altair.Tooltip("time:Q", title="median time", format=".2f"),
        altair.Tooltip("y:Q", title="with the rest", format=".2f"),
        altair.Tooltip("line:Q", title="longest line"),
        altair.Tooltip("gold:N"),
        altair.Tooltip("flags:N"),
    ]


def annotator_subtitle(people: Sequence[Annotator]) -> list[str]:
    """Say how many there are, and who is not drawn as others are."""
    below = sum(math.isnan(one.rest) for one in people)
    flagged = sum(bool(one.flags) for one in people)
    lines = [f"{len(people):,} annotators, {flagged:,} flagged as careless"]
    if below:
        lines.append(f"×: {below:,} without correlation (constant, or too few common items)")
    if flagged > _NAMED:
        lines.append(f"names are left out: more than {_NAMED} are flagged")
    return lines
