"""The cache of vectors on disk, so that a word is embedded only once."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.files import user_cache
from tealeaves.system import sorted_paths

_WORDS_PER_QUERY = 500  # old versions of SQLite allow 999 parameters
_TIMEOUT = 30.0  # seconds to wait while another process writes
_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (word BLOB PRIMARY KEY, vector BLOB)"


def cache_folder() -> Path | None:
    """Return the folder of the cache; None if the user has no home and names no folder."""
    parent = user_cache()
    return parent and parent / "embeddings"


def cache_files() -> list[Path]:
    """Return the files that hold vectors."""
    return _files_like("*.sqlite*")


def cache_size() -> int:
    """Return how many bytes the vectors on disk take."""
    return _total_size(cache_files())


def clear_cache() -> tuple[int, int]:
    """Remove all vectors from disk; return the number of files and their size in bytes."""
    files = cache_files()
    size = _total_size(files)
    for path in [*files, *_files_like("*.hash")]:
        path.unlink(missing_ok=True)
    return len(files), size


def _files_like(pattern: str) -> list[Path]:
    folder = cache_folder()
    return sorted_paths(folder.glob(pattern)) if folder is not None and folder.is_dir() else []


def _total_size(paths: Iterable[Path]) -> int:
    size = 0
    for path in paths:
        with suppress(OSError):  # another process may have removed it
            size += path.stat().st_size
    return size


class VectorCache:
    """The vectors of one embedding, in an SQLite file of their own.

    A killed run leaves the words that it had finished. Several processes may share the file. A
    damaged file is removed and written again. If no file can be written, nothing is kept.

    Parameters
    ----------
    kind
        The start of the file's name, for people.
    fingerprint
        What identifies the weights: each fingerprint has a file of its own.
    folder
        The folder of the file; by default that of the user's cache.
    """

    def __init__(self, kind: str, fingerprint: str, folder: Path | None = None) -> None:
        safe_kind = re.sub(r"[^A-Za-z0-9._-]+", "-", kind)[-80:]
        digest = hashlib.blake2b(fingerprint.encode(), digest_size=16).hexdigest()
        parent = cache_folder() if folder is None else folder
        self.path = None if parent is None else parent / f"{safe_kind}-{digest}.sqlite"

    def read(self, words: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors that are in the file; an empty one if the embedding had none."""
        try:
            if self.path is None or not self.path.is_file():
                return {}
            with self._open() as database:
                return dict(_select(database, words))
        except (sqlite3.DatabaseError, OSError) as error:
            self._recover(error)
            return {}

    def write(self, vectors: Mapping[str, Vectors]) -> None:
        """Add vectors to the file: all of them, or none if the run is killed."""
        if self.path is None or not vectors:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as database, database:
                _insert(database, vectors)
        except (sqlite3.DatabaseError, OSError) as error:
            self._recover(error)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(str(self.path), timeout=_TIMEOUT)) as database:
            yield database

    def _recover(self, error: Exception) -> None:
        """Remove a damaged file. If the file cannot be used for another reason, do without it."""
        path, self.path = self.path, None
        if _is_damage(error) and path is not None:
            with suppress(OSError):
                # SQLite would apply the journal of the old file to the new one
                Path(f"{path}-journal").unlink(missing_ok=True)
                path.unlink(missing_ok=True)
                self.path = path


def _is_damage(error: Exception) -> bool:
    """Tell a file that is no cache of vectors from one that cannot be opened or written now."""
    if isinstance(error, sqlite3.OperationalError):
        # the query itself fails if the file has other tables or columns
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    return isinstance(error, sqlite3.DatabaseError)


def _select(database: sqlite3.Connection, words: Sequence[str]) -> Iterator[tuple[str, Vectors]]:
    # the file is empty if a run was killed before its first words, or is about to write them
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'vectors'").fetchone():
        return
    sizes = (0, 4 * _dimensions(database))
    for start in range(0, len(words), _WORDS_PER_QUERY):
        part = {_key(word): word for word in words[start : start + _WORDS_PER_QUERY]}
        marks = ", ".join("?" * len(part))
        query = f"SELECT word, vector FROM vectors WHERE word IN ({marks})"  # noqa: S608
        for key, vector in database.execute(query, list(part)):
            if not isinstance(vector, bytes) or len(vector) not in sizes:
                continue
            row = np.frombuffer(vector, dtype="<f4").astype(np.float32)
            if np.isfinite(row).all():
                yield part[key], row


def _insert(database: sqlite3.Connection, vectors: Mapping[str, Vectors]) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.execute(_SCHEMA)
    rows = {
        _key(word): row.astype("<f4").tobytes() if np.isfinite(row).all() else b""
        for word, row in vectors.items()
    }
    dimensions = max(map(len, rows.values())) // 4
    if dimensions and dimensions != _dimensions(database):
        database.execute("DELETE FROM vectors WHERE length(vector) > 0")
        database.execute(f"PRAGMA user_version = {dimensions}")
    database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows.items())


def _key(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _dimensions(database: sqlite3.Connection) -> int:
    """Return the length of the vectors in a file; 0 before the first one."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])
