"""The chart of separation: do metrics tell topics that people like from those they do not?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.report.charts.blocks.axes import LABEL, ValueAxis, log_ticks, name_axis
from tealeaves.report.charts.blocks.bars import boxes
from tealeaves.report.charts.blocks.headings import part_title, small_title, subtitle_lines, titled
from tealeaves.report.charts.blocks.numbers import decimal, percent
from tealeaves.report.charts.blocks.panels import configured, first_panels, in_columns, stacked
from tealeaves.report.charts.blocks.points import crowd_look, scatter
from tealeaves.report.charts.blocks.rows import fields, grouped, highest_first
from tealeaves.report.charts.blocks.style import COLOURS, alt, by_name, tooltip
from tealeaves.report.charts.blocks.swarm import aside, golden_ratio_spread, strip_ticks
from tealeaves.report.charts.task_correlations import arrow_label

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.separation import MetricSeparation, Separations
    from tealeaves.statistics.spread import GroupSpread

_WIDTH, _BAND = 250, 46  # pixels of a panel, and of the strip of a group
_COLUMNS = 3
_LETTERS = 40  # of a title's line
_WORDS = 10
_POINTS = 1000  # of a group: more make the file large and the strip solid
_FEW = 60  # fewer points are drawn larger
_GROUPS = ("high", "low")
_BETWEEN = "#8a8a8a"  # groups between the first and the last
_TITLE = "Do metrics separate topics that people rate high and low?"


class Separable(NamedTuple):
    """The value that a metric gives a topic, and the group into which people put the topic."""

    metric: str
    topic: str
    value: float
    group: str
    human: float = math.nan


class AucInterval(NamedTuple):
    """How well a metric separates the first group from the last: the AUC, and its interval."""

    auc: float
    low: float = math.nan
    high: float = math.nan


class _Strip(NamedTuple):
    """The topics of one metric that have a value, how they are spread, and how many have none."""

    metric: str
    rows: list[Separable]
    without: int
    spread: GroupSpread

    @property
    def logarithmic(self) -> bool:
        """Whether the axis is a signed logarithm."""
        return not math.isnan(self.spread.bend)


# ---------------------------------------------------------------------- from correlations


def separated_chart(separations: Separations) -> Any:
    """Return an Altair chart: panels for each data set and task, one for each metric."""
    # if people rate all topics alike, there are no groups
    parts = {row.part for row in separations.rows if not math.isnan(row.from_high)}
    matched = [one for one in separations.correlations.parts if one.part in parts]
    if not matched:
        raise InputError("people's scores are constant: there are no groups to separate")
    by = f"{separations.correlations.plan.by}s"
    title = f"Do metrics separate {by} that people rate high and low?"
    drawn, title = first_panels(matched, title)
    panels = [_task_panels(one, separations) for one in drawn]
    return configured(stacked(panels, spacing=40, title=titled(title)))


def _task_panels(matched: MatchedScores, separations: Separations) -> Any:
    better = separations.correlations.better
    both = zip(separations.rows, separations.spreads, strict=True)
    pairs = [(row, spread) for row, spread in both if row.part == matched.part]
    strips = [_strip(_separable(matched, row, better), spread) for row, spread in pairs]
    rows = [row for row, _ in pairs]
    aucs = {
        arrow_label(row.metric, better): AucInterval(row.auc, row.low, row.high) for row in rows
    }
    heading = (part_title(matched.part), _task_subtitle(rows, separations))
    return _strips(strips, aucs, _GROUPS, heading)


def _separable(
    matched: MatchedScores, row: MetricSeparation, better: Mapping[str, str]
) -> list[Separable]:
    """Return the topics of the two groups; those between them are not drawn."""
    label = arrow_label(row.metric, better)
    topics = []
    for key, words, human, value in zip(
        matched.keys,
        matched.words,
        matched.human.tolist(),
        matched.scores[row.metric].tolist(),
        strict=True,
    ):
        group = "high" if human >= row.from_high else "low" if human <= row.to_low else ""
        if group:
            name = " ".join(filter(None, (key.model, key.topic, *words[:_WORDS])))
            topics.append(Separable(label, name, value, group, human))
    return topics


def _task_subtitle(rows: Sequence[MetricSeparation], separations: Separations) -> list[str]:
    from tealeaves.judgments.correlation.separation import group_limits

    lines = group_limits(rows)
    plan, better = separations.correlations.plan, separations.correlations.better
    if any(math.isfinite(row.low) for row in rows):
        level = percent(plan.level)
        lines.append(f"brackets hold the {level} interval (bootstrap of {plan.draws:,} draws)")
    if any(better.get(row.metric) == "lower" for row in rows):
        lines.append("↓ marks that lower is better, so AUC counts low values as good")
    return lines


# ---------------------------------------------------------------------- from rows


def separation_chart(
    rows: Sequence[Separable],
    aucs: Mapping[str, AucInterval] | None = None,
    *,
    groups: Sequence[str] = _GROUPS,
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return an Altair chart: a panel for each metric, the topics of each group as a strip.

    ``groups`` go from top to bottom. The metric with the largest AUC comes first. Boxes hold the
    middle half of a group, a line is its median: both are computed here, from the rows. If a few
    values would press all others flat, the axis is a signed logarithm: it can show 0 and negative
    values, which sums of relevance have, and keeps the order, on which alone the AUC depends.
    """
    if not rows:
        raise InputError("there are no topics to separate")
    if wrong := next((row for row in rows if row.group not in groups), None):
        names = " or ".join(map(repr, groups))
        raise InputError(f"{wrong.topic}: no group is called {wrong.group!r}, but {names}")
    strips = [
        _strip(topics, _spread_of(topics))
        for topics in grouped(rows, lambda row: row.metric).values()
    ]
    return configured(_strips(strips, aucs or {}, groups, (title, subtitle)))


def _spread_of(topics: Sequence[Separable]) -> GroupSpread:
    from tealeaves.statistics.spread import group_spread

    defined = [topic for topic in topics if math.isfinite(topic.value)]
    groups = grouped(defined, lambda topic: topic.group)
    return group_spread({n: np.array([one.value for one in some]) for n, some in groups.items()})


def _strip(topics: Sequence[Separable], spread: GroupSpread) -> _Strip:
    defined = [topic for topic in topics if math.isfinite(topic.value)]
    return _Strip(topics[0].metric, defined, len(topics) - len(defined), spread)


def _strips(
    strips: Sequence[_Strip],
    aucs: Mapping[str, AucInterval],
    groups: Sequence[str],
    heading: tuple[str, str | Sequence[str]],
) -> Any:
    """Return the panels of all metrics, the largest AUC first, without configuration."""
    unknown = AucInterval(math.nan)
    ordered = sorted(strips, key=lambda strip: highest_first(aucs.get(strip.metric, unknown).auc))
    panels = [_metric_panel(strip, aucs.get(strip.metric), groups) for strip in ordered]
    title, subtitle = heading
    return in_columns(
        panels, _COLUMNS, spacing=26, title=titled(title, _subtitle(subtitle, ordered, aucs))
    )


def _subtitle(
    subtitle: str | Sequence[str], strips: Sequence[_Strip], aucs: Mapping[str, AucInterval]
) -> list[str]:
    boxes = "boxes hold the middle half, lines are medians"
    if aucs:
        boxes += "; AUC is 1 if the groups are wholly apart, 0.5 if not at all"
    lines = [boxes]
    if any(strip.logarithmic for strip in strips):
        lines.append("log marks a signed logarithm, where a few values would press the others flat")
    sizes = Counter((strip.metric, row.group) for strip in strips for row in strip.rows)
    if max(sizes.values(), default=0) > _POINTS:
        lines.append(f"groups show at most {_POINTS:,} points, evenly by value; boxes are of all")
    return subtitle_lines(subtitle, lines)


def _metric_panel(strip: _Strip, auc: AucInterval | None, groups: Sequence[str]) -> Any:
    values = _value_axis(strip)
    space = {"paddingInner": 0.12, "paddingOuter": 0.06}
    y = name_axis(alt.Y, "group:N", groups, scale=space, grid=False, labelPadding=6)
    members = {group: [row for row in strip.rows if row.group == group] for group in groups}
    quartiles = strip.spread.quartiles
    summaries = [
        dict(zip(("group", "low", "median", "high"), (group, *quartiles[group]), strict=True))
        for group in groups
        if group in quartiles
    ]
    # names are beside the strips, so that colours need no legend
    palette = [COLOURS[0], *[_BETWEEN] * max(0, len(groups) - 2), COLOURS[1]][: len(groups)]
    look = crowd_look(max(map(len, members.values())), _FEW, (26, 0.6), (14, 0.45))
    points = scatter([point for rows in members.values() for point in _points(rows)], **look)
    layers = [
        points.encode(
            x=values.x(),
            y=y,
            yOffset=aside("place", [0, 1]),
            color=by_name(alt.Color, "group", dict(zip(groups, palette, strict=True))),
            tooltip=tooltip(
                "topic:N", ("value:Q", "", ".4~g"), ("human:Q", "people", ".2f"), "group:N"
            ),
        ),
        boxes(summaries, values, y, _BAND * 0.42),
        strip_ticks(summaries, _BAND * 0.42).encode(x=values.x("median"), y=y),
    ]
    facts = _facts(strip, auc, list(map(len, members.values())))
    title = small_title(strip.metric or " ", ", ".join(facts), _LETTERS)
    return alt.layer(*layers, width=_WIDTH, height=_BAND * len(groups), title=title)


def _facts(strip: _Strip, auc: AucInterval | None, counts: Sequence[int]) -> list[str]:
    facts = []
    if auc is not None:
        interval = ""
        if math.isfinite(auc.low) and math.isfinite(auc.high):
            interval = f" [{decimal(auc.low)}, {decimal(auc.high)}]"
        facts.append(f"AUC {decimal(auc.auc)}{interval}")
    facts.append("n = " + " + ".join(f"{count:,}" for count in counts))
    if strip.without:
        facts.append(f"{strip.without:,} without a value")
    return [*facts, "log"] if strip.logarithmic else facts


def _points(rows: Sequence[Separable]) -> list[dict[str, Any]]:
    """Return points in the order of their values; neighbours are far apart in the strip."""
    ordered = sorted(rows, key=lambda row: row.value)
    if len(ordered) > _POINTS:
        kept = np.linspace(0, len(ordered) - 1, _POINTS).round().astype(int)
        ordered = [ordered[number] for number in kept.tolist()]
    return [
        fields(row, "topic", "value", "group", "human") | {"place": place}
        for row, place in zip(ordered, golden_ratio_spread(len(ordered)), strict=True)
    ]


def _value_axis(strip: _Strip) -> ValueAxis:
    values = [row.value for row in strip.rows] or [0.0]
    low, high, bend = min(values), max(values), strip.spread.bend
    scale: dict[str, Any] = {"zero": False, "nice": False, "padding": 6}
    axis: dict[str, Any] = {"labelExpr": LABEL, "labelOverlap": "greedy", "tickCount": 4}
    if low == high:
        step = abs(low) / 10 or 1.0
        scale["domain"] = [low - step, low + step]
    if strip.logarithmic:
        scale |= {"type": "symlog", "constant": bend}
        ticks = log_ticks(low, high, bend)
        # as many as there are, or Vega leaves some out
        axis |= {"values": ticks, "tickCount": len(ticks)}
    return ValueAxis(None, scale, axis)
