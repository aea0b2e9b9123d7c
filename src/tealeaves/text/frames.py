"""Rows of data frames, of whatever library, as dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tealeaves.errors import InputError


def records_of(rows: Any, what: str = "rows") -> list[dict[str, Any]]:
    """Return the rows of a data frame (polars, pandas, Arrow) or of dictionaries.

    >>> records_of([{"topic": 1}])
    [{'topic': 1}]
    """
    if hasattr(rows, "collect_schema") and hasattr(rows, "collect"):  # polars, lazy or not
        rows = rows.lazy().collect()
    if hasattr(rows, "iter_rows"):
        return list(rows.iter_rows(named=True))
    if hasattr(rows, "to_dict") and hasattr(rows, "columns"):  # pandas
        return [{str(key): cell for key, cell in row.items()} for row in rows.to_dict("records")]
    if hasattr(rows, "__arrow_c_stream__"):
        import polars as pl

        return list(pl.DataFrame(rows).iter_rows(named=True))
    if isinstance(rows, Iterable) and not isinstance(rows, str | bytes | Mapping):
        found = list(rows)
        if all(isinstance(row, Mapping) for row in found):
            return [{str(key): cell for key, cell in row.items()} for row in found]
    raise InputError(f"{what} are a data frame or dictionaries, one a row")
