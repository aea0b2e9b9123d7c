"""Annotation sheets, out and in: tables of tokens, in which people write what expresses each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tealeaves.compression import format_suffix
from tealeaves.errors import InputError, did_you_mean
from tealeaves.files import InputFile, atomic_write, decode_text
from tealeaves.lexicon.dataset.annotation import (
    Annotation,
    cell_of,
    checked_expressions,
    expressions_of,
    pos_of,
)
from tealeaves.lexicon.dataset.cells import guarded, read_cells, unguarded, write_cells
from tealeaves.tables.rows import Row, read_rows

#: What a sheet's file may be called.
SUFFIXES = (".tsv", ".jsonl")
#: The columns of a sheet, in order.
COLUMNS = tuple(name for name in Annotation.__struct_fields__ if name != "where")
_NEEDED = ("lemma", "key", "place", "expressions")
# what people read, or write themselves, needs no more than single spaces
_PROSE = frozenset({"passage", "translation"})


def write_sheet(annotations: Iterable[Annotation], path: str | os.PathLike[str]) -> None:
    """Write a sheet: ``.tsv`` for spreadsheets, or ``.jsonl``.

    A cell that a spreadsheet would take for a formula, a number or a date has an apostrophe before
    it, which reading takes off again. The table begins with the mark of UTF-8 that Excel needs.
    """
    rows = list(annotations)
    data = _json_lines(rows) if _suffix(path, SUFFIXES) == ".jsonl" else _cells(rows)
    with atomic_write(path) as stream:
        stream.write(data)


def read_sheet(path: str | os.PathLike[str]) -> list[Annotation]:
    """Read a sheet that was filled in, wholly or in part.

    ``.tsv`` and ``.jsonl`` are as they were written; ``.csv`` of a spreadsheet does too. Columns
    may stand in any order, and others beside them. The cell ``expressions`` holds one, several
    with ``|`` between them, or ``-`` where nothing expresses the token; a blank one is not
    annotated yet. The parts of a discontinuous one have ``…`` between them.
    """
    found: list[Annotation] = []
    places: dict[tuple[str, str, str, int], str] = {}
    for row in _rows(path):
        one = _annotation(row)
        token = (one.target, one.lemma, one.key, one.place)
        if (first := places.setdefault(token, row.where)) != row.where:
            raise InputError(
                f"{row.where}: token {one.place} of {one.key} stands at {first} too, for "
                f"{one.lemma}: keep one"
            )
        found.append(one)
    if not found:
        raise InputError(f"{path}: no rows")
    return found


def read_sheets(paths: Sequence[str | os.PathLike[str]]) -> list[Annotation]:
    """Read sheets from files, and from folders of them, in alphabetical order."""
    return [one for path in sheet_files(paths) for one in read_sheet(path)]


def sheet_files(paths: Sequence[str | os.PathLike[str]]) -> list[Path]:
    """Return the files of sheets, those in folders too."""
    found: list[Path] = []
    for path in map(Path, paths):
        inside = [path]
        if path.is_dir():
            inside = sorted(one for one in path.iterdir() if one.suffix.lower() in SUFFIXES)
        if not inside:
            raise InputError(f"{path}: no sheet ({', '.join(SUFFIXES)}) in this folder")
        found += inside
    return list(dict.fromkeys(found))


def _suffix(path: str | os.PathLike[str], known: Sequence[str]) -> str:
    suffix = format_suffix(Path(path))
    if suffix not in known:
        raise InputError(f"{path}: a sheet is {' or '.join(known)}")
    return suffix


# ---------------------------------------------------------------------- writing


def _json_lines(rows: Sequence[Annotation]) -> bytes:
    records = (
        {name: getattr(row, name) for name in COLUMNS}
        | {"expressions": None if row.expressions is None else sorted(row.expressions)}
        for row in rows
    )
    return msgspec.json.Encoder().encode_lines(records)


def _cells(rows: Sequence[Annotation]) -> bytes:
    return write_cells([COLUMNS, *(_row(row) for row in rows)]).encode("utf-8-sig")


def _row(annotation: Annotation) -> list[str]:
    cells = {name: getattr(annotation, name) for name in COLUMNS}
    cells |= {name: " ".join(cells[name].split()) for name in _PROSE}
    cells["words"] = " ".join(map(str, annotation.words))
    said = cell_of(annotation.expressions)
    plain = {"place", "words"} | ({"expressions"} if not annotation.expressions else set())
    cells["expressions"] = said
    return [str(cell) if name in plain else guarded(cell) for name, cell in cells.items()]


# ---------------------------------------------------------------------- reading


def _rows(path: str | os.PathLike[str]) -> Iterator[Row]:
    suffix = _suffix(path, (*SUFFIXES, ".csv")) if Path(path).is_file() else ""
    rows = _table(path) if suffix == ".tsv" else read_rows(path)
    if suffix == ".jsonl":
        return rows
    return (
        Row(row.where, {name: unguarded(cell) for name, cell in row.values.items()}) for row in rows
    )


def _table(path: str | os.PathLike[str]) -> Iterator[Row]:
    file = InputFile(path)
    with file.open() as stream:
        rows = read_cells(decode_text(stream.read(), file.name))
    _, header = next(rows, (1, []))
    names = [name.strip().lower() for name in header]
    for number, row in rows:
        where = f"{file.name}:{number}"
        while row and len(row) > len(names) and not row[-1].strip():
            row.pop()  # spreadsheets add empty cells at the end, or leave them out
        if len(row) > len(names):
            raise InputError(f"{where}: {len(row)} cells, but the header has {len(names)}")
        yield Row(where, dict(zip(names, [*row, *[""] * (len(names) - len(row))], strict=True)))


def _annotation(row: Row) -> Annotation:
    for name in _NEEDED:
        if name not in row.values:
            hint = did_you_mean(name, row.values)
            listed = ", ".join(row.values)
            raise InputError(f"{row.where}: no column {name}{hint} (there are {listed})")
    values: dict[str, Any] = {name: _text(row, name) for name in COLUMNS if name in row.values}
    try:
        values["expressions"] = _expressions(row.values["expressions"])
    except InputError as error:
        raise InputError(f"{row.where}: {error}") from error
    values["place"] = _whole(row, "place", row.values["place"])
    values["words"] = _words(row)
    for name in ("lemma", "key"):
        if not values[name]:
            raise InputError(f"{row.where}: the {name} is missing")
    values["pos"] = values.get("pos") or pos_of(values["lemma"])
    return Annotation(**values, where=row.where)


def _text(row: Row, name: str) -> str:
    value = row.values[name]
    return "" if value is None else str(value)


def _expressions(value: Any) -> frozenset[str] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return expressions_of(value)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return checked_expressions(value)
    raise InputError(f"expressions are {value!r:.60}, not text or a list of texts")


def _words(row: Row) -> tuple[int, ...]:
    value = row.values.get("words") or ""
    parts = value if isinstance(value, list) else str(value).replace(",", " ").split()
    return tuple(sorted({_whole(row, "words", part) for part in parts}))


def _whole(row: Row, name: str, value: Any) -> int:
    text = str(value).strip().removesuffix(".0")
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()):
        raise InputError(f"{row.where}: {name} is {value!r:.60}, not a number from 0")
    return int(text)
