"""The folder of vectors: its limit, what is removed first, what is never removed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings import cached_vectors, clear_cache
from tealeaves.evidence.embeddings.cache import VectorCache
from tealeaves.evidence.embeddings.cache_folder import LIMIT, cache_limit, evict
from tealeaves.evidence.embeddings.embeddings import Embeddings

from .embedders import LengthsAndVowels


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    monkeypatch.delenv(LIMIT, raising=False)
    return tmp_path / "embeddings"


def written(name: str, used: int, *, rows: int = 100) -> Path:
    """Write vectors of some 50 kB, which were last used at that time."""
    cache = VectorCache(name, "abc")
    cache.write({f"word{number}": np.full(100, 1.0, np.float32) for number in range(rows)})
    assert cache.path is not None
    os.utime(cache.path, (used, used))
    return cache.path


def names() -> list[str]:
    return [file.path.name.partition("-")[0] for file in cached_vectors()]


def test_files_are_listed_by_their_last_use(folder: Path) -> None:
    assert cached_vectors() == []
    paths = [written(name, used) for name, used in (("a", 2000), ("b", 3000), ("c", 1000))]
    assert names() == ["b", "a", "c"]
    assert [file.used for file in cached_vectors()] == [3000, 2000, 1000]
    assert [file.size for file in cached_vectors()] == [paths[n].stat().st_size for n in (1, 0, 2)]
    VectorCache("c", "abc").read(["word1"])
    assert names() == ["c", "b", "a"]


def test_a_file_counts_with_its_journal(folder: Path) -> None:
    path = written("a", 1000)
    Path(f"{path}-journal").write_bytes(b"x" * 77)
    assert cached_vectors()[0].size == path.stat().st_size + 77


@pytest.mark.parametrize(
    ("kept", "left"), [(4, "dacb"), (3.5, "dac"), (2, "da"), (1.5, "d"), (0, "")]
)
def test_what_was_not_used_for_longest_goes_first(folder: Path, kept: float, left: str) -> None:
    paths = [written(n, u) for n, u in (("a", 3000), ("b", 1000), ("c", 2000), ("d", 4000))]
    evict(folder, int(kept * paths[0].stat().st_size), ())
    assert "".join(names()) == left


def test_the_limit_is_kept_when_vectors_are_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIMIT, "1")
    for number in range(5):
        written(f"old{number}", 1000 + number, rows=700)  # 0.4 MB each
    assert names() == ["old4", "old3"]
    before = written("large", 500, rows=3000)  # which is larger than the limit, and in use
    assert names() == ["large"]
    assert before.stat().st_size > 1_000_000


def test_files_in_use_stay(folder: Path) -> None:
    oldest = VectorCache("a", "abc")  # this process may use it again
    written("a", 1000)
    written("b", 2000)
    locked = written("c", 3000)
    with sqlite3.connect(locked) as database:
        database.execute("BEGIN IMMEDIATE")  # as if another process wrote
        assert oldest.path is not None
        evict(folder, 0, {oldest.path})
        assert set(names()) == {"a", "c"}
        database.rollback()
    database.close()
    evict(folder, 0, {oldest.path})
    assert names() == ["a"]


def test_damaged_files_and_journals_are_removed_too(folder: Path) -> None:
    path = written("a", 1000)
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 999)
    Path(f"{path}-journal").write_bytes(b"of a killed run")
    evict(folder, 0, ())
    assert list(folder.iterdir()) == []


def test_files_may_vanish_while_the_folder_is_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("a", 1000)
    glob = Path.glob
    monkeypatch.setattr(
        Path, "glob", lambda self, pattern: [*glob(self, pattern), self / "gone.sqlite"]
    )
    assert names() == ["a"]
    assert len(clear_cache()) == 1


def test_clearing_removes_vectors_hashes_and_journals(folder: Path) -> None:
    paths = [written("a", 1000), written("b", 2000)]
    sizes = {path: path.stat().st_size for path in paths}
    (folder / "x.hash").write_bytes(b"123")
    for left in ("gone.sqlite-journal", "gone.sqlite-wal", "gone.sqlite-shm"):
        (folder / left).write_bytes(b"left")
    (folder / "notes.txt").write_bytes(b"of the user")
    removed = clear_cache()
    assert {file.path: file.size for file in removed} == {**sizes, folder / "x.hash": 3}
    assert [file.holds_vectors for file in removed] == [True, True, False]
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert clear_cache() == []


def test_the_limit_is_the_user_s(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_limit() == 2_000_000_000
    monkeypatch.setenv(LIMIT, "")
    assert cache_limit() == 2_000_000_000
    monkeypatch.setenv(LIMIT, "50")
    assert cache_limit() == 50_000_000
    for wrong in ("many", "-1", "1.5", "٣", "2GB"):
        monkeypatch.setenv(LIMIT, wrong)
        with pytest.raises(InputError, match=f"{LIMIT} is .*: give a whole number of megabytes"):
            Embeddings(LengthsAndVowels()).vectors(["tea"])


def test_with_a_limit_of_zero_nothing_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIMIT, "0")
    assert not Embeddings(LengthsAndVowels()).vectors(["tea"]).unknown
    assert not folder.exists()


_ONE_OF_MANY = """
import sys
import numpy as np
from tealeaves.evidence.embeddings import cache
from tealeaves.evidence.embeddings.embeddings import Embedder, Embeddings

cache.cache_limit = lambda: 60_000  # about one file

class Mine(Embedder):
    name, batch = "mine", 20
    fingerprint = sys.argv[1]
    def embed(self, words):
        return np.array([[len(word) + int(sys.argv[1])] * 50 for word in words])

for run in range(6):
    words = [f"word{number}" for number in range(40 * run, 40 * run + 100)]
    vectors = Embeddings(Mine()).vectors(words)
    right = [[len(word) + int(sys.argv[1])] * 50 for word in words]
    assert vectors.of(words).tolist() == right
"""


def test_processes_that_remove_each_other_s_files_have_right_numbers(folder: Path) -> None:
    command = [sys.executable, "-c", _ONE_OF_MANY]
    runs = [subprocess.Popen([*command, str(n % 3)], env=dict(os.environ)) for n in range(4)]
    assert [run.wait(timeout=600) for run in runs] == [0] * 4
    for number in range(3):
        kept = VectorCache("Mine", str(number)).read([f"word{n}" for n in range(300)])
        assert all(row.tolist() == [len(word) + number] * 50 for word, row in kept.items())
