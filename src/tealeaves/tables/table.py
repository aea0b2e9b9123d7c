"""``Table``: headings and rows of labels and cells, before they are written in any format.

``MarkedWords`` are labels that hold the words of a topic and know which of them are odd.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from tealeaves.tables.numbers import DASH

SHOWN_WORDS = 10
#: The line of a legend that explains the marks of odd words.
MARK_LEGEND = "words that are marked, in brackets or struck through, fit their topic badly"
_SUPPORT_LEGEND = "(…%): share of comparisons that could be made (short topics, missing words)"
_ERROR_LEGEND = "±: standard error, of the random draws or of the texts that were taken"


@dataclass(frozen=True)
class Cell:
    """A value with its support; ``best`` marks the best model of its column.

    ``error`` is the standard error of a value that depends on random draws or on sampled texts.
    """

    value: float = math.nan
    support: float = 0.0
    best: bool = False
    error: float | None = None

    def __str__(self) -> str:
        """Return the value, its error, and the support in brackets if it is below 100 %."""
        if math.isnan(self.value):
            return DASH
        number = f"{self.value:.4f}"
        if self.error is not None:
            number += f" ±{self.error:.4f}"
        if self.support == 1:
            return number
        percent = min(round(self.support * 100), 99)  # incomplete support is never shown as 100 %
        return f"{number} ({percent}%)" if percent else f"{number} (<1%)"


@dataclass(frozen=True)
class TextCell(Cell):
    """A cell with any text, such as an interval, a count or letters."""

    text: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Table:
    """Headings, and rows of labels and cells.

    ``labels`` are the headings of the labels, ``metrics`` those of the cells, ``arrows`` the
    direction of each metric. On a narrow terminal the labels named in ``wraps`` are wrapped and
    never shortened. With ``bars`` HTML shows a bar behind each number.
    """

    labels: list[str]
    metrics: list[str]
    arrows: list[str]
    rows: list[tuple[list[str], list[Cell]]]
    wraps: tuple[str, ...] = ()
    bars: bool = False

    def mapped(self, function: Callable[[str], str]) -> Table:
        """Return the table with a function applied to all of its text; words stay marked."""
        rows = [
            ([map_label(label, function) for label in labels], [_map(c, function) for c in cells])
            for labels, cells in self.rows
        ]
        return replace(
            self,
            labels=list(map(function, self.labels)),
            metrics=list(map(function, self.metrics)),
            rows=rows,
            wraps=tuple(map(function, self.wraps)),
        )

    @property
    def headings(self) -> list[str]:
        """The labels, then the metrics with their arrows."""
        metrics = zip(self.metrics, self.arrows, strict=True)
        return [*self.labels, *(f"{name} {arrow}".strip() for name, arrow in metrics)]

    @property
    def legend(self) -> list[str]:
        """Explanations of the signs beside the numbers, if there are any."""
        cells = [cell for _, row in self.rows for cell in row if not math.isnan(cell.value)]
        has_partial_support = any(cell.support != 1 for cell in cells)
        has_errors = any(cell.error is not None for cell in cells)
        return [_SUPPORT_LEGEND] * has_partial_support + [_ERROR_LEGEND] * has_errors


def _map(cell: Cell, function: Callable[[str], str]) -> Cell:
    return replace(cell, text=function(cell.text)) if isinstance(cell, TextCell) else cell


def text_table(
    labels: Iterable[str], columns: Iterable[str], rows: Iterable[tuple[list[str], list[str]]]
) -> Table:
    """Return a table whose cells are text; a row is its labels and its cells."""
    names = list(columns)
    cells: list[tuple[list[str], list[Cell]]] = [
        (left, [TextCell(text=text) for text in right]) for left, right in rows
    ]
    return Table(list(labels), names, [""] * len(names), cells)


# ---------------------------------------------------------------------- labels


class MarkedWords(str):
    """The first words of a topic as one text, with brackets around odd words.

    Formats that can do better, such as Markdown, mark odd words in their own way.

    >>> MarkedWords.of(["cat", "soup", "dog"], {"soup"})
    'cat [soup] dog'
    """

    _pieces: tuple[tuple[str, bool], ...]  # words, and whether each is odd

    @classmethod
    def of(
        cls, words: Sequence[str], odd: Collection[str] = (), most: int | None = SHOWN_WORDS
    ) -> Self:
        """Return the first ``most`` words of a topic, and an ellipsis if there are more.

        With None all words are shown. No odd word is left out, so that more may be shown.
        """
        last_odd = max((place for place, word in enumerate(words, 1) if word in odd), default=0)
        shown = len(words) if most is None else max(most, last_odd)
        pieces = [(word, word in odd) for word in words[:shown]]
        pieces += [("…", False)] * (len(words) > shown)
        text = cls(" ".join(_bracketed(pieces)))
        text._pieces = tuple(pieces)
        return text

    def mapped(self, function: Callable[[str], str]) -> MarkedWords:
        """Return the words after a function was applied to each."""
        pieces = [(function(word), is_odd) for word, is_odd in self._pieces]
        text = MarkedWords(" ".join(_bracketed(pieces)))
        text._pieces = tuple(pieces)
        return text

    @property
    def words(self) -> list[str]:
        """The words with their brackets; a word may have spaces inside."""
        return _bracketed(self._pieces)

    def written(self, escape: Callable[[str], str], mark: str) -> str:
        """Return the words in another format; ``{}`` in ``mark`` stands for an odd word."""
        return " ".join(
            mark.replace("{}", escape(word)) if is_odd else escape(word)
            for word, is_odd in self._pieces
        )


class EscapedText(str):
    """A label that is already written in the format of its table and is not escaped again."""


def _bracketed(pieces: Iterable[tuple[str, bool]]) -> list[str]:
    return [f"[{word}]" if is_odd else word for word, is_odd in pieces]


def map_label(label: str, function: Callable[[str], str]) -> str:
    """Return a label after a function was applied to its text, or to each of its words."""
    return label.mapped(function) if isinstance(label, MarkedWords) else function(label)


def write_label(label: str, escape: Callable[[str], str], mark: str) -> str:
    """Return a label in another format; ``mark`` is how odd words are marked there."""
    if isinstance(label, EscapedText):
        return label
    return label.written(escape, mark) if isinstance(label, MarkedWords) else escape(label)


def label_words(label: str) -> list[str]:
    """Return the words of a label, between which a line may be broken."""
    return label.words if isinstance(label, MarkedWords) else label.split(" ")


def wrap_words(label: str, width: float, measure: Callable[[str], float] = len) -> list[str]:
    """Return a label in lines that are at most ``width`` wide; a longer word has its own line.

    >>> wrap_words(MarkedWords.of(["new york", "soup", "dog"], {"soup"}), 10)
    ['new york', '[soup] dog']
    """
    lines: list[str] = []
    for word in label_words(label):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
