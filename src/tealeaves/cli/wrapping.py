"""Wrapping: texts of a table on several lines, so that it is narrower and no word is cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from tealeaves.metrics.marked_words import words_of, wrapped
from tealeaves.metrics.tables import Table

_GAP = 2  # cells between columns
_FEWEST = 20  # cells of the widest column that is wrapped, at least


def table_width(table: Table) -> int:
    """Return the cells that a table takes: Chinese letters take two each."""
    lines = [table.headings, *([*labels, *map(str, cells)] for labels, cells in table.rows)]
    return sum(map(_widest, zip(*lines, strict=True))) + _GAP * (len(table.headings) - 1)


def with_lines(table: Table, width: int) -> Table:
    """Let the texts of ``table.wraps`` stand on as few lines as make the table fit.

    Where nothing does, they are about as narrow as their longest words.
    """
    columns = {name: _Column.of(name, _texts(table, name)) for name in table.wraps}
    room = width - table_width(table) + sum(one.widest for one in columns.values())
    rooms = _rooms(list(columns.values()), room)
    shown = {
        name: ["\n".join(lines) for lines in column.wrapped(own)]
        for (name, column), own in zip(columns.items(), rooms, strict=True)
    }
    return _replaced(table, shown)


class _Column(NamedTuple):
    """Texts below a heading, and the cells that they take at least and at most."""

    texts: Sequence[str]
    least: int
    widest: int

    @classmethod
    def of(cls, heading: str, texts: Sequence[str]) -> _Column:
        words = (word for text in texts for word in words_of(text))
        return cls(texts, _widest([heading, *words]), _widest([heading, *texts]))

    def wrapped(self, room: int) -> list[list[str]]:
        from rich.cells import cell_len

        return [wrapped(text, room, cell_len) for text in self.texts]


def _rooms(columns: Sequence[_Column], room: int) -> list[int]:
    """Share room out to columns so that all rows together have the fewest lines."""
    *others, last = sorted(columns, key=lambda one: one.widest)
    least = max(last.least, min(last.widest, _FEWEST))
    ways = [range(one.least, one.widest + 1) for one in others]
    heights = [
        {own: list(map(len, one.wrapped(own))) for own in way}
        for one, way in zip(others, ways, strict=True)
    ]
    best: tuple[int, list[int]] | None = None
    for chosen in product(*ways):
        rest = room - sum(chosen)
        if rest >= least:
            own = [high[one] for high, one in zip(heights, chosen, strict=True)]
            lines = zip(map(len, last.wrapped(rest)), *own, strict=True)
            total = sum(map(max, lines))
            if best is None or total < best[0]:
                best = total, [*chosen, rest]
    rooms = best[1] if best else [*(one.least for one in others), least]
    found = dict(zip(map(id, [*others, last]), rooms, strict=True))
    return [found[id(one)] for one in columns]


def _widest(texts: Iterable[str]) -> int:
    """Return the cells of the widest line."""
    from rich.cells import cell_len

    return max((cell_len(line) for text in texts for line in text.split("\n")), default=0)


def _texts(table: Table, name: str) -> list[str]:
    place = table.labels.index(name)
    return [labels[place] for labels, _ in table.rows]


def _replaced(table: Table, shown: dict[str, list[str]]) -> Table:
    """Return the table with other texts in some columns of labels."""
    rows = []
    for number, (labels, cells) in enumerate(table.rows):
        own = zip(table.labels, labels, strict=True)
        rows.append(([shown[name][number] if name in shown else text for name, text in own], cells))
    return replace(table, rows=rows)
