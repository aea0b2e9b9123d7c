"""Judgments from files, in tidy tables or in the layouts of published data sets."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.judgments.agreement.careless import Annotator, Thresholds, without_flagged
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.layouts import LAYOUTS
from tealeaves.judgments.layouts.tidy import read_tidy
from tealeaves.judgments.tables import ColumnChoice
from tealeaves.tables.numbers import list_text
from tealeaves.tables.rows import read_rows

_MOST_NAMED = 10  # annotators in a note


def read_judgments(
    path: str | os.PathLike[str],
    *,
    layout: str | None = None,
    columns: ColumnChoice | None = None,
    where: Mapping[str, Any] | None = None,
    tasks: Iterable[str] = (),
    scale: str | None = None,
    leave_out: Thresholds | None = None,
) -> Judgments:
    """Read judgments from CSV, TSV, JSONL, JSON or Parquet, compressed or not.

    Parameters
    ----------
    path
        The file.
    layout
        The name of the layout. Default: the published layout whose columns the file has, else
        ``tidy``, one answer per row.
    columns
        The names of columns in a tidy table: ``{"answer": "rating"}``, or
        ``{"answer": ["a1", "a2"]}`` if each annotator has a column and each topic a row.
    where
        Keep only judgments with these values of columns, as :meth:`Judgments.where` does.
    tasks
        Keep only the judgments of these tasks. Default: all.
    scale
        What answers count; see :class:`Scale`.
    leave_out
        Leave out annotators who look careless by these thresholds, each from the tasks of the
        flags. Default: nobody is left out.
    """
    judgments = _read(path, layout, columns)
    for name, value in (where or {}).items():
        rest = judgments.where(**{name: value})
        _check_left(judgments, rest, f"--where {name}={value}", path)
        judgments = _with_note(judgments, rest, f"with {name}={value}")
    if names := list(tasks):
        judgments = _with_note(judgments, judgments.of_tasks(names), f"of {', '.join(names)}")
    if scale:
        judgments = judgments.scaled(scale)
    return judgments if leave_out is None else _without_flagged(judgments, leave_out, path)


def open_judgments(source: Any, scale: str | None = None) -> Judgments:
    """Return judgments from judgments, a file, a data frame or dictionaries, on a scale.

    >>> open_judgments([{"topic": 0, "answer": "good"}], "good=2, bad=1").values.to_list()
    [2.0]
    """
    if isinstance(source, str | os.PathLike):
        source = read_judgments(source)
    judgments = source if isinstance(source, Judgments) else Judgments.of(source)
    return judgments if scale is None else judgments.scaled(scale)


def _read(
    path: str | os.PathLike[str], layout: str | None, columns: ColumnChoice | None
) -> Judgments:
    rows = list(read_rows(path))
    if not rows:
        raise InputError(f"{path}: no judgments in it")
    if columns:
        return read_tidy(rows, Path(path), columns)
    if layout is not None:
        return LAYOUTS.find(layout).read(rows, Path(path))
    names = frozenset(itertools.chain.from_iterable(row.values for row in rows))
    return next(known for known in LAYOUTS.values() if known.fits(names)).read(rows, Path(path))


def _check_left(
    before: Judgments, after: Judgments, what: str, path: str | os.PathLike[str]
) -> None:
    if not len(after):
        raise InputError(f"{path}: {what} leaves none of {len(before)} judgments")


def _with_note(before: Judgments, after: Judgments, what: str) -> Judgments:
    after.notes.append(f"only judgments {what}: {len(after)} of {len(before)}")
    return after


def _without_flagged(
    judgments: Judgments, thresholds: Thresholds, path: str | os.PathLike[str]
) -> Judgments:
    if judgments.frame["annotator"].null_count() == len(judgments):
        raise InputError(
            f"{path}: the judgments do not name their annotators, so no annotator can be flagged"
        )
    rest, flagged = without_flagged(judgments, thresholds)
    _check_left(judgments, rest, "--without-flagged", path)
    rest.notes.append(_flagged_note(flagged, len(judgments) - len(rest), len(judgments.parts)))
    return rest


def _flagged_note(flagged: Sequence[Annotator], judgments: int, parts: int) -> str:
    """Say who is left out, and of which tasks if there are several."""
    if not flagged:
        return "no annotator looks careless: none is left out"
    tasks: dict[str, list[str]] = {}
    for one in flagged:
        tasks.setdefault(one.annotator, []).append(" ".join(filter(None, (one.dataset, one.task))))
    names = [f"{who} ({', '.join(of)})" if parts > 1 else who for who, of in tasks.items()]
    several = f"{len(names)} annotators look careless and are"
    who = "1 annotator looks careless and is" if len(names) == 1 else several
    return f"{who} left out, with {judgments} judgments: {list_text(names, _MOST_NAMED)}"
