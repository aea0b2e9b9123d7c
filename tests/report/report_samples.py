"""Reports that are made up: every kind of part, with words that would like to be more than text."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.panels import configured
from tealeaves.report.charts.blocks.rows import chart_of
from tealeaves.report.charts.blocks.style import COLOURS, DARK
from tealeaves.report.pages import save_report_page
from tealeaves.report.sections.parts import (
    Card,
    Cards,
    Code,
    Figure,
    Notes,
    Page,
    Part,
    Picker,
    ReportTable,
    Section,
    Word,
)

HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=2>",
    "\"'><b onmouseover=alert(3)>&amp;",
    "<!--<script>",
    "{{ 7 * 7 }}{% if %}",
    "يد\u202e\u2066",
    "👋🏽",
    "\u2028]]>",
    "two words",
    "\\u003c",
    "=cmd()",
    "control\u0008",
    "long" * 50,
]
PLAIN = [f"word{n}" for n in range(len(HOSTILE))]


def dots(words: list[str], *, title: str = "Dots", many: int = 0) -> Any:
    """Return a chart of points with words in their tooltips, a line and a text, in our colours."""
    import altair as alt

    rows = [
        {"model": f"model {n % 2}", "x": n, "y": n * n / 10, "words": word}
        for n, word in enumerate(words)
    ]
    rows += [{"model": "many", "x": n % 40, "y": n // 40, "words": ""} for n in range(many)]
    base = chart_of(rows)
    scale = alt.Scale(range=COLOURS[:3])
    points = base.mark_circle(size=150, opacity=1).encode(
        x="x:Q", y="y:Q", color=alt.Color("model:N", scale=scale), tooltip=["model:N", "words:N"]
    )
    rule = chart_of([{"at": 5}]).mark_rule(color=DARK).encode(x="at:Q")
    text = chart_of([{"at": 5, "word": words[0]}]).mark_text(color=DARK, limit=200)
    layers = alt.layer(points, rule, text.encode(x="at:Q", text="word:N"))
    return configured(layers.properties(width=560, height=220, title=titled(title, "below")))


def heat(size: int = 8) -> Any:
    """Return a matrix of colours, wider than a phone."""
    import altair as alt

    rows = [
        {
            "row": f"metric {i}",
            "column": f"metric {j}",
            "value": math.cos(i * 2 + j),
            "strong": True,
        }
        for i in range(size)
        for j in range(size)
    ]
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(
            domain=[-1, 0, 1], range=[COLOURS[1], "#f7f7f7", COLOURS[0]], interpolate="rgb"
        ),
    )
    base = chart_of(rows).encode(x="column:N", y="row:N")
    cells = base.mark_rect(stroke="white").encode(color=colour)
    white = alt.condition("abs(datum.value) > 0.6", alt.value("white"), alt.value(DARK))
    numbers = base.mark_text(fontSize=10).encode(
        text=alt.Text("value:Q", format=".2f"), color=white
    )
    return configured(alt.layer(cells, numbers, width=700, height=280))


def twin(words: list[str], rows: int | None = None) -> ReportTable:
    """Return the table of :func:`dots`."""
    some = words if rows is None else [f"row {n}" for n in range(rows)]
    return ReportTable(
        "What the dots are",
        ["word", "x", "y"],
        [[word, n, n * n / 10] for n, word in enumerate(some)],
    )


def scores(words: list[str], rows: int = 13) -> ReportTable:
    """Return a table with each kind of cell."""
    values: list[float | None] = [0.0625, -0.0001, math.nan, None, math.inf, -math.inf, 2.675, 12.0]
    return ReportTable(
        f"Topics of {words[1]}",
        ["topic", "n", "npmi", words[0], "words"],
        [
            [
                f"{words[n % len(words)]} {n}",
                n,
                values[n % len(values)],
                words[-n % len(words)],
                (
                    Word(words[n % len(words)]),
                    Word(words[(n + 1) % len(words)], odd=True, why=f"apart from {words[2]}"),
                    Word("plain", match=1),
                    Word("odd", odd=True),
                ),
            ]
            for n in range(rows)
        ],
        legend=("odd words are underlined", words[2]),
    )


def sample(words: list[str]) -> Page:
    """Return a report with every kind of part."""
    figure = Figure("dots", f"Dots of {words[0]}", f"Shows {words[1]}", dots(words), twin(words))
    chosen = [
        Figure(
            f"metric-{n}",
            f"Metric {n} of {words[n]}",
            f"Caption {n}: {words[n]}",
            dots(words, title=f"Metric {n}"),
            twin(words[n:]),
        )
        for n in range(3)
    ]
    picker = Picker("metrics", "Metric", chosen, [f"metric {n} {words[n]}" for n in range(3)])
    wide = Figure("heat", "Metrics with each other", "A matrix.", heat(), twin(words))
    cards = [
        Card(
            f"Topic {n} of {word}",
            (Word(word), Word(words[n - 1], odd=True, why=f"unlike {word}"), Word("c", match=2)),
            values=(("consensus", "0.71"), (word, "-0.20")),
            reasons=(f"fits {word}", "often together"),
            weakest=(f"{word} – tea",),
        )
        for n, word in enumerate(words[:5])
    ]
    first: list[Part] = [
        Cards("Best topics", cards),
        scores(words),
        Notes("What was left out", [f"nothing of {words[0]}", "all else"]),
    ]
    sections = [
        Section("verdict", f"Verdict on {words[4]}", [f"It is {words[1]}.", "So."], first),
        Section("charts", "Charts", ["Three of them."], [figure, picker, wide]),
        Section("again", "How to run it", [], [Code("Command", f"tealeaves score '{words[0]}'")]),
    ]
    return Page(
        f"Report on {words[0]}", words[1], sections, made="today", facts=(("topics", words[2]),)
    )


def large(models: int = 10, topics: int = 200) -> Page:
    """Return a report as large as they come: many topics, many metrics."""
    n = models * topics
    chart = dots(PLAIN, many=n)
    table = twin(PLAIN, rows=n)
    figures = [Figure(f"m{i}", f"Metric {i}", "Many.", chart, table) for i in range(10)]
    parts: list[Part] = [
        Picker("metrics", "Metric", figures, [one.title for one in figures]),
        scores(PLAIN, rows=n),
        *(Figure(f"own{i}", f"Own {i}", "Many.", chart, table) for i in range(5)),
    ]
    return Page("Large", "", [Section("all", "All", [], parts)])


def saved(folder: Path, *parts: Part) -> Path:
    """Write a report that has these parts alone."""
    path = folder / "own.html"
    save_report_page(Page("Own", "", [Section("s", "S", [], parts)]), path)
    return path
