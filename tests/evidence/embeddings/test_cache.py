"""The cache of vectors on disk: damaged files, several processes, killed runs."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.arrays import Vectors
from tealeaves.evidence.embeddings.cache import VectorCache
from tealeaves.evidence.embeddings.cache_folder import cache_folder
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tests.systems import needs_links

from .embedders import LengthsAndVowels


@pytest.fixture(autouse=True)
def cache_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    return tmp_path / "embeddings"


def test_each_fingerprint_has_its_own_file(cache_path: Path) -> None:
    Embeddings(LengthsAndVowels("a" * 32 + "1")).vectors(["tea"])
    other = LengthsAndVowels("a" * 32 + "2")
    Embeddings(other).vectors(["tea"])
    assert other.embedded == [["tea"]]
    Embeddings(LengthsAndVowels("../../v/1")).vectors(["tea"])
    assert len(list(cache_path.glob("*.sqlite"))) == 3


def test_the_folder_is_the_user_s_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == tmp_path / "embeddings"
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setenv("TEALEAVES_CACHE", "~/kept")
    assert cache_folder() == Path("/home/someone/kept/embeddings")
    monkeypatch.delenv("TEALEAVES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/tealeaves/embeddings")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path("/home/someone/.cache/tealeaves/embeddings")


def _only_file(cache_path: Path) -> Path:
    (path,) = cache_path.glob("*.sqlite")
    return path


@pytest.mark.parametrize(
    "damage", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 999]
)
def test_a_damaged_file_is_made_again(cache_path: Path, damage: bytes) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea", "leaf"])
    path = _only_file(cache_path)
    path.write_bytes(damage)
    journal = Path(f"{path}-journal")
    journal.write_bytes(b"of the file that was damaged")
    assert VectorCache("LengthsAndVowels", "abc").read(["tea"]) == {}
    assert list(cache_path.iterdir()) == []  # the journal would be played into the next file
    embedder = LengthsAndVowels()
    vectors = Embeddings(embedder).vectors(["tea", "leaf"])
    assert embedder.embedded == [["tea", "leaf"]]
    assert not vectors.unknown
    later = LengthsAndVowels()
    Embeddings(later).vectors(["tea", "leaf"])
    assert later.embedded == []


def test_damage_in_the_middle_of_a_file_is_noticed(cache_path: Path) -> None:
    words = [f"word{number}" for number in range(2000)]
    embedder = LengthsAndVowels()
    embedder.batch = 2000
    Embeddings(embedder).vectors(words)
    path = _only_file(cache_path)
    content = bytearray(path.read_bytes())
    content[5000 : len(content) - 5000] = b"\xee" * (len(content) - 10_000)
    path.write_bytes(content)
    vectors = Embeddings(LengthsAndVowels()).vectors(words[:50])
    np.testing.assert_array_equal(vectors.of(words[:50]), LengthsAndVowels().embed(words[:50]))


def test_an_empty_file_is_filled(cache_path: Path) -> None:
    """A process that was killed before its first words leaves an empty file."""
    cache = VectorCache("LengthsAndVowels", "abc")
    cache_path.mkdir()
    assert cache.path is not None
    cache.path.touch()
    Embeddings(LengthsAndVowels()).vectors(["tea"])
    later = LengthsAndVowels()
    Embeddings(later).vectors(["tea"])
    assert later.embedded == []


def test_a_damaged_vector_is_embedded_again(cache_path: Path) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea", "leaf"])
    with sqlite3.connect(_only_file(cache_path)) as database:
        database.execute("UPDATE checked_vectors SET vector = 'abc' WHERE word = ?", (b"tea",))
        database.execute(
            "UPDATE checked_vectors SET vector = ? WHERE word = ?", (b"abcde", b"leaf")
        )
    database.close()
    embedder = LengthsAndVowels()
    Embeddings(embedder).vectors(["tea", "leaf"])
    assert embedder.embedded == [["tea", "leaf"]]


@pytest.mark.parametrize(
    "wrong", [[1.0], [1.0, 2.0, 3.0], [np.nan, 1.0], [np.inf, 1.0], [1.0, 2.0, 3.0, 4.0]]
)
def test_a_vector_of_wrong_length_or_not_finite_is_embedded_again(
    cache_path: Path, wrong: list[float]
) -> None:
    """Of another length, or not finite."""
    Embeddings(LengthsAndVowels()).vectors(["tea", "leaf", "cup"])
    with sqlite3.connect(_only_file(cache_path)) as database:
        damage = np.array(wrong, dtype="<f4").tobytes()
        database.execute("UPDATE checked_vectors SET vector = ? WHERE word = ?", (damage, b"tea"))
    database.close()
    embedder = LengthsAndVowels()
    vectors = Embeddings(embedder).vectors(["tea", "leaf", "cup", "pot"])
    assert embedder.embedded == [["tea", "pot"]]
    np.testing.assert_array_equal(vectors.of(["tea"]), [[3, 3]])
    later = LengthsAndVowels()
    Embeddings(later).vectors(["tea", "leaf", "cup", "pot"])
    assert later.embedded == []


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE checked_vectors (other TEXT)",
        "CREATE TABLE checked_vectors (word BLOB PRIMARY KEY, vector BLOB)",
        "CREATE TABLE checked_vectors (word BLOB PRIMARY KEY, vector BLOB, checksum BLOB, x BLOB)",
        "CREATE VIEW checked_vectors AS SELECT x'746561' AS word, x'00' AS vector, 1 AS checksum",
        "CREATE VIEW vectors AS SELECT x'746561' AS word, x'00' AS vector",
    ],
)
def test_a_file_with_other_tables_is_made_again(cache_path: Path, schema: str) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea"])
    path = _only_file(cache_path)
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute(schema)
    database.close()
    for _ in range(2):  # a table that lacks nothing to be read is noticed when it is written
        assert not Embeddings(LengthsAndVowels()).vectors(["tea", "leaf"]).unknown
    later = LengthsAndVowels()
    Embeddings(later).vectors(["tea", "leaf"])
    assert later.embedded == []


class RandomVectors(LengthsAndVowels):
    """Rows of 16 numbers that follow from the word."""

    batch = 100

    def embed(self, words: Sequence[str]) -> Vectors:
        self.embedded.append(list(words))
        return np.array([random_row(word) for word in words], dtype=np.float32)


def random_row(word: str) -> Vectors:
    return np.random.default_rng([*word.encode()]).normal(size=16).astype(np.float32)


def test_flipped_bits_never_change_a_number(cache_path: Path) -> None:
    """One bit in each byte of the header, and bits all over the file."""
    words = [f"word{number}" for number in range(80)]
    right = np.array([random_row(word) for word in words], dtype=np.float64)
    Embeddings(RandomVectors()).vectors(words)
    path = _only_file(cache_path)
    content = path.read_bytes()
    rng = np.random.default_rng(1)
    places = [*range(100), *rng.integers(100, len(content), 200).tolist()]
    lost = 0
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        for _ in range(3):
            embedder = RandomVectors()
            vectors = Embeddings(embedder).vectors(words)
            np.testing.assert_array_equal(vectors.of(words), right)
            lost += bool(embedder.embedded)
        assert embedder.embedded == []  # the file was repaired, or made again
        for left in cache_path.iterdir():
            left.unlink()
    assert lost > 50


def test_each_bit_of_a_row_is_checked(cache_path: Path) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea", "leaf"])
    path = _only_file(cache_path)
    query = "SELECT word, vector, checksum FROM checked_vectors WHERE word = ?"
    with sqlite3.connect(path) as database:
        row = database.execute(query, (b"leaf",)).fetchone()
        for column, value in enumerate(row):
            for bit in range(8 * len(value)):
                damaged = bytearray(value)
                damaged[bit // 8] ^= 1 << bit % 8
                changed = [*row[:column], bytes(damaged), *row[column + 1 :]]
                database.execute("DELETE FROM checked_vectors")
                database.execute("INSERT INTO checked_vectors VALUES (?, ?, ?)", changed)
                database.commit()
                words = ["leaf", changed[0].decode("utf-8", "replace")]
                assert VectorCache("LengthsAndVowels", "abc").read(words) == {}
    database.close()


def test_rows_of_other_words_and_of_other_embeddings_do_not_fit(cache_path: Path) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea", "leaf"])
    with sqlite3.connect(_only_file(cache_path)) as database:
        [(vector, checksum)] = database.execute(
            "SELECT vector, checksum FROM checked_vectors WHERE word = ?", (b"tea",)
        )
        update = "UPDATE checked_vectors SET vector = ?, checksum = ? WHERE word = ?"
        database.execute(update, (vector, checksum, b"leaf"))
    database.close()
    cache = VectorCache("LengthsAndVowels", "abc")
    assert cache.read(["tea", "leaf"]).keys() == {"tea"}
    other = VectorCache("LengthsAndVowels", "other")
    assert cache.path is not None
    assert other.path is not None
    cache.path.rename(other.path)
    assert other.read(["tea", "leaf"]) == {}


def test_vectors_of_an_earlier_version_without_checksums_are_replaced(cache_path: Path) -> None:
    cache = VectorCache("LengthsAndVowels", "abc")
    cache_path.mkdir()
    assert cache.path is not None
    wrong = np.array([9, 9], dtype="<f4").tobytes()
    with sqlite3.connect(cache.path) as database:
        database.execute("CREATE TABLE vectors (word BLOB PRIMARY KEY, vector BLOB)")
        database.execute("INSERT INTO vectors VALUES (?, ?)", (b"tea", wrong))
        database.execute("PRAGMA user_version = 2")
    database.close()
    vectors = Embeddings(LengthsAndVowels()).vectors(["tea"])
    np.testing.assert_array_equal(vectors.of(["tea"]), [[3, 3]])
    with sqlite3.connect(cache.path) as database:
        assert database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall() == [("checked_vectors",)]
    database.close()
    later = LengthsAndVowels()
    Embeddings(later).vectors(["tea"])
    assert later.embedded == []


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no such rights")
def test_files_that_others_can_write_are_not_used(cache_path: Path, tmp_path: Path) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea"])
    path = _only_file(cache_path)
    path.chmod(0o666)
    before = path.read_bytes()
    embedder = LengthsAndVowels()
    assert not Embeddings(embedder).vectors(["tea"]).unknown
    assert embedder.embedded == [["tea"]]
    assert path.read_bytes() == before


@needs_links
def test_links_in_the_folder_are_not_followed(cache_path: Path, tmp_path: Path) -> None:
    cache = VectorCache("LengthsAndVowels", "abc")
    cache_path.mkdir()
    target = tmp_path / "notes.txt"
    target.write_text("not ours")
    assert cache.path is not None
    cache.path.symlink_to(target)
    assert not Embeddings(LengthsAndVowels()).vectors(["tea"]).unknown
    assert target.read_text() == "not ours"


def test_a_wrong_number_of_dimensions_is_repaired(cache_path: Path) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea", "qq"])
    with sqlite3.connect(_only_file(cache_path)) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()
    embedder = LengthsAndVowels()
    Embeddings(embedder).vectors(["tea", "qq"])
    assert embedder.embedded == [["tea"]]
    later = LengthsAndVowels()
    Embeddings(later).vectors(["tea", "qq"])
    assert later.embedded == []


def test_words_without_vectors_may_be_written_first(cache_path: Path) -> None:
    """Before the first vector it is not known how long one is."""
    Embeddings(LengthsAndVowels()).vectors(["q"])
    Embeddings(LengthsAndVowels()).vectors(["tea"])
    later = LengthsAndVowels()
    assert Embeddings(later).vectors(["q", "tea"]).unknown == ("q",)
    assert later.embedded == []


def test_vectors_are_computed_if_the_cache_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "file"))
    embedder = LengthsAndVowels()
    vectors = Embeddings(embedder).vectors(["tea", "leaf", "cup", "pot"])
    assert not vectors.unknown
    assert len(embedder.embedded) == 2


def test_vectors_are_computed_if_the_cache_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> bool:
        raise PermissionError

    monkeypatch.setattr(Path, "is_file", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    assert not Embeddings(LengthsAndVowels()).vectors(["tea"]).unknown


def test_a_read_only_file_is_still_read(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Embeddings(LengthsAndVowels()).vectors(["tea"])
    connect = sqlite3.connect

    def read_only(path: str, **options: float) -> sqlite3.Connection:
        return connect(f"file:{path}?mode=ro", uri=True, timeout=options["timeout"])

    monkeypatch.setattr(sqlite3, "connect", read_only)
    embedder = LengthsAndVowels()
    assert not Embeddings(embedder).vectors(["tea", "leaf"]).unknown
    assert embedder.embedded == [["leaf"]]
    assert _only_file(cache_path).exists()


@given(st.dictionaries(st.text(max_size=5), st.none() | st.floats(-9, 9, width=32), max_size=9))
def test_what_is_written_is_read(vectors: dict[str, float | None]) -> None:
    import tempfile

    rows = {
        word: np.array([np.nan if x is None else x, 1], dtype=np.float32)
        for word, x in vectors.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        VectorCache("any", "f", Path(folder)).write(rows)
        result = VectorCache("any", "f", Path(folder)).read([*rows, "another word"])
    assert result.keys() == rows.keys()
    for word, row in rows.items():
        np.testing.assert_array_equal(result[word], row[:0] if np.isnan(row).any() else row)


def test_odd_words_and_very_many_words_are_kept() -> None:
    words = ["\ud800", "a\0b", "", "' OR 1=1 --", *(f"w{number}" for number in range(1700))]
    embedder = LengthsAndVowels()
    embedder.batch = 5000
    first = Embeddings(embedder).vectors(words)
    later = LengthsAndVowels()
    again = Embeddings(later).vectors(words)
    assert later.embedded == []
    np.testing.assert_array_equal(first.matrix, again.matrix)


_SLOW = """
import sys, time
import numpy as np
from tealeaves.evidence.embeddings.embeddings import Embedder
from tealeaves.evidence.embeddings.embeddings import Embeddings

class Slow(Embedder):
    name, batch, fingerprint = "slow", 20, "abc"
    def embed(self, words):
        print("batch", flush=True)
        time.sleep(float(sys.argv[3]))
        return np.array([[len(word), 1.0] for word in words])

first, last = int(sys.argv[1]), int(sys.argv[2])
Embeddings(Slow()).vectors([f"word{number}" for number in range(first, last)])
"""


def _start(first: int, last: int, pause: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _SLOW, str(first), str(last), str(pause)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))


def _kept(words: Sequence[str]) -> dict[str, Vectors]:
    return VectorCache("Slow", "abc").read(words)


def test_two_processes_write_at_once() -> None:
    both = [_start(0, 600, 0), _start(300, 900, 0)]
    for process in both:
        process.communicate(timeout=600)
        assert process.returncode == 0
    kept = _kept([f"word{number}" for number in range(900)])
    assert len(kept) == 900
    for word, row in kept.items():
        np.testing.assert_array_equal(row, [len(word), 1])


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_run_loses_one_batch_at_most(seed: int) -> None:
    rng = np.random.default_rng(seed)
    process = _start(0, 100_000, 0.001)
    assert process.stdout is not None
    begun = 0
    for _ in range(int(rng.integers(2, 40))):
        begun += process.stdout.readline() == "batch\n"
    time.sleep(rng.uniform(0, 0.01))
    process.kill()
    begun += process.communicate(timeout=600)[0].count("batch\n")
    kept = _kept([f"word{number}" for number in range(20 * begun + 20)])
    assert len(kept) in (20 * (begun - 1), 20 * begun)  # whole batches
    assert set(kept) == {f"word{number}" for number in range(len(kept))}

    class Slow(LengthsAndVowels):
        pass

    embedder = Slow()
    Embeddings(embedder).vectors([*kept, "more"])
    assert embedder.embedded == [["more"]]  # the file can be read and written


def test_threads_share_a_file(cache_path: Path) -> None:
    """Each has a cache of its own, and all read what others write."""
    words = [f"word{number}" for number in range(300)]

    def embed(seed: int) -> bool:
        mine = np.random.default_rng(seed).permutation(words)[:200].tolist()
        vectors = Embeddings(RandomVectors()).vectors(mine)
        right = np.array([random_row(word) for word in mine], dtype=np.float64)
        return bool((vectors.of(mine) == right).all())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(embed, range(24)))
    kept = VectorCache("RandomVectors", "abc").read(words)
    assert kept.keys() == set(words)
    assert all((row == random_row(word)).all() for word, row in kept.items())
