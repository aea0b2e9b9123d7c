from __future__ import annotations

import bz2
import gzip
import os
import random
import struct
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.files import Meter
from tealeaves.text import Corpus


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zst,
}
SUFFIXES = sorted(COMPRESS)

_random = random.Random(7)
TEXTS = [f"document {number} {_random.random()}" for number in range(2_000)]
DATA = "".join(text + "\n" for text in TEXTS).encode()
PACKED = {suffix: COMPRESS[suffix](DATA) for suffix in SUFFIXES}
HALVES = {
    suffix: (COMPRESS[suffix](DATA[: len(DATA) // 2]), COMPRESS[suffix](DATA[len(DATA) // 2 :]))
    for suffix in SUFFIXES
}


def texts(path: Path, data: bytes) -> list[str]:
    path.write_bytes(data)
    return [document.text for document in Corpus.open(path)]


def texts_or_error(path: Path, data: bytes) -> list[str] | None:
    """Return the texts, or None where the error names the file."""
    try:
        return texts(path, data)
    except InputError as error:
        if str(path) not in str(error):
            raise
        return None


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", [".txt", ".jsonl", ".csv", ".tsv"])
def test_a_compressed_file_is_read_like_the_plain_one(
    tmp_path: Path, suffix: str, kind: str
) -> None:
    data = {".txt": b"one\ntwo\n", ".jsonl": b'{"text":"one"}\n{"text":"two"}\n'}
    packed = COMPRESS[suffix](data.get(kind, b"text\none\ntwo\n"))
    assert texts(tmp_path / f"a{kind}{suffix}", packed) == ["one", "two"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_ending_may_be_in_capitals_and_stand_alone(tmp_path: Path, suffix: str) -> None:
    assert texts(tmp_path / f"CORPUS{suffix.upper()}", PACKED[suffix]) == TEXTS


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_members_joined_end_to_end_are_all_read(tmp_path: Path, suffix: str) -> None:
    first, second = HALVES[suffix]
    assert texts(tmp_path / f"a.txt{suffix}", first + second) == TEXTS
    empty = COMPRESS[suffix](b"")
    assert texts(tmp_path / f"a.txt{suffix}", empty + first + empty + second + empty) == TEXTS


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_compressed_nothing_is_an_empty_corpus(tmp_path: Path, suffix: str) -> None:
    assert texts(tmp_path / f"a.txt{suffix}", COMPRESS[suffix](b"")) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(deadline=None, max_examples=40)
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_file_cut_short_anywhere_is_an_error(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, share: float
) -> None:
    packed = PACKED[suffix]
    path = tmp_path_factory.getbasetemp() / f"cut.txt{suffix}"
    assert texts_or_error(path, packed[: int(share * len(packed))]) is None


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("missing", [1, 2, 4, 8, 9, 12])
def test_a_file_that_lacks_its_last_bytes_is_an_error(
    tmp_path: Path, suffix: str, missing: int
) -> None:
    with pytest.raises(InputError, match="cut short"):
        texts(tmp_path / f"a.txt{suffix}", PACKED[suffix][:-missing])


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kept", [1, 2, 3, 5, 9, 200])
def test_a_second_member_cut_short_is_an_error(tmp_path: Path, suffix: str, kept: int) -> None:
    first, second = HALVES[suffix]
    assert texts_or_error(tmp_path / f"a.txt{suffix}", first + second[:kept]) is None


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(deadline=None, max_examples=60)
@given(share=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_damage_is_an_error_or_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, share: float, flip: int
) -> None:
    damaged = bytearray(PACKED[suffix])
    damaged[int(share * len(damaged))] ^= flip
    path = tmp_path_factory.getbasetemp() / f"damaged.txt{suffix}"
    assert texts_or_error(path, bytes(damaged)) in (None, TEXTS)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("at", [0, 1, 2, 5, 20, 100, 4000])
def test_damage_in_a_second_member_never_loses_documents_silently(
    tmp_path: Path, suffix: str, at: int
) -> None:
    first, second = HALVES[suffix]
    damaged = bytearray(second)
    damaged[at] ^= 0xFF
    found = texts_or_error(tmp_path / f"a.txt{suffix}", first + bytes(damaged))
    assert found in (None, TEXTS)


@pytest.mark.parametrize("padding", [1, 512, 100_000])
@pytest.mark.parametrize("rest", ["member", "garbage", "nothing"])
def test_zeros_that_pad_a_gzip_file_hide_nothing(tmp_path: Path, padding: int, rest: str) -> None:
    """``gzip`` passes over them too; so simple a text leaves the reader with small pieces."""
    long = "a" * 3_000_000
    end = {"member": gzip.compress(b"two\n"), "garbage": b"garbage", "nothing": b""}[rest]
    found = texts_or_error(
        tmp_path / "a.txt.gz", gzip.compress(f"{long}\n".encode()) + bytes(padding) + end
    )
    assert found == {"member": [long, "two"], "garbage": None, "nothing": [long]}[rest]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_follows_the_last_member_is_not_passed_over(tmp_path: Path, suffix: str) -> None:
    assert texts_or_error(tmp_path / f"a.txt{suffix}", PACKED[suffix] + b"one more\n") is None


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("data", [b"", b"plain text\n" * 10])
def test_a_plain_file_with_a_compressed_name_is_an_error(
    tmp_path: Path, suffix: str, data: bytes
) -> None:
    path = tmp_path / f"a.txt{suffix}"
    with pytest.raises(InputError) as caught:
        texts(path, data)
    assert str(caught.value) == f"{path}: not a {suffix} file, though its name says so: rename it"


@pytest.mark.parametrize("place", ["before", "between"])
def test_skippable_zstandard_frames_are_passed_over(tmp_path: Path, place: str) -> None:
    """``pzstd`` and the seekable format write them; RFC 8878, section 3.1.2."""
    skippable = struct.pack("<II", 0x184D2A50, 4) + b"\x01\x02\x03\x04"
    first, second = HALVES[".zst"]
    data = skippable + first + second if place == "before" else first + skippable + second
    assert texts(tmp_path / "a.txt.zst", data) == TEXTS


def test_a_missing_zstandard_package_is_an_error_that_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt.zst"
    path.write_bytes(PACKED[".zst"])
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"zstandard.*tealeaves\[zst\]") as caught:
        list(Corpus.open(path))
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("suffix", ["", *SUFFIXES])
def test_the_meter_counts_the_bytes_on_disk(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(PACKED[suffix] if suffix else DATA)
    corpus = Corpus.open(path)
    meter = Meter(corpus.size)
    assert len(list(corpus.documents(meter))) == len(TEXTS)
    assert meter.done == meter.total == path.stat().st_size


@pytest.mark.parametrize("suffix", ["", *SUFFIXES])
def test_a_long_file_is_not_held_in_memory(tmp_path: Path, suffix: str) -> None:
    part = ("word " * 20_000 + "\n").encode() * 10
    path = tmp_path / f"a.txt{suffix}"
    if suffix == ".zst":
        path.write_bytes(zst(part * 40))
    else:
        path.write_bytes(COMPRESS.get(suffix, bytes)(part) * 40)
    corpus = Corpus.open(path)
    list(corpus[:1])  # imports
    tracemalloc.start()
    try:
        assert sum(1 for _ in corpus) == 400
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * len(part) / 2


@pytest.mark.parametrize("suffix", ["", *SUFFIXES])
@pytest.mark.parametrize("by_blocks", [False, True])
def test_a_file_that_is_changed_while_it_is_read_is_an_error(
    tmp_path: Path, suffix: str, *, by_blocks: bool
) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS.get(suffix, bytes)(b"a text\n" * 20))
    corpus = Corpus.open(path)
    reading = corpus.blocks(size=8) if by_blocks else iter(corpus)
    next(reading)
    os.utime(path, ns=(0, 0))  # as writing does
    with pytest.raises(InputError, match=r"a\.txt.*: the file was changed while it was read"):
        list(reading)
    assert len(list(corpus)) == 20
