"""Charts as scripts read them: what Vega-Lite draws, and of which data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

#: More marks than these are drawn as pixels: a browser is slow with so many elements.
MANY = 1500


def packed_chart(chart: Any) -> dict[str, Any]:
    """Return a chart of Altair for JSON: its drawing, its data, and how it is to be rendered."""
    # not checked against the schema, which takes longer than all else: charts are made by us
    spec = dict(chart.to_dict(validate=False))
    spec.pop("$schema", None)
    tables = spec.pop("datasets", {})  # Altair puts all data there, each once
    many = marks(spec, tables) > MANY
    return {
        "spec": spec,
        "datasets": {name: packed_rows(rows) for name, rows in tables.items()},
        "renderer": "canvas" if many else "svg",
    }


def packed_rows(rows: Sequence[Any]) -> Any:
    """Return rows with the names of their fields once; as they are if these differ.

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


def marks(spec: Any, tables: dict[str, Any], inherited: int = 0) -> int:
    """Return about how many marks a chart has: the rows of each of its layers."""
    data = spec.get("data") or {}
    rows = len(tables[data["name"]]) if data.get("name") in tables else inherited
    parts = list(_parts(spec))
    return sum(marks(part, tables, rows) for part in parts) if parts else rows


def _parts(spec: dict[str, Any]) -> Iterator[Any]:
    for kind in ("layer", "concat", "hconcat", "vconcat"):
        yield from spec.get(kind, ())
    if isinstance(spec.get("spec"), dict):  # of facets
        yield spec["spec"]
