"""The data of a page as JSON, which its scripts read: tables, charts, and the texts they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tealeaves.report.nested_data import encoded, in_script
from tealeaves.report.pages.report.tables import packed_table
from tealeaves.report.sections.parts import Figure, Picker, ReportTable

#: Rows of a table that are in the HTML; a script adds the others on request.
SHOWN = 100
#: Rows of the table of a figure that are shown if scripts do not run.
FIRST = 30
#: Charts with more marks are drawn as pixels: a browser is slow with so many elements.
MANY = 1500
#: Shorter texts, measured as JSON, are not shared.
SHORTEST = 24


class SharedTexts:
    """Long texts and lists of words, which are in the page once and referred to by number."""

    def __init__(self) -> None:
        self._numbers: dict[str | bytes, int] = {}
        self.values: list[Any] = []

    def rows(self, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return rows in which each long value is replaced by its number.

        >>> shared, long = SharedTexts(), "one two three four five six"
        >>> shared.rows([["tea", long], [0.5, long]]), shared.values
        ([['tea', {'$': 0}], [0.5, {'$': 0}]], ['one two three four five six'])
        """
        return [[self._reference(value) for value in row] for row in rows]

    def _reference(self, value: Any) -> Any:
        if not isinstance(value, str | list):
            return value
        key = value if isinstance(value, str) else encoded(value)
        if len(key) < SHORTEST:
            return value
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return {"$": self._numbers[key]}


@dataclass(frozen=True)
class DataBlock:
    """The JSON of a table or a figure, and what the template needs of the table."""

    id: str
    json: str
    numeric: list[bool]
    decimals: list[int]
    fit: str
    shown: int = SHOWN


@dataclass
class PageData:
    """All data of a page, in the order in which the template asks for them."""

    blocks: list[DataBlock] = field(default_factory=list)
    shared: SharedTexts = field(default_factory=SharedTexts)

    @property
    def texts(self) -> str:
        """The texts that blocks share, to be read after the last block was added."""
        return in_script(self.shared.values)

    def of(self, part: ReportTable | Figure) -> DataBlock:
        """Return a new block."""
        table = part if isinstance(part, ReportTable) else part.table
        packed = packed_table(table)
        packed["rows"] = self.shared.rows(packed["rows"])
        number = len(self.blocks) + 1
        data = {"name": f"table-{number}", "table": packed}
        if isinstance(part, Figure):
            data |= {"name": part.id, "title": part.title, "caption": part.caption}
            data |= self._chart(part)
        block = DataBlock(
            id=f"data-{number}",
            json=in_script(data),
            numeric=packed["numeric"],
            decimals=packed["decimals"],
            fit=packed["fit"],
            shown=SHOWN if table is part else FIRST,
        )
        self.blocks.append(block)
        return block

    def several(self, part: Picker) -> list[DataBlock]:
        """Return a new block for each figure that can be chosen."""
        return [self.of(figure) for figure in part.figures]

    def _chart(self, figure: Figure) -> dict[str, Any]:
        packed = packed_chart(figure.chart)
        for rows in packed["datasets"].values():
            if isinstance(rows, dict):
                rows["rows"] = self.shared.rows(rows["rows"])
        return packed


def packed_chart(chart: Any) -> dict[str, Any]:
    """Return an Altair chart for JSON: its specification, its data, and how to render it."""
    # not validated against the schema, which takes longer than all else
    spec = dict(chart.to_dict(validate=False))
    spec.pop("$schema", None)
    datasets = spec.pop("datasets", {})  # Altair collects all data there
    return {
        "spec": spec,
        "datasets": {name: packed_rows(rows) for name, rows in datasets.items()},
        "renderer": "canvas" if marks(spec, datasets) > MANY else "svg",
    }


def packed_rows(rows: Sequence[Any]) -> Any:
    """Return rows with the names of their fields once; unchanged if their fields differ.

    >>> packed_rows([{"x": 1, "y": 2}, {"x": 3, "y": 4}])
    {'fields': ['x', 'y'], 'rows': [[1, 2], [3, 4]]}
    >>> packed_rows([{"x": 1}, {"y": 2}]), packed_rows([1, 2])
    ([{'x': 1}, {'y': 2}], [1, 2])
    """
    if not rows or not all(isinstance(row, dict) for row in rows):
        return list(rows)
    fields = list(rows[0])
    if any(row.keys() != rows[0].keys() for row in rows):
        return list(rows)
    return {"fields": fields, "rows": [[row[name] for name in fields] for row in rows]}


def marks(spec: Any, datasets: dict[str, Any], inherited: int = 0) -> int:
    """Return about how many marks a chart has: the rows of each of its layers."""
    data = spec.get("data") or {}
    rows = len(datasets[data["name"]]) if data.get("name") in datasets else inherited
    parts = list(_parts(spec))
    return sum(marks(part, datasets, rows) for part in parts) if parts else rows


def _parts(spec: dict[str, Any]) -> Iterator[Any]:
    for kind in ("layer", "concat", "hconcat", "vconcat"):
        yield from spec.get(kind, ())
    if isinstance(spec.get("spec"), dict):  # of facets
        yield spec["spec"]
