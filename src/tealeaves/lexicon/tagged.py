"""Files of tagged passages: forms and words, one passage a line of JSON."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from tealeaves.compression import format_suffix
from tealeaves.errors import InputError
from tealeaves.files import InputFile, atomic_write
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.words import Words

_LINES = (".jsonl", ".ndjson")


class TagStamp(msgspec.Struct, frozen=True, kw_only=True):
    """How passages were tagged; the first line of a file that we tagged ourselves.

    ``analyser`` and ``pipeline`` are signatures: everything that decides words and tokens.
    """

    tealeaves: str = "tagged"
    language: str
    analyser: str
    pipeline: str


class Passage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of such a file: a passage, a word for each of its forms, and its text if it was kept.

    ``{"id": "GEN 1:1", "forms": ["In", "the"], "words": ["in", "the"]}``
    """

    id: str
    forms: list[str]
    words: list[str]
    text: str = ""


def is_tagged(path: str | os.PathLike[str]) -> bool:
    """Tell by its first line whether a file holds tagged passages."""
    where = Path(path)
    if format_suffix(where) not in _LINES or not where.is_file():
        return False
    first = next((line for line in InputFile(where).lines() if line.strip()), "")
    try:
        found = msgspec.json.decode(first, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return False
    return ("forms" in found and "words" in found) or found.get("tealeaves") == "tagged"


def read_tagged(path: str | os.PathLike[str], language: str) -> Passages:
    """Read a file of tagged passages."""
    keys: dict[str, int] = {}
    forms: list[list[str]] = []
    words: list[list[str]] = []
    texts: list[str] = []
    for number, passage in tagged_passages(Path(path)):
        if (first := keys.setdefault(passage.id, number)) != number:
            raise InputError(f"{path}:{number}: {passage.id!r} stands at line {first} too")
        forms.append(passage.forms)
        words.append(passage.words)
        texts.append(passage.text)
    kept = tuple(texts) if all(texts) else ()
    return Passages(language, tuple(keys), Words.of(forms), Words.of(words), os.fspath(path), kept)


def stamp_of(path: str | os.PathLike[str]) -> TagStamp | None:
    """Return how a file was tagged, if it says so."""
    return _stamp(next(InputFile(path).lines(), ""))


def save_passages(
    passages: Passages, path: str | os.PathLike[str], stamp: TagStamp | None = None
) -> None:
    """Write passages as a file of tagged passages, compressed if its name ends in ``.gz``."""
    check_name(path)
    texts = passages.texts or [""] * len(passages)
    rows = zip(passages.keys, passages.forms, passages.words, texts, strict=True)
    lines: list[msgspec.Struct] = [] if stamp is None else [stamp]
    with atomic_write(path) as stream:
        stream.write(member([*lines, *(Passage(*row) for row in rows)], is_gzip(path)))


def member(lines: Iterable[msgspec.Struct], compressed: bool) -> bytes:  # noqa: FBT001
    """Return lines as bytes; compressed, they are a member of gzip by themselves."""
    data = msgspec.json.Encoder().encode_lines(lines)
    return gzip.compress(data, 6, mtime=0) if compressed else data


def is_gzip(path: str | os.PathLike[str]) -> bool:
    """Tell by its name whether a file is compressed."""
    return Path(path).suffix.lower() == ".gz"


def check_name(path: str | os.PathLike[str]) -> None:
    """Refuse a name by which a file of passages would not be known again."""
    where = Path(path)
    plain = Path(where.stem) if is_gzip(where) else where
    if plain.suffix.lower() not in _LINES:
        raise InputError(f"{path}: tagged passages are written to .jsonl or .jsonl.gz")


def tagged_passages(path: Path) -> Iterator[tuple[int, Passage]]:
    """Yield the passages of a file, each with the number of its line."""
    decode = msgspec.json.Decoder(Passage).decode
    for number, line in enumerate(InputFile(path).lines(), 1):
        if not line or line.isspace() or (number == 1 and _stamp(line)):
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


def _stamp(line: str) -> TagStamp | None:
    try:
        found = msgspec.json.decode(line, type=TagStamp)
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if found.tealeaves == "tagged" else None
