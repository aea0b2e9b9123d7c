"""The rows of a chart: what a result holds, as data of Vega-Lite."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from tealeaves.report.charts.blocks.style import alt

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


def chart_of(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return a chart of rows that has no mark yet.

    The rows are a tuple, because Altair copies lists each time that charts are combined, and in a
    dictionary, because Altair's own objects check them one by one, again and again.
    """
    return alt.Chart({"values": tuple(rows)})


def finite(value: float | None) -> float | None:
    """Return a number that JSON can hold: None if it is missing, NaN or infinite.

    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return float(value) if value is not None and math.isfinite(value) else None


def fields(row: Any, *names: str) -> dict[str, Any]:
    """Return attributes of a row; a number that is not finite is None."""
    values = {name: getattr(row, name) for name in names}
    return {n: finite(value) if isinstance(value, float) else value for n, value in values.items()}


def grouped(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    """Return the rows of each key, in the order of the rows.

    >>> grouped(["tea", "leaf", "cup"], len)
    {3: ['tea', 'cup'], 4: ['leaf']}
    """
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def highest_first(value: float) -> tuple[bool, float]:
    """Return a key that sorts the highest value first and NaN last.

    >>> sorted([0.1, float("nan"), 0.3], key=highest_first)
    [0.3, 0.1, nan]
    """
    return (True, 0.0) if math.isnan(value) else (False, -value)
