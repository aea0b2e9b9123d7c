"""The semantic map: tokens as points, coloured by how a language expresses them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.lexicon.maps.semantic_map import SemanticMap
from tealeaves.report.charts.expressions import NONE, PALETTE, RARE, SHAPES, rank_of, ranks_of
from tealeaves.report.charts.language_names import language_names
from tealeaves.report.charts.placing import Placing, place_points
from tealeaves.report.charts.style import DARK, GREY, chart_of, configured, titled

MOST = 12  # panels, where languages are not chosen
_SIDE, _NARROW = 560, 300  # pixels of a panel by itself, and of one among others
_COLUMNS = 3
_CUT = 24  # letters of an expression in a legend


def semantic_map_chart(
    found: SemanticMap, languages: Sequence[str] | None = None, *, title: str | None = None
) -> Any:
    """Return an Altair chart: the map of the tokens, a panel for each language.

    Points lie alike in all panels; colour and shape are the expressions of the language, the most
    frequent first. ``languages`` are those to draw, by default the first twelve.
    """
    altair = require("altair", extra="report", reason="a chart")
    if not len(found.placed):
        raise InputError("no language expresses any of these tokens: there is nothing to draw")
    chosen = shown_languages(found, languages)
    side = _SIDE if len(chosen) == 1 else _NARROW
    placing = place_points(found.layout.points, width=side)
    names = language_names(found.languages)
    panels = [_panel(altair, found, language, placing, names[language]) for language in chosen]
    name = ", ".join(found.table.lemmas)
    source = language_names([found.table.source])[found.table.source]
    heading = titled(altair, title or f"{name} ({source})", said(found, chosen))
    whole = altair.concat(
        *panels,
        columns=_COLUMNS,
        spacing=28,
        title=heading,
        resolve=altair.Resolve(
            scale=altair.ScaleResolveMap(color="independent", shape="independent"),
        ),
    )
    return configured(whole)


def shown_languages(found: SemanticMap, languages: Sequence[str] | None) -> list[str]:
    """Return the languages to draw; refuse one that is not in the map."""
    if not languages:
        return list(found.languages[:MOST])
    for language in languages:
        if language not in found.languages:
            hint = did_you_mean(language, found.languages)
            raise InputError(f"{language} is no language of this map{hint}")
    return list(dict.fromkeys(languages))


def said(found: SemanticMap, chosen: Sequence[str]) -> list[str]:
    """Say what the picture rests on, and how good it is."""
    drawn, available = len(found.table.occurrences), found.table.available
    of = f" of {available:,}" if available > drawn else ""
    number = len(found.languages)
    languages = "1 language" if number == 1 else f"{number:,} languages"
    if len(chosen) < number:
        languages += f", {len(chosen)} of them shown"
    lines = [
        f"{drawn:,}{of} tokens, {languages}; near each other: expressed alike in many languages",
        _fit(found),
    ]
    if doubted := sum(map(len, found.table.doubted.values())):
        expressions = "1 expression" if doubted == 1 else f"{doubted:,} expressions"
        lines.append(f"left out: {expressions} less sure than {found.table.least:g}")
    if left := drawn - len(found.placed):
        tokens = "1 token" if left == 1 else f"{left:,} tokens"
        lines.append(f"not shown: {tokens} that no language expresses")
    return lines


def _fit(found: SemanticMap) -> str:
    """Say how good the picture is; where all tokens are expressed alike, nothing can be said."""
    layout = found.layout
    scaling = "" if math.isnan(layout.stress) else f" ({found.scaling})"
    shares = " and ".join(f"{share:.0%}" for share in layout.explained)
    held = "–" if math.isnan(layout.explained[0]) else f"{shares} of the classical scaling"
    return f"stress {layout.stress_text}{scaling}; the two dimensions hold {held}"


def _panel(altair: Any, found: SemanticMap, language: str, placing: Placing, name: str) -> Any:
    inventory, table = found.inventories[language], found.table
    ranks = ranks_of(inventory)
    names = {rank: _short(expression, rank) for expression, rank in ranks.items()}
    tokens = table.extracted[language]
    rows, numbers = [], Counter[int]()
    for x, y, row in zip(placing.x, placing.y, found.placed, strict=True):
        where, token = table.occurrences[row], tokens[row]
        rank = rank_of(token and token.expressions, ranks)
        numbers[rank] += 1
        rows.append(
            {
                "x": float(x),
                "y": float(y),
                "class": rank,
                "where": where.key,
                "form": table.form(where),
                "expressions": ", ".join(sorted(token.expressions)) if token else "",
            }
        )
    legend = [rank for rank in (*range(len(PALETTE)), -1, -2) if numbers[rank]]
    labels = {-1: RARE, -2: NONE} | names
    for row in rows:
        row["class"] = f"{labels[row['class']]} ({numbers[row['class']]:,})"
    domain = [f"{labels[rank]} ({numbers[rank]:,})" for rank in legend]
    points = chart_of(altair, rows).mark_point(
        filled=True, opacity=0.85, size=_area(placing), stroke=DARK, strokeWidth=0.3
    )
    return points.encode(**_encoding(altair, placing, legend, domain)).properties(
        title=titled(altair, name, size=12),
        width=placing.width,
        height=placing.height,
    )


def _encoding(altair: Any, placing: Placing, legend: list[int], domain: list[str]) -> Any:
    def axis(channel: Any, field: str, length: float, *, down: bool = False) -> Any:
        scale = altair.Scale(domain=[0, length], nice=False, reverse=down)
        return channel(f"{field}:Q", axis=None, scale=scale)

    colours = [
        PALETTE[rank] if rank >= 0 else {-1: "#9a9a9a", -2: "#ffffff"}[rank] for rank in legend
    ]
    shapes = [SHAPES[rank] if rank >= 0 else {-1: "circle", -2: "circle"}[rank] for rank in legend]
    given = {"symbolStrokeWidth": 0.5, "symbolStrokeColor": GREY, "title": None, "labelLimit": 200}
    key = altair.Legend(orient="bottom", columns=3 if placing.width > _NARROW else 2, **given)
    return {
        "x": axis(altair.X, "x", placing.width),
        "y": axis(altair.Y, "y", placing.height, down=True),  # pixels count from above
        "color": altair.Color(
            "class:N", scale=altair.Scale(domain=domain, range=colours), legend=key
        ),
        "shape": altair.Shape(
            "class:N", scale=altair.Scale(domain=domain, range=shapes), legend=key
        ),
        "tooltip": [altair.Tooltip(f"{one}:N") for one in ("where", "form", "expressions")],
    }


def _area(placing: Placing) -> float:
    """Return the area of a point, as Vega has it."""
    return round((1.8 * placing.radius) ** 2, 1)


def _short(expression: str, rank: int) -> str:
    """Return an expression for a legend; two that are cut alike stay two."""
    return expression if len(expression) <= _CUT else f"{expression[:_CUT]}… [{rank + 1}]"
