"""Draw the results, in an environment with Altair: ``plot.py RESULTS.json PICTURE``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import altair as alt  # type: ignore[import-not-found, unused-ignore]

_OURS, _SECOND, _GREY, _INK = "#2a6f6b", "#d08c3f", "#9aa0a6", "#222222"
_KINDS = ["whole process", "steady state"]
_WIDTH, _HEIGHT = 400, 260


def ratios(rows: list[dict[str, Any]]) -> Any:
    """Bars of how many times faster than gensim, with the goals as ticks."""
    cases = list(dict.fromkeys(row["case"] for row in rows))
    top = 2 * max(row["ratio"] for row in rows)
    base = alt.Chart({"values": rows}).encode(
        y=alt.Y("case:N", sort=cases, title=None, axis=alt.Axis(labelLimit=200, ticks=False)),
        yOffset=alt.YOffset("kind:N", sort=_KINDS),
    )
    scale = alt.Scale(type="log", domain=[1, top], nice=False)
    axis = alt.Axis(values=[1, 10, 100, 1000], format="~s", grid=True)
    bars = base.mark_bar(height={"band": 0.85}).encode(
        x=alt.X("ratio:Q", scale=scale, axis=axis, title="times faster than gensim 4.4.0 (wall)"),
        x2=alt.datum(1),
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=_KINDS, range=[_OURS, _SECOND]),
            legend=alt.Legend(title=None, orient="bottom"),
        ),
    )
    numbers = (
        base.transform_calculate(end="max(datum.ratio, datum.goal)")  # beside the tick, not on it
        .mark_text(align="left", dx=6, color=_INK)
        .encode(x="end:Q", text="shown:N")
    )
    goals = (
        base.transform_filter("datum.goal > 0")
        .mark_tick(thickness=2.5, color=_INK, height={"band": 0.85})
        .encode(x="goal:Q")
    )
    title = alt.Title(
        "20 Newsgroups, against gensim", subtitle="black ticks: what is promised", anchor="start"
    )
    return (bars + goals + numbers).properties(width=_WIDTH, height=_HEIGHT, title=title)


def growth(rows: list[dict[str, Any]]) -> Any:
    """Lines of seconds against megabytes; the name of each stands at its end."""
    sizes = sorted({row["megabytes"] for row in rows})
    names = ["1 thread", "2 threads", "read and sum"]
    color = alt.Color(
        "who:N", scale=alt.Scale(domain=names, range=[_SECOND, _OURS, _GREY]), legend=None
    )
    x = alt.X(
        "megabytes:Q",
        scale=alt.Scale(type="log", domain=[sizes[0], sizes[-1]], nice=False),
        axis=alt.Axis(values=sizes, format=".0f", grid=False),
        title="MB of text",
    )
    y = alt.Y(
        "seconds:Q",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(values=[0.001, 0.01, 0.1, 1, 10, 100], format="~g"),
        title="seconds",
    )
    base = alt.Chart({"values": rows}).encode(x=x, y=y, color=color)
    lines = base.mark_line(strokeWidth=2.5) + base.mark_point(size=50, filled=True, opacity=1)
    for name, dy in zip(names, (-7, 7, 0), strict=True):  # apart, where two lines end close by
        end = f"datum.megabytes == {sizes[-1]} && datum.who == '{name}'"
        text = base.transform_filter(end).mark_text(align="left", dx=10, dy=dy, fontWeight="bold")
        lines += text.encode(text="label:N")
    title = alt.Title(
        "Raw text to counts, by size",
        subtitle="window 10, 500 topics; grey: reading the file and summing its bytes",
        anchor="start",
    )
    return lines.properties(width=_WIDTH - 60, height=_HEIGHT, title=title)


def main(source: str, target: str) -> None:
    """Put both charts side by side."""
    results = json.loads(Path(source).read_text("utf-8"))
    charts = [ratios(results["ratios"]), growth(results["growth"])]
    picture = (
        alt.hconcat(*charts, spacing=50)
        .resolve_scale(color="independent")
        .configure(font="sans-serif", background="white", padding=16)
        .configure_view(stroke=None)
        .configure_axis(labelFontSize=12, titleFontSize=12, titleFontWeight="normal")
        .configure_axisY(domain=False)
        .configure_title(fontSize=15, subtitleFontSize=12, subtitleColor="#666666", offset=12)
        .configure_legend(labelFontSize=12)
        .configure_text(fontSize=12)
    )
    picture.save(target, scale_factor=2 if target.endswith(".png") else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
