"""The files of a corpus: what a user names, what identifies it, and nothing twice."""

from __future__ import annotations

import bz2
import gc
import gzip
import io
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError
from tealeaves.text import Corpus, Fields
from tealeaves.text.files import SourceFile, SourceFolder
from tests.systems import needs_named_pipes

Feed = Callable[[bytes], None]
MIB = 1 << 20


class _Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Feed:
    """Put bytes on standard input."""
    return lambda data: monkeypatch.setattr(sys, "stdin", _Stdin(data))


def texts(*paths: str | Path, reader: str | None = None) -> list[str]:
    return [document.text for document in Corpus.open(*paths, reader=reader)]


def identity(path: Path) -> str:
    [source] = Corpus.open(path).files
    return source.identity


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "no.txt"
    with pytest.raises(InputError) as caught:
        Corpus.open(path)
    assert str(caught.value) == f"{path}: no such file or folder"


def test_a_pattern_takes_its_matches_in_sorted_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.txt", "d.log"):
        (tmp_path / name).write_text(name)
    assert texts(str(tmp_path / "*.txt")) == ["a.txt", "b.txt", "c.txt"]
    assert texts(str(tmp_path / "[bd].*")) == ["b.txt", "d.log"]


def test_a_pattern_may_lead_through_folders(tmp_path: Path) -> None:
    for name in ("x/b.txt", "x/y/a.txt", "c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert sorted(texts(str(tmp_path / "**" / "*.txt"))) == ["c.txt", "x/b.txt", "x/y/a.txt"]


@pytest.mark.parametrize("pattern", ["**", "**/*"])
def test_a_pattern_that_matches_folders_and_their_files_reads_them_once(
    tmp_path: Path, pattern: str
) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    (tmp_path / "x" / "y" / "a.txt").write_text("once")
    assert texts(str(tmp_path / pattern)) == ["once"]


def test_a_pattern_without_a_match_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\*\.nothing: no file matches this pattern"):
        Corpus.open(str(tmp_path / "*.nothing"))


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "a[1].txt").write_text("one")
    (tmp_path / "a1.txt").write_text("other")
    assert texts(str(tmp_path / "a[1].txt")) == ["one"]


def test_the_home_folder_may_be_written_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "a.txt").write_text("one")
    assert texts("~/a.txt") == ["one"]
    assert texts("~/*.txt") == ["one"]


@pytest.mark.parametrize("hidden", [False, True])
def test_a_folder_without_files_is_an_error_that_names_it(tmp_path: Path, hidden: bool) -> None:
    if hidden:
        (tmp_path / ".gitkeep").touch()
    with pytest.raises(InputError, match="no") as caught:
        Corpus.open(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_several_paths_are_read_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.jsonl").write_text('{"text": "two"}\n')
    assert texts(tmp_path / "b.jsonl", tmp_path / "a.txt") == ["two", "one"]


def test_an_explicit_reader_goes_before_the_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text('{"text": "one"}\n')
    (tmp_path / "b.csv").write_text("text\none\n")
    assert texts(tmp_path / "a.txt", reader="jsonl") == ["one"]
    assert texts(tmp_path / "b.csv", reader="lines") == ["text", "one"]
    assert texts(tmp_path / "b.csv", reader="file") == ["text\none\n"]


def test_an_unknown_reader_is_an_error_with_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unknown reader json; did you mean jsonl\? .*parquet"):
        Corpus.open(tmp_path, reader="json")


def test_standard_input_is_read_line_by_line_and_again(feed: Feed) -> None:
    feed(b"one\n\ntwo")
    corpus = Corpus.open("-")
    assert [d.text for d in corpus] == ["one", "", "two"]
    assert [d.text for d in corpus] == ["one", "", "two"]
    assert {d.source for d in corpus} == {corpus.files[0].identity}


@pytest.mark.parametrize("start", [b"", b" \n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_standard_input_of_json_objects_is_recognised(
    feed: Feed, start: bytes, pack: Callable[[bytes], bytes]
) -> None:
    feed(pack(start + b'{"text": "one"}\n{"text": "two"}\n'))
    assert texts("-") == ["one", "two"]


def test_standard_input_that_is_compressed_is_unpacked(feed: Feed) -> None:
    feed(gzip.compress(b"one\ntwo\n"))
    assert texts("-") == ["one", "two"]


def test_standard_input_takes_an_explicit_reader(feed: Feed) -> None:
    feed(b"text,id\none,1\n")
    assert texts("-", reader="csv") == ["one"]
    feed(b'{"text": "one"}\n')
    assert texts("-", reader="lines") == ['{"text": "one"}']


def test_empty_standard_input_has_no_documents(feed: Feed) -> None:
    feed(b"")
    assert texts("-") == []


def test_errors_of_standard_input_name_it(feed: Feed) -> None:
    feed(b'{"text": "one"}\n{"text"}\n')
    with pytest.raises(InputError, match=r"^<stdin>:2: not a JSON object"):
        texts("-")
    feed(gzip.compress(b"one\ntwo\n")[:-3])
    with pytest.raises(InputError, match=r"^<stdin>: the \.gz file is cut short"):
        texts("-")


def test_the_copy_of_standard_input_is_deleted_with_the_corpus(feed: Feed) -> None:
    feed(b"one\n")
    corpus = Corpus.open("-")
    [source] = corpus.files
    assert isinstance(source, SourceFile)
    copy = source.path
    assert copy.exists()
    part = corpus[:1]
    del corpus, source
    gc.collect()
    assert [d.text for d in part] == ["one"], "a part keeps it"
    del part
    gc.collect()
    assert not copy.exists()


def test_standard_input_has_the_identity_of_its_content(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\n")
    feed(b"one\n")
    assert Corpus.open("-").files[0].identity == identity(tmp_path / "a.txt")


@pytest.mark.parametrize("size", [0, 10, 4 * MIB, 4 * MIB + 1, 6 * MIB])
def test_identity_is_of_the_content_and_not_of_the_name(tmp_path: Path, size: int) -> None:
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    (tmp_path / "a.txt").write_bytes(data)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.log").write_bytes(data)
    assert identity(tmp_path / "a.txt") == identity(tmp_path / "other" / "b.log")


def _in_a_sample(size: int) -> int:
    """A place well inside the 31st of the 64 samples of a large file."""
    return 30 * (size - 64 * 1024) // 63 + 32 * 1024 if size > 4 * MIB else size // 2


@pytest.mark.parametrize("size", [10, 4 * MIB, 4 * MIB + 1, 6 * MIB])
@pytest.mark.parametrize("change", ["first", "last", "in a sample", "longer", "shorter"])
def test_changed_content_has_another_identity(tmp_path: Path, size: int, change: str) -> None:
    data = bytearray(b"abcdefgh" * (size // 8) + b"x" * (size % 8))
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    before = identity(path)
    if change == "longer":
        data += b"z"
    elif change == "shorter":
        del data[-1]
    else:
        data[{"first": 0, "last": -1, "in a sample": _in_a_sample(size)}[change]] ^= 0xFF
    path.write_bytes(data)
    assert identity(path) != before


def test_every_byte_of_a_small_file_matters(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    data = b"some text"
    identities = set()
    for at in range(len(data)):
        path.write_bytes(data[:at] + b"#" + data[at + 1 :])
        identities.add(identity(path))
    assert len(identities) == len(data)


def test_a_folder_keeps_its_identity_when_it_moves(tmp_path: Path) -> None:
    for root in ("one", "two"):
        (tmp_path / root / "x").mkdir(parents=True)
        (tmp_path / root / "x" / "a.txt").write_text("text")
    assert identity(tmp_path / "one") == identity(tmp_path / "two")
    [source] = Corpus.open(tmp_path / "one").files
    assert isinstance(source, SourceFolder)
    assert source.size == 4


@pytest.mark.parametrize("change", ["length", "name", "one more"])
def test_a_changed_folder_has_another_identity(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("text")
    before = identity(tmp_path)
    if change == "length":
        path.write_text("longer text")
    elif change == "name":
        path.rename(tmp_path / "b.txt")
    else:
        (tmp_path / "b.txt").write_text("")
    assert identity(tmp_path) != before


# ---------------------------------------------------------------------- once and only once


@needs_named_pipes
def test_a_pipe_is_read_whole(tmp_path: Path) -> None:
    """A reader that opened it twice would lose what the first reading had buffered."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = "".join(f"line {number} of a long text\n" for number in range(100_000))
    writer = threading.Thread(target=lambda: pipe.write_text(lines))
    writer.start()
    corpus = Corpus.open(pipe)
    writer.join()
    assert sum(1 for _ in corpus) == sum(1 for _ in corpus) == 100_000


@pytest.mark.parametrize("again", ["a.txt", "../x/a.txt", "*.txt", "."])
def test_a_file_named_twice_is_an_error(tmp_path: Path, again: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.txt").write_text("one")
    with pytest.raises(InputError, match="counted twice"):
        Corpus.open(tmp_path / "x" / "a.txt", str(tmp_path / "x" / again))


def test_a_folder_and_one_inside_it_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.txt").write_text("one")
    with pytest.raises(InputError, match="counted twice"):
        Corpus.open(tmp_path, tmp_path / "inner")


def test_a_file_beside_its_compressed_copy_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one"))
    with pytest.raises(InputError, match="counted twice"):
        Corpus.open(tmp_path / "a.txt", tmp_path / "a.txt.gz")


def test_different_ways_to_read_a_file_are_different_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"title": "one", "text": "two"}')
    ways = [
        Corpus.open(path),
        Corpus.open(path, fields=Fields(text="title")),
        Corpus.open(path, reader="lines"),
        Corpus.open(path, reader="file"),
    ]
    assert len({source for corpus in ways for source in corpus.identities}) == 4


def test_folders_of_the_same_names_and_sizes_are_told_apart(tmp_path: Path) -> None:
    for name, text in (("d1", "cat dog"), ("d2", "cow dog"), ("d3", "cat dog")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text(text)
    one, two, three = (Corpus.open(tmp_path / f"d{n}").identities for n in (1, 2, 3))
    assert one != two
    assert one == three


def test_a_folder_that_may_not_be_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "locked").mkdir()
    listed = os.scandir

    def scandir(path: Any) -> Any:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PermissionError):
        Corpus.open(tmp_path)


def test_json_lines_are_recognised_without_a_suffix(tmp_path: Path) -> None:
    (tmp_path / "records").write_text('{"text": "one"}\n')
    (tmp_path / "plain").write_text("one\n")
    assert texts(tmp_path / "records") == texts(tmp_path / "plain") == ["one"]
