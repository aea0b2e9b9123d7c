"""What files hold: a hash of every byte, computed once as long as a file stays as it is."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.cache import cache_folder
from tealeaves.files import atomic_write

# A clock may stand still for so long: a file that was written just now could be written again
# without any trace.
_SETTLED = 2_000_000_000  # nanoseconds
_in_memory: dict[State, str] = {}


class State(NamedTuple):
    """What a file system says of a file, which is other after it was written or replaced."""

    path: str
    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> State:
        """Look at a file; it is not read."""
        found = path.stat()
        where = str(path.resolve())
        return cls(where, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def states_of(paths: Sequence[Path]) -> tuple[State, ...]:
    """Look at several files."""
    return tuple(map(State.of, paths))


def check_unchanged(paths: Sequence[Path], before: Sequence[State], name: str) -> None:
    """Make sure that files are still as they were: vectors of two must not be mixed."""
    try:
        if states_of(paths) == tuple(before):
            return
    except OSError:  # it is gone
        pass
    raise InputError(f"{name}: it was changed after it was opened: open it again")


def content_hash(path: Path) -> str:
    """Return a hash of all that a file holds.

    A file of vectors has gigabytes, so the hash is kept, in memory and on disk, as long as the file
    system does not say that the file was touched.
    """
    state = State.of(path)
    if known := _in_memory.get(state) or _read(state):
        return known
    started = time.time_ns()
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, _digest).hexdigest()
    check_unchanged([path], [state], str(path))
    if started - max(state.modified, state.changed) > _SETTLED:
        _in_memory[state] = found
        _write(state, found)
    return found


def _digest() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=16)


def _place(state: State) -> Path | None:
    folder = cache_folder()
    name = hashlib.blake2b(os.fsencode(state.path), digest_size=16).hexdigest()
    return folder and folder / f"{name}.hash"


def _read(state: State) -> str | None:
    place = _place(state)
    with suppress(OSError, ValueError, TypeError):
        *known, found = json.loads(place.read_bytes()) if place else [None]
        if known == [*state] and isinstance(found, str) and len(found) == 2 * _digest().digest_size:
            return found
    return None


def _write(state: State, found: str) -> None:
    """Keep a hash; where nothing can be written, nothing is."""
    place = _place(state)
    if place is None:
        return
    with suppress(OSError, InputError):
        place.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(place) as stream:
            stream.write(json.dumps([*state, found]).encode())
