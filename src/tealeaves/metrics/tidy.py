"""``Tidy``: what all results share that are rows, a table to print, and notes."""

from __future__ import annotations

import html
import io
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import atomic_write, check_writable
from tealeaves.metrics import tables
from tealeaves.metrics.escaping import in_markdown, one_line

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


@dataclass(frozen=True)
class TextCell(tables.Cell):
    """A cell that says what it says: an interval, a number of topics, letters."""

    text: str = ""

    def __str__(self) -> str:
        return self.text


class Tidy(ABC):
    """Rows that leave as whatever is wanted; a subclass says what the rows and the table are."""

    notes: list[str]
    #: The header of a table of comma-separated values that has no rows.
    columns: tuple[str, ...] = ()
    #: What the rows are called in JSON.
    rows_key = "rows"

    @abstractmethod
    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries, all with the same keys."""

    @abstractmethod
    def table(self) -> tables.Table:
        """Return the table that is printed."""

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: the rows and what belongs beside them."""
        return {"rows": [plain_row(row) for row in self.to_dicts()], "notes": self.notes}

    def to_polars(self) -> pl.DataFrame:
        """Return a polars data frame."""
        import polars as pl

        return pl.DataFrame(self.to_dicts(), infer_schema_length=None)

    def saved_frame(self) -> pl.DataFrame:
        """Return the rows as they are saved, as a polars data frame."""
        return self.to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas data frame (extra ``pandas``)."""
        from tealeaves.extras import require

        pandas = require("pandas", extra="pandas", reason="to_pandas")
        return pandas.DataFrame(self.to_dicts())

    def to_jsonl(self) -> str:
        """Return one JSON object a line; NaN is null."""
        return _jsonl(self.to_dicts())

    def to_json(self) -> str:
        """Return the rows, and what belongs beside them, as one JSON object."""
        return msgspec.json.format(msgspec.json.encode(self.content), indent=2).decode() + "\n"

    def to_csv(self) -> str:
        """Return comma-separated rows with a header; NaN is empty, lists of numbers are dropped."""
        return _csv(self.to_dicts(), self.columns)

    def to_markdown(self) -> str:
        """Return a Markdown table, with what its signs mean below."""
        return tables.markdown(self.table()) + markdown_lines(self.legend)

    def to_latex(self) -> str:
        """Return a LaTeX table (booktabs), with what its signs mean as comments."""
        return tables.latex(self.table()) + "".join(f"% {one_line(line)}\n" for line in self.legend)

    def to_html(self) -> str:
        """Return an HTML table, as notebooks show it, with what its signs mean below."""
        legend = "".join(f"<p>{html.escape(line)}</p>" for line in self.legend)
        return tables.html_table(self.table()) + legend

    _repr_html_ = to_html

    @property
    def legend(self) -> list[str]:
        """What the table's signs mean, a sentence a line."""
        return []

    def __str__(self) -> str:
        return "\n".join([tables.plain(self.table()), *self.legend, *self.notes])

    def __repr__(self) -> str:
        return str(self)

    def saved(self) -> list[dict[str, Any]]:
        """Return the rows as they are saved: all that is needed to read them back."""
        return self.to_dicts()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rows as ``.jsonl``, ``.json``, ``.csv``, ``.md``, ``.tex`` or ``.parquet``."""
        check_savable(path)
        with atomic_write(path) as stream:
            stream.write(_WRITERS[Path(path).suffix.lower()](self))


def _json(found: Tidy) -> str:
    content = found.content
    content[found.rows_key] = [plain_row(row) for row in found.saved()]
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"


def _jsonl(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(msgspec.json.encode(plain_row(row)).decode() + "\n" for row in rows)


def _csv(rows: Iterable[dict[str, Any]], columns: Iterable[str]) -> str:
    written = [{key: _cell(value) for key, value in plain_row(row).items()} for row in rows]
    lists = {key for row in written for key, value in row.items() if isinstance(value, list)}
    kept = [{k: v for k, v in row.items() if k not in lists} for row in written]
    return tables.csv_text(list(kept[0]) if kept else list(columns), kept)


def _cell(value: Any) -> Any:
    """Write a list of words as text."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return value


def _parquet(found: Tidy) -> bytes:
    stream = io.BytesIO()
    found.saved_frame().write_parquet(stream)
    return stream.getvalue()


_WRITERS: dict[str, Callable[[Tidy], bytes]] = {
    ".jsonl": lambda found: _jsonl(found.saved()).encode(),
    ".json": lambda found: _json(found).encode(),
    ".csv": lambda found: _csv(found.saved(), found.columns).encode(),
    ".md": lambda found: found.to_markdown().encode(),
    ".tex": lambda found: found.to_latex().encode(),
    ".parquet": _parquet,
}


def markdown_lines(lines: Iterable[str]) -> str:
    """Write what stands below a table in Markdown, a paragraph a line."""
    return "".join(f"\n{in_markdown(line)}\n" for line in lines)


def check_savable(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work is done, a file that results cannot be saved to."""
    target = Path(path)
    if target.suffix.lower() not in _WRITERS:
        *names, last = _WRITERS
        raise InputError(f"{path}: results are saved as {', '.join(names)} or {last}")
    check_writable(path)


def plain_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as JSON can hold it: NaN is null, and infinity is written out."""
    return {key: _finite(value) for key, value in row.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return value


def text_table(
    labels: Iterable[str], columns: Iterable[str], rows: Iterable[tuple[list[str], list[str]]]
) -> tables.Table:
    """Make a table of text: labels stand left, columns right."""
    names = list(columns)
    cells = [(left, [TextCell(text=text) for text in right]) for left, right in rows]
    return tables.Table(list(labels), names, [""] * len(names), [(a, list(b)) for a, b in cells])
