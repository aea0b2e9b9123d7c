"""Vectors that are kept on disk, so that a word is embedded once."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np

from tealeaves.evidence.embeddings.vectors import Vectors
from tealeaves.files import user_cache

_AT_ONCE = 500  # words in one question: SQLite allows 999 in old versions
_PATIENCE = 30.0  # seconds to wait for another process that writes
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (word BLOB PRIMARY KEY, vector BLOB)"


class VectorCache:
    """The vectors of one embedding, in an SQLite file of their own.

    A killed run leaves the words it was done with, and several processes may share the file. It
    can always be made again: one that is damaged is, and where no file can be, nothing is kept.

    Parameters
    ----------
    kind
        What the file is called, for people.
    fingerprint
        What identifies the weights; with ``kind``, it tells the files apart.
    folder
        Where the file is; by default where the user keeps such files.
    """

    def __init__(self, kind: str, fingerprint: str, folder: Path | None = None) -> None:
        safe = re.sub(r"[^A-Za-z0-9._-]+", "-", kind)[-80:]
        weights = hashlib.blake2b(fingerprint.encode(), digest_size=16).hexdigest()
        place = cache_folder() if folder is None else folder
        self.path = None if place is None else place / f"{safe}-{weights}.sqlite"

    def read(self, words: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors that are there; an empty one where the embedding had none to give."""
        try:
            if self.path is None or not self.path.is_file():
                return {}
            with self._open() as database:
                return dict(_read(database, words))
        except (sqlite3.DatabaseError, OSError) as error:
            self._give_up(error)
            return {}

    def write(self, vectors: Mapping[str, Vectors]) -> None:
        """Keep vectors; all of them, or none if the run is killed."""
        if self.path is None or not vectors:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as database, database:
                _write(database, vectors)
        except (sqlite3.DatabaseError, OSError) as error:
            self._give_up(error)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(str(self.path), timeout=_PATIENCE)) as database:
            yield database

    def _give_up(self, error: Exception) -> None:
        """Remove a file that is damaged; keep nothing where nothing can be kept."""
        path, self.path = self.path, None
        if _is_damage(error) and path is not None:
            with suppress(OSError):
                # the journal of a file that is gone would be played into the next one
                Path(f"{path}-journal").unlink(missing_ok=True)
                path.unlink(missing_ok=True)
                self.path = path


def cache_folder() -> Path | None:
    """Return where vectors are kept."""
    place = user_cache()
    return place and place / "embeddings"


def _is_damage(error: Exception) -> bool:
    """Tell a file that is no table of vectors from one that cannot be opened or written now."""
    if isinstance(error, sqlite3.OperationalError):
        # what the question itself fails by: other tables or columns than ours
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    return isinstance(error, sqlite3.DatabaseError)


def _key(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _dimensions(database: sqlite3.Connection) -> int:
    """Return how many numbers a vector of the file has; 0 before the first."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _read(database: sqlite3.Connection, words: Sequence[str]) -> Iterator[tuple[str, Vectors]]:
    # a run that was killed before its first words, or is about to write them, leaves an empty file
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'vectors'").fetchone():
        return
    sizes = (0, 4 * _dimensions(database))
    for start in range(0, len(words), _AT_ONCE):
        part = {_key(word): word for word in words[start : start + _AT_ONCE]}
        marks = ", ".join("?" * len(part))
        question = f"SELECT word, vector FROM vectors WHERE word IN ({marks})"  # noqa: S608
        for key, vector in database.execute(question, list(part)):
            if not isinstance(vector, bytes) or len(vector) not in sizes:
                continue
            row = np.frombuffer(vector, dtype="<f4").astype(np.float32)
            if np.isfinite(row).all():
                yield part[key], row


def _write(database: sqlite3.Connection, vectors: Mapping[str, Vectors]) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.execute(_TABLE)
    rows = {_key(word): _bytes(row) for word, row in vectors.items()}
    size = max(map(len, rows.values())) // 4
    if size and size != _dimensions(database):
        database.execute("DELETE FROM vectors WHERE length(vector) > 0")
        database.execute(f"PRAGMA user_version = {size}")
    database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows.items())


def _bytes(row: Vectors) -> bytes:
    return row.astype("<f4").tobytes() if np.isfinite(row).all() else b""


def cache_files() -> list[Path]:
    """Return the files in which vectors are kept."""
    return _files("*.sqlite*")


def _files(pattern: str) -> list[Path]:
    folder = cache_folder()
    return sorted(folder.glob(pattern)) if folder is not None and folder.is_dir() else []


def size_of(paths: Iterable[Path]) -> int:
    """Return how large files are, of which some may be gone by now."""
    size = 0
    for path in paths:
        with suppress(OSError):
            size += path.stat().st_size
    return size


def clear_cache() -> tuple[int, int]:
    """Remove all vectors that are kept; return how many files these were, and their size."""
    files = cache_files()
    size = size_of(files)
    for path in [*files, *_files("*.hash")]:
        path.unlink(missing_ok=True)
    return len(files), size
