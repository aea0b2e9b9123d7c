"""Extractions as files: JSON lines, compressed; a header, the passages, the tokens."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import InputFile, atomic_write
from tealeaves.lexicon.extraction.extracted import Extraction, Token

SUFFIX = ".jsonl.gz"
FORMAT = "extraction"
VERSION = 1

T = TypeVar("T", bound=msgspec.Struct)


class _Header(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    tealeaves: str = FORMAT
    version: int = VERSION
    source: str
    target: str
    model: str
    signature: str
    shared: int = 0
    passages: int
    tokens: int


class _Passage(msgspec.Struct, forbid_unknown_fields=True):
    key: str
    source: list[str]
    target: list[str]


class _Token(msgspec.Struct, forbid_unknown_fields=True):
    lemma: str
    key: str
    place: int
    expressions: list[str]
    words: list[int]
    confidence: float | None = None


def save_extraction(extraction: Extraction, path: str | os.PathLike[str]) -> None:
    """Write an extraction; the same extraction gives the same bytes."""
    encode = msgspec.json.Encoder().encode
    # no time and no name within: equal contents are equal files
    with atomic_write(path) as raw, gzip.GzipFile("", "wb", 6, raw, 0) as stream:
        for record in _records(extraction):
            stream.write(encode(record) + b"\n")


def _records(extraction: Extraction) -> Iterator[msgspec.Struct]:
    yield _Header(
        source=extraction.source,
        target=extraction.target,
        model=extraction.model,
        signature=extraction.signature,
        shared=extraction.shared,
        passages=len(extraction.passages),
        tokens=len(extraction.tokens),
    )
    for key, (source, target) in extraction.passages.items():
        yield _Passage(key, source, target)
    for token in extraction.tokens:
        sure = token.confidence if token.confidence == token.confidence else None
        yield _Token(
            token.lemma,
            token.key,
            token.place,
            sorted(token.expressions),
            list(token.words),
            None if sure is None else round(sure, 4),
        )


def read_extraction(path: str | os.PathLike[str]) -> Extraction:
    """Read an extraction, and check that it is whole."""
    lines = _numbered(path)
    header = _header(path, next(lines, None))
    passages: dict[str, tuple[list[str], list[str]]] = {}
    tokens: list[Token] = []
    for number, line in lines:
        where = f"{path}:{number}"
        if number <= header.passages + 1:
            passage = _decoded(line, _Passage, where)
            passages[passage.key] = (passage.source, passage.target)
        else:
            record = _decoded(line, _Token, where)
            _check_places(record, passages, where)
            tokens.append(_token(record))
    if len(tokens) != header.tokens:
        raise InputError(
            f"{path}: {len(tokens)} tokens, but its first line says {header.tokens}; extract again"
        )
    return Extraction(
        header.source,
        header.target,
        header.model,
        header.signature,
        tuple(tokens),
        passages,
        header.shared,
    )


def signature_of(path: str | os.PathLike[str]) -> str:
    """Return the signature of a saved extraction, without reading all of it."""
    return _header(path, next(_numbered(path), None)).signature


def read_extractions(paths: Sequence[str | os.PathLike[str]]) -> list[Extraction]:
    """Read extractions from files and folders of them, in alphabetical order."""
    found: list[Path] = []
    for path in map(Path, paths):
        inside = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not inside:
            raise InputError(f"{path}: no extraction (*{SUFFIX}) in this folder")
        found += inside
    return [read_extraction(path) for path in dict.fromkeys(found)]


def _numbered(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file")
    return enumerate(InputFile(path).lines(), 1)


def _header(path: str | os.PathLike[str], first: tuple[int, str] | None) -> _Header:
    try:
        header = msgspec.json.decode((first or (1, ""))[1], type=_Header)
    except msgspec.DecodeError as error:
        raise InputError(
            f"{path}: not an extraction (`tealeaves lexicon extract` makes them)"
        ) from error
    if header.tealeaves != FORMAT or header.version != VERSION:
        raise InputError(
            f"{path}: {header.tealeaves} of version {header.version}; this tealeaves reads "
            f"{FORMAT} of version {VERSION}"
        )
    return header


def _decoded(line: str, kind: type[T], where: str) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise InputError(f"{where}: {error}") from error


def _check_places(
    record: _Token, passages: dict[str, tuple[list[str], list[str]]], where: str
) -> None:
    """Refuse places that are outside of the passage; without passages none are known."""
    if not passages:
        return
    if record.key not in passages:
        raise InputError(f"{where}: no passage {record.key!r} stands above")
    source, target = passages[record.key]
    if not 0 <= record.place < len(source):
        raise InputError(
            f"{where}: place {record.place}, but {record.key!r} has {len(source)} words"
        )
    for place in record.words:
        if not 0 <= place < len(target):
            raise InputError(
                f"{where}: word {place}, but the target of {record.key!r} has {len(target)} words"
            )


def _token(record: _Token) -> Token:
    return Token(
        frozenset(record.expressions),
        tuple(record.words),
        float("nan") if record.confidence is None else record.confidence,
        record.lemma,
        record.key,
        record.place,
    )
