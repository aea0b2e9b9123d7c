"""The semantic map: tokens as points, coloured by how a language expresses them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.panels import configured, in_columns
from tealeaves.report.charts.blocks.placement import Placement, place_points
from tealeaves.report.charts.blocks.points import scatter
from tealeaves.report.charts.blocks.style import COLOURS, DARK, GREY, alt, by_name, tooltip
from tealeaves.tables.numbers import DASH, count_text
from tealeaves.text.languages import english_name

if TYPE_CHECKING:
    from tealeaves.lexicon.maps.colexification import Inventory
    from tealeaves.lexicon.maps.semantic_map import SemanticMap

#: Colours of expressions, the most frequent first; all rarer ones are grey.
PALETTE = (*COLOURS, "#7A4FBF", "#7A5C2E")
SHAPES = (
    *("circle", "square", "triangle-up", "diamond", "triangle-down", "cross"),
    *("triangle-right", "triangle-left"),
)
# instead of the rank of an expression: one without its own colour, and none at all
_RARE, _NONE = -1, -2
_NAMES = {_RARE: "rarer ones", _NONE: "none"}
_GREYS = {_RARE: "#9a9a9a", _NONE: "#ffffff"}
_MOST = 12  # panels, if no languages are chosen
_SIDE, _NARROW = 560, 300  # pixels of a single panel, and of one among others
_COLUMNS = 3
_LONGEST = 24  # letters of an expression in a legend


def semantic_map_chart(
    semantic_map: SemanticMap, languages: Sequence[str] | None = None, *, title: str | None = None
) -> Any:
    """Return an Altair chart: the map of the tokens, a panel for each language.

    Points have the same places in all panels; colour and shape are the expressions of the language,
    the most frequent first. ``languages`` are those to draw, by default the first twelve.
    """
    if not len(semantic_map.placed):
        raise InputError("no language expresses any of these tokens: there is nothing to draw")
    drawn = _drawn_languages(semantic_map, languages)
    side = _SIDE if len(drawn) == 1 else _NARROW
    placement = place_points(semantic_map.layout.points, width=side)
    names = language_names(semantic_map.languages)
    panels = [_map_panel(semantic_map, language, placement, names[language]) for language in drawn]
    if not title:
        source = semantic_map.table.source
        title = f"{', '.join(semantic_map.table.lemmas)} ({language_names([source])[source]})"
    heading = titled(title, _subtitle(semantic_map, len(drawn)))
    own = ("color", "shape")
    return configured(in_columns(panels, _COLUMNS, spacing=28, title=heading, own=own))


def language_names(codes: Iterable[str]) -> dict[str, str]:
    """Return the English name of each language; an unknown code is its own name.

    Two codes of one language, such as those of two translations, are added to the name.

    >>> language_names(["fin", "xx-other"])
    {'fin': 'Finnish', 'xx-other': 'xx-other'}
    >>> language_names(["arb", "ar"])
    {'arb': 'Arabic (arb)', 'ar': 'Arabic (ar)'}
    """
    names = {code: english_name(code) for code in codes}
    times = Counter(names.values())
    return {
        code: f"{name} ({code})" if times[name] > 1 and name != code else name
        for code, name in names.items()
    }


def expression_ranks(inventory: Inventory) -> dict[str, int]:
    """Return the rank of each expression; that of the most frequent is 0."""
    return {expression: rank for rank, (expression, _) in enumerate(inventory.expressions)}


def _token_rank(expressions: frozenset[str] | None, ranks: dict[str, int]) -> int:
    """Return the rank of a token's most frequent expression, if it has a colour.

    >>> _token_rank(frozenset({"b", "a"}), {"a": 0, "b": 1}), _token_rank(frozenset(), {})
    (0, -2)
    """
    if not expressions:
        return _NONE
    best = min(ranks[expression] for expression in expressions)
    return best if best < len(PALETTE) else _RARE


def _drawn_languages(semantic_map: SemanticMap, languages: Sequence[str] | None) -> list[str]:
    if not languages:
        return list(semantic_map.languages[:_MOST])
    for language in languages:
        if language not in semantic_map.languages:
            hint = did_you_mean(language, semantic_map.languages)
            raise InputError(f"{language} is no language of this map{hint}")
    return list(dict.fromkeys(languages))


def _subtitle(semantic_map: SemanticMap, shown: int) -> list[str]:
    table = semantic_map.table
    tokens = len(table.occurrences)
    of = f" of {table.available:,}" if table.available > tokens else ""
    languages = count_text(len(semantic_map.languages), "language")
    if shown < len(semantic_map.languages):
        languages += f", {shown} of them shown"
    lines = [
        f"{tokens:,}{of} tokens, {languages}; those near each other are expressed alike in many "
        "languages",
        _fit(semantic_map),
    ]
    if doubted := sum(map(len, table.doubted.values())):
        lines.append(
            f"the map leaves out {count_text(doubted, 'expression')} less sure than {table.least:g}"
        )
    if left := tokens - len(semantic_map.placed):
        lines.append(f"the map leaves out {count_text(left, 'token')} that no language expresses")
    return lines


def _fit(semantic_map: SemanticMap) -> str:
    """Return how good the picture is; if all tokens are expressed alike, there is no number."""
    layout = semantic_map.layout
    scaling = "" if math.isnan(layout.stress) else f" ({semantic_map.scaling})"
    shares = " and ".join(f"{share:.0%}" for share in layout.explained)
    held = DASH if math.isnan(layout.explained[0]) else f"{shares} of the classical scaling"
    return f"stress {layout.stress_text}{scaling}; the two dimensions hold {held}"


def _map_panel(semantic_map: SemanticMap, language: str, placement: Placement, name: str) -> Any:
    table = semantic_map.table
    ranks = expression_ranks(semantic_map.inventories[language])
    tokens = [table.extracted[language][number] for number in semantic_map.placed]
    token_ranks = [_token_rank(token and token.expressions, ranks) for token in tokens]
    counts = Counter(token_ranks)
    names = _NAMES | {rank: _legend_name(expression, rank) for expression, rank in ranks.items()}
    legend = [rank for rank in (*range(len(PALETTE)), _RARE, _NONE) if counts[rank]]
    labels = {rank: f"{names[rank]} ({counts[rank]:,})" for rank in legend}
    rows = []
    for x, y, number, token, rank in zip(
        placement.x, placement.y, semantic_map.placed, tokens, token_ranks, strict=True
    ):
        occurrence = table.occurrences[number]
        rows.append(
            {
                "x": float(x),
                "y": float(y),
                "class": labels[rank],
                "where": occurrence.key,
                "form": table.form(occurrence),
                "expressions": ", ".join(sorted(token.expressions)) if token else "",
            }
        )
    area = round((1.8 * placement.radius) ** 2, 1)
    points = scatter(rows, opacity=0.85, size=area, stroke=DARK, strokeWidth=0.3, aria=True)
    return points.encode(**_encoding(placement, labels)).properties(
        title=titled(name, size=12), width=placement.width, height=placement.height
    )


def _legend_name(expression: str, rank: int) -> str:
    """Return an expression for a legend; the rank tells long ones apart that are cut alike."""
    return expression if len(expression) <= _LONGEST else f"{expression[:_LONGEST]}… [{rank + 1}]"


def _encoding(placement: Placement, labels: dict[int, str]) -> dict[str, Any]:
    def axis(channel: Any, field: str, length: float, *, down: bool = False) -> Any:
        scale = alt.Scale(domain=[0, length], nice=False, reverse=down)
        return channel(f"{field}:Q", axis=None, scale=scale)

    colours = {name: PALETTE[n] if n >= 0 else _GREYS[n] for n, name in labels.items()}
    shapes = {name: SHAPES[n] if n >= 0 else "circle" for n, name in labels.items()}
    legend = alt.Legend(
        orient="bottom",
        columns=3 if placement.width > _NARROW else 2,
        symbolStrokeWidth=0.5,
        symbolStrokeColor=GREY,
        title=None,
        labelLimit=200,
    )
    return {
        "x": axis(alt.X, "x", placement.width),
        "y": axis(alt.Y, "y", placement.height, down=True),  # pixels count from above
        "color": by_name(alt.Color, "class", colours, legend=legend),
        "shape": by_name(alt.Shape, "class", shapes, legend=legend),
        "tooltip": tooltip("where:N", "form:N", "expressions:N"),
    }
