"""The picture of the page: how well metrics agree with people, a panel a set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt

from benchmarks.people.agreement import MetricLine, Number, PeopleCeiling
from benchmarks.people.sets import MAIN, PeopleSet
from benchmarks.people.variants import OWN_TEXTS, kind_of, metric_in
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.panels import configured
from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY
from tealeaves.report.charts.saving import save_chart

_FAMILIES = {
    "given": ("values of a file", COLOURS[4]),
    "consensus": ("consensus", COLOURS[3]),
    "counts": ("counts of Wikipedia", COLOURS[0]),
    "vectors": ("vectors of words", COLOURS[2]),
    "relevance": ("relevance in a classifier", COLOURS[1]),
    "words": ("the topics' words alone", "#777"),
}
_BEST_ALONE = ("relevance", "words")  # families that say less: the rest is in the tables
_DOMAIN = [-0.75, 1.0]
_WIDTH, _STEP = 180, 19


class ChartLine(NamedTuple):
    """A line of the picture: its main numbers, and those of other variants of the metric."""

    name: str
    family: str
    main: MetricLine
    others: Sequence[MetricLine]


def drawn_lines(lines: Sequence[MetricLine]) -> list[ChartLine]:
    """Return a line for each metric: the variant that does best in all sets, the rest beside it.

    They are in the order of the lines, each where its best one is. Each line of a file and of
    consensus is drawn; of relevance and of the topics' words alone only the best metric.
    """
    drawn: dict[str, ChartLine] = {}
    for line in lines:
        if not line.topics:
            continue  # of whole models alone
        family = "given" if line.also else kind_of(line.label.expression)
        single = line.also or line.consensus
        name = f"{line.label}" if single else metric_in(line.label.expression)
        if name in drawn:
            known = drawn[name]
            drawn[name] = known._replace(others=[*known.others, line])
        elif family not in _BEST_ALONE or all(one.family != family for one in drawn.values()):
            drawn[name] = ChartLine(_named(line, family), family, line, [])
    return list(drawn.values())


def _named(line: MetricLine, family: str) -> str:
    vectors = f", {line.label.evidence}" if family == "vectors" else ""
    return f"{line.shown}{vectors}"


def draw(lines: Sequence[MetricLine], ceilings: Mapping[str, PeopleCeiling], path: Path) -> None:
    """Draw all panels side by side, on white: the picture is read on dark pages too."""
    drawn = drawn_lines(lines)
    panels = [
        *(_panel(drawn, one, ceilings[one.name], first=one is MAIN[0]) for one in MAIN),
        _means(drawn),
    ]
    said = [
        "Pearson's r over topics, with its 95 % interval. Consensus is by predictors that were not "
        "fitted to the topics' corpus (or cluster). Others are sorted by the mean of all sets.",
        "Points: the best variant of each metric; ticks: its others (parameters, vectors, words as "
        "written or lemmas); diamonds: counted in the topics' own texts. ↓: lower is to be better.",
        "Dashed: one person and the others; dotted: the highest to be expected. Of relevance, and "
        "of the topics' words alone, the best metric is shown.",
    ]
    title = titled("How well metrics agree with people", said, size=16)
    chart = configured(alt.hconcat(*panels, title=title, spacing=14))
    chart.config |= {"background": "white", "padding": 14}
    save_chart(chart, path)


def _panel(
    drawn: Sequence[ChartLine], one: PeopleSet, ceiling: PeopleCeiling, *, first: bool
) -> Any:
    names = [line.name for line in drawn]
    rows = [
        _row(line, line.main.number(one.name)) for line in drawn if line.main.topics.get(one.name)
    ]
    base = chart_of(rows).encode(y=_y(names, first=first), color=_colour(drawn))
    layers = [
        _upright([0.0], color="#999", strokeWidth=1),
        *_rules(ceiling),
        _beside(drawn, one, names, first=first),
        base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=_x("low"), x2="high:Q"),
        base.mark_point(filled=True, size=52, opacity=1).encode(x=_x("value")),
        _own(drawn, one, names, first=first),
    ]
    n = max(line.main.topics[one.name].n for line in drawn if one.name in line.main.topics)
    said = f"{n:,} topics, {one.material.words} words"
    return _framed(alt.layer(*layers), one.title, said, _WIDTH, len(names))


def _framed(chart: Any, title: str, said: str, width: int, lines: int) -> Any:
    heading = titled(title, said, size=13)
    heading.frame = "group"  # above the panel, not above its labels
    return chart.properties(width=width, height=_STEP * lines, title=heading)


def _means(drawn: Sequence[ChartLine]) -> Any:
    """Write the mean size of the coefficients; in brackets where sets are missing."""
    rows = [
        {"name": line.name, "text": shown if line.main.everywhere else f"({shown})"}
        for line in drawn
        for shown in [f"{line.main.mean:.2f}".replace("0.", ".", 1)]
    ]
    names = [line.name for line in drawn]
    text = chart_of(rows).mark_text(align="left", fontSize=11, color=DARK)
    y = alt.Y("name:N", sort=names, axis=None, scale=alt.Scale(domain=names))
    chart = text.encode(x=alt.value(0), y=y, text="text:N")
    return _framed(chart, "mean", "size of r", 40, len(names))


def _row(line: ChartLine, number: Number) -> dict[str, Any]:
    low, high = (value if math.isfinite(value) else number.value for value in number[1:])
    return {
        "name": line.name,
        "family": _FAMILIES[line.family][0],
        "value": number.value,
        "low": max(low, _DOMAIN[0]),
        "high": high,
    }


def _beside(drawn: Sequence[ChartLine], one: PeopleSet, names: list[str], *, first: bool) -> Any:
    """Draw thin ticks where other variants of the metric are."""
    rows = [
        _row(line, other.number(one.name))
        for line, other in _others(drawn, one)
        if other.label.evidence != OWN_TEXTS
    ]
    ticks = chart_of(rows).mark_tick(thickness=1.5, height=9, opacity=0.75)
    return ticks.encode(x=_x("value"), y=_y(names, first=first), color=_colour(drawn))


def _own(drawn: Sequence[ChartLine], one: PeopleSet, names: list[str], *, first: bool) -> Any:
    """Draw a diamond where the same variant is in the texts that the topics are of."""
    rows = [
        _row(line, other.number(one.name))
        for line, other in _others(drawn, one)
        if other.label == line.main.label._replace(evidence=OWN_TEXTS)
    ]
    points = chart_of(rows).mark_point(
        shape="diamond", filled=True, size=60, color=DARK, opacity=0.9
    )
    return points.encode(x=_x("value"), y=_y(names, first=first))


def _others(drawn: Sequence[ChartLine], one: PeopleSet) -> Iterator[tuple[ChartLine, MetricLine]]:
    for line in drawn:
        for other in line.others:
            if other.number(one.name).known:
                yield line, other


def _rules(ceiling: PeopleCeiling) -> list[Any]:
    dashes = ((ceiling.one, [5, 3]), (ceiling.most, [1, 3]))
    return [
        _upright([value], color=DARK, strokeWidth=1.4, strokeDash=dash)
        for value, dash in dashes
        if math.isfinite(value)
    ]


def _upright(values: Sequence[float], **style: Any) -> Any:
    rows = [{"value": value} for value in values]
    return chart_of(rows).mark_rule(**style).encode(x=_x("value"))


def _x(field: str) -> Any:
    axis = alt.Axis(values=[-0.5, 0, 0.5, 1], format=".1f", grid=True)
    return alt.X(
        f"{field}:Q", title=None, axis=axis, scale=alt.Scale(domain=_DOMAIN, nice=False, clamp=True)
    )


def _y(names: list[str], *, first: bool) -> Any:
    axis = alt.Axis(
        labels=first, labelLimit=320, labelPadding=6, grid=True, ticks=False, domain=False
    )
    return alt.Y("name:N", sort=names, title=None, axis=axis, scale=alt.Scale(domain=names))


def _colour(drawn: Sequence[ChartLine]) -> Any:
    there = dict.fromkeys(_FAMILIES[line.family] for line in drawn)
    names, colours = [name for name, _ in there], [colour for _, colour in there]
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", labelColor=GREY)
    scale = alt.Scale(domain=names, range=colours)
    return alt.Color("family:N", scale=scale, legend=legend)
