from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.text import Corpus, Fields
from tealeaves.text.readers import parse_reader


def test_columns_without_a_header_have_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text('d1\tfirst\nd2\tsecond "quoted\n')
    fields = Fields(id="1", text="2")
    found = list(Corpus.open(path, reader="tsv(header=false)", fields=fields))
    assert [(d.id, d.text, d.position) for d in found] == [
        ("d1", "first", 0), ("d2", 'second "quoted', 1),
    ]  # fmt: skip
    path.write_text('d1,"a, b"\nd2,c\n')
    found = list(Corpus.open(path, reader="csv(header=false)", fields=fields))
    assert [d.text for d in found] == ["a, b", "c"]
    blocks = list(Corpus.open(path, reader="csv(header=false)", fields=fields).blocks())
    assert [block.text(1) for block in blocks] == ["c"]


def test_ways_to_read_are_other_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("text\ttext2\na\tb\n")
    plain = Corpus.open(path)
    assert plain.identities == Corpus.open(path, reader="tsv()").identities
    whole = Corpus.open(path, reader="tsv(header=False)", fields={"text": "1"})
    assert len(list(whole)) == 2
    assert whole.identities.isdisjoint(plain.identities)
    same = Corpus.open(path, reader="tsv( header = false )", fields={"text": "1"})
    assert same.identities == whole.identities


def test_rows_of_other_lengths_and_missing_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\tb\nc\n")
    with pytest.raises(InputError, match=r"a\.tsv:2: 1 fields, but line 1 has 2"):
        list(Corpus.open(path, reader="tsv(header=false)", fields={"text": "1"}))
    with pytest.raises(InputError, match=r"no field 'text' \(fields here: 1, 2;"):
        list(Corpus.open(path, reader="tsv(header=false)"))


@pytest.mark.parametrize(
    ("reader", "message"),
    [
        ("tvs", "unknown reader tvs; did you mean tsv"),
        ("tsv(heder=false)", "tsv has no parameter heder; did you mean header"),
        ("lines(header=false)", "lines has no parameter header .it has none"),
        ("tsv(header=maybe)", "header: Expected `bool`"),
        ("tsv@3", "takes no @3"),
        ("tsv(", "expected"),
    ],
)
def test_expressions_that_are_none(tmp_path: Path, reader: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Corpus.open(tmp_path, reader=reader)


def test_what_is_known_is_given_to_readers_that_take_it() -> None:
    known = {"language": "en"}
    assert parse_reader("lines", known) == "lines"
    assert parse_reader("tmx", known) == "tmx(language=en)"
    assert parse_reader("tmx(language=sv)", known) == "tmx(language=sv)"


def test_several_labels_are_one_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "a", "label": ["art", "law"]}\n{"text": "b", "label": "art"}\n'
        '{"text": "c", "label": []}\n{"text": "d", "label": 3}\n'
    )
    assert [d.label for d in Corpus.open(path)] == ["art|law", "art", "", "3"]


def test_a_link_is_read_where_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "link": "x", "": "y"}\n')
    assert [d.link for d in Corpus.open(path)] == [""]
    assert [d.link for d in Corpus.open(path, fields=Fields(link="link"))] == ["x"]
