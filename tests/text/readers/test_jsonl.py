from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.text import Corpus, Document, Fields


def read(path: Path, data: str | bytes, fields: Fields | None = None) -> list[Document]:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(Corpus.open(path, fields=fields))


@pytest.mark.parametrize("ending", [".jsonl", ".ndjson", ".JSONL"])
def test_each_object_is_a_document(tmp_path: Path, ending: str) -> None:
    line = {"text": "un café", "id": "x7", "label": "food", "language": "fr", "other": [1, 2]}
    [document] = read(tmp_path / f"a{ending}", json.dumps(line) + "\n")
    assert (document.text, document.id, document.label, document.language) == (
        "un café",
        "x7",
        "food",
        "fr",
    )
    assert document.position == 0


def test_blank_lines_are_passed_over(tmp_path: Path) -> None:
    documents = read(tmp_path / "a.jsonl", '\n{"text": "one"}\r\n \t\n\n{"text": "two"}')
    assert [(d.text, d.id, d.position) for d in documents] == [("one", "", 0), ("two", "", 1)]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert read(tmp_path / "a.jsonl", '\ufeff{"text": "one"}\n')[0].text == "one"


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_any_text_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "texts.jsonl"
    lines = [json.dumps({"text": text}, ensure_ascii=bool(i % 2)) for i, text in enumerate(texts)]
    assert [d.text for d in read(path, "\n".join(lines))] == texts


@pytest.mark.parametrize(("tokens", "text"), [(["a", "b c"], "a b c"), ([], ""), (["x"], "x")])
def test_a_list_of_tokens_is_a_text(tmp_path: Path, tokens: list[str], text: str) -> None:
    assert read(tmp_path / "a.jsonl", json.dumps({"text": tokens}))[0].text == text


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (17, "17"), ("a", "a"), (2.5, "2.5")])
def test_ids_and_labels_may_be_numbers(tmp_path: Path, value: object, text: str) -> None:
    [document] = read(tmp_path / "a.jsonl", json.dumps({"text": "t", "id": value, "label": value}))
    assert (document.id, document.label) == (text, text)


@pytest.mark.parametrize("rest", [{}, {"id": None, "label": None, "language": None}, {"id": ""}])
def test_missing_fields_are_empty(tmp_path: Path, rest: dict[str, object]) -> None:
    line = json.dumps({"text": "t", **rest})
    documents = read(tmp_path / "a.jsonl", f"{line}\n{line}\n")
    assert [(d.id, d.label, d.language) for d in documents] == [("", "", ""), ("", "", "")]


def test_fields_may_have_other_names(tmp_path: Path) -> None:
    line = json.dumps({"body": "b", "doi": 5, "topic": "t", "lang": "en", "text": "not this"})
    fields = Fields(text="body", id="doi", label="topic", language="lang")
    [document] = read(tmp_path / "a.jsonl", line, fields)
    assert (document.text, document.id, document.label, document.language) == ("b", "5", "t", "en")


def test_a_missing_field_is_an_error_that_names_place_and_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError) as caught:
        read(path, '{"text": "one"}\n\n{"texts": "two", "year": 1999}\n')
    message = str(caught.value)
    assert message.startswith(f"{path}:3: no field 'text'; did you mean texts?")
    assert "texts, year" in message
    assert "--text-field" in message


@pytest.mark.parametrize("value", [5, {"a": 1}, ["a", 1], True])
def test_a_text_of_another_type_is_an_error_that_names_the_place(
    tmp_path: Path, value: object
) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError, match="'text' must be text or a list of tokens") as caught:
        read(path, json.dumps({"text": "one"}) + "\n" + json.dumps({"text": value}))
    assert str(caught.value).startswith(f"{path}:2: ")


def test_a_null_text_is_an_empty_document(tmp_path: Path) -> None:
    documents = read(tmp_path / "a.jsonl", '{"text": null}\n{"text": "two"}\n')
    assert [document.text for document in documents] == ["", "two"]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_a_json_array_is_no_corpus(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="a JSON array; write one object per line instead"):
        read(tmp_path / name, '[{"text": "one"}]')


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{\n"topics": [["sky"]]\n}\n', "no texts, but a file of topics: name it without --corpus"),
        ('{\n"text": "one"\n}\n', "one JSON object in several lines; write each text as an"),
        ('{\n"text": "one"\n', "a.json:1: not a JSON object"),
    ],
)
def test_an_object_in_several_lines_is_no_corpus(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path / "a.json", content)


@pytest.mark.parametrize(
    "line", ['{"text": "cut', '{"text": "a"} {"text": "b"}', "plain", "[1]", '"a"', "{'text': 1}"]
)
def test_malformed_json_is_an_error_that_names_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError, match="not a JSON object") as caught:
        read(path, '{"text": "one"}\n' + line + "\n")
    assert str(caught.value).startswith(f"{path}:2: ")


def test_invalid_utf8_is_an_error_that_names_line_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError) as caught:
        read(path, b'{"text": "a"}\n{"text": "\xff"}\n')
    assert str(caught.value).startswith(f"{path}:2: invalid UTF-8 at byte 24 of the file")


def test_several_labels_are_one_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "a", "label": ["art", "law"]}\n{"text": "b", "label": "art"}\n'
        '{"text": "c", "label": []}\n{"text": "d", "label": 3}\n'
    )
    assert [d.label for d in Corpus.open(path)] == ["art|law", "art", "", "3"]


def test_a_link_is_read_only_if_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "link": "x", "": "y"}\n')
    assert [d.link for d in Corpus.open(path)] == [""]
    assert [d.link for d in Corpus.open(path, fields=Fields(link="link"))] == ["x"]
