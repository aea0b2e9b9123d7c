"""The relevance map of one text: how much each word attends to each other word."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.report.charts.blocks.axes import LABEL
from tealeaves.report.charts.blocks.cells import DIVERGING, NEUTRAL, cell_colour
from tealeaves.report.charts.blocks.headings import aligned, subtitle_lines, titled
from tealeaves.report.charts.blocks.numbers import significant
from tealeaves.report.charts.blocks.panels import beside, configured, stacked
from tealeaves.report.charts.blocks.rows import chart_of, finite
from tealeaves.report.charts.blocks.style import COLOURS, DARK, alt, tooltip
from tealeaves.statistics.spread import size_of_most

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tealeaves.arrays import Floats
    from tealeaves.evidence.attention.text_relevance import TextRelevance

_SIDE = 640  # pixels of a map, as long as its cells are neither too small nor too large
_SMALLEST, _LARGEST = 10, 30  # pixels of a cell
_NARROW = 420  # maps of no more pixels are side by side
_STEEP = 22  # pixels: labels below narrower cells are vertical
_LONGEST = 110  # pixels of a word
_DIAGONAL, _UNKNOWN, _PLAIN = "#b8b8b8", "#666", "#777"
_UNSIGNED = [NEUTRAL, COLOURS[0], "#00263d"]
_AXES = "words of rows attend to words of columns; the diagonal is left grey"
_OVERLAPS = "; so are words that lie over each other or make no word piece"
_TITLE = "Relevance of words to each other"

#: What a classifier says of a text, and its title.
TEXT_RELEVANCE = {"attention": "Attention", "lrp": "LRP", "improved": "Improved LRP"}


class RelevancePanel(NamedTuple):
    """One map of several: a matrix (the word that attends first), and whether it has a sign.

    Colours end at ``limit``, by default at the size that 99 % of the pairs do not exceed.
    """

    title: str
    matrix: ArrayLike
    signed: bool
    limit: float | None = None


class _Map(NamedTuple):
    """What is drawn of a matrix."""

    title: str
    values: Floats
    signed: bool
    limit: float
    summed: NDArray[np.bool_]
    apart: NDArray[np.bool_]


def relevance_map(
    words: Sequence[str],
    matrix: ArrayLike,
    *,
    marked: Collection[int] = (),
    apart: ArrayLike | None = None,
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
    signed: bool,
) -> Any:
    """Return an Altair chart: the matrix of one text as a heat map, the topic's words marked.

    The row is the word that attends, the column the word attended to; ``marked`` are the positions
    of the topic's words. Outlined are the pairs that metrics add up: two topic words at two
    positions which are not the same word. A word that occurs twice has two rows and two columns.
    ``apart`` says which pairs have a value, if words of several tokens lie over others; by default
    all but the diagonal.

    Colours end at the 99 % quantile of the cells off the diagonal, and the diagonal is grey,
    because the relevance of words to themselves is much larger. The tooltip has each number.
    """
    panel = RelevancePanel("", matrix, signed)
    return relevance_maps(
        words, [panel], marked=marked, apart=apart, title=title, subtitle=subtitle
    )


def relevance_maps(
    words: Sequence[str],
    panels: Sequence[RelevancePanel],
    *,
    marked: Collection[int] = (),
    apart: ArrayLike | None = None,
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return several maps of one text: side by side if it is short, else one below the other.

    Each has its own colours, because attention and relevance have different sizes.
    """
    if not words:
        raise InputError("a text without words has no relevance map")
    if not panels:
        raise InputError("there is no relevance to draw")
    if wrong := sorted(one for one in marked if not 0 <= one < len(words)):
        raise InputError(f"position {wrong[0]} is not in a text of {len(words):,} words")
    valued = _valued_pairs(len(words), apart)
    maps = [_map(words, panel, marked, valued) for panel in panels]
    drawn = [_matrix(words, marked, one) for one in maps]
    axes = _AXES + (_OVERLAPS if valued.sum() < len(words) * (len(words) - 1) else "")
    lines = subtitle_lines(subtitle, axes)
    if len(maps) == 1 and not maps[0].title:
        # without a title, a panel would show no subtitle either
        lines += _facts(maps[0])
    else:
        headings = aligned([(one.title or " ", _facts(one)) for one in maps], size=12)
        for panel, heading in zip(drawn, headings, strict=True):
            panel.title = heading
    together = beside if _cell_pixels(len(words)) * len(words) <= _NARROW else stacked
    return configured(together(drawn, title=titled(title, lines)))


def text_relevance_chart(shown: TextRelevance, what: str = "lrp") -> Any:
    """Return the maps of one text: of ``attention``, ``lrp``, ``improved`` LRP, or ``all``."""
    if what not in (*TEXT_RELEVANCE, "all"):
        known = ", ".join((*TEXT_RELEVANCE, "all"))
        raise InputError(f"no relevance {what}{did_you_mean(what, TEXT_RELEVANCE)} ({known})")
    kinds = TEXT_RELEVANCE if what == "all" else [what]
    explained = f"for the class {shown.label}" if shown.label else "for masked words"
    return relevance_maps(
        shown.words,
        [
            RelevancePanel(
                TEXT_RELEVANCE[kind], getattr(shown, kind), kind == "lrp", shown.limits.get(kind)
            )
            for kind in kinds
        ],
        marked=shown.marked,
        apart=shown.apart,
        title=f"Relevance between words, {explained}",
        subtitle=f"{shown.classifier}, heads of {shown.heads}",
    )


def _valued_pairs(words: int, apart: ArrayLike | None) -> NDArray[np.bool_]:
    """Return the pairs that have a value; no word has one with itself."""
    others = ~np.eye(words, dtype=bool)
    if apart is None:
        return others
    pairs = np.array(apart, dtype=bool)
    if pairs.shape != others.shape:
        raise InputError(f"apart must have a row and a column for each of the {words:,} words")
    return pairs & others


def _map(
    words: Sequence[str],
    panel: RelevancePanel,
    marked: Collection[int],
    apart: NDArray[np.bool_],
) -> _Map:
    values = np.array(panel.matrix, dtype=np.float64)
    values[~np.isfinite(values)] = np.nan
    n = len(words)
    if values.shape != (n, n):
        shape = " x ".join(map(str, values.shape))
        raise InputError(f"the matrix of {n:,} words must be {n} x {n}, not {shape}")
    topic = np.zeros(n, dtype=bool)
    topic[list(marked)] = True
    other = np.array([[one != two for two in words] for one in words], dtype=bool)
    summed = topic[:, None] & topic[None, :] & other & apart
    limit = size_of_most(values[apart]) if panel.limit is None else panel.limit
    return _Map(panel.title, values, panel.signed, finite(limit) or 1.0, summed, apart)


def _cell_pixels(words: int) -> int:
    return max(_SMALLEST, min(_LARGEST, _SIDE // words))


def _matrix(words: Sequence[str], marked: Collection[int], one: _Map) -> Any:
    cell = _cell_pixels(len(words))
    side = cell * len(words)
    # axes of positions, so that a word that occurs twice has two rows
    scale = alt.Scale(domain=list(range(len(words))), padding=0)
    x, y = alt.X("j:O", scale=scale, axis=None), alt.Y("i:O", scale=scale, axis=None)
    rows = _cells(words, one)
    # on small cells thick lines would hide the colours
    thin, thick = (1.0, 1.4) if cell >= _STEEP else (0.4, 0.9)
    cells = chart_of(rows).mark_rect(stroke="white", strokeWidth=thin, invalid=None, aria=False)
    outlines = chart_of(row for row in rows if row["summed"]).mark_rect(
        fill=None, stroke=DARK, strokeWidth=thick, aria=False
    )
    shown = {
        "x": x,
        "y": y,
        "tooltip": tooltip(
            ("row:N", "attends"), ("column:N", "attended to"), ("value:Q", "", ".4~g")
        ),
    }
    layers = [
        cells.encode(**shown, color=_colour(one)),
        outlines.encode(**shown),
        *_labels(words, marked, x, y),
    ]
    return alt.layer(*layers, width=side, height=side)


def _cells(words: Sequence[str], one: _Map) -> list[dict[str, Any]]:
    return [
        {
            "i": i,
            "j": j,
            "row": f"{word} ({i + 1})",
            "column": f"{other} ({j + 1})",
            "value": finite(one.values[i, j]),
            "summed": bool(one.summed[i, j]),
            "apart": bool(one.apart[i, j]),
        }
        for i, word in enumerate(words)
        for j, other in enumerate(words)
    ]


def _colour(one: _Map) -> Any:
    domain = [-one.limit, 0, one.limit] if one.signed else [0, one.limit / 2, one.limit]
    legend = alt.Legend(title=None, labelExpr=LABEL, tickCount=4, gradientLength=120)
    palette = DIVERGING if one.signed else _UNSIGNED
    colour = cell_colour("value", domain, palette, legend, clamp=True)
    colour["condition"] = [
        {"test": "!datum.apart", "value": _DIAGONAL},
        {"test": "datum.value === null", "value": _UNKNOWN},
    ]
    return colour


def _labels(words: Sequence[str], marked: Collection[int], x: Any, y: Any) -> list[Any]:
    """Return the words left of the rows and below the columns: the topic's bold and dark.

    They are drawn as data, not as labels of an axis, which could not tell equal words apart.
    """
    cell = _cell_pixels(len(words))
    topic_words = set(marked)
    layers = []
    for topic in (False, True):
        base = chart_of(
            {"i": position, "j": position, "word": word, "topic": topic}
            for position, word in enumerate(words)
            if (position in topic_words) is topic
        )
        style: dict[str, Any] = {
            "align": "right",
            "baseline": "middle",
            "limit": _LONGEST,
            "fontSize": min(11, cell - 1),
            "fontWeight": "bold" if topic else "normal",
            "color": DARK if topic else _PLAIN,
            "aria": False,
        }
        left = base.mark_text(**style)
        below = base.mark_text(**style, angle=270 if cell < _STEEP else 310)
        layers += [
            left.encode(y=y, x=alt.value(-6), text="word:N"),
            below.encode(x=x, y=alt.value(cell * len(words) + 7), text="word:N"),
        ]
    return layers


def _facts(one: _Map) -> list[str]:
    """Return the sum of the outlined pairs, and where the colours end."""
    lines = []
    if one.summed.any():
        total = significant(float(np.nansum(one.values[one.summed])))
        lines.append(f"{int(one.summed.sum()):,} outlined pairs of topic words add up to {total}")
    off_diagonal = one.values[one.apart]
    defined = off_diagonal[np.isfinite(off_diagonal)]
    beyond = int((np.abs(off_diagonal) > one.limit).sum())
    if defined.size and not defined.any():
        lines.append("off the diagonal all is 0")
    else:
        share = f"; {beyond:,} of {off_diagonal.size:,} cells lie beyond" if beyond else ""
        lines.append(f"colours end at {significant(one.limit)}{share}")
    if unknown := off_diagonal.size - defined.size:
        lines.append(f"{unknown:,} of {off_diagonal.size:,} cells are not known (dark grey)")
    return lines
