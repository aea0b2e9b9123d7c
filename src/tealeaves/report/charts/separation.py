"""The chart of separation: do metrics tell topics that people like from those they do not?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.report.charts.blocks.axes import LABEL, log_ticks
from tealeaves.report.charts.blocks.headings import part_title, small_title, subtitle_lines, titled
from tealeaves.report.charts.blocks.numbers import decimal, percent
from tealeaves.report.charts.blocks.panels import configured, first_panels, stacked
from tealeaves.report.charts.blocks.rows import chart_of, fields, highest_first
from tealeaves.report.charts.blocks.style import COLOURS, DARK, alt, tooltip
from tealeaves.report.charts.blocks.swarm import golden_ratio_spread
from tealeaves.report.charts.task_correlations import arrow_label

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.separation import MetricSeparation, Separations

_WIDTH, _BAND = 250, 46  # pixels of a panel, and of the strip of a group
_COLUMNS = 3
_LETTERS = 40  # of a title's line
_WORDS = 10
_POINTS = 1000  # of a group: more make the file large and the strip solid
_FEW = 60  # fewer points are drawn larger
_HEAVY = 8  # the range, in widths of the middle half, from which the axis is a signed logarithm
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
    """The topics of one metric that have a value, and how many have none."""

    metric: str
    rows: list[Separable]
    without: int
    heavy: bool


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
    rows = [row for row in separations.rows if row.part == matched.part]
    better = separations.correlations.better
    return _panels(
        [topic for row in rows for topic in _separable(matched, row, better)],
        {arrow_label(row.metric, better): AucInterval(row.auc, row.low, row.high) for row in rows},
        title=part_title(matched.part),
        subtitle=_task_subtitle(rows, separations),
    )


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
        lines.append(f"in brackets: {level} interval, bootstrap, {plan.draws:,} draws")
    if any(better.get(row.metric) == "lower" for row in rows):
        lines.append("↓: lower is better, so AUC counts low values as good")
    return lines


# ---------------------------------------------------------------------- from rows


def separation_chart(
    rows: Sequence[Separable],
    aucs: Mapping[str, AucInterval] | None = None,
    *,
    groups: Sequence[str] = ("high", "low"),
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return an Altair chart: a panel for each metric, the topics of each group as a strip.

    ``groups`` go from top to bottom. The metric with the largest AUC comes first. Boxes hold the
    middle half of a group, a line is its median. If a few values would press all others flat, the
    axis is a signed logarithm: it can show 0 and negative values, which sums of relevance have, and
    keeps the order, on which alone the AUC depends.
    """
    return configured(_panels(rows, aucs, groups=groups, title=title, subtitle=subtitle))


def _panels(
    rows: Sequence[Separable],
    aucs: Mapping[str, AucInterval] | None,
    *,
    groups: Sequence[str] = ("high", "low"),
    title: str,
    subtitle: str | Sequence[str],
) -> Any:
    """Return the panels of all metrics, without configuration."""
    if not rows:
        raise InputError("there are no topics to separate")
    if wrong := next((row for row in rows if row.group not in groups), None):
        names = " or ".join(map(repr, groups))
        raise InputError(f"{wrong.topic}: no group is called {wrong.group!r}, but {names}")
    aucs = aucs or {}
    unknown = AucInterval(math.nan)
    strips = [_strip(rows, metric) for metric in dict.fromkeys(row.metric for row in rows)]
    strips.sort(key=lambda strip: highest_first(aucs.get(strip.metric, unknown).auc))
    panels = [_panel(strip, aucs.get(strip.metric), groups) for strip in strips]
    heading = titled(title, _subtitle(subtitle, strips, aucs))
    return alt.concat(*panels, columns=_COLUMNS, spacing=26, title=heading)


def _strip(rows: Sequence[Separable], metric: str) -> _Strip:
    topics = [row for row in rows if row.metric == metric]
    defined = [row for row in topics if math.isfinite(row.value)]
    values = np.array([row.value for row in defined], dtype=np.float64)
    return _Strip(metric, defined, len(topics) - len(defined), _heavy(values))


def _heavy(values: Floats) -> bool:
    """Whether a few values press all others flat, and a logarithm would help.

    It would not if those values differ from the others by no factor.

    >>> [_heavy(np.array([1.0, 2, 3, 4, last])) for last in (5, 100)]
    [False, True]
    >>> _heavy(np.array([1001.0, 1002, 1003, 1004, 1100]))
    False
    """
    if not values.any():
        return False
    low, high = np.quantile(values, [0.25, 0.75])
    flat = np.ptp(values) > _HEAVY * (high - low)
    return bool(flat and np.abs(values).max() > _HEAVY * _bend(values))


def _bend(values: Floats) -> float:
    """Return where the axis turns from linear to logarithmic: most values lie beyond."""
    return float(np.quantile(np.abs(values[values != 0]), 0.25))


def _subtitle(
    subtitle: str | Sequence[str], strips: Sequence[_Strip], aucs: Mapping[str, AucInterval]
) -> list[str]:
    boxes = "box: the middle half; line: the median"
    if aucs:
        boxes += "; AUC 1: the groups are wholly apart, 0.5: not at all"
    lines = [boxes]
    if any(strip.heavy for strip in strips):
        lines.append("log: signed logarithm, where a few values would press the others flat")
    sizes = Counter((strip.metric, row.group) for strip in strips for row in strip.rows)
    if max(sizes.values(), default=0) > _POINTS:
        lines.append(f"at most {_POINTS:,} points a group, evenly by value; boxes: all")
    return subtitle_lines(subtitle, lines)


def _panel(strip: _Strip, auc: AucInterval | None, groups: Sequence[str]) -> Any:
    x = _x(strip)
    y = alt.Y(
        "group:N",
        title=None,
        scale=alt.Scale(domain=list(groups), paddingInner=0.12, paddingOuter=0.06),
        axis=alt.Axis(grid=False, ticks=False, domain=False, labelPadding=6),
    )
    members = {group: [row for row in strip.rows if row.group == group] for group in groups}
    points = chart_of(point for rows in members.values() for point in _points(rows))
    boxes = chart_of(_box(name, rows) for name, rows in members.items() if rows)
    few = max(map(len, members.values())) <= _FEW
    # names are beside the strips, so that colours need no legend
    palette = [COLOURS[0], *[_BETWEEN] * max(0, len(groups) - 2), COLOURS[1]][: len(groups)]
    scale = alt.Scale(domain=list(groups), range=palette)
    dots = points.mark_point(
        filled=True, size=26 if few else 14, opacity=0.6 if few else 0.45, aria=False
    )
    box = boxes.mark_bar(fill=None, stroke=DARK, strokeWidth=1.2, height=_BAND * 0.42, aria=False)
    median = boxes.mark_tick(color=DARK, thickness=2.5, size=_BAND * 0.42, aria=False)
    layers = [
        dots.encode(
            x=x("value"),
            y=y,
            yOffset=alt.YOffset("place:Q", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("group:N", scale=scale, legend=None),
            tooltip=tooltip(
                "topic:N", ("value:Q", "", ".4~g"), ("human:Q", "people", ".2f"), "group:N"
            ),
        ),
        box.encode(x=x("low"), x2="high:Q", y=y),
        median.encode(x=x("median"), y=y),
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
    return [*facts, "log"] if strip.heavy else facts


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


def _box(group: str, rows: Sequence[Separable]) -> dict[str, Any]:
    low, median, high = np.quantile([row.value for row in rows], [0.25, 0.5, 0.75]).tolist()
    return {"group": group, "low": low, "median": median, "high": high}


def _x(strip: _Strip) -> Callable[[str], Any]:
    values = np.array([row.value for row in strip.rows], dtype=np.float64)
    scale: dict[str, Any] = {"zero": False, "nice": False, "padding": 6}
    axis: dict[str, Any] = {"labelExpr": LABEL, "labelOverlap": "greedy", "tickCount": 4}
    if not values.size or np.ptp(values) == 0:
        value = float(values[0]) if values.size else 0.0
        step = abs(value) / 10 or 1.0
        scale["domain"] = [value - step, value + step]
    if strip.heavy:
        bend = _bend(values)
        scale |= {"type": "symlog", "constant": bend}
        ticks = log_ticks(float(values.min()), float(values.max()), bend)
        # as many as there are, or Vega leaves some out
        axis |= {"values": ticks, "tickCount": len(ticks)}
    given = {"title": None, "scale": alt.Scale(**scale), "axis": alt.Axis(**axis)}
    return lambda field: alt.X(f"{field}:Q", **given)
