"""Judgments from files: tidy tables, and the layouts of published data sets."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.layouts import LAYOUTS, Layout
from tealeaves.judgments.melting import Named
from tealeaves.judgments.tables import judgments_of
from tealeaves.text.rows import Row, read_rows

TIDY = "tidy"


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
    chosen = None if columns else _layout(layout, rows)
    if chosen is not None:
        return chosen.read(rows, Path(path).name)
    records = [row.values for row in rows]
    return judgments_of(records, columns, name=str(path), places=[row.where for row in rows])


def _layout(name: str | None, rows: Sequence[Row]) -> Layout | None:
    if name == TIDY:
        return None
    if name is not None:
        known = {one.LAYOUT: one for one in LAYOUTS}
        if name not in known:
            listed = ", ".join([TIDY, *known])
            raise InputError(
                f"no layout {name}{did_you_mean(name, [TIDY, *known])} (there are {listed})"
            )
        return known[name]
    columns = frozenset(itertools.chain.from_iterable(row.values for row in rows))
    return next((one for one in LAYOUTS if one.fits(columns)), None)
