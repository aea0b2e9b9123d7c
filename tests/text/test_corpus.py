from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus, Document

TEXTS = [f"text {number}" for number in range(7)]


@pytest.fixture(params=["memory", "files"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Corpus:
    """The seven texts, in memory or in two files."""
    if request.param == "memory":
        return Corpus.of(TEXTS)
    (tmp_path / "a.txt").write_text("\n".join(TEXTS[:3]))
    (tmp_path / "b.jsonl").write_text("\n".join(json.dumps({"text": t}) for t in TEXTS[3:]))
    return Corpus.open(tmp_path / "a.txt", tmp_path / "b.jsonl")


def texts(corpus: Corpus) -> list[str]:
    return [document.text for document in corpus]


def test_a_corpus_can_be_read_again(corpus: Corpus) -> None:
    assert texts(corpus) == texts(corpus) == TEXTS


def test_two_readings_do_not_disturb_each_other(corpus: Corpus) -> None:
    first, second = iter(corpus), iter(corpus)
    assert [next(first).text, next(first).text, next(second).text] == [*TEXTS[:2], TEXTS[0]]


@settings(deadline=None)
@given(cuts=st.lists(st.integers(0, 12)))
def test_parts_cover_the_corpus_exactly_once(cuts: list[int]) -> None:
    corpus = Corpus.of(TEXTS)
    bounds = [0, *sorted(cuts), None]
    parts = [corpus[a:b] for a, b in pairwise(bounds)]
    together = [document for part in parts for document in part]
    assert together == list(corpus)


def test_a_part_may_cross_files(corpus: Corpus) -> None:
    assert texts(corpus[2:5]) == TEXTS[2:5]
    assert texts(corpus[2:5]) == TEXTS[2:5]
    assert texts(corpus[5:]) == TEXTS[5:]
    assert texts(corpus[:0]) == []
    assert texts(corpus[5:100]) == TEXTS[5:]
    assert texts(corpus[100:]) == []


def test_a_part_keeps_the_source_and_position_of_its_documents(corpus: Corpus) -> None:
    assert list(corpus[1:6]) == list(corpus)[1:6]


@pytest.mark.parametrize(
    "part", [slice(-1, None), slice(None, -1), slice(None, None, 2), slice(None, None, -1)]
)
def test_other_slices_are_refused(part: slice) -> None:
    with pytest.raises(InputError, match=r"corpus\[start:stop\]"):
        Corpus.of(TEXTS)[part]


def test_a_part_of_a_part_is_refused() -> None:
    with pytest.raises(InputError, match="not of a part"):
        Corpus.of(TEXTS)[1:5][0:1]


def test_documents_are_read_only_when_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "one"}\n{"text": "two"}\nbroken\n')
    corpus = Corpus.open(path)
    documents = iter(corpus)
    assert [next(documents).text, next(documents).text] == ["one", "two"]
    assert texts(corpus[:2]) == ["one", "two"]
    with pytest.raises(InputError, match=":3: "):
        next(documents)


def test_positions_and_sources_identify_every_document(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("same\nsame\n")
    (tmp_path / "b.txt").write_text("same\nother\n")
    places = [(d.source, d.position) for d in Corpus.open(tmp_path / "a.txt", tmp_path / "b.txt")]
    assert len(set(places)) == 4


def test_a_corpus_of_texts_token_lists_and_documents() -> None:
    corpus = Corpus.of(
        [
            "one text",
            ["two", "tokens"],
            ("three",),
            Document("four", id="x", label="l", language="en"),
        ]
    )
    documents = [(d.text, d.id, d.label, d.language, d.position) for d in corpus]
    assert documents == [
        ("one text", "", "", "", 0),
        ("two tokens", "", "", "", 1),
        ("three", "", "", "", 2),
        ("four", "x", "l", "en", 3),
    ]


def test_a_corpus_may_be_made_of_an_iterator() -> None:
    corpus = Corpus.of(text for text in TEXTS)
    assert texts(corpus) == texts(corpus) == TEXTS


def test_documents_of_another_corpus_keep_their_place() -> None:
    """Else they could be counted twice, once in each corpus."""
    whole = Corpus.of(TEXTS)
    again = Corpus.of(whole[3:5])
    assert list(again) == list(whole[3:5])
    assert again.identities == whole.identities


@pytest.mark.parametrize("wrong", [[5], [None], [["a", 1]], [b"bytes"], [{"text": "a"}.items()]])
def test_a_document_of_something_else_is_an_error(wrong: list[object]) -> None:
    with pytest.raises(InputError, match="a document must be a text or a list of tokens"):
        Corpus.of(wrong)  # type: ignore[arg-type]


def test_a_single_text_is_not_a_corpus_of_its_characters() -> None:
    with pytest.raises(InputError, match="list"):
        Corpus.of("one text")


def test_the_source_of_texts_in_memory_depends_on_their_content() -> None:
    def source(*texts: str) -> str:
        return next(iter(Corpus.of(texts))).source

    assert source("a", "b") == source("a", "b")
    assert len({source("a", "b"), source("a", "c"), source("a"), source("a", "b", "b")}) == 4


def test_texts_in_memory_in_another_order_are_another_source() -> None:
    """Else position 0 of one and position 1 of the other, the same text, would add up."""
    assert next(iter(Corpus.of(["a", "b"]))).source != next(iter(Corpus.of(["b", "a"]))).source


def test_a_file_under_another_name_is_the_same_source(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("one\ntwo\n")
    assert list(Corpus.open(tmp_path / "a.txt")) == list(Corpus.open(tmp_path / "b.txt"))
    (tmp_path / "b.txt").write_text("one\ntwo!\n")
    a, b = (next(iter(Corpus.open(tmp_path / name))) for name in ("a.txt", "b.txt"))
    assert a.text == b.text
    assert a.source != b.source


def test_size_and_repr_say_what_will_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("12345")
    (tmp_path / "b.txt").write_text("123")
    corpus = Corpus.open(tmp_path / "a.txt", tmp_path / "b.txt")
    assert corpus.size == 8
    assert repr(corpus) == f"Corpus({tmp_path / 'a.txt'} {tmp_path / 'b.txt'})"
    assert Corpus.of(TEXTS).size == 0
