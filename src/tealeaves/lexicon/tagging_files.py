"""Tag a text once, into a file; a run that was killed goes on."""

from __future__ import annotations

import itertools
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import check_writable
from tealeaves.lexicon.passages import analyser_of, open_texts, pipeline_of, tokenised
from tealeaves.lexicon.tagged import (
    Passage,
    TagStamp,
    check_name,
    is_gzip,
    member,
    stamp_of,
    tagged_passages,
)

if TYPE_CHECKING:
    from tealeaves.lexicon.analysing import Analyser
    from tealeaves.lexicon.passages import Advance, Texts
    from tealeaves.text.pipeline import Pipeline

#: How many passages are written at a time. It is the same however often a run was stopped, so
#: that the file is the same, too.
AT_A_TIME = 500

T = TypeVar("T", bound=msgspec.Struct)


def tag_texts(
    texts: Texts,
    language: str,
    path: str | os.PathLike[str],
    *,
    analyser: str | Analyser = "hanta",
    pipeline: str | Pipeline | None = None,
    resume: bool = False,
    advance: Advance = lambda _: None,
    **reading: Any,
) -> int:
    """Tag a text, passage by passage, and write a file of tagged passages; return how many.

    While it runs, the passages that are done are in ``path.partial``.

    Parameters
    ----------
    texts, language, analyser, pipeline
        As in :func:`read_passages`.
    path
        A file ``.jsonl`` or ``.jsonl.gz``.
    resume
        Go on with what a run that was stopped has left; it must be of the same text, and tagged
        alike.
    advance
        Called with the number of passages that were done since it was called last.
    reading
        ``unit``, ``reader``, ``fields`` and ``links`` of :func:`read_passages`.
    """
    check_name(path)
    check_writable(path)
    stamp, how, chosen = how_tagged(language, analyser, pipeline)
    partial = partial_of(path)
    passages = tokenised(open_texts(texts, language, **reading), language, chosen)
    done = _check_done(partial, path, stamp, passages) if resume and partial.exists() else 0
    advance(done)
    tagged = (Passage(key, forms, how.words(forms, text), text) for key, forms, text in passages)
    first = list(itertools.islice(tagged, 1))  # a text that cannot be read leaves no file
    if not done and not first:
        raise InputError(f"{texts}: no passage to tag")
    with partial.open("ab" if done else "wb") as stream:
        if not done:
            stream.write(member([stamp], is_gzip(path)))
        written = _write(stream, itertools.chain(first, tagged), path, advance)
        os.fsync(stream.fileno())
    partial.replace(path)
    return done + written


def how_tagged(
    language: str, analyser: str | Analyser, pipeline: str | Pipeline | None
) -> tuple[TagStamp, Analyser, Pipeline]:
    """Return what decides the words, what makes them, and what makes the tokens."""
    chosen = pipeline_of(language, pipeline)
    how = analyser_of(analyser, language, chosen)
    stamp = TagStamp(language=language, analyser=how.signature, pipeline=chosen.signature)
    return stamp, how, chosen


def check_same(
    path: str | os.PathLike[str],
    texts: Texts,
    language: str,
    *,
    analyser: str | Analyser = "hanta",
    pipeline: str | Pipeline | None = None,
    **reading: Any,
) -> None:
    """Refuse a complete file that is of another text, or was tagged otherwise than is asked for.

    Parameters are those of :func:`tag_texts`.
    """
    stamp, _, chosen = how_tagged(language, analyser, pipeline)
    if stamp_of(path) != stamp:
        raise InputError(f"{path} was tagged otherwise: --restart replaces it")
    there = (_as_read(passage) for _, passage in tagged_passages(Path(path)))
    here = tokenised(open_texts(texts, language, **reading), language, chosen)
    for number, (known, read) in enumerate(itertools.zip_longest(there, here), 1):
        if known != read:
            raise InputError(
                f"{path} is of another text: passage {number} is not that of the text (--restart "
                "replaces it)"
            )


def partial_of(path: str | os.PathLike[str]) -> Path:
    """Return the file that holds what is done."""
    return Path(f"{os.fspath(path)}.partial")


def _write(
    stream: IO[bytes], passages: Iterator[Passage], path: str | os.PathLike[str], advance: Advance
) -> int:
    written = 0
    while some := list(itertools.islice(passages, AT_A_TIME)):
        stream.write(member(some, is_gzip(path)))
        stream.flush()
        written += len(some)
        advance(len(some))
    return written


def _check_done(
    partial: Path,
    path: str | os.PathLike[str],
    stamp: TagStamp,
    passages: Iterator[tuple[str, list[str], str]],
) -> int:
    """Cut off what was not written whole; read past the passages that are done, and compare."""
    lines, end = whole_lines(partial.read_bytes(), compressed=is_gzip(path))
    if not lines:
        return 0
    if (made := _decoded(lines[0], TagStamp)) != stamp:
        raise _other(partial, f"tagged by {made.analyser}, {made.pipeline}" if made else "no tags")
    for number, line in enumerate(lines[1:], 1):
        known = _decoded(line, Passage)
        here = next(passages, None)
        if known is None or here is None or _as_read(known) != here:
            raise _other(partial, f"passage {number} is not that of the text")
    os.truncate(partial, end)
    return len(lines) - 1


def _as_read(passage: Passage) -> tuple[str, list[str], str]:
    """Return all of a passage that is not tagging."""
    return passage.id, passage.forms, passage.text


def whole_lines(data: bytes, *, compressed: bool) -> tuple[list[bytes], int]:
    """Return the lines that were written whole, and where the last one ends in the file.

    Of a compressed file these are the lines of whole members.
    """
    if not compressed:
        end = data.rfind(b"\n") + 1
        return data[:end].splitlines(), end
    found, end = [], 0
    while end < len(data):
        one = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            text = one.decompress(data[end:])
        except zlib.error:
            break
        if not one.eof:
            break
        found.append(text)
        end = len(data) - len(one.unused_data)
    return b"".join(found).splitlines(), end


def _decoded(line: bytes, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError:
        return None


def _other(partial: Path, why: str) -> InputError:
    return InputError(f"{partial} is of another run: {why} (--restart begins anew)")
