"""``Tidy``: the base class of all results, which have rows, a table and notes."""

from __future__ import annotations

import html
import io
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import atomic_write, check_writable
from tealeaves.printing import escaped_in_json, visible
from tealeaves.tables.formats import (
    csv_text,
    escape_markdown,
    html_table,
    latex_table,
    markdown_table,
    one_line,
    plain_table,
)
from tealeaves.tables.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class Tidy(ABC):
    """A result that can be printed, converted and saved; a subclass defines its rows and table.

    ``rows`` are structs of msgspec; a subclass whose rows are something else defines ``to_dicts``.
    """

    rows: Sequence[Any]
    notes: list[str]
    #: The header of a CSV file that has no rows.
    columns: tuple[str, ...] = ()
    #: The key of the rows in JSON.
    rows_key = "rows"

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries, all with the same keys."""
        return [msgspec.structs.asdict(row) for row in self.rows]

    @abstractmethod
    def table(self) -> Table:
        """Return the table that is printed."""

    @property
    def legend(self) -> list[str]:
        """Explanations of the signs in the table, one sentence per line."""
        return []

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: the rows, the notes, and whatever else belongs to them."""
        return {"rows": [json_row(row) for row in self.to_dicts()], "notes": self.notes}

    def saved(self) -> list[dict[str, Any]]:
        """Return the rows that are saved, with everything that is needed to read them back."""
        return self.to_dicts()

    def saved_frame(self) -> pl.DataFrame:
        """Return the rows that are saved as a polars data frame."""
        return self.to_polars()

    # ------------------------------------------------------------------ data frames and text

    def to_polars(self) -> pl.DataFrame:
        """Return a polars data frame."""
        import polars as pl

        return pl.DataFrame(self.to_dicts(), infer_schema_length=None)

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas data frame (extra ``pandas``)."""
        from tealeaves.extras import require

        pandas = require("pandas", extra="pandas", reason="to_pandas")
        return pandas.DataFrame(self.to_dicts())

    def to_jsonl(self) -> str:
        """Return one JSON object per line; NaN is null."""
        return _jsonl(self.to_dicts())

    def to_json(self) -> str:
        """Return the rows, and what belongs to them, as one JSON object."""
        return _json(self.content)

    def to_csv(self) -> str:
        """Return rows with commas and a header; NaN is empty, lists of numbers are left out."""
        return _csv(self.to_dicts(), self.columns)

    def to_markdown(self) -> str:
        """Return a Markdown table with its legend."""
        return markdown_table(self.table()) + markdown_lines(self.legend)

    def to_latex(self) -> str:
        """Return a LaTeX table (booktabs) with its legend as comments."""
        return latex_table(self.table()) + "".join(f"% {one_line(line)}\n" for line in self.legend)

    def to_html(self) -> str:
        """Return an HTML table with its legend; notebooks show it."""
        return html_table(self.table()) + "".join(
            f"<p>{html.escape(visible(line))}</p>" for line in self.legend
        )

    _repr_html_ = to_html

    def __str__(self) -> str:
        lines = [*self.legend, *self.notes]
        return "\n".join([plain_table(self.table()), *map(visible, lines)])

    def __repr__(self) -> str:
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rows as ``.jsonl``, ``.json``, ``.csv``, ``.md``, ``.tex`` or ``.parquet``."""
        check_savable(path)
        with atomic_write(path) as stream:
            stream.write(_WRITERS[Path(path).suffix.lower()](self))


def check_savable(path: str | os.PathLike[str]) -> None:
    """Raise an error, before any work is done, if results cannot be saved to a file."""
    if Path(path).suffix.lower() not in _WRITERS:
        *names, last = _WRITERS
        raise InputError(f"{path}: results are saved as {', '.join(names)} or {last}")
    check_writable(path)


def markdown_lines(lines: Iterable[str]) -> str:
    """Return lines as paragraphs of Markdown, to be put below a table."""
    return "".join(f"\n{escape_markdown(line)}\n" for line in lines)


def json_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row that JSON can hold: NaN becomes None, infinity becomes text."""
    return {key: _json_value(value) for key, value in row.items()}


def _json_value(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, list):
        return [_json_value(element) for element in value]
    return value


def _json(content: dict[str, Any]) -> str:
    text = msgspec.json.format(msgspec.json.encode(content), indent=2).decode()
    return escaped_in_json(text) + "\n"


def _jsonl(rows: Iterable[dict[str, Any]]) -> str:
    lines = (msgspec.json.encode(json_row(row)).decode() + "\n" for row in rows)
    return escaped_in_json("".join(lines))


def _csv(rows: Iterable[dict[str, Any]], columns: Iterable[str]) -> str:
    records = [{key: _csv_value(value) for key, value in json_row(row).items()} for row in rows]
    lists = {key for row in records for key, value in row.items() if isinstance(value, list)}
    records = [{key: row[key] for key in row if key not in lists} for row in records]
    return csv_text(list(records[0]) if records else list(columns), records)


def _csv_value(value: Any) -> Any:
    """Return a list of words as text; other lists stay, and are left out of CSV."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return " ".join(value)
    return value


def _saved_json(result: Tidy) -> str:
    return _json({**result.content, result.rows_key: [json_row(row) for row in result.saved()]})


def _saved_parquet(result: Tidy) -> bytes:
    stream = io.BytesIO()
    result.saved_frame().write_parquet(stream)
    return stream.getvalue()


_WRITERS: dict[str, Callable[[Tidy], bytes]] = {
    ".jsonl": lambda result: _jsonl(result.saved()).encode(),
    ".json": lambda result: _saved_json(result).encode(),
    ".csv": lambda result: _csv(result.saved(), result.columns).encode(),
    ".md": lambda result: result.to_markdown().encode(),
    ".tex": lambda result: result.to_latex().encode(),
    ".parquet": _saved_parquet,
}
