"""Fingerprints: what identifies the weights of an embedding, from the files that they are in."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.cache_folder import cache_folder
from tealeaves.files import atomic_write
from tealeaves.json_data import decode_python_json
from tealeaves.system import is_trusted

_SAMPLE_SIZE = 1 << 14  # bytes
_SAMPLES = 16
# The clock of a file system may be this coarse: a file that was written more recently could be
# written again with the same time.
_SETTLED = 2_000_000_000  # nanoseconds

_hashes: dict[FileState, str] = {}


def fingerprint_of_parts(*parts: str) -> str:
    """Return one fingerprint of texts, such as hashes of files and names of rules."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def fingerprint_of_files(paths: Iterable[Path], *parts: str) -> str:
    """Return the fingerprint of files of packages, from their sizes and samples of their bytes.

    Such files change only with the version of the package, and reading samples takes milliseconds.
    """
    return fingerprint_of_parts(*parts, *(f"{path.name} {_sample_digest(path)}" for path in paths))


def _sample_digest(path: Path) -> str:
    size = path.stat().st_size
    digest = hashlib.blake2b(str(size).encode(), digest_size=16)
    step = max(_SAMPLE_SIZE, (size - _SAMPLE_SIZE) // (_SAMPLES - 1))
    with path.open("rb") as file:
        for start in range(0, size, step):
            file.seek(start)
            digest.update(file.read(_SAMPLE_SIZE))
        file.seek(max(0, size - _SAMPLE_SIZE))
        digest.update(file.read())
    return digest.hexdigest()


class FileState(NamedTuple):
    """What the file system says about a file; it differs once the file is written or replaced."""

    path: str
    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> FileState:
        """Return the state of a file; the file is not read."""
        status = path.stat()
        target = str(path.resolve())
        return cls(target, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def file_states(paths: Sequence[Path]) -> tuple[FileState, ...]:
    """Return the states of several files."""
    return tuple(map(FileState.of, paths))


def check_unchanged(paths: Sequence[Path], before: Sequence[FileState], name: str) -> None:
    """Check that files are as they were, so that vectors of two versions are never mixed."""
    with suppress(OSError):  # the file is gone
        if file_states(paths) == tuple(before):
            return
    raise InputError(f"{name}: it was changed after it was opened; open it again")


def content_hash(path: Path) -> str:
    """Return a hash of the whole content of a file.

    A file of vectors may have gigabytes. So its hash is kept in memory and on disk, until the file
    system says that the file was touched.
    """
    state = FileState.of(path)
    if earlier := _hashes.get(state) or _load_hash(state):
        return earlier
    started = time.time_ns()
    with path.open("rb") as stream:
        content = hashlib.file_digest(stream, _new_digest).hexdigest()
    check_unchanged([path], [state], str(path))
    if started - max(state.modified, state.changed) > _SETTLED:
        _hashes[state] = content
        _save_hash(state, content)
    return content


def _new_digest() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=16)


def _hash_path(state: FileState) -> Path | None:
    folder = cache_folder()
    name = hashlib.blake2b(os.fsencode(state.path), digest_size=16).hexdigest()
    return folder and folder / f"{name}.hash"


def _load_hash(state: FileState) -> str | None:
    path = _hash_path(state)
    with suppress(OSError, ValueError, TypeError, msgspec.DecodeError):
        if path is None or not is_trusted(path):
            return None
        *earlier, content, checksum = decode_python_json(path.read_bytes())
        if earlier == [*state] and checksum == _checksum(state, content):
            return str(content)
    return None


def _save_hash(state: FileState, content: str) -> None:
    path = _hash_path(state)
    if path is None:
        return
    with suppress(OSError, InputError):  # a folder that cannot be written to is no error here
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as stream:
            record = [*state, content, _checksum(state, content)]
            stream.write(json.dumps(record).encode())


def _checksum(state: FileState, content: object) -> str:
    return fingerprint_of_parts("hash of a file 1", *map(str, state), str(content))
