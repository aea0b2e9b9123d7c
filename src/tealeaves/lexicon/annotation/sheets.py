"""Annotation sheets: tables of tokens, in which people write what expresses each token."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.compression import format_suffix
from tealeaves.errors import InputError, did_you_mean
from tealeaves.files import InputFile, atomic_write, decode_text
from tealeaves.lexicon.annotation.annotation import (
    Annotation,
    expressions_text,
    normalized_expressions,
    parse_expressions,
    pos_of,
)
from tealeaves.lexicon.bitext import Passages
from tealeaves.system import sorted_paths
from tealeaves.tables.rows import Row, read_rows
from tealeaves.tables.spreadsheets import read, written
from tealeaves.text.tokenizers import normalize

if TYPE_CHECKING:
    from tealeaves.lexicon.annotation.sample import Sample

#: The suffixes of the files of sheets.
SUFFIXES = (".tsv", ".jsonl")
#: The columns of a sheet, in order.
COLUMNS = tuple(name for name in Annotation.__struct_fields__ if name != "where")
_NEEDED = ("lemma", "key", "place", "expressions")
_PROSE = frozenset({"passage", "translation"})  # columns in which only single spaces are kept

# What a spreadsheet would take for a formula, a number, a date or a truth value. An apostrophe
# before it keeps it text.
_NOT_TEXT = re.compile(
    r"'*(?:[=+\-@.\d]|(?:true|false)$|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\W*\d)",
    re.IGNORECASE,
)
_SPECIAL = re.compile(r'["\t\r\n]')
# A cell is quoted as a whole, or its quotation marks are text: some spreadsheets quote nothing.
_CELL = re.compile(r'("(?:[^"]|"")*"(?=[\t\r\n]|\Z)|[^\t\r\n]*)(\t|\r\n|\r|\n|\Z)')
_BREAK = re.compile(r"\r\n|\r|\n")


def write_sheet(annotations: Iterable[Annotation], path: str | os.PathLike[str]) -> None:
    """Write a sheet: ``.tsv`` for spreadsheets, or ``.jsonl``.

    A cell that a spreadsheet would take for a formula, a number or a date gets an apostrophe, which
    is removed in reading. The table begins with the mark of UTF-8 that Excel needs.
    """
    data = sheet_bytes(annotations, path)
    with atomic_write(path) as stream:
        stream.write(data)


def sheet_bytes(annotations: Iterable[Annotation], path: str | os.PathLike[str]) -> bytes:
    """Return the content of a sheet; the suffix of its path says how it is written."""
    rows = list(annotations)
    if _suffix(path, SUFFIXES) == ".jsonl":
        return _json_lines(rows)
    return write_cells([COLUMNS, *(_cells(row) for row in rows)]).encode("utf-8-sig")


def read_sheet(path: str | os.PathLike[str]) -> list[Annotation]:
    """Read a sheet that was filled in, completely or in part.

    It is a file of :func:`write_sheet`, or ``.csv`` of a spreadsheet. Columns may stand in any
    order, with others between them. The cell ``expressions`` has an expression, several with ``|``
    between them, or ``-`` if nothing expresses the token; a blank cell is not annotated yet. The
    parts of a discontinuous expression have ``…`` between them.
    """
    annotations: list[Annotation] = []
    lines: dict[tuple[str, str, str, int], str] = {}
    for row in _rows(path):
        one = _annotation(row)
        token = (one.target, one.lemma, one.key, one.place)
        if (first := lines.setdefault(token, row.where)) != row.where:
            raise InputError(
                f"{row.where}: token {one.place} of {one.key} stands at {first} too, for "
                f"{one.lemma}: keep one"
            )
        annotations.append(one)
    if not annotations:
        raise InputError(f"{path}: no rows")
    return annotations


def read_sheets(paths: Sequence[str | os.PathLike[str]]) -> list[Annotation]:
    """Read sheets from files, and from folders in alphabetical order.

    Parameters
    ----------
    paths
        ``.tsv``, ``.jsonl`` and ``.csv`` files, and folders of the first two.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        inside = [path]
        if path.is_dir():
            inside = sorted_paths(one for one in path.iterdir() if one.suffix.lower() in SUFFIXES)
        if not inside:
            raise InputError(f"{path}: no sheet ({', '.join(SUFFIXES)}) in this folder")
        files += inside
    return [one for file in dict.fromkeys(files) for one in read_sheet(file)]


def _suffix(path: str | os.PathLike[str], known: Sequence[str]) -> str:
    suffix = format_suffix(Path(path))
    if suffix not in known:
        raise InputError(f"{path}: a sheet is {' or '.join(known)}")
    return suffix


# ---------------------------------------------------------------------- rows of a sample


def sheet_rows(sample: Sample, source: Passages, target: Passages) -> list[Annotation]:
    """Return the rows of a target's sheet: the tokens of a sample in passages that it has."""
    source_rows = {key: row for row, key in enumerate(source.keys)}
    target_rows = {key: row for row, key in enumerate(target.keys)}
    return [
        Annotation(
            lemma=lemma.lemma,
            pos=lemma.pos,
            bin=lemma.bin,
            split=sample.split(lemma, target.language),
            source=source.language,
            target=target.language,
            key=token.key,
            place=token.place,
            form=source.forms.word(source_rows[token.key], token.place),
            passage=marked(source, source_rows[token.key], token.place),
            translation=_readable(target, target_rows[token.key]),
        )
        for lemma in sample.lemmas
        for token in lemma.tokens
        if token.key in target_rows and target.words.text(target_rows[token.key])
    ]


def _readable(passages: Passages, row: int) -> str:
    """Return a passage as it is written, or its forms."""
    return passages.texts[row] if passages.texts else " ".join(passages.forms.text(row))


def marked(passages: Passages, row: int, place: int) -> str:
    """Return a passage with one token marked.

    >>> from tealeaves.lexicon.words import Words
    >>> words = Words.of([["The", "hand", "the", "hand"]])
    >>> marked(Passages("en", ("1",), words, words, texts=("The hand, the hand!",)), 0, 3)
    'The hand, the »hand«!'
    """
    forms = passages.forms.text(row)
    if passages.texts and (text := _marked_text(passages.texts[row], forms, place)):
        return text
    forms[place] = f"»{forms[place]}«"
    return " ".join(forms)


def _marked_text(text: str, forms: Sequence[str], place: int) -> str | None:
    """Mark a token, found by those before it; None if letters of the text are in no form."""
    plain = normalize(text, lower=False)
    end = 0
    for form in forms[: place + 1]:
        start = plain.find(form, end)
        if start < 0 or any(sign.isalpha() for sign in plain[end:start]):
            return None
        end = start + len(form)
    return f"{plain[:start]}»{plain[start:end]}«{plain[end:]}"


# ---------------------------------------------------------------------- writing


def _json_lines(rows: Sequence[Annotation]) -> bytes:
    records = (
        {name: getattr(row, name) for name in COLUMNS}
        | {"expressions": None if row.expressions is None else sorted(row.expressions)}
        for row in rows
    )
    return msgspec.json.Encoder().encode_lines(records)


def _cells(annotation: Annotation) -> list[str]:
    cells = {name: getattr(annotation, name) for name in COLUMNS}
    cells |= {name: " ".join(cells[name].split()) for name in _PROSE}
    cells["words"] = " ".join(map(str, annotation.words))
    cells["expressions"] = expressions_text(annotation.expressions)
    plain = {"place", "words"} | ({"expressions"} if not annotation.expressions else set())
    return [str(cell) if name in plain else sheet_cell(cell) for name, cell in cells.items()]


# ---------------------------------------------------------------------- reading


def _rows(path: str | os.PathLike[str]) -> Iterator[Row]:
    suffix = _suffix(path, (*SUFFIXES, ".csv")) if Path(path).is_file() else ""
    if suffix == ".tsv":
        return _table(path)
    return read_rows(path, text_of=text_of_cell)


def _table(path: str | os.PathLike[str]) -> Iterator[Row]:
    file = InputFile(path)
    rows = read_cells(decode_text(file.read(), file.name))
    _, header = next(rows, (1, []))
    names = [name.strip().lower() for name in header]
    for number, row in rows:
        where = f"{file.name}:{number}"
        while row and len(row) > len(names) and not row[-1].strip():
            row.pop()  # spreadsheets add empty cells at the end, or leave them out
        if len(row) > len(names):
            raise InputError(f"{where}: {len(row)} cells, but the header has {len(names)}")
        cells = [*map(text_of_cell, row), *[""] * (len(names) - len(row))]
        yield Row(where, dict(zip(names, cells, strict=True)))


def _annotation(row: Row) -> Annotation:
    for name in _NEEDED:
        if name not in row.values:
            hint = did_you_mean(name, row.values)
            known = ", ".join(row.values)
            raise InputError(f"{row.where}: no column {name}{hint} (there are {known})")
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
        return parse_expressions(value)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return normalized_expressions(value)
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


# ---------------------------------------------------------------------- cells of a spreadsheet


def sheet_cell(text: str) -> str:
    """Return a cell with an apostrophe if a spreadsheet would not take it for text.

    >>> sheet_cell("=nsa"), sheet_cell("01001001"), sheet_cell("GEN 1:1")
    ("'=nsa", "'01001001", 'GEN 1:1')
    """
    return written(text, _NOT_TEXT.match)


def text_of_cell(text: str) -> str:
    """Return the text of such a cell.

    >>> text_of_cell(sheet_cell("'=nsa")), text_of_cell("'tis")
    ("'=nsa", "'tis")
    """
    return read(text, _NOT_TEXT.match)


def write_cells(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as tab-separated text, quoted if necessary."""
    return "".join("\t".join(map(_quoted, row)) + "\n" for row in rows)


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell


def read_cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line where each row begins, and its cells; blank rows are left out.

    >>> list(read_cells('a\\t"b\\tc"\\r\\n\\r\\nhe said "no"\\td'))
    [(1, ['a', 'b\\tc']), (3, ['he said "no"', 'd'])]
    """
    line = first = 1
    row: list[str] = []
    for cell in _CELL.finditer(text):
        row.append(_unquoted(cell[1]))
        line += len(_BREAK.findall(cell[0]))
        if cell[2] != "\t":
            if any(content.strip() for content in row):
                yield first, row
            first, row = line, []


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        inner = cell[1:-1]
        if '"' not in inner.replace('""', ""):
            return inner.replace('""', '"')
    return cell
