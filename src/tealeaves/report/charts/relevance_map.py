"""The relevance map of one text: how much each word attends to each other one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.report.charts.numbers import LABEL, short
from tealeaves.report.charts.style import (
    COLOURS,
    DARK,
    beside,
    chart_of,
    configured,
    filled,
    known,
    stacked,
    titled,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tealeaves.arrays import Floats

_SIDE = 640  # pixels of a map, as long as its cells are neither too small nor too large
_SMALLEST, _LARGEST = 10, 30  # pixels of a cell
_NARROW = 420  # maps of no more pixels stand side by side
_STEEP = 22  # pixels: labels below narrower cells stand upright
_LONGEST = 110  # pixels of a word
_QUANTILE = 0.99  # of the cells off the diagonal: where the colours end
_DIAGONAL, _UNKNOWN, _PLAIN = "#b8b8b8", "#666", "#777"
_SIGNED = [COLOURS[1], "#f7f7f7", COLOURS[0]]
_UNSIGNED = ["#f7f7f7", COLOURS[0], "#00263d"]
_AXES = "rows: the word that attends; columns: the word attended to; the diagonal is left grey"
_OVER = "; so are words that lie over each other or make no word piece"
_TITLE = "Relevance of words to each other"


class RelevancePanel(NamedTuple):
    """One map of several: a matrix (the word that attends first), and whether it has a sign."""

    title: str
    matrix: ArrayLike
    signed: bool


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
    positions which are not the same word. A word that comes twice has two rows and two columns.
    ``apart`` says which pairs have a value at all, where words of several tokens lie over others;
    by default all but the diagonal.

    Colours end at the 99 % quantile of the cells off the diagonal, and the diagonal is grey: what a
    word gets from itself would drown all else. The tooltip has each number.
    """
    one = RelevancePanel("", matrix, signed)
    said: dict[str, Any] = {"title": title, "subtitle": subtitle}
    return relevance_maps(words, [one], marked=marked, apart=apart, **said)


def relevance_maps(
    words: Sequence[str],
    panels: Sequence[RelevancePanel],
    *,
    marked: Collection[int] = (),
    apart: ArrayLike | None = None,
    title: str = _TITLE,
    subtitle: str | Sequence[str] = "",
) -> Any:
    """Return several maps of the same text: side by side if it is short, else one below the other.

    Each has colours of its own, for attention and relevance are not of one size.
    """
    altair = require("altair", extra="report", reason="a chart")
    if not words:
        raise InputError("a text without words has no relevance map")
    if not panels:
        raise InputError("there is no relevance to draw")
    _check_positions(words, marked)
    valued = _apart(words, apart)
    maps = [_checked(words, panel, marked, valued) for panel in panels]
    drawn = [_panel(altair, words, marked, one) for one in maps]
    given = [subtitle] if isinstance(subtitle, str) else list(subtitle)
    lines = [*filter(None, given), _AXES]
    if valued.sum() < len(words) * (len(words) - 1):
        lines[-1] += _OVER
    if len(maps) == 1 and not maps[0].title:
        # a panel without a title would not show the lines below it either
        lines += _said(maps[0])
    else:
        _entitle(altair, drawn, maps)
    together = beside if _cell(len(words)) * len(words) <= _NARROW else stacked
    return configured(together(altair, drawn, title=titled(altair, title, lines)))


def _entitle(altair: Any, drawn: Sequence[Any], maps: Sequence[_Map]) -> None:
    """Give each panel its title, with as many lines each: they begin at the same height."""
    said = [_said(one) for one in maps]
    most = max(map(len, said))
    for panel, one, lines in zip(drawn, maps, said, strict=True):
        panel.title = titled(altair, one.title or " ", filled(lines, most), size=12)


def _check_positions(words: Sequence[str], marked: Collection[int]) -> None:
    wrong = sorted(one for one in marked if not 0 <= one < len(words))
    if wrong:
        raise InputError(f"position {wrong[0]} is not in a text of {len(words):,} words")


def _apart(words: Sequence[str], given: ArrayLike | None) -> NDArray[np.bool_]:
    """Return the pairs that have a value; no word has one with itself."""
    others = ~np.eye(len(words), dtype=bool)
    if given is None:
        return others
    found = np.array(given, dtype=bool)
    if found.shape != others.shape:
        raise InputError(f"what is apart of {len(words):,} words must be a square of that size")
    return found & others


def _checked(
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
    return _Map(panel.title, values, panel.signed, _limit(values[apart]), summed, apart)


def _limit(values: Floats) -> float:
    """Return where the colours end: a quantile, or the largest where that is 0."""
    off = np.abs(values)
    off = off[np.isfinite(off)]
    if not off.size:
        return 1.0
    return float(np.quantile(off, _QUANTILE) or off.max() or 1.0)


def _cell(n: int) -> int:
    """Return the pixels of a cell in a map of so many words."""
    return max(_SMALLEST, min(_LARGEST, _SIDE // n))


def _panel(altair: Any, words: Sequence[str], marked: Collection[int], one: _Map) -> Any:
    cell = _cell(len(words))
    side = cell * len(words)
    x, y = (
        _positions(altair.X, "j", altair, len(words)),
        _positions(altair.Y, "i", altair, len(words)),
    )
    rows = _cells(words, one)
    # on small cells lines would take the place of colours
    thin, thick = (1.0, 1.4) if cell >= _STEEP else (0.4, 0.9)
    cells = chart_of(altair, rows).mark_rect(
        stroke="white", strokeWidth=thin, invalid=None, aria=False
    )
    outlines = chart_of(altair, [row for row in rows if row["summed"]]).mark_rect(
        fill=None, stroke=DARK, strokeWidth=thick, aria=False
    )
    layers = [
        cells.encode(x=x, y=y, color=_colour(altair, one), tooltip=_tooltip(altair)),
        outlines.encode(x=x, y=y, tooltip=_tooltip(altair)),
        *_labels(altair, words, marked, x, y),
    ]
    return altair.layer(*layers, width=side, height=side)


def _positions(channel: Any, field: str, altair: Any, n: int) -> Any:
    """Return an axis of positions, so that a word that comes twice stays two."""
    scale = altair.Scale(domain=list(range(n)), padding=0)
    return channel(f"{field}:O", scale=scale, axis=None)


def _cells(words: Sequence[str], one: _Map) -> list[dict[str, Any]]:
    return [
        {
            "i": i,
            "j": j,
            "row": f"{word} ({i + 1})",
            "column": f"{other} ({j + 1})",
            "value": known(one.values[i, j]),
            "summed": bool(one.summed[i, j]),
            "apart": bool(one.apart[i, j]),
        }
        for i, word in enumerate(words)
        for j, other in enumerate(words)
    ]


def _colour(altair: Any, one: _Map) -> Any:
    domain = [-one.limit, 0, one.limit] if one.signed else [0, one.limit / 2, one.limit]
    scale = altair.Scale(
        domain=domain, range=_SIGNED if one.signed else _UNSIGNED, interpolate="rgb", clamp=True
    )
    legend = altair.Legend(title=None, labelExpr=LABEL, tickCount=4, gradientLength=120)
    colour = altair.Color("value:Q", scale=scale, legend=legend)
    plain = [
        {"test": "!datum.apart", "value": _DIAGONAL},
        {"test": "datum.value === null", "value": _UNKNOWN},
    ]
    colour["condition"] = plain
    return colour


def _labels(
    altair: Any, words: Sequence[str], marked: Collection[int], x: Any, y: Any
) -> list[Any]:
    """Return the words left of the rows and below the columns: the topic's bold and dark.

    They are drawn as data, not as labels of an axis, which could not tell equal words apart.
    """
    cell = _cell(len(words))
    rows = [
        {"i": position, "j": position, "word": word, "topic": position in set(marked)}
        for position, word in enumerate(words)
    ]
    below = {"angle": 270} if cell < _STEEP else {"angle": 310}
    drawn = []
    for topic in (False, True):
        base = chart_of(altair, [row for row in rows if row["topic"] is topic])
        style: dict[str, Any] = {
            "align": "right",
            "baseline": "middle",
            "limit": _LONGEST,
            "fontSize": min(11, cell - 1),
            "fontWeight": "bold" if topic else "normal",
            "color": DARK if topic else _PLAIN,
            "aria": False,
        }
        text = base.mark_text(**style).encode(y=y, x=altair.value(-6), text="word:N")
        turned = base.mark_text(**style, **below)
        side = cell * len(words)
        drawn += [text, turned.encode(x=x, y=altair.value(side + 7), text="word:N")]
    return drawn


def _said(one: _Map) -> list[str]:
    """Say what the outlines add up to, and where the colours end."""
    lines = []
    if one.summed.any():
        total = short(float(np.nansum(one.values[one.summed])))
        lines.append(f"outlined: {int(one.summed.sum()):,} pairs of topic words, sum {total}")
    off = one.values[one.apart]
    beyond = int((np.abs(off) > one.limit).sum())
    ending = f"colours end at {short(one.limit)}"
    lines.append(f"{ending}; {beyond:,} of {off.size:,} cells lie beyond" if beyond else ending)
    known_ones = off[np.isfinite(off)]
    if known_ones.size and not known_ones.any():
        lines[-1] = "off the diagonal all is 0"
    if len(known_ones) < off.size:
        unknown = off.size - len(known_ones)
        lines.append(f"dark grey: not known, {unknown:,} of {off.size:,} cells")
    return lines


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("row:N", title="attends"),
        altair.Tooltip("column:N", title="attended to"),
        altair.Tooltip("value:Q", format=".4~g"),
    ]
