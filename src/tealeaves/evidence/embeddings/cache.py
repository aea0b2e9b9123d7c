"""The cache of vectors on disk, so that a word is embedded only once."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.evidence.embeddings.cache_folder import (
    cache_folder,
    cache_limit,
    evict,
    remove_file,
)
from tealeaves.system import is_trusted

_WORDS_PER_QUERY = 500  # old versions of SQLite allow 999 parameters
_TIMEOUT = 30.0  # seconds to wait while another process writes
_LONGEST = 1 << 26  # bytes of a row: damage may claim more, which would be allocated
_HEADER, _WRITE_VERSION, _LAST_VERSION = 100, 18, b"\2"  # of the file format
_TABLE = "checked_vectors"
_OLD_TABLE = "vectors"  # of an earlier version, without checksums
_SCHEMA = f"CREATE TABLE IF NOT EXISTS {_TABLE} (word BLOB PRIMARY KEY, vector BLOB, checksum BLOB)"

# a message about damage may quote names that are no text any more
_ERRORS = (sqlite3.Error, UnicodeDecodeError, OSError)

_open_caches: WeakValueDictionary[int, VectorCache] = WeakValueDictionary()


class VectorCache:
    """The vectors of one embedding, in an SQLite file of their own.

    Each row has a checksum, and one that does not fit is embedded again. So damage never changes a
    number. A killed run leaves the words that it had finished. Several processes and threads may
    share the file. One that SQLite cannot read is removed and written again. If no file can be
    written, or if others may write to it, nothing is kept.

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
        digest = hashlib.blake2b(fingerprint.encode(), digest_size=16)
        parent = cache_folder() if folder is None else folder
        self._limit = cache_limit()
        self.path: Path | None = None
        if parent is not None and self._limit:
            self.path = parent / f"{safe_kind}-{digest.hexdigest()}.sqlite"
        self._key = digest.digest()  # rows of another embedding do not fit
        _open_caches[id(self)] = self

    def read(self, words: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors that are in the file; an empty one if the embedding had none."""
        try:
            if self.path is None or not self.path.is_file() or not self._is_ours():
                return {}
            with suppress(OSError):  # it is the last one to be removed now
                os.utime(self.path)
            with self._open() as database:
                return dict(self._select(database, words))
        except _ERRORS as error:
            self._recover(error)
            return {}

    def write(self, vectors: Mapping[str, Vectors]) -> None:
        """Add vectors to the file: all of them, or none if the run is killed."""
        if self.path is None or not vectors:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._is_ours():
                return
            with self._open() as database, database:
                self._insert(database, vectors)
            evict(self.path.parent, self._limit, _paths_in_use())
        except _ERRORS as error:
            self._recover(error)

    def _is_ours(self) -> bool:
        """Whether nobody else can have written what the file holds, or will; it may be missing."""
        path = self.path
        return path is not None and (not os.path.lexists(path) or is_trusted(path))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(str(self.path), timeout=_TIMEOUT)) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            database.text_factory = bytes  # damage may turn bytes into text, which is not decoded
            yield database

    def _recover(self, error: Exception) -> None:
        """Remove a damaged file. If the file cannot be used for another reason, do without it."""
        path, self.path = self.path, None
        if path is not None and _is_damage(error, path) and remove_file(path):
            self.path = path

    def _select(
        self, database: sqlite3.Connection, words: Sequence[str]
    ) -> Iterator[tuple[str, Vectors]]:
        # the file is empty if a run was killed before its first words, or is about to write them
        exists = f"SELECT 1 FROM sqlite_master WHERE name = '{_TABLE}'"  # noqa: S608
        if not database.execute(exists).fetchone():
            return
        sizes = (0, 4 * _dimensions(database))
        for start in range(0, len(words), _WORDS_PER_QUERY):
            part = {_key(word): word for word in words[start : start + _WORDS_PER_QUERY]}
            marks = ", ".join("?" * len(part))
            query = f"SELECT word, vector, checksum FROM {_TABLE} WHERE word IN ({marks})"  # noqa: S608
            for key, vector, checksum in database.execute(query, list(part)):
                is_row = isinstance(key, bytes) and isinstance(vector, bytes) and key in part
                if is_row and len(vector) in sizes and checksum == self._checksum(key, vector):
                    yield part[key], np.frombuffer(vector, dtype="<f4").astype(np.float32)

    def _insert(self, database: sqlite3.Connection, vectors: Mapping[str, Vectors]) -> None:
        database.execute("BEGIN IMMEDIATE")
        database.execute(f"DROP TABLE IF EXISTS {_OLD_TABLE}")
        database.execute(_SCHEMA)
        rows = {
            _key(word): row.astype("<f4").tobytes() if np.isfinite(row).all() else b""
            for word, row in vectors.items()
        }
        dimensions = max(map(len, rows.values())) // 4
        if dimensions and dimensions != _dimensions(database):
            database.execute(f"DELETE FROM {_TABLE} WHERE length(vector) > 0")  # noqa: S608
            database.execute(f"PRAGMA user_version = {dimensions}")
        database.executemany(
            f"INSERT OR REPLACE INTO {_TABLE} VALUES (?, ?, ?)",  # noqa: S608
            [(key, vector, self._checksum(key, vector)) for key, vector in rows.items()],
        )

    def _checksum(self, key: bytes, vector: bytes) -> bytes:
        digest = hashlib.blake2b(len(key).to_bytes(8, "little"), key=self._key, digest_size=8)
        digest.update(key)
        digest.update(vector)
        return digest.digest()


def _paths_in_use() -> set[Path]:
    caches = (reference() for reference in _open_caches.valuerefs())  # a copy, for other threads
    return {cache.path for cache in caches if cache is not None and cache.path is not None}


def _is_damage(error: Exception, path: Path) -> bool:
    """Tell a file that is no cache of vectors from one that cannot be opened or written now."""
    if not isinstance(error, sqlite3.OperationalError):
        return not isinstance(error, OSError)
    code = getattr(error, "sqlite_errorcode", None)
    # the query itself fails if the file has other tables or columns
    return code == sqlite3.SQLITE_ERROR or (
        code == sqlite3.SQLITE_READONLY and _is_of_the_future(path)
    )


def _is_of_the_future(path: Path) -> bool:
    """Tell whether the header names a version to write that does not exist: SQLite only reads."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
    return header[_WRITE_VERSION:][:1] > _LAST_VERSION


def _key(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _dimensions(database: sqlite3.Connection) -> int:
    """Return the length of the vectors in a file; 0 before the first one."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])
