"""Words are embedded once: vectors stay in memory and on disk."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.embeddings.cache import VectorCache, cache_folder
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.vectors import Vectors


class Counting(Embedder):
    """The lengths of words and of their vowels; words with q have no vector."""

    name = "counting"
    batch = 3

    def __init__(self, fingerprint: str = "abc") -> None:
        self._fingerprint = fingerprint
        self.asked: list[list[str]] = []

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def embed(self, words: Sequence[str]) -> Vectors:
        self.asked.append(list(words))
        rows = [
            [np.nan] * 2 if "q" in word else [len(word), 1 + sum(c in "aeiou" for c in word)]
            for word in words
        ]
        return np.array(rows, dtype=np.float32)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path))
    return tmp_path / "embeddings"


def test_words_are_embedded_once_and_in_batches() -> None:
    embedder = Counting()
    embeddings = Embeddings(embedder)
    found = embeddings.vectors(["tea", "leaf", "tea", "cup", "pot"])
    assert embedder.asked == [["tea", "leaf", "cup"], ["pot"]]
    np.testing.assert_array_equal(found.of(["pot", "tea"]), [[3, 2], [3, 3]])
    embeddings.vectors(["pot", "milk"])
    assert embedder.asked[2:] == [["milk"]]


def test_a_later_run_finds_them_on_disk() -> None:
    first = Embeddings(Counting()).vectors(["tea", "leaf", "cup", "qq"])
    embedder = Counting()
    again = Embeddings(embedder).vectors(["cup", "qq", "tea"])
    assert embedder.asked == []
    np.testing.assert_array_equal(again.of(["tea", "cup"]), first.of(["tea", "cup"]))
    assert again.unknown == ("qq",)  # that there is no vector is kept too
    assert again.signature(["tea"]) == first.signature(["tea"]) == "counting:abc"


def test_other_weights_are_other_files(folder: Path) -> None:
    Embeddings(Counting("a" * 32 + "1")).vectors(["tea"])
    other = Counting("a" * 32 + "2")
    Embeddings(other).vectors(["tea"])
    assert other.asked == [["tea"]]
    Embeddings(Counting("../../v/1")).vectors(["tea"])
    assert len(list(folder.glob("*.sqlite"))) == 3


def test_nothing_is_written_where_nothing_shall_be(folder: Path) -> None:
    Embeddings(Counting(), cache=False).vectors(["tea"])
    Embeddings(Counting("")).vectors(["tea"])
    assert not folder.exists()


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


def _only_file(folder: Path) -> Path:
    (path,) = folder.glob("*.sqlite")
    return path


@pytest.mark.parametrize(
    "damage", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 999]
)
def test_a_damaged_file_is_made_again(folder: Path, damage: bytes) -> None:
    Embeddings(Counting()).vectors(["tea", "leaf"])
    path = _only_file(folder)
    path.write_bytes(damage)
    journal = Path(f"{path}-journal")
    journal.write_bytes(b"of the file that was damaged")
    assert VectorCache("Counting", "abc").read(["tea"]) == {}
    assert list(folder.iterdir()) == []  # the journal would be played into the next file
    embedder = Counting()
    found = Embeddings(embedder).vectors(["tea", "leaf"])
    assert embedder.asked == [["tea", "leaf"]]
    assert not found.unknown
    later = Counting()
    Embeddings(later).vectors(["tea", "leaf"])
    assert later.asked == []


def test_damage_in_the_middle_of_a_file_is_noticed(folder: Path) -> None:
    words = [f"word{number}" for number in range(2000)]
    embedder = Counting()
    embedder.batch = 2000
    Embeddings(embedder).vectors(words)
    path = _only_file(folder)
    content = bytearray(path.read_bytes())
    content[5000 : len(content) - 5000] = b"\xee" * (len(content) - 10_000)
    path.write_bytes(content)
    found = Embeddings(Counting()).vectors(words[:50])
    np.testing.assert_array_equal(found.of(words[:50]), Counting().embed(words[:50]))


def test_a_file_without_its_table_is_filled(folder: Path) -> None:
    """A process that was killed before its first words leaves an empty file."""
    cache = VectorCache("Counting", "abc")
    folder.mkdir()
    assert cache.path is not None
    cache.path.touch()
    Embeddings(Counting()).vectors(["tea"])
    later = Counting()
    Embeddings(later).vectors(["tea"])
    assert later.asked == []


def test_a_vector_that_is_no_vector_is_made_again(folder: Path) -> None:
    Embeddings(Counting()).vectors(["tea", "leaf"])
    with sqlite3.connect(_only_file(folder)) as database:
        database.execute("UPDATE vectors SET vector = 'abc' WHERE word = ?", (b"tea",))
        database.execute("UPDATE vectors SET vector = ? WHERE word = ?", (b"abcde", b"leaf"))
    database.close()
    embedder = Counting()
    Embeddings(embedder).vectors(["tea", "leaf"])
    assert embedder.asked == [["tea", "leaf"]]


@pytest.mark.parametrize(
    "wrong", [[1.0], [1.0, 2.0, 3.0], [np.nan, 1.0], [np.inf, 1.0], [1.0, 2.0, 3.0, 4.0]]
)
def test_a_vector_that_cannot_be_of_this_embedding_is_made_again(
    folder: Path, wrong: list[float]
) -> None:
    """Of another length, or not finite."""
    Embeddings(Counting()).vectors(["tea", "leaf", "cup"])
    with sqlite3.connect(_only_file(folder)) as database:
        damage = np.array(wrong, dtype="<f4").tobytes()
        database.execute("UPDATE vectors SET vector = ? WHERE word = ?", (damage, b"tea"))
    database.close()
    embedder = Counting()
    found = Embeddings(embedder).vectors(["tea", "leaf", "cup", "pot"])
    assert embedder.asked == [["tea", "pot"]]
    np.testing.assert_array_equal(found.of(["tea"]), [[3, 3]])
    later = Counting()
    Embeddings(later).vectors(["tea", "leaf", "cup", "pot"])
    assert later.asked == []


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE vectors (other TEXT)",
        "CREATE TABLE vectors (word BLOB PRIMARY KEY, vector BLOB, more BLOB)",
        "CREATE VIEW vectors AS SELECT x'746561' AS word, x'00' AS vector",
    ],
)
def test_a_file_with_other_tables_is_made_again(folder: Path, schema: str) -> None:
    Embeddings(Counting()).vectors(["tea"])
    path = _only_file(folder)
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute(schema)
    database.close()
    for _ in range(2):  # a table that lacks nothing to be read is noticed when it is written
        assert not Embeddings(Counting()).vectors(["tea", "leaf"]).unknown
    later = Counting()
    Embeddings(later).vectors(["tea", "leaf"])
    assert later.asked == []


def test_a_wrong_number_of_dimensions_is_mended(folder: Path) -> None:
    Embeddings(Counting()).vectors(["tea", "qq"])
    with sqlite3.connect(_only_file(folder)) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()
    embedder = Counting()
    Embeddings(embedder).vectors(["tea", "qq"])
    assert embedder.asked == [["tea"]]
    later = Counting()
    Embeddings(later).vectors(["tea", "qq"])
    assert later.asked == []


def test_words_without_vectors_come_first(folder: Path) -> None:
    """Before the first vector it is not known how long one is."""
    Embeddings(Counting()).vectors(["q"])
    Embeddings(Counting()).vectors(["tea"])
    later = Counting()
    assert Embeddings(later).vectors(["q", "tea"]).unknown == ("q",)
    assert later.asked == []


def test_files_may_vanish_while_they_are_looked_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tealeaves.evidence.embeddings import cache

    Embeddings(Counting()).vectors(["tea"])
    size = _only_file(folder).stat().st_size
    there = [_only_file(folder), folder / "gone.sqlite"]
    assert cache.size_of(there) == size
    monkeypatch.setattr(cache, "cache_files", lambda: there)
    assert cache.clear_cache() == (2, size)
    assert list(folder.iterdir()) == []


def test_it_works_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "file"))
    embedder = Counting()
    found = Embeddings(embedder).vectors(["tea", "leaf", "cup", "pot"])
    assert not found.unknown
    assert len(embedder.asked) == 2


def test_it_works_where_nothing_may_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> bool:
        raise PermissionError

    monkeypatch.setattr(Path, "is_file", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    assert not Embeddings(Counting()).vectors(["tea"]).unknown


def test_a_file_that_is_read_only_still_serves(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Embeddings(Counting()).vectors(["tea"])
    connect = sqlite3.connect

    def read_only(path: str, **options: float) -> sqlite3.Connection:
        return connect(f"file:{path}?mode=ro", uri=True, timeout=options["timeout"])

    monkeypatch.setattr(sqlite3, "connect", read_only)
    embedder = Counting()
    assert not Embeddings(embedder).vectors(["tea", "leaf"]).unknown
    assert embedder.asked == [["leaf"]]
    assert _only_file(folder).exists()


@given(st.dictionaries(st.text(max_size=5), st.none() | st.floats(-9, 9, width=32), max_size=9))
def test_what_is_written_is_read(vectors: dict[str, float | None]) -> None:
    import tempfile

    rows = {
        word: np.array([np.nan if x is None else x, 1], dtype=np.float32)
        for word, x in vectors.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        VectorCache("any", "f", Path(folder)).write(rows)
        found = VectorCache("any", "f", Path(folder)).read([*rows, "another word"])
    assert found.keys() == rows.keys()
    for word, row in rows.items():
        np.testing.assert_array_equal(found[word], row[:0] if np.isnan(row).any() else row)


def test_odd_words_and_very_many_are_kept() -> None:
    words = ["\ud800", "a\0b", "", "' OR 1=1 --", *(f"w{number}" for number in range(1700))]
    embedder = Counting()
    embedder.batch = 5000
    first = Embeddings(embedder).vectors(words)
    later = Counting()
    again = Embeddings(later).vectors(words)
    assert later.asked == []
    np.testing.assert_array_equal(first.matrix, again.matrix)


_SLOW = """
import sys, time
import numpy as np
from tealeaves.evidence.embeddings.embedder import Embedder
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
        process.communicate(timeout=60)
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
    process.send_signal(signal.SIGKILL)
    begun += process.communicate(timeout=60)[0].count("batch\n")
    kept = _kept([f"word{number}" for number in range(20 * begun + 20)])
    assert len(kept) in (20 * (begun - 1), 20 * begun)  # whole batches
    assert set(kept) == {f"word{number}" for number in range(len(kept))}

    class Slow(Counting):
        pass

    embedder = Slow()
    Embeddings(embedder).vectors([*kept, "more"])
    assert embedder.asked == [["more"]]  # the file can be read and written


def test_ragged_vectors_are_an_error() -> None:
    class Ragged(Counting):
        def embed(self, words: Sequence[str]) -> Vectors:
            return np.ones((len(words), len(words)), dtype=np.float32)

    with pytest.raises(InputError, match="counting: vectors of 1 and of 3 numbers"):
        Embeddings(Ragged("")).vectors(["a", "b", "c", "d"])


@pytest.mark.parametrize("shape", [(2,), (3, 4), (2, 2, 2), ()])
def test_rows_must_be_one_for_each_word(shape: tuple[int, ...]) -> None:
    class Wrong(Counting):
        def embed(self, words: Sequence[str]) -> Vectors:
            return np.ones(shape, dtype=np.float32)

    with pytest.raises(InputError, match="counting: 2 words gave an array"):
        Embeddings(Wrong("")).vectors(["a", "b"])


def test_rows_without_a_direction_are_no_vectors() -> None:
    class Odd(Counting):
        def embed(self, words: Sequence[str]) -> Vectors:
            self.asked.append(list(words))
            return np.array([[0, 0], [np.inf, 1], [1, 0]], dtype=np.float32)

    assert Embeddings(Odd()).vectors(["a", "b", "c"]).unknown == ("a", "b")
    later = Odd()
    assert Embeddings(later).vectors(["a", "b", "c"]).unknown == ("a", "b")
    assert later.asked == []  # from disk


def test_many_unknown_words_are_a_warning() -> None:
    embedder = Counting()
    embedder.languages = "Elvish"
    embeddings = Embeddings(embedder)
    with pytest.warns(
        TealeavesWarning, match=r"counting has no vector for 2 of 5 words \(q1, q2\);.*Elvish"
    ) as caught:
        embeddings.vectors(["q1", "q2", "tea", "leaf", "cup"])
    assert caught[0].filename == __file__
    with pytest.warns(TealeavesWarning, match=r"6 of 6 words \(q0, q1, q2, q3, q4 …\)"):
        embeddings.vectors([f"q{number}" for number in range(6)])
    embeddings.vectors(["q1", "tea", "leaf", "cup", "pot", "q2"])  # a third is not many
    embeddings.vectors(["q1", "q2", "q3", "tea"])  # of four, no share is taken


def test_further_words_are_not_counted_for_the_warning() -> None:
    found = Embeddings(Counting()).vectors(["tea", "leaf", "cup"], further=["q1", "q2", "tea"])
    assert found.unknown == ("q1", "q2")


def test_the_warning_points_at_the_line_that_asked_for_scores() -> None:
    topics = [["tea", "leaf", "q1", "q2"], ["cup", "pot", "q3", "q4"]]
    with pytest.warns(TealeavesWarning, match="no vector for 4 of 8") as caught:
        tealeaves.score(topics, None, "isim@4", embeddings=Embeddings(Counting()))
    assert {warning.filename for warning in caught} == {__file__}


def test_vectors_without_a_fingerprint_are_named_by_themselves() -> None:
    words = ["tea", "leaf"]
    one = Embeddings(Counting("")).vectors(words).signature(words)
    same = Embeddings(Counting("")).vectors(["cup", "leaf", "tea"]).signature(words)
    less = Embeddings(Counting("")).vectors(words).signature(["tea"])
    assert one == same
    assert len({one, less, "counting:"}) == 3

    class Other(Counting):
        def embed(self, words: Sequence[str]) -> Vectors:
            return super().embed(words) * np.float32(1.0001)

    assert Embeddings(Other("")).vectors(words).signature(words) != one


def test_no_words_at_all() -> None:
    embedder = Counting()
    found = Embeddings(embedder).vectors([])
    assert embedder.asked == []
    assert found.unknown == ()
    assert len(found.matrix) == 0


@pytest.mark.parametrize(
    "words", ["cat", b"cat", [1], [None, "cat"], [b"cat"], [("cat", "dog")], [["cat", "dog"]]]
)
def test_what_is_no_list_of_words_is_refused(words: Any) -> None:
    for ask in ({"words": words}, {"words": [], "further": words}):
        with pytest.raises(InputError, match=r"^vectors are for .*, not for a "):
            Embeddings(Counting()).vectors(**ask)


@pytest.mark.parametrize("package", ["polars", "pandas"])
def test_a_frame_is_no_list_of_words_but_a_column_is(package: str) -> None:
    frames = pytest.importorskip(package)
    frame = frames.DataFrame({"word": ["tea", "leaf"]})
    with pytest.raises(InputError, match="a list of words, not for a DataFrame"):
        Embeddings(Counting()).vectors(frame)
    assert not Embeddings(Counting()).vectors(frame["word"]).unknown
