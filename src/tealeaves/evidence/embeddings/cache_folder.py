"""The folder where vectors are kept between runs: what is in it, its limit, what is removed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.files import user_cache
from tealeaves.system import sorted_paths

#: names the limit of the folder, in megabytes
LIMIT = "TEALEAVES_EMBEDDINGS_LIMIT"
_DEFAULT_LIMIT = 2000  # megabytes: a million words and more
_MEGABYTE = 1_000_000
_VECTORS, _HASHES = "*.sqlite", "*.hash"
_COMPANIONS = ("-journal", "-wal", "-shm")  # files that SQLite puts beside its own


class CachedFile(NamedTuple):
    """A file of the folder: vectors of one embedding, or the hash of a file of the user's.

    ``size`` is in bytes; ``used`` is when vectors were last read or written, in seconds since 1970.
    """

    path: Path
    size: int
    used: float

    @property
    def holds_vectors(self) -> bool:
        """Whether these are vectors, not a hash."""
        return self.path.suffix == ".sqlite"


def cache_folder() -> Path | None:
    """Return the folder of the cache; None if the user has no home and names no folder."""
    parent = user_cache()
    return parent and parent / "embeddings"


def cache_limit() -> int:
    """Return how many bytes the folder may take: 2000 MB unless the user sets another limit."""
    text = os.environ.get(LIMIT) or str(_DEFAULT_LIMIT)
    if not text.isascii() or not text.isdigit():
        raise InputError(f"{LIMIT} is {text!r}: give a whole number of megabytes, such as 2000")
    return int(text[:15]) * _MEGABYTE


def cached_vectors() -> list[CachedFile]:
    """Return the files of vectors, the last used first."""
    return _files(cache_folder(), _VECTORS)


def clear_cache() -> list[CachedFile]:
    """Remove all vectors and hashes from disk; return the files that were removed."""
    folder = cache_folder()
    files = [*_files(folder, _VECTORS), *_files(folder, _HASHES)]
    removed = [file for file in files if remove_file(file.path)]
    for companion in _COMPANIONS:  # of files that are gone
        for file in _files(folder, f"*.sqlite{companion}"):
            remove_file(file.path)
    return removed


def evict(folder: Path, limit: int, used: Collection[Path]) -> None:
    """Remove the vectors that were not used for longest until the folder keeps its limit.

    Those at the paths ``used`` stay, and so do those that another process works with.
    """
    files = _files(folder, _VECTORS)
    excess = sum(file.size for file in files) - limit
    while excess > 0 and files:
        oldest = files.pop()
        if oldest.path not in used and _remove_unlocked(oldest.path):
            excess -= oldest.size


def remove_file(path: Path) -> bool:
    """Remove a file of the cache; tell whether it is gone."""
    # first what SQLite would apply to a new file of the same name
    for file in (*_companions(path), path):
        with suppress(OSError):  # on Windows it may be open
            file.unlink(missing_ok=True)
    return not path.exists()


def _remove_unlocked(path: Path) -> bool:
    """Remove a file of vectors that nobody reads or writes at the moment."""
    address = f"{path.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=0)) as database:
            database.execute("BEGIN EXCLUSIVE")
            if remove_file(path):
                return True
    except sqlite3.OperationalError:
        return False  # it is in use, or gone
    except (sqlite3.Error, UnicodeDecodeError):
        pass  # it is damaged
    return remove_file(path)  # Windows removes closed files only


def _files(folder: Path | None, pattern: str) -> list[CachedFile]:
    """Return files and their sizes, the last used first."""
    if folder is None or not folder.is_dir():
        return []
    files = []
    for path in sorted_paths(folder.glob(pattern)):
        with suppress(OSError):  # another process may have removed it
            state = path.stat()
            size = state.st_size + sum(map(_size, _companions(path)))
            files.append(CachedFile(path, size, state.st_mtime))
    return sorted(files, key=lambda file: -file.used)


def _companions(path: Path) -> list[Path]:
    return [Path(f"{path}{companion}") for companion in _COMPANIONS]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
