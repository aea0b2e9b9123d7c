"""Fingerprints: all bytes of a file count, and rules have versions."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings import fingerprints
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS
from tealeaves.evidence.embeddings.choice import open_embeddings
from tealeaves.evidence.embeddings.embeddings import Embeddings
from tealeaves.evidence.embeddings.fingerprints import FileState, content_hash
from tealeaves.evidence.embeddings.sources.vector_files import open_file
from tests.systems import needs_links

WORDS = [f"word{number}" for number in range(600)]


@pytest.fixture(autouse=True)
def cache_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, on disk and in memory."""
    monkeypatch.setenv("TEALEAVES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(fingerprints, "_hashes", {})
    return tmp_path / "cache" / "embeddings"


def write_vectors(path: Path, factor: float = 1.0) -> Path:
    """Write a file in which the vector of word 7 is 8 and 1, each times the factor."""
    rows = (f"{word} {factor * (n + 1)} {factor}\n" for n, word in enumerate(WORDS))
    path.write_text("".join(rows))
    return path


def test_fingerprints_of_files_follow_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    seen = set()
    for content in (b"", b"a", b"b", b"a" * 99_999, b"a" * 99_998 + b"b", b"b" + b"a" * 99_998):
        path.write_bytes(content)
        seen.add(fingerprints.fingerprint_of_files([path]))
        assert fingerprints.fingerprint_of_files([path]) in seen
    assert len(seen) == 6
    assert fingerprints.fingerprint_of_files([path], "another way") not in seen


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


def test_an_unchanged_file_is_hashed_once(
    tmp_path: Path, cache_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_vectors(tmp_path / "toy.txt")
    first = content_hash(path)
    assert not cache_path.exists()  # it is so new that it could change unnoticed
    monkeypatch.setattr(fingerprints, "_SETTLED", -1)
    assert content_hash(path) == first
    (kept,) = cache_path.iterdir()

    def fail(*_: object) -> None:
        raise AssertionError("the file was read again")

    monkeypatch.setattr("hashlib.file_digest", fail)
    assert content_hash(path) == first
    fingerprints._hashes.clear()
    assert content_hash(path) == first  # from disk
    for damage in (b"", b"[]", b"{}", b"\xff", b'["half'):
        fingerprints._hashes.clear()
        kept.write_bytes(damage)
        with pytest.raises(AssertionError, match="read again"):
            content_hash(path)


@pytest.mark.parametrize("settled", [-1, 2_000_000_000])
def test_a_changed_file_is_hashed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settled: int
) -> None:
    monkeypatch.setattr(fingerprints, "_SETTLED", settled)
    path = write_vectors(tmp_path / "toy.txt")
    first, times = content_hash(path), path.stat()
    changed = path.read_bytes().replace(b"word7 8.0", b"word7 9.0")
    while path.stat().st_ctime_ns == times.st_ctime_ns:  # clocks of file systems are coarse
        path.write_bytes(changed)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_size == times.st_size
    assert content_hash(path) != first


def test_flipped_bits_in_a_kept_hash_never_change_it(
    tmp_path: Path, cache_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprints, "_SETTLED", -1)
    path = write_vectors(tmp_path / "toy.txt")
    right = content_hash(path)
    [kept] = cache_path.iterdir()
    stored = kept.read_bytes()
    for bit in range(8 * len(stored)):
        damaged = bytearray(stored)
        damaged[bit // 8] ^= 1 << bit % 8
        kept.write_bytes(damaged)
        assert fingerprints._load_hash(FileState.of(path)) in (None, right)
    kept.write_bytes(stored.replace(right.encode(), right[::-1].encode()))
    assert fingerprints._load_hash(FileState.of(path)) is None


def test_clearing_the_cache_removes_hashes_too(
    tmp_path: Path, cache_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tealeaves.evidence.embeddings.cache_folder import clear_cache

    monkeypatch.setattr(fingerprints, "_SETTLED", -1)
    open_embeddings(str(write_vectors(tmp_path / "toy.txt"))).vectors(["word7"])
    assert len(list(cache_path.iterdir())) == 2
    assert [file.holds_vectors for file in clear_cache()] == [True, False]
    assert list(cache_path.iterdir()) == []


@needs_links
def test_the_state_of_a_link_is_that_of_its_target(tmp_path: Path) -> None:
    one, other = (
        write_vectors(tmp_path / "one.txt"),
        write_vectors(tmp_path / "other.txt", factor=2.0),
    )
    link = tmp_path / "link.txt"
    link.symlink_to(one)
    before = FileState.of(link)
    link.unlink()
    link.symlink_to(other)
    assert FileState.of(link) != before


@pytest.mark.parametrize(
    ("rules", "modules", "names"),
    [
        ("LOOKUP_RULES", ("vector_files", "packages"), ("file", "glove", "navec")),
        ("PIECE_RULES", ("packages",), ("minilm", "minilm_static", "wordllama", "use")),
    ],
)
def test_other_rules_give_another_fingerprint(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rules: str,
    modules: tuple[str, ...],
    names: tuple[str, ...],
) -> None:
    sources = "tealeaves.evidence.embeddings.sources"
    path = write_vectors(tmp_path / "toy.txt")

    def fingerprints() -> list[str]:
        made = [
            NAMED_EMBEDDINGS[n].embedder() if n in NAMED_EMBEDDINGS else open_file(path, name=n)
            for n in names
        ]
        return [one.fingerprint for one in made]

    before = fingerprints()
    for module in modules:
        monkeypatch.setattr(f"{sources}.{module}.{rules}", "rules 2")
    after = fingerprints()
    assert len({*before, *after}) == 2 * len(names)


# ---------------------------------------------------------------------- files that are replaced


@pytest.mark.parametrize("known_before", [True, False])
def test_vectors_of_a_replaced_file_are_not_mixed_with_new_ones(
    tmp_path: Path, known_before: bool
) -> None:
    path = write_vectors(tmp_path / "toy.txt")
    old = Embeddings.of(path)
    if known_before:
        old.vectors(["word1"])
    write_vectors(tmp_path / "new.txt", factor=2.0).replace(path)
    with pytest.raises(InputError, match=r"toy\.txt: it was changed after it was opened; open it"):
        old.vectors(["word7"])
    assert Embeddings.of(path).vectors(["word7"]).of(["word7"]).tolist() == [[16, 2]]
    write_vectors(path)
    assert Embeddings.of(path).vectors(["word7"]).of(["word7"]).tolist() == [[8, 1]]


def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, cache_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_vectors(tmp_path / "toy.txt")
    embeddings = Embeddings.of(path)
    kind = type(embeddings.embedder)
    scan = kind.scan  # type: ignore[attr-defined]

    def slow(*given: object) -> object:
        vectors = scan(*given)
        write_vectors(path, factor=2.0)
        return vectors

    monkeypatch.setattr(kind, "scan", slow)
    with pytest.raises(InputError, match="it was changed"):
        embeddings.vectors(["word7"])
    assert not list(cache_path.glob("*.sqlite"))


def test_a_file_that_is_gone_is_refused(tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "toy.txt")
    old = Embeddings.of(path)
    path.unlink()
    with pytest.raises(InputError, match="it was changed"):
        old.vectors(["word7"])
