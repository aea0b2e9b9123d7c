"""Files of tagged passages: the forms and words of one passage per line, as JSON."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from tealeaves.compression import format_suffix
from tealeaves.errors import InputError
from tealeaves.files import InputFile
from tealeaves.json_data import decode_json
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.words import Words

_SUFFIXES = (".jsonl", ".ndjson")


class TagStamp(msgspec.Struct, frozen=True, kw_only=True):
    """How passages were tagged: the first line of a file that ``tag_texts`` wrote.

    ``analyser`` and ``pipeline`` are signatures: everything that changes words and tokens.
    """

    tealeaves: str = "tagged"
    language: str
    analyser: str
    pipeline: str


class TaggedPassage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of such a file: a passage, a word for each of its forms, and its text if it was kept.

    ``{"id": "GEN 1:1", "forms": ["In", "the"], "words": ["in", "the"]}``
    """

    id: str
    forms: list[str]
    words: list[str]
    text: str = ""


def is_tagged(path: str | os.PathLike[str]) -> bool:
    """Return whether a file holds tagged passages, by its first line."""
    file = Path(path)
    if format_suffix(file) not in _SUFFIXES or not file.is_file():
        return False
    first = next((line for line in InputFile(file).lines() if line.strip()), "")
    try:
        record = decode_json(first, dict[str, object])
    except msgspec.DecodeError:
        return False
    return ("forms" in record and "words" in record) or record.get("tealeaves") == "tagged"


def read_tagged(path: str | os.PathLike[str], language: str) -> Passages:
    """Read a file of tagged passages."""
    keys: dict[str, int] = {}
    forms: list[list[str]] = []
    words: list[list[str]] = []
    texts: list[str] = []
    for number, passage in tagged_passages(path):
        if (first := keys.setdefault(passage.id, number)) != number:
            raise InputError(f"{path}:{number}: {passage.id!r} is also at line {first}")
        forms.append(passage.forms)
        words.append(passage.words)
        texts.append(passage.text)
    kept = tuple(texts) if all(texts) else ()
    return Passages(language, tuple(keys), Words.of(forms), Words.of(words), os.fspath(path), kept)


def tagged_passages(path: str | os.PathLike[str]) -> Iterator[tuple[int, TaggedPassage]]:
    """Yield the passages of a file, each with the number of its line."""
    decode = msgspec.json.Decoder(TaggedPassage).decode  # faster
    for number, line in enumerate(InputFile(path).lines(), 1):
        if not line or line.isspace() or (number == 1 and _decode_stamp(line)):
            continue
        try:
            passage = decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"{path}:{number}: not a tagged passage: {error}") from error
        if len(passage.forms) != len(passage.words):
            raise InputError(
                f"{path}:{number}: {len(passage.forms)} forms, but {len(passage.words)} words"
            )
        yield number, passage


def read_stamp(path: str | os.PathLike[str]) -> TagStamp | None:
    """Return how a file was tagged, if it says so."""
    return _decode_stamp(next(InputFile(path).lines(), ""))


def _decode_stamp(line: str) -> TagStamp | None:
    try:
        stamp = decode_json(line, TagStamp)
    except msgspec.DecodeError:
        return None
    return stamp if stamp.tealeaves == "tagged" else None


def encode_lines(lines: Iterable[TagStamp | TaggedPassage], *, compressed: bool) -> bytes:
    """Return the bytes of lines; if compressed, they are one member of a gzip file."""
    data = msgspec.json.Encoder().encode_lines(lines)
    return gzip.compress(data, 6, mtime=0) if compressed else data


def is_gzip(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is compressed, by its name."""
    return Path(path).suffix.lower() == ".gz"


def check_name(path: str | os.PathLike[str]) -> None:
    """Raise for a file name by which a file of tagged passages would not be recognised."""
    file = Path(path)
    plain = Path(file.stem) if is_gzip(file) else file
    if plain.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: tagged passages are written to .jsonl or .jsonl.gz")
