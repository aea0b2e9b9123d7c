"""Files of tagged passages."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.passages import read_passages
from tealeaves.lexicon.tagged_files import (
    TaggedPassage,
    TagStamp,
    check_name,
    encode_lines,
    is_gzip,
    is_tagged,
    read_stamp,
    read_tagged,
)

STAMP = TagStamp(language="en", analyser="hanta(en)", pipeline="words()")
WORD = st.text(st.characters(codec="utf-8"), max_size=4)
PASSAGE = st.lists(st.tuples(WORD, WORD), max_size=4)


def write(
    path: Path,
    keyed: dict[str, list[tuple[str, str]]],
    texts: tuple[str, ...] = (),
    stamp: TagStamp | None = None,
) -> None:
    """Write passages, pairs of form and word, to a file."""
    passages = [
        TaggedPassage(key, [form for form, _ in pairs], [word for _, word in pairs], text)
        for (key, pairs), text in zip(keyed.items(), texts or [""] * len(keyed), strict=True)
    ]
    stamps = [] if stamp is None else [stamp]
    path.write_bytes(encode_lines([*stamps, *passages], compressed=is_gzip(path)))


@settings(max_examples=40)
@given(
    st.dictionaries(WORD, PASSAGE, min_size=1, max_size=5),
    st.sampled_from([".jsonl", ".jsonl.gz", ".ndjson"]),
    st.booleans(),
    st.booleans(),
)
def test_passages_come_back(
    keyed: dict[str, list[tuple[str, str]]], suffix: str, stamped: bool, kept: bool
) -> None:
    texts = tuple(f"{number}\n" for number in range(len(keyed))) if kept else ()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        write(path, keyed, texts, STAMP if stamped else None)
        assert is_tagged(path)
        found = read_tagged(path, "en")
        assert read_stamp(path) == (STAMP if stamped else None)
    assert found.keys == tuple(keyed)
    assert list(found.forms) == [[form for form, _ in one] for one in keyed.values()]
    assert list(found.words) == [[word for _, word in one] for one in keyed.values()]
    assert found.texts == texts


def test_a_file_is_recognised_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "eng.jsonl.gz"
    write(path, {"1": [("Hands", "hand/N")]})
    found = read_passages(path, "eng", analyser="simplemma")  # it says itself what its words are
    assert list(found.words) == [["hand/N"]]
    deep = '{"text": ' + "[" * 5000 + "]" * 5000 + "}"
    for name, text in (
        ("b.jsonl", '{"text": "a"}\n'), ("c.jsonl", "no\n"), ("d.jsonl", ""), ("f.jsonl", deep),
    ):  # fmt: skip
        (tmp_path / name).write_text(text)
        assert not is_tagged(tmp_path / name)
    assert not is_tagged(tmp_path / "missing.jsonl")
    (tmp_path / "e.txt").write_text('{"id": "1", "forms": [], "words": []}')
    assert not is_tagged(tmp_path / "e.txt")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"id": "1", "forms": ["a"], "words": []}', ":1: 1 forms, but 0 words"),
        ('{"id": "1", "forms": [], "words": []}\n{"id": 2}', ":2: not a tagged passage: "),
        ('{"id": "1", "forms": [], "words": []}\nno', ":2: not a tagged passage: "),
        (
            '{"id": "1", "forms": [], "words": []}\n\n{"id": "1", "forms": [], "words": []}',
            ":3: '1' is also at line 1",
        ),
    ],
)
def test_errors_name_the_line(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(lines)
    with pytest.raises(InputError) as error:
        read_tagged(path, "en")
    assert str(error.value).startswith(f"{path}{message}")


def test_a_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    write(path, {"1": [("a", "b")]})
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputError, match="cut short"):
        read_tagged(path, "en")


def test_members_of_gzip_follow_each_other(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = [b'{"id": "%d", "forms": ["x"], "words": ["x"]}\n' % number for number in (1, 2)]
    path.write_bytes(b"".join(map(gzip.compress, lines)))
    assert read_tagged(path, "en").keys == ("1", "2")


def test_names_by_which_it_would_not_be_known_are_refused(tmp_path: Path) -> None:
    for name in ("a.txt", "a.gz", "a.tsv.gz"):
        with pytest.raises(InputError, match=r"written to \.jsonl or \.jsonl\.gz"):
            check_name(tmp_path / name)


def test_equal_passages_are_equal_files(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.jsonl.gz", "b.jsonl.gz")]
    for path in paths:
        write(path, {"1": [("a", "b")]})
    assert paths[0].read_bytes() == paths[1].read_bytes()
