"""``Scores``: tidy rows that print as a table and leave as whatever is wanted."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import atomic_write, check_writable
from tealeaves.metrics import tables

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from tealeaves.metrics.base import Metric

Topic = int | str | None


class Score(msgspec.Struct, frozen=True):
    """One number and what it rests on; ``topic`` is None where it is the model's."""

    model: str
    topic: Topic
    metric: str
    value: float
    support: float
    signature: str


class Scores:
    """The scores of models and of their topics.

    ``notes`` says in plain sentences what was left out. ``words`` holds the words of topics,
    for tables; ``better`` the direction of each metric.
    """

    def __init__(
        self,
        rows: Sequence[Score],
        *,
        better: Mapping[str, str] | None = None,
        words: Mapping[tuple[str, Topic], Sequence[str]] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.rows = list(rows)
        self.better = dict(better or {})
        self.words = dict(words or {})
        self.notes = list(notes)

    def __iter__(self) -> Iterator[Score]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def models(self) -> Scores:
        """The rows of models."""
        return self._with([row for row in self.rows if row.topic is None])

    @property
    def topics(self) -> Scores:
        """The rows of topics."""
        return self._with([row for row in self.rows if row.topic is not None])

    def value(self, model: str, metric: str | Metric, topic: Topic = None) -> float:
        """Return one number: of a topic, or of the model."""
        from tealeaves.metrics.registry import metric as parsed

        known = {row.metric for row in self.rows}
        label = metric if metric in known else repr(parsed(metric))
        for row in self.rows:
            if (row.model, row.metric, str(row.topic)) == (model, label, str(topic)):
                return row.value
        models, labels = ({getattr(r, name) for r in self.rows} for name in ("model", "metric"))
        what = "the model" if topic is None else f"topic {topic!r}"
        raise InputError(
            f"no score of {label} for {what} of {model}; there are the models "
            f"{', '.join(sorted(models))} and the metrics {', '.join(sorted(labels))}"
        )

    def _with(self, rows: list[Score]) -> Scores:
        return Scores(rows, better=self.better, words=self.words, notes=self.notes)

    # ------------------------------------------------------------------ data frames

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        return [msgspec.structs.asdict(row) for row in self.rows]

    def to_polars(self) -> pl.DataFrame:
        """Return a polars data frame; topic ids are text."""
        import polars as pl

        return pl.DataFrame(self._columns(), schema_overrides={"topic": pl.String})

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas data frame; topic ids are text (extra ``pandas``)."""
        from tealeaves.extras import require

        pandas = require("pandas", extra="pandas", reason="to_pandas")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        columns = {
            name: [getattr(row, name) for row in self.rows] for name in Score.__struct_fields__
        }
        columns["topic"] = [None if t is None else str(t) for t in columns["topic"]]
        return columns

    # ------------------------------------------------------------------ text

    def to_jsonl(self) -> str:
        """Return one JSON object a line; NaN is null."""
        return "".join(msgspec.json.encode(_plain(row)).decode() + "\n" for row in self.rows)

    def to_json(self) -> str:
        """Return ``{"scores": [...], "notes": [...]}``."""
        content = {"scores": [_plain(row) for row in self.rows], "notes": self.notes}
        return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"

    def to_csv(self) -> str:
        """Return comma-separated rows with a header; NaN is empty."""
        return tables.csv_text(list(Score.__struct_fields__), [_plain(row) for row in self.rows])

    def to_markdown(self) -> str:
        """Return a Markdown table, a column a metric."""
        return tables.markdown(self.table())

    def to_latex(self) -> str:
        """Return a LaTeX table (booktabs), a column a metric, the best of each in bold."""
        return tables.latex(self.table())

    def to_html(self) -> str:
        """Return an HTML table, as notebooks show it."""
        return tables.html_table(self.table())

    _repr_html_ = to_html

    def __str__(self) -> str:
        return "\n".join([tables.plain(self.table()), *self.notes])

    def __repr__(self) -> str:
        return str(self)

    def table(self) -> tables.Table:
        """Return the table that is printed: a row a model or topic, a column a metric."""
        return tables.pivot(self.rows, self.better, self.words)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rows as ``.jsonl``, ``.json``, ``.csv``, ``.md``, ``.tex`` or ``.parquet``."""
        check_savable(path)
        suffix = Path(path).suffix.lower()
        with atomic_write(path) as stream:
            if suffix == ".parquet":
                self.to_polars().write_parquet(stream)
            else:
                stream.write(_WRITERS[suffix](self).encode())


_WRITERS: dict[str, Callable[[Scores], str]] = {
    ".jsonl": Scores.to_jsonl,
    ".json": Scores.to_json,
    ".csv": Scores.to_csv,
    ".md": Scores.to_markdown,
    ".tex": Scores.to_latex,
}


def check_savable(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work is done, a file that scores cannot be saved to."""
    target = Path(path)
    if target.suffix.lower() not in {*_WRITERS, ".parquet"}:
        raise InputError(f"{path}: scores are saved as {', '.join(_WRITERS)} or .parquet")
    check_writable(path)


def _plain(row: Score) -> dict[str, Any]:
    """Return a row as JSON can hold it."""
    record = msgspec.structs.asdict(row)
    if not math.isfinite(row.value):
        record["value"] = None if math.isnan(row.value) else str(row.value)
    return record
