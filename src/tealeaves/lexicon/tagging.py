"""``tag_texts``: the words of a text are made once and kept in a file; the work can be resumed."""

from __future__ import annotations

import itertools
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import check_writable, growing_file, move_into_place
from tealeaves.jobs import Job, Stop, progress_bar
from tealeaves.json_data import decode_json
from tealeaves.lexicon.passages import analyser_of, keyed, open_texts, pipeline_of, tokenised
from tealeaves.lexicon.tagged_files import (
    TaggedPassage,
    TagStamp,
    check_name,
    encode_lines,
    is_gzip,
    is_tagged,
    read_stamp,
    tagged_passages,
)

if TYPE_CHECKING:
    from tqdm import tqdm

    from tealeaves.lexicon.analysers import Analyser
    from tealeaves.lexicon.passages import Texts
    from tealeaves.text.document import Fields
    from tealeaves.text.paired.corpus import PairedCorpus
    from tealeaves.text.pipeline import Pipeline

    #: The key of a passage, its forms, its text.
    Tokenised = tuple[str, list[str], str]

#: How many passages are written at a time. It does not depend on interruptions, so that the file
#: does not either.
BATCH = 500

T = TypeVar("T", bound=msgspec.Struct)


@dataclass(frozen=True)
class TaggedText:
    """The file of a tagged text.

    Parameters
    ----------
    path
        The file.
    passages
        The number of its passages.
    was_complete
        Whether there was nothing left to do.
    """

    path: Path
    passages: int
    was_complete: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.passages} passages"


def tag_texts(
    texts: Texts,
    language: str,
    output: str | os.PathLike[str],
    *,
    analyser: str | Analyser = "hanta",
    pipeline: str | Pipeline | None = None,
    unit: str = "verse",
    reader: str | None = None,
    fields: Fields | None = None,
    links: str | None = None,
    resume: bool = False,
    restart: bool = False,
    progress: bool = False,
) -> TaggedText:
    """Make the words of a text, passage by passage, and write a file of tagged passages.

    :func:`read_passages` reads the file. While it is made, ``OUTPUT.partial`` holds what is done.

    Parameters
    ----------
    texts, language, analyser, pipeline, unit, reader, fields, links
        As in :func:`read_passages`.
    output
        A file ``.jsonl`` or ``.jsonl.gz``.
    resume
        Continue unfinished work on the same text with the same settings.
    restart
        Start again, and replace existing files.
    progress
        Show a progress bar on a terminal.
    """
    path = Path(output)
    check_name(path)
    job = Job(path, "run", resume=resume, restart=restart)
    _check_replaceable(path, job)
    pipeline = pipeline_of(language, pipeline)
    how = analyser_of(analyser, language, pipeline)
    stamp = TagStamp(language=language, analyser=how.signature, pipeline=pipeline.signature)
    paired = open_texts(texts, language, unit=unit, reader=reader, fields=fields, links=links)
    passages = tokenised(paired, language, pipeline)
    if job.may_be_complete:
        return TaggedText(path, _check_complete(path, stamp, passages), was_complete=True)
    with job.run() as stop, _progress(paired, language, shown=progress) as bar:
        done = _resume(job.partial, path, stamp, passages) if job.resumes else 0
        bar.update(done)
        tagged = _tagged(passages, how, stop)
        first = list(itertools.islice(tagged, 1))  # a text that cannot be read leaves no file
        if not done and not first:
            raise InputError(f"{texts}: no passage to tag")
        with growing_file(job.partial, append=bool(done)) as stream:
            if not done:
                stream.write(encode_lines([stamp], compressed=is_gzip(path)))
            tagged = itertools.chain(first, tagged)
            while batch := list(itertools.islice(tagged, BATCH)):
                stream.write(encode_lines(batch, compressed=is_gzip(path)))
                stream.flush()
                done += len(batch)
                bar.update(len(batch))
        move_into_place(job.partial, path)
    return TaggedText(path, done)


def _check_replaceable(path: Path, job: Job) -> None:
    """Raise if a file exists that must not be replaced."""
    check_writable(path)
    if not path.exists():
        return
    if not is_tagged(path):
        raise InputError(f"{path} exists and holds no tagged passages: name another file")
    if not (job.resume or job.restart):
        raise InputError(f"{path} holds tagged passages already: --restart replaces it")


def _progress(paired: PairedCorpus, language: str, *, shown: bool) -> tqdm[Any]:
    """Return a progress bar; its total is counted first, which is fast compared with tagging."""
    total = sum(1 for key, _ in keyed(paired, language) if key) if shown else None
    return progress_bar(total, f"tagging {language}", shown=shown, unit=" passages", leave=False)


def _tagged(
    passages: Iterator[Tokenised], analyser: Analyser, stop: Stop
) -> Iterator[TaggedPassage]:
    for key, forms, text in passages:
        if stop():
            raise KeyboardInterrupt
        yield TaggedPassage(key, forms, analyser.words(forms, text), text)


def _check_complete(path: Path, stamp: TagStamp, passages: Iterator[Tokenised]) -> int:
    """Count the passages of a complete file; raise if it has another text or other settings."""
    if read_stamp(path) != stamp:
        raise InputError(f"{path} was tagged with other settings: --restart replaces it")
    in_file = (_untagged(passage) for _, passage in tagged_passages(path))
    number = 0
    for number, (known, read) in enumerate(itertools.zip_longest(in_file, passages), 1):
        if known != read:
            raise InputError(
                f"{path} is of another text: passage {number} is not that of the text (--restart "
                "replaces it)"
            )
    return number


def _resume(partial: Path, path: Path, stamp: TagStamp, passages: Iterator[Tokenised]) -> int:
    """Return how many passages are done, and leave the others in ``passages``.

    The partial file loses what was not written completely. It must have the same text and settings.
    """
    lines, end = complete_lines(partial.read_bytes(), compressed=is_gzip(path))
    if not lines:
        return 0
    if (known_stamp := _decode(lines[0], TagStamp)) != stamp:
        tags = f"tagged by {known_stamp.analyser}, {known_stamp.pipeline}" if known_stamp else ""
        raise _other_run(partial, tags or "no tags")
    for number, line in enumerate(lines[1:], 1):
        known, read = _decode(line, TaggedPassage), next(passages, None)
        if known is None or read is None or _untagged(known) != read:
            raise _other_run(partial, f"passage {number} is not that of the text")
    os.truncate(partial, end)
    return len(lines) - 1


def _untagged(passage: TaggedPassage) -> Tokenised:
    return passage.id, passage.forms, passage.text


def complete_lines(data: bytes, *, compressed: bool) -> tuple[list[bytes], int]:
    """Return the lines that were written completely, and where the last one ends in the file.

    In a compressed file, these are the lines of complete gzip members.
    """
    if not compressed:
        end = data.rfind(b"\n") + 1
        return data[:end].splitlines(), end
    members, end = [], 0
    while end < len(data):
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            text = member.decompress(data[end:])
        except zlib.error:
            break
        if not member.eof:
            break
        members.append(text)
        end = len(data) - len(member.unused_data)
    return b"".join(members).splitlines(), end


def _decode(line: bytes, kind: type[T]) -> T | None:
    try:
        return decode_json(line, kind)
    except msgspec.DecodeError:
        return None


def _other_run(partial: Path, why: str) -> InputError:
    return InputError(f"{partial} is of another run: {why} (--restart starts again)")
