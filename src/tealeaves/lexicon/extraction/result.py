"""``Extraction``: how each token of some lemmas is expressed in a target language, and its file.

The file has one JSON object per line, compressed: a header, the passages, the tokens.
"""

from __future__ import annotations

import gzip
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import InputFile, atomic_write
from tealeaves.json_data import decode_json
from tealeaves.system import sorted_paths

SUFFIX = ".jsonl.gz"
FORMAT = "extraction"
VERSION = 1

Struct = TypeVar("Struct", bound=msgspec.Struct)


@dataclass(frozen=True)
class Extracted:
    """How one token is expressed.

    Parameters
    ----------
    expressions
        Names of what expresses it; none if nothing does. Two tokens are expressed alike if their
        sets are equal.
    words
        The positions of the target words that express it, in ascending order.
    confidence
        How sure the model is, from 0 to 1; NaN if the model does not say.
    """

    expressions: frozenset[str] = frozenset()
    words: tuple[int, ...] = ()
    confidence: float = math.nan


@dataclass(frozen=True)
class Token(Extracted):
    """A token of a lemma, identified by the key of its passage and its position in it."""

    lemma: str = ""
    key: str = ""
    place: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """What a model extracted for some lemmas in one target language.

    Parameters
    ----------
    source, target
        The languages.
    model
        The expression of the model.
    signature
        Everything that changes the result.
    tokens
        The tokens, lemma by lemma.
    passages
        The forms of the passages with tokens, by key: those of the source, those of the target.
    shared
        The number of passages that the two languages share.
    """

    source: str
    target: str
    model: str
    signature: str
    tokens: tuple[Token, ...]
    passages: Mapping[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    shared: int = 0

    def __repr__(self) -> str:
        lemmas = len({token.lemma for token in self.tokens})
        return (
            f"Extraction({self.source} to {self.target} by {self.model}: "
            f"{len(self.tokens)} tokens of {lemmas} lemma{'s' * (lemmas != 1)})"
        )


# ---------------------------------------------------------------------- files


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


class _PassageLine(msgspec.Struct, forbid_unknown_fields=True):
    key: str
    source: list[str]
    target: list[str]


class _TokenRecord(msgspec.Struct, forbid_unknown_fields=True):
    lemma: str
    key: str
    place: int
    expressions: list[str]
    words: list[int]
    confidence: float | None = None


def save_extraction(extraction: Extraction, path: str | os.PathLike[str]) -> None:
    """Write an extraction; equal extractions are equal bytes.

    Parameters
    ----------
    extraction
        The extraction.
    path
        The file, ``.jsonl.gz``.
    """
    encode = msgspec.json.Encoder().encode
    # the compressed file has neither a time nor a name in it, so that equal contents are equal
    with atomic_write(path) as raw, gzip.GzipFile("", "wb", 6, raw, 0) as stream:
        for line in _lines(extraction):
            stream.write(encode(line) + b"\n")


def _lines(extraction: Extraction) -> Iterator[msgspec.Struct]:
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
        yield _PassageLine(key, source, target)
    for token in extraction.tokens:
        yield _TokenRecord(
            token.lemma,
            token.key,
            token.place,
            sorted(token.expressions),
            list(token.words),
            None if math.isnan(token.confidence) else round(token.confidence, 4),
        )


def read_extraction(path: str | os.PathLike[str]) -> Extraction:
    """Read an extraction, and check that it is complete."""
    lines = _numbered_lines(path)
    header = _read_header(path, next(lines, None))
    passages: dict[str, tuple[list[str], list[str]]] = {}
    tokens: list[Token] = []
    for number, line in lines:
        where = f"{path}:{number}"
        if number <= header.passages + 1:
            passage = _decode(line, _PassageLine, where)
            passages[passage.key] = (passage.source, passage.target)
        else:
            token = _decode(line, _TokenRecord, where)
            _check_positions(token, passages, where)
            tokens.append(
                Token(
                    frozenset(token.expressions),
                    tuple(token.words),
                    math.nan if token.confidence is None else token.confidence,
                    token.lemma,
                    token.key,
                    token.place,
                )
            )
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


def saved_signature(path: str | os.PathLike[str]) -> str:
    """Return the signature of a saved extraction; only its first line is read."""
    return _read_header(path, next(_numbered_lines(path), None)).signature


def read_extractions(paths: Sequence[str | os.PathLike[str]]) -> list[Extraction]:
    """Read extractions from files, and from folders in alphabetical order.

    Parameters
    ----------
    paths
        Files and folders that ``extract`` wrote.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        inside = sorted_paths(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not inside:
            raise InputError(f"{path}: no extraction (*{SUFFIX}) in this folder")
        files += inside
    return [read_extraction(file) for file in dict.fromkeys(files)]


def _numbered_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file")
    return enumerate(InputFile(path).lines(), 1)


def _read_header(path: str | os.PathLike[str], first: tuple[int, str] | None) -> _Header:
    try:
        header = decode_json((first or (1, ""))[1], _Header)
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


def _decode(line: str, kind: type[Struct], where: str) -> Struct:
    try:
        return decode_json(line, kind)
    except msgspec.DecodeError as error:
        raise InputError(f"{where}: {error}") from error


def _check_positions(
    token: _TokenRecord, passages: dict[str, tuple[list[str], list[str]]], where: str
) -> None:
    """Raise for positions outside of the passage; a file without passages is not checked."""
    if not passages:
        return
    if token.key not in passages:
        raise InputError(f"{where}: no passage {token.key!r} stands above")
    source, target = passages[token.key]
    if not 0 <= token.place < len(source):
        raise InputError(f"{where}: place {token.place}, but {token.key!r} has {len(source)} words")
    for place in token.words:
        if not 0 <= place < len(target):
            raise InputError(
                f"{where}: word {place}, but the target of {token.key!r} has {len(target)} words"
            )
