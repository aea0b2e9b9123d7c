"""Files of vectors under several threads, and files that are changed or replaced."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings import contents
from tealeaves.evidence.embeddings.contents import State, content_hash
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.known import KNOWN
from tealeaves.evidence.embeddings.opening import open_embeddings
from tealeaves.evidence.embeddings.sources.files import open_file
from tealeaves.evidence.embeddings.vectors import Vectors

WORDS = [f"word{number}" for number in range(600)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, on disk and in memory."""
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(contents, "_in_memory", {})
    return tmp_path / "cache" / "embeddings"


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let threads take turns very often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def written(path: Path, factor: float = 1.0) -> Path:
    """Write a file in which the vector of word 7 is 8 and 1, each times the factor."""
    rows = (f"{word} {factor * (n + 1)} {factor}\n" for n, word in enumerate(WORDS))
    path.write_text("".join(rows))
    return path


# ---------------------------------------------------------------------- threads


@pytest.mark.usefixtures("impatient")
def test_threads_that_share_a_file_lose_no_words(tmp_path: Path) -> None:
    embedder = open_file(written(tmp_path / "toy.txt"), name="toy")
    parts = [list(range(start, 600, 12)) for start in range(12)]
    begin = Barrier(6)

    def ask(part: Sequence[int]) -> Vectors:
        if part[0] < 6:
            begin.wait(10)
        return embedder.embed([WORDS[number] for number in part])

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(ask, parts))
    for part, rows in zip(parts, found, strict=True):
        np.testing.assert_array_equal(rows, [[number + 1, 1] for number in part])


@pytest.mark.usefixtures("impatient")
def test_threads_score_with_one_file(tmp_path: Path) -> None:
    path = written(tmp_path / "toy.txt")
    models = [[WORDS[n : n + 10], WORDS[n + 10 : n + 20]] for n in range(0, 120, 20)]

    def value(model: list[list[str]]) -> tuple[float, float]:
        (row,) = tealeaves.score(model, None, "isim@5", embeddings=str(path)).models
        return row.value, row.support

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(value, models))
    table = {word: [number + 1.0, 1.0] for number, word in enumerate(WORDS)}
    alone = [tealeaves.score(model, None, "isim@5", embeddings=table).models for model in models]
    expected = [(row.value, row.support) for (row,) in alone]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_threads_that_ask_the_same_words_embed_them_once() -> None:
    class Slow(Embedder):
        name, fingerprint = "slow", "abc"
        asked = 0

        def embed(self, words: Sequence[str]) -> Vectors:
            self.asked += len(words)
            time.sleep(0.05)
            return np.ones((len(words), 2), dtype=np.float32)

    slow = Slow()
    embeddings = Embeddings(slow)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(embeddings.vectors, [["cat", "dog"]] * 4))
    assert slow.asked == 2


# ---------------------------------------------------------------------- all of the content counts


def test_one_byte_anywhere_in_a_large_file_makes_another_embedding(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    content = bytearray(b"2 2\ncat 1.0 2.0\ndog 3.0 4.0\n" + b"x" * 9_000_000)
    path = tmp_path / "large.vec"
    path.write_bytes(content)
    seen = {open_file(path, name="large").fingerprint}
    for at in rng.integers(40, len(content), 5):
        content[at] ^= 1
        path.write_bytes(content)
        seen.add(open_file(path, name="large").fingerprint)
    assert len(seen) == 6


def test_the_hash_is_blake2b_of_the_content(tmp_path: Path) -> None:
    import hashlib

    path = tmp_path / "file"
    path.write_bytes(b"tea" * 1000)
    assert content_hash(path) == hashlib.blake2b(b"tea" * 1000, digest_size=16).hexdigest()


def test_a_file_that_stays_is_hashed_once(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "toy.txt")
    first = content_hash(path)
    assert not folder.exists()  # it was written just now, and may be written again unnoticed
    monkeypatch.setattr(contents, "_SETTLED", -1)
    assert content_hash(path) == first
    (kept,) = folder.iterdir()

    def fail(*_: object) -> None:
        raise AssertionError("the file was read again")

    monkeypatch.setattr("hashlib.file_digest", fail)
    assert content_hash(path) == first
    contents._in_memory.clear()
    assert content_hash(path) == first  # from disk
    for damage in (b"", b"[]", b"{}", b"\xff", b'["half'):
        contents._in_memory.clear()
        kept.write_bytes(damage)
        with pytest.raises(AssertionError, match="read again"):
            content_hash(path)


@pytest.mark.parametrize("settled", [-1, 2_000_000_000])
def test_a_hash_is_not_kept_beyond_the_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settled: int
) -> None:
    monkeypatch.setattr(contents, "_SETTLED", settled)
    path = written(tmp_path / "toy.txt")
    first, times = content_hash(path), path.stat()
    time.sleep(0.02)  # clocks of file systems are coarse
    path.write_bytes(path.read_bytes().replace(b"word7 8.0", b"word7 9.0"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_size == times.st_size
    assert content_hash(path) != first


def test_clearing_forgets_hashes_too(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tealeaves.evidence.embeddings.cache import clear_cache

    monkeypatch.setattr(contents, "_SETTLED", -1)
    open_embeddings(str(written(tmp_path / "toy.txt"))).vectors(["word7"])
    assert len(list(folder.iterdir())) == 2
    assert clear_cache()[0] == 1
    assert list(folder.iterdir()) == []


# ---------------------------------------------------------------------- files that are replaced


@pytest.mark.parametrize("known_before", [True, False])
def test_a_file_that_is_replaced_does_not_poison_what_is_kept(
    tmp_path: Path, known_before: bool
) -> None:
    path = written(tmp_path / "toy.txt")
    old = Embeddings.of(path)
    if known_before:
        old.vectors(["word1"])
    written(tmp_path / "new.txt", factor=2.0).replace(path)
    with pytest.raises(InputError, match=r"toy\.txt: it was changed after it was opened: open it"):
        old.vectors(["word7"])
    assert Embeddings.of(path).vectors(["word7"]).of(["word7"]).tolist() == [[16, 2]]
    written(path)
    assert Embeddings.of(path).vectors(["word7"]).of(["word7"]).tolist() == [[8, 1]]


def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "toy.txt")
    embeddings = Embeddings.of(path)
    kind = type(embeddings.embedder)
    scan = kind.scan  # type: ignore[attr-defined]

    def slow(*given: object) -> object:
        found = scan(*given)
        written(path, factor=2.0)
        return found

    monkeypatch.setattr(kind, "scan", slow)
    with pytest.raises(InputError, match="it was changed"):
        embeddings.vectors(["word7"])
    assert not list(folder.glob("*.sqlite"))


def test_a_file_that_is_gone_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "toy.txt")
    old = Embeddings.of(path)
    path.unlink()
    with pytest.raises(InputError, match="it was changed"):
        old.vectors(["word7"])


# ---------------------------------------------------------------------- opening by name


def test_a_name_opens_what_is_there_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, place in enumerate(("one", "other")):
        (tmp_path / place).mkdir()
        path = written(tmp_path / place / "toy.txt", factor=number + 1.0)
        os.utime(path, ns=(0, 0))  # as archives have it
    for place, expected in (("one", [8, 1]), ("other", [16, 2]), ("one", [8, 1])):
        monkeypatch.chdir(tmp_path / place)
        assert open_embeddings("toy.txt").vectors(["word7"]).of(["word7"]).tolist() == [expected]
    first = open_embeddings("toy.txt")
    assert open_embeddings("toy.txt") is first
    written(tmp_path / "new.txt", factor=3.0)
    os.utime(tmp_path / "new.txt", ns=(0, 0))
    (tmp_path / "new.txt").replace(tmp_path / "one" / "toy.txt")
    assert open_embeddings("toy.txt").vectors(["word7"]).of(["word7"]).tolist() == [[24, 3]]


def test_an_opened_file_is_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "toy.txt")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    embeddings = Embeddings.of("toy.txt")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert embeddings.vectors(["word7"]).of(["word7"]).tolist() == [[8, 1]]


def test_the_state_of_a_link_is_that_of_what_it_leads_to(tmp_path: Path) -> None:
    one, other = written(tmp_path / "one.txt"), written(tmp_path / "other.txt", factor=2.0)
    link = tmp_path / "link.txt"
    link.symlink_to(one)
    before = State.of(link)
    link.unlink()
    link.symlink_to(other)
    assert State.of(link) != before


# ---------------------------------------------------------------------- rules have versions


@pytest.mark.parametrize(
    ("rules", "modules", "names"),
    [
        ("lookup", ("vector_file", "glove", "navec"), ("file", "glove", "navec")),
        ("pieces", ("minilm", "wordllama", "use"), ("minilm", "minilm_static", "wordllama", "use")),
    ],
)
def test_other_rules_are_another_fingerprint(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rules: str,
    modules: tuple[str, ...],
    names: tuple[str, ...],
) -> None:
    sources = "tealeaves.evidence.embeddings.sources"
    path = written(tmp_path / "toy.txt")

    def fingerprints() -> list[str]:
        made = [KNOWN[n].embedder() if n in KNOWN else open_file(path, name=n) for n in names]
        return [one.fingerprint for one in made]

    before = fingerprints()
    for module in modules:
        monkeypatch.setattr(f"{sources}.{module}.VERSION", f"{rules} 2")
    after = fingerprints()
    assert len({*before, *after}) == 2 * len(names)
