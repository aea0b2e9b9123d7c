from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import Corpus


def lay_out(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return root


def test_a_plain_file_in_a_folder_is_a_document_labelled_by_its_folder(tmp_path: Path) -> None:
    root = lay_out(
        tmp_path, {"sport/b.txt": "ball\ngame\n", "sport/a.txt": "run", "food/de/c.md": "Brot"}
    )
    found = [(d.id, d.label, d.text, d.position) for d in Corpus.open(root)]
    assert found == [
        ("food/de/c.md", "de", "Brot", 0),
        ("sport/a.txt", "sport", "run", 1),
        ("sport/b.txt", "sport", "ball\ngame\n", 2),
    ]


def test_a_file_at_the_top_of_the_folder_has_no_label(tmp_path: Path) -> None:
    [found] = Corpus.open(lay_out(tmp_path, {"a.txt": "one"}))
    assert (found.id, found.label) == ("a.txt", "")


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    root = lay_out(
        tmp_path / ".cache" / "corpus",
        {"a/x.txt": "seen", "a/.DS_Store": "no", ".git/b/y.txt": "no", ".hidden.jsonl": "no"},
    )
    assert [d.text for d in Corpus.open(root)] == ["seen"]


def test_a_compressed_file_in_a_folder_is_unpacked(tmp_path: Path) -> None:
    lay_out(tmp_path, {"x/a.txt": "plain"})
    (tmp_path / "x" / "b.txt.gz").write_bytes(gzip.compress(b"packed"))
    found = [(d.id, d.text) for d in Corpus.open(tmp_path)]
    assert found == [("x/a.txt", "plain"), ("x/b.txt.gz", "packed")]


def test_files_of_records_in_a_folder_are_read_as_such(tmp_path: Path) -> None:
    root = lay_out(
        tmp_path,
        {
            "x/a.txt": "one\nwhole",
            "x/b.jsonl": '{"text": "two"}\n{"text": "three"}\n',
            "c.csv": "text\nfour\n",
        },
    )
    assert sorted(d.text for d in Corpus.open(root)) == ["four", "one\nwhole", "three", "two"]


def test_the_reader_lines_takes_the_files_of_a_folder_line_by_line(tmp_path: Path) -> None:
    root = lay_out(tmp_path, {"a/1.txt": "one\ntwo\n", "b/2.txt": "three"})
    assert [d.text for d in Corpus.open(root, reader="lines")] == ["one", "two", "three"]


def test_the_reader_file_takes_one_file_whole(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a.txt": "one\ntwo\n"})
    [found] = Corpus.open(tmp_path / "a.txt", reader="file")
    assert (found.text, found.id) == ("one\ntwo\n", "a.txt")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(codecs.BOM_UTF8 + b"one")
    assert [d.text for d in Corpus.open(tmp_path)] == ["one"]


@pytest.mark.parametrize(("data", "byte"), [(b"ab\ncd\xff", 5), (codecs.BOM_UTF8 + b"a\nb\xff", 6)])
def test_invalid_utf8_is_an_error_that_names_file_and_byte(
    tmp_path: Path, data: bytes, byte: int
) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(Corpus.open(tmp_path))
    assert str(caught.value).startswith(f"{tmp_path / 'a.txt'}")
    assert f"invalid UTF-8 at byte {byte} of the file" in str(caught.value)


def test_invalid_utf8_is_an_error_that_names_the_line_too(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"ab\ncd\xff")
    with pytest.raises(InputError, match=r"a\.txt:2: invalid UTF-8"):
        list(Corpus.open(tmp_path))


def test_an_empty_file_is_an_empty_document(tmp_path: Path) -> None:
    assert [d.text for d in Corpus.open(lay_out(tmp_path, {"a.txt": ""}))] == [""]
