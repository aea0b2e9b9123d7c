from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus, Document

VERSES = ["GEN 1:1", "GEN 1:2", "GEN 1:4", "GEN 1:5", "GEN 1:31", "GEN 2:1"]
VERSES += ["EXO 2:1", "EXO 2:9-11"]


def verses() -> Corpus:
    return Corpus.of([Document(f"text of {verse}", id=verse) for verse in VERSES])


def ids(corpus: Corpus) -> list[str]:
    return [document.id for document in corpus]


def test_verses_stay_as_they_are() -> None:
    assert list(verses().group("verse")) == list(verses())


def test_chapters() -> None:
    groups = verses().group("chapter")
    assert ids(groups) == ["GEN 1", "GEN 2", "EXO 2"]
    assert list(groups)[2].text == "text of EXO 2:1\ntext of EXO 2:9-11"


def test_a_missing_verse_shifts_no_block() -> None:
    # verses 1-4, 5-8, 29-32, whichever of them there are
    assert ids(verses().group("block(size=4)")) == [
        "GEN 1:1-4", "GEN 1:5-8", "GEN 1:29-32", "GEN 2:1-4", "EXO 2:1-4", "EXO 2:9-12",
    ]  # fmt: skip
    first = next(iter(verses().group("block(4)")))
    assert first.text == "text of GEN 1:1\ntext of GEN 1:2\ntext of GEN 1:4"


def test_rows_with_the_same_id() -> None:
    rows = Corpus.of([Document(text, id=text[0]) for text in ("a1", "a2", "a3", "b1", "a4")])
    assert [(d.id, d.text) for d in rows.group("document")] == [
        ("a", "a1\na2\na3"), ("b", "b1"), ("a", "a4"),
    ]  # fmt: skip
    assert [(d.id, d.text) for d in rows.group("block(size=2)")] == [
        ("a:1-2", "a1\na2"), ("a:3-4", "a3"), ("b:1-2", "b1"), ("a:1-2", "a4"),
    ]  # fmt: skip


def test_documents_without_ids_stay_alone_and_lines_make_blocks() -> None:
    lines = Corpus.of(["a", "", "c", "d", "e"])
    assert [d.text for d in lines.group("document")] == ["a", "", "c", "d", "e"]
    blocks = [(d.id, d.text) for d in lines.group("block(size=2)")]
    assert blocks == [("1-2", "a\n"), ("3-4", "c\nd"), ("5-6", "e")]


def test_blocks_end_with_their_file(tmp_path: Path) -> None:
    for name, lines in (("a", 3), ("b", 2)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{name}{n}\n" for n in range(lines)))
    groups = Corpus.open(tmp_path / "a.txt", tmp_path / "b.txt").group("block(size=2)")
    assert [(d.id, d.text, d.position) for d in groups] == [
        ("1-2", "a0\na1", 0), ("3-4", "a2", 2), ("5-6", "b0\nb1", 0),
    ]  # fmt: skip


def test_no_document_continues_in_the_next_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.tsv").write_text(f"id\ttext\nx\t{name}\n")
    groups = Corpus.open(tmp_path / "a.tsv", tmp_path / "b.tsv").group("document")
    assert [(d.id, d.text) for d in groups] == [("x", "a"), ("x", "b")]
    assert len({d.source for d in groups}) == 2


def test_the_title_of_a_psalm_is_in_the_first_block() -> None:
    psalm = Corpus.of([Document(str(n), id=f"PSA 3:{n}") for n in range(6)])
    blocks = [(d.id, d.text) for d in psalm.group("block(size=4)")]
    assert blocks == [("PSA 3:1-4", "0\n1\n2\n3\n4"), ("PSA 3:5-8", "5")]


def test_fields_that_all_parts_share_are_kept() -> None:
    parts = [
        Document("a", "x", label="news", language="en", link="7"),
        Document("b", "x", label="news", language="en", link="8"),
        Document("c", "y", label="news"),
        Document("d", "y", label="sport"),
    ]
    first, second = Corpus.of(parts).group("document")
    assert (first.label, first.language, first.link) == ("news", "en", "")
    assert (second.label, second.language) == ("", "")


def test_the_rest_of_a_corpus_works_as_before(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("id\ttext\n" + "".join(f"{n // 3}\tt{n}\n" for n in range(9)))
    plain = Corpus.open(path)
    groups = plain.group("document")
    assert groups.identities == {f"{source}:unit=document" for source in plain.identities}
    assert {d.source for d in groups} == groups.identities
    assert [(d.position, d.parts) for d in groups] == [(0, 3), (3, 3), (6, 3)]
    assert (groups.size, groups.name) == (plain.size, plain.name)
    assert list(groups[1:2]) == list(groups)[1:2]
    [identity] = groups.identities
    assert groups.name_sources(f"source {identity} is there") == f"{path} is there"
    blocks = list(groups[1:].blocks(size=1))
    assert [block.text(0) for block in blocks] == ["t3\nt4\nt5", "t6\nt7\nt8"]
    assert [block.runs[0].position for block in blocks] == [3, 6]
    assert [d.text for d in plain[2:5].group("document")] == ["t2", "t3\nt4"]


def test_groups_of_two_slices_are_different_documents() -> None:
    one, two = verses()[:3].group("chapter"), verses()[3:].group("chapter")
    places = [(d.id, d.position) for part in (one, two) for d in part]
    assert places == [("GEN 1", 0), ("GEN 1", 3), ("GEN 2", 5), ("EXO 2", 6)]


DOCUMENTS = st.lists(
    st.builds(Document, text=st.text(max_size=3), id=st.sampled_from(["", "a", "b", "GEN 1:3"]))
)


@given(DOCUMENTS, st.sampled_from(["document", "block(size=1)", "block(size=3)"]))
def test_grouping_keeps_all_texts_in_order(documents: list[Document], unit: str) -> None:
    groups = list(Corpus.of(documents).group(unit))
    assert "\n".join(d.text for d in groups) == "\n".join(d.text for d in documents)
    ends = list(itertools.accumulate(d.parts for d in groups))
    assert [d.position for d in groups] == [0, *ends][: len(groups)]
    assert ends[-1:] == [len(documents)][: len(groups)]


@given(st.lists(st.integers(0, 3), max_size=12))
def test_documents_are_runs_of_equal_ids(numbers: list[int]) -> None:
    rows = Corpus.of([Document(str(place), id=f"d{n}") for place, n in enumerate(numbers)])
    runs = [f"d{n}" for n, _ in itertools.groupby(numbers)]
    assert ids(rows.group("document")) == runs


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ("chapters", "unknown unit chapters; did you mean chapter"),
        ("block", "how many"),
        ("block(size=0)", "how many"),
        ("block(size=true)", "how many"),
        ("block(size=4, by=id)", "only block has a parameter"),
        ("chapter(size=3)", "only block has a parameter"),
        ("document@3", "only block has a parameter"),
    ],
)
def test_wrong_units_are_refused(unit: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        verses().group(unit)


@pytest.mark.parametrize(
    ("row", "message"), [("doc-7", "document 2 has the id 'doc-7'"), ("", "document 2 has no id")]
)
def test_chapters_need_verses(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(f"id\ttext\nGEN 1:1\ta\n{row}\tb\n")
    with pytest.raises(InputError, match=rf"a\.tsv: {message}.*such as 'GEN 1:1'"):
        list(Corpus.open(path).group("chapter"))
