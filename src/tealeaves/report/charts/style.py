"""What all charts have in common: colours, titles, sizes of text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Okabe and Ito's colours, which most eyes tell apart
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
DARK, GREY, PALE = "#222", "#555", "#e6e6e6"
#: Pixels of the longest label that is written out.
LABEL_LIMIT = 320
#: Pixels between a title and its panel.
OFFSET = 12


def colours(number: int) -> list[str]:
    """Return so many colours; after the last one the first comes again."""
    return [COLOURS[n % len(COLOURS)] for n in range(number)]


def known(value: float | None) -> float | None:
    """Return a number that JSON knows: None for what is missing, NaN or infinite.

    >>> known(0.5), known(float("nan"))
    (0.5, None)
    """
    return float(value) if value is not None and math.isfinite(value) else None


def chart_of(altair: Any, rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return a chart of rows, to which marks are to be given.

    The rows are a tuple, because lists are copied each time that charts are put together, and in
    a dictionary, because objects of Altair check them one by one, again and again.
    """
    return altair.Chart({"values": tuple(rows)})


def titled(
    altair: Any,
    text: str | Sequence[str],
    subtitle: str | Sequence[str] = "",
    *,
    size: int = 14,
    offset: int = OFFSET,
) -> Any:
    """Return a title, and in grey below it what the chart rests on."""
    return altair.TitleParams(
        text if isinstance(text, str) else list(text),
        subtitle=subtitle if isinstance(subtitle, str) else list(subtitle),
        anchor="start",
        fontSize=size,
        subtitleFontSize=11,
        subtitleColor=GREY,
        offset=offset,
    )


def stacked(altair: Any, panels: Sequence[Any], *, title: Any = None, spacing: int = 32) -> Any:
    """Return charts one below the other, each with colours and legend of its own."""
    given = {} if title is None else {"title": title}
    # all at once: each change of a chart copies it
    return altair.vconcat(*panels, spacing=spacing, resolve=apart(altair), **given)


def beside(altair: Any, panels: Sequence[Any], *, title: Any = None, spacing: int = 40) -> Any:
    """Return charts side by side, each with colours and legend of its own."""
    given = {} if title is None else {"title": title}
    return altair.hconcat(*panels, spacing=spacing, resolve=apart(altair), **given)


def filled(lines: Sequence[str], least: int) -> list[str]:
    """Return lines of text, with empty ones below them where they are fewer.

    Panels side by side begin at the same height only if their titles have as many lines.

    >>> filled(["a"], 2)
    ['a', ' ']
    """
    return [*lines, *[" "] * (least - len(lines))]


def apart(altair: Any) -> Any:
    """Return that charts beside each other share no colours, and no places within a line."""
    scales = dict.fromkeys(("color", "fill", "stroke", "yOffset"), "independent")
    return altair.Resolve(scale=altair.ScaleResolveMap(**scales))


def configured(chart: Any) -> Any:
    """Give a chart the house's sizes of text and pale lines; it must be the outermost one."""
    chart.config = {
        "view": {"stroke": None},
        "axis": {"labelFontSize": 11, "titleFontSize": 12, "gridColor": PALE},
        "legend": {"labelFontSize": 11, "titleFontSize": 12},
    }
    return chart
