"""Blocks hold the texts they were made of, and read the same documents as the readers do."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.files import Meter
from tealeaves.text import Corpus, Document, Fields, blocks
from tealeaves.text.blocks import (
    PADDING,
    DocumentRun,
    LineChunk,
    TextBlock,
    find_bytes,
    make_blocks,
    read_chunks,
)
from tealeaves.text.files import SourceFile

TEXTS = st.lists(st.text(st.characters(exclude_categories=()), max_size=6), max_size=12)


def texts_of(block: TextBlock) -> list[str]:
    return [block.text(number) for number in range(block.count)]


def documents_of(block: TextBlock) -> list[tuple[str, int, str]]:
    places = [
        (source, position + number)
        for source, position, count in block.runs
        for number in range(count)
    ]
    return [(*place, text) for place, text in zip(places, texts_of(block), strict=True)]


@given(TEXTS)
def test_a_block_gives_back_its_texts(texts: list[str]) -> None:
    block = TextBlock.of(texts, [DocumentRun("s", 0, len(texts))])
    assert texts_of(block) == texts
    assert block.count == len(texts)
    assert block.data.size >= max(block.ends.tolist(), default=0) + PADDING
    behind = block.data[block.ends]
    assert np.isin(behind, list(b"\n\0")).all()


@given(TEXTS, st.integers(-3, 14), st.integers(-3, 14))
def test_a_part_of_a_block_is_that_part_of_its_documents(
    texts: list[str], first: int, last: int
) -> None:
    third = len(texts) // 3
    runs = [DocumentRun("s", 5, third), DocumentRun("t", 0, len(texts) - third)]
    block = TextBlock.of(texts, [run for run in runs if run.texts])
    part = block.cut(first, last)
    assert documents_of(part) == documents_of(block)[max(first, 0) : max(last, 0)]


def test_a_part_of_a_part_says_which_text_it_decodes() -> None:
    numbers: list[int] = []

    def decode(data: bytes, number: int, start: int) -> str:
        numbers.append(number)
        return data.decode()

    whole = TextBlock.of("abcdef", [DocumentRun("s", 0, 6)])
    block = TextBlock(whole.data, whole.starts, whole.ends, whole.runs, decode)
    part = block.cut(1, 5).cut(2, 4)
    assert texts_of(part) == ["d", "e"]
    assert numbers == [3, 4]
    assert part.runs == (DocumentRun("s", 3, 2),)


@given(
    st.lists(st.tuples(st.sampled_from("st"), st.integers(0, 4), st.text(max_size=9)), max_size=20),
    st.sampled_from([1, 2, 3, 7, 20, 1000]),
)
def test_documents_are_put_into_blocks_in_order(
    given_documents: list[tuple[str, int, str]], size: int
) -> None:
    documents = [Document(t, source=s, position=p) for s, p, t in given_documents]
    blocks = list(make_blocks(documents, size))
    assert [one for block in blocks for one in documents_of(block)] == given_documents
    assert all(block.count for block in blocks)
    for block in blocks[:-1]:
        lengths = [len(text) for text in texts_of(block)]
        assert sum(lengths) >= size > sum(lengths[:-1])


def test_many_short_documents_are_not_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_TEXTS", 4)
    counts = [block.count for block in make_blocks(Corpus.of([""] * 10))]
    assert counts == [4, 4, 2]


# ---------------------------------------------------------------------- blocks of files


SIZES = [1, 2, 3, 7, 64, 1000, 1 << 20]
Documents = list[tuple[str, int, str]]


def one_by_one(corpus: Corpus) -> Documents:
    return [(d.source, d.position, d.text) for d in corpus]


def in_blocks(corpus: Corpus, size: int) -> Documents:
    documents = []
    for block in corpus.blocks(size=size):
        texts = iter([block.text(number) for number in range(block.count)])
        documents += [
            (source, position + number, next(texts))
            for source, position, count in block.runs
            for number in range(count)
        ]
        assert next(texts, None) is None
    return documents


def outcome(read: Callable[[], Documents]) -> Documents | str:
    try:
        return read()
    except InputError as error:
        return str(error)


def check(path: Path, data: bytes, fields: Fields | None = None) -> Documents | str:
    """Return the documents or the error, both ways the same."""
    path.write_bytes(data)
    corpus = Corpus.open(path, fields=fields)
    expected = outcome(partial(one_by_one, corpus))
    for size in SIZES:
        assert outcome(partial(in_blocks, corpus, size)) == expected, f"in blocks of {size}"
    return expected


# ------------------------------------------------------------------ lines


def lines_of(chunk: LineChunk) -> list[bytes]:
    bounds = zip(chunk.starts.tolist(), chunk.ends.tolist(), strict=True)
    return [chunk.data[start:end].tobytes() for start, end in bounds]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"a",
        b"a\n",
        b"\r\n\r\n",
        b"\r",
        b"a\r\rb\r\r\n\r",
        codecs.BOM_UTF8,
        codecs.BOM_UTF8 + b"\r\na",
        b"a\n" + codecs.BOM_UTF8 + b"b",
        codecs.BOM_UTF8 * 2 + b"b\n",
        b"1234567\n" * 20,
        b"1234567\n" * 20 + b"x",
        b"x" * 1000 + b"\ny\n" + b"z" * 64,
    ],
    ids=repr,
)
def test_chunks_are_whole_lines(tmp_path: Path, data: bytes, size: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    chunks = list(read_chunks(SourceFile(path), Meter(), size))
    expected = [line.rstrip(b"\r\n") for line in io.BytesIO(data.removeprefix(codecs.BOM_UTF8))]
    if data == codecs.BOM_UTF8:
        expected = [b""]
    assert [line for chunk in chunks for line in lines_of(chunk)] == expected
    number = 0
    for chunk in chunks:
        assert chunk.number == number
        assert data[: chunk.offset].count(b"\n") == number
        number += len(chunk.starts)
        for start, line in zip(chunk.starts.tolist(), lines_of(chunk), strict=True):
            assert data[chunk.offset + start :].startswith(line)


LINES = st.lists(
    st.sampled_from(
        [b"\n", b"\r", b"\r\n", b"a", b"b c", b"0123456", codecs.BOM_UTF8, "é".encode(), b"\xff"]
    ),
    max_size=15,
).map(b"".join)


@given(LINES)
@example(codecs.BOM_UTF8[:2])
def test_lines_are_the_same_in_blocks(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    check(tmp_path_factory.getbasetemp() / "lines.txt", data)


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_lines_of_compressed_files_are_the_same_in_blocks(
    tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes]
) -> None:
    data = "".join(f"línea {number}\n" for number in range(200)).encode()
    documents = check(tmp_path / f"a.txt{suffix}", compress(data[:999]) + compress(data[999:]))
    assert len(documents) == 200
    broken = check(tmp_path / f"b.txt{suffix}", compress(data) + compress(b"\xff"))
    assert broken == (
        f"{tmp_path / f'b.txt{suffix}'}:201: invalid UTF-8 at byte {len(data)} of the file (0xff): "
        "save the file as UTF-8"
    )
    damaged = check(tmp_path / f"c.txt{suffix}", compress(data)[:-3])
    assert "cut short" in damaged


def test_a_line_longer_than_any_block_is_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 3_000_000 + b"\ny")
    [one, two] = [text for _, _, text in in_blocks(Corpus.open(path), 1)]
    assert (len(one), two) == (3_000_000, "y")


# ------------------------------------------------------------------ JSON

GOOD = b'{"text": "good"}'
#: lines, alone and among good ones
ODD = {
    "blank": b"",
    "white space": b" \t ",
    "spaces around": b'  {"text" : "a"}  ',
    "a list of tokens": b'{"text": ["a", "b c"]}',
    "null": b'{"text": null}',
    "empty": b'{"text": ""}',
    "no text": b'{"txt": "a"}',
    "an empty object": b"{}",
    "a number": b'{"text": 5}',
    "an object": b'{"text": {"a": 1}}',
    "escapes": rb'{"text": "\u00e9\n\t\"\\\/\ud83d\ude00"}',
    "an escaped name": rb'{"\u0074ext": "a"}',
    "text twice": b'{"text": "a", "text": "b"}',
    "text twice, first a number": b'{"text": 1, "text": "b"}',
    "text twice, then a number": b'{"text": "b", "text": 1}',
    "text twice, then null": b'{"text": "b", "text": null}',
    "a text inside": b'{"more": {"text": "no"}, "text": "yes", "n": [{"text": "no"}]}',
    "a lone surrogate": rb'{"text": "\ud800"}',
    "a lone surrogate elsewhere": rb'{"text": "a", "x": "\ud800"}',
    "a bad escape elsewhere": rb'{"text": "a", "x": "\q"}',
    "a short escape elsewhere": rb'{"text": "a", "x": "\u12"}',
    "a control character": b'{"text": "a\x01"}',
    "a control character elsewhere": b'{"text": "a", "x": "\x01"}',
    "a tab elsewhere": b'{"text": "a", "x": "\t"}',
    "invalid UTF-8": b'{"text": "\xff"}',
    "invalid UTF-8 elsewhere": b'{"text": "a", "x": "\xc3"}',
    "invalid UTF-8 in a name": b'{"text": "a", "\xff": 1}',
    "a surrogate in UTF-8": b'{"text": "a", "x": "\xed\xa0\x80"}',
    "a large number": b'{"text": "a", "x": 123456789012345678901234567890}',
    "a huge number": b'{"text": "a", "x": 1e999}',
    "a huge negative number": b'{"text": "a", "x": [-1e999]}',
    "a number of many digits": b'{"text": "a", "x": ' + b"1" * 5000 + b"}",
    "a zero before": b'{"text": "a", "x": 01}',
    "not a number": b'{"text": "a", "x": NaN}',
    "half a number": b'{"text": "a", "x": 1.}',
    "half a word": b'{"text": "a", "x": tru}',
    "nested deeply": b'{"text": "a", "x": ' + b"[" * 3000 + b"]" * 3000 + b"}",
    "a comma too many": b'{"text": "a",}',
    "a comma missing": b'{"text": "a" "x": 1}',
    "cut short": b'{"text": "a',
    "something behind": b'{"text": "a"} x',
    "two in a line": b'{"text": "a"} {"text": "b"}',
    "two in a line without a space": b'{"text": "a"}{"text": "b"}',
    "over two lines": b'{"text": "a",\n "x": 1}',
    "over two lines, both with a brace": b'{"text": "a", "x":\n{"y": 1}}',
    "over two lines, then another": b'{"text": "a", "x":\n{"y": 1}} {"text": "b"}',
    "a line break in a text": b'{"text": "a\nb"}',
    "a return in a text": b'{"text": "a\rb"}',
    "a return between": b'{"text": "a"}\r{"text": "b"}',
    "returns at the end": b'{"text": "a"}\r\r',
    "a vertical tab at the end": b'{"text": "a"}\x0b',
    "a no-break space at the end": b'{"text": "a"}\xc2\xa0',
    "a no-break space alone": b"\xc2\xa0",
    "a zero byte at the end": b'{"text": "a"}\0',
    "a byte order mark": codecs.BOM_UTF8 + b'{"text": "a"}',
    "an array": b'[{"text": "a"}]',
    "a string": b'"text"',
    "plain": b"text",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_json_is_the_same_in_blocks(tmp_path: Path, name: str) -> None:
    odd = ODD[name]
    for data in (
        odd,
        GOOD + b"\n" + odd,
        odd + b"\n" + GOOD + b"\n",
        GOOD + b"\r\n\r\n" + odd + b"\r\n" + GOOD,
        codecs.BOM_UTF8 + b"\n".join([GOOD] * 9 + [odd] + [GOOD] * 3),
        odd + b"\n" + odd + b"\n",
    ):
        check(tmp_path / "a.jsonl", data)


@settings(max_examples=60)
@given(st.lists(st.sampled_from([GOOD] * 30 + [*ODD.values()]), max_size=6))
def test_any_mixture_of_odd_json_is_the_same_in_blocks(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    check(tmp_path_factory.getbasetemp() / "mixed.jsonl", b"\n".join(lines))


@settings(max_examples=50)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["text", "id", "x"]),
            st.one_of(st.text(st.characters(codec="utf-8")), st.integers(), st.none()),
        ).map(lambda one: {"text": "a", **one})
    ),
    st.booleans(),
)
def test_any_json_is_the_same_in_blocks(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, object]], ascii_only: bool
) -> None:
    lines = [json.dumps(record, ensure_ascii=ascii_only) for record in records]
    check(tmp_path_factory.getbasetemp() / "any.jsonl", "\n".join(lines).encode())


@pytest.mark.parametrize(
    "name", ["body", "é", "a b", "a.b", "", "type", "__class__", "id", 'a"b', "a\\b", "a\nb", "\0"]
)
def test_the_field_of_the_text_may_have_any_name(tmp_path: Path, name: str) -> None:
    lines = [json.dumps({"text": "no", name: f"yes {number}"}) for number in range(3)]
    documents = check(tmp_path / "a.jsonl", "\n".join(lines).encode(), Fields(text=name))
    assert isinstance(documents, list)
    assert [text for _, _, text in documents] == ["yes 0", "yes 1", "yes 2"]


# ------------------------------------------------------------------ Parquet


def test_parquet_is_the_same_in_blocks(tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "a.parquet"
    columns: list[object] = [
        ["one", "", "été", "\0"],
        ["one", None, "two"],
        [["a", "b c"], [], ["d"]],
        pl.Series(["x", "y", "x"], dtype=pl.Categorical),
        [None, None],
        [],
    ]
    for column in columns:
        frame = pl.DataFrame({"id": pl.Series([1] * len(column)), "text": column})  # type: ignore[arg-type]
        frame.write_parquet(path)
        corpus = Corpus.open(path)
        expected = one_by_one(corpus)
        assert len(expected) == len(frame)
        for size in SIZES:
            assert in_blocks(corpus, size) == expected


def test_parquet_of_numbers_is_refused_alike_in_blocks(tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "a.parquet"
    for frame in (pl.DataFrame({"text": [1, 2]}), pl.DataFrame({"txt": ["a"]})):
        frame.write_parquet(path)
        corpus = Corpus.open(path)
        with pytest.raises(InputError) as one:
            one_by_one(corpus)
        with pytest.raises(InputError) as other:
            in_blocks(corpus, 64)
        assert str(other.value) == str(one.value)


def test_many_rows_of_parquet_keep_their_order(tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "a.parquet"
    texts = [f"text {number}" for number in range(25_000)]
    pl.DataFrame({"text": texts}).write_parquet(path, row_group_size=700)
    documents = in_blocks(Corpus.open(path), 10_000)
    assert [(position, text) for _, position, text in documents] == list(enumerate(texts))


@given(st.binary(max_size=200), st.integers(0, 127), st.integers(0, 8), st.integers(0, 3))
def test_places_of_a_byte(data: bytes, value: int, space: int, shift: int) -> None:
    array = np.frombuffer(bytes(shift) + data + bytes([value]) * 40, dtype=np.uint8)[shift:]
    size = len(data)
    expected = [place for place in range(size) if data[place] == value]
    for run in (find_bytes, find_bytes.python):
        places = np.full(space, -7)
        assert run(array, size, value, places) == len(expected)
        assert places.tolist() == [*expected[:space], *[-7] * (space - len(expected))]
