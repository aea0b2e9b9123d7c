"""Titles of charts and panels, with grey subtitles below them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from tealeaves.report.charts.blocks.style import GREY, alt

#: Pixels between a title and its panel.
OFFSET = 12


def titled(
    text: str | Sequence[str],
    subtitle: str | Sequence[str] = "",
    *,
    size: int = 14,
    offset: int = OFFSET,
) -> Any:
    """Return a title with a grey subtitle below it."""
    return alt.TitleParams(
        text if isinstance(text, str) else list(text),
        subtitle=subtitle if isinstance(subtitle, str) else list(subtitle),
        anchor="start",
        fontSize=size,
        subtitleFontSize=11,
        subtitleColor=GREY,
        offset=offset,
    )


def small_title(name: str, subtitle: str, letters: int) -> Any:
    """Return the title of a small panel; a long name is cut into lines, preferably at a bracket."""
    lines = [name]
    if len(name) > letters:
        lines = textwrap.wrap(name.replace("(", " (", 1), letters)
    return alt.TitleParams(
        lines,
        subtitle=subtitle,
        anchor="start",
        fontSize=11,
        subtitleFontSize=10,
        subtitleColor=GREY,
    )


def subtitle_lines(*lines: str | Sequence[str]) -> list[str]:
    """Return the lines of a subtitle that are not empty.

    >>> subtitle_lines("", ["two", "lines"], "three")
    ['two', 'lines', 'three']
    """
    listed = [[line] if isinstance(line, str) else line for line in lines]
    return [line for some in listed for line in some if line]


def part_title(names: Sequence[str]) -> str:
    """Return the names of a data set, a task and so on as a title, without the empty ones.

    >>> part_title(["nyt", "", "lda"])
    'nyt · lda'
    """
    return " · ".join(filter(None, names))


def padded(lines: Sequence[str], number: int) -> list[str]:
    """Return lines of text, with empty ones added up to a number.

    Panels side by side begin at the same height only if their titles have as many lines.

    >>> padded(["a"], 2)
    ['a', ' ']
    """
    return [*lines, *[" "] * (number - len(lines))]


def aligned(headings: Sequence[tuple[str, Sequence[str]]], *, size: int) -> list[Any]:
    """Return the titles of panels side by side: their subtitles have as many lines."""
    lines = max(len(subtitle) for _, subtitle in headings)
    return [titled(text, padded(subtitle, lines), size=size) for text, subtitle in headings]
