"""Judgments from files: tidy tables, and the layouts of published data sets."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.layouts import LAYOUTS
from tealeaves.judgments.layouts.tidy import read_tidy
from tealeaves.judgments.melting import Named
from tealeaves.tables.rows import read_rows


def read_judgments(
    path: str | os.PathLike[str],
    *,
    layout: str | None = None,
    columns: Named | None = None,
) -> Judgments:
    """Read judgments from CSV, TSV, JSONL, JSON or Parquet, compressed or not.

    Layouts of published data sets are told by their columns; everything else is tidy, an answer a
    row. ``columns`` says what columns of a tidy table are called: ``{"answer": "rating"}``, or
    ``{"answer": ["a1", "a2"]}`` where each annotator has a column and each topic a row;
    ``layout`` names the layout where that is to be decided by the caller.
    """
    rows = list(read_rows(path))
    if not rows:
        raise InputError(f"{path}: no judgments in it")
    if columns:
        return read_tidy(rows, Path(path), columns)
    if layout is not None:
        return LAYOUTS.find(layout).read(rows, Path(path))
    names = frozenset(itertools.chain.from_iterable(row.values for row in rows))
    return next(one for one in LAYOUTS.values() if one.fits(names)).read(rows, Path(path))
