"""Judgments to files, from which they can be read back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.files import atomic_write, check_writable

if TYPE_CHECKING:
    import polars as pl

    from tealeaves.judgments.judgments import Judgments

_SUFFIXES = (".csv", ".jsonl", ".parquet")


def save_judgments(judgments: Judgments, path: str | os.PathLike[str]) -> None:
    """Write the rows and the words of their topics; see :meth:`Judgments.save`."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise InputError(f"{path}: judgments are saved as {', '.join(_SUFFIXES)}")
    check_writable(path)
    frame = _with_words(judgments)
    with atomic_write(path) as stream:
        if suffix == ".parquet":
            frame.write_parquet(stream)
        elif suffix == ".jsonl":
            frame.write_ndjson(stream)
        else:
            _flat(frame).write_csv(stream)


def _with_words(judgments: Judgments) -> pl.DataFrame:
    import polars as pl

    from tealeaves.judgments.judgments import TopicKey

    words: Mapping[Any, Any] = judgments.words
    if not words:
        return judgments.frame
    keys = judgments.frame.select(TopicKey._fields).iter_rows()
    found = [None if key not in words else list(words[key]) for key in map(TopicKey._make, keys)]
    return judgments.frame.with_columns(pl.Series("words", found, pl.List(pl.String)))


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Write lists out as JSON, for CSV has none."""
    import polars as pl

    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    return frame.with_columns(
        pl.Series(
            name,
            [
                None if cell is None else json.dumps(cell, ensure_ascii=False)
                for cell in frame[name].to_list()
            ],
            pl.String,
        )
        for name in nested
    )
