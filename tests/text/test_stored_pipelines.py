"""Files that are read cannot have others opened: stop lists are named by the user alone."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from tealeaves import Corpus, Document, Topics, count, score
from tealeaves.cli.main import main
from tealeaves.errors import InputError
from tealeaves.evidence.attention.notes import token_notes
from tealeaves.evidence.sources import choose_pipeline, pipelines_of_models
from tealeaves.models import train
from tealeaves.models.inference import infer
from tealeaves.text import stopwords
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.multilingual import MultilingualTopics

TEXTS = ["the cat and the dog", "a cat, a dog", "soup and bread", "the bread with soup"]
REFUSED = "only files that you name are opened: give --tokens"


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The lists of stop words that are opened; nothing was named before."""
    read, paths = stopwords._read_list, list[Path]()

    def read_list(path: Path) -> frozenset[str]:
        paths.append(path)
        return read(path)

    monkeypatch.setattr(stopwords, "_read_list", read_list)
    monkeypatch.setattr(stopwords, "_NAMED", set())
    return paths


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text("the\nand\n", encoding="utf-8")
    return path


@pytest.fixture
def tokens(secret: Path) -> str:
    return repr(Pipeline(kind="words", lower=True, digits=False, stopwords=str(secret)))


def topics_file(folder: Path, tokens: str) -> Path:
    path = folder / "topics.json"
    topics = [["cat", "dog"], ["soup", "bread"]]
    path.write_text(json.dumps({"topics": topics, "tokens": tokens}), encoding="utf-8")
    return path


@pytest.mark.parametrize("expression", ["words(stopwords={})", "attention(language={})"])
@pytest.mark.parametrize("prefix", ["", "en+"])
def test_topics_cannot_name_a_file(
    tmp_path: Path, secret: Path, opened: list[Path], expression: str, prefix: str
) -> None:
    tokens = expression.format(f"'{prefix}{secret}'")
    topics = topics_file(tmp_path, tokens)
    with pytest.raises(InputError, match=REFUSED):
        score(topics, TEXTS, "npmi")
    assert opened == []


@pytest.mark.parametrize("name", ["//server/share/list.txt", "\\\\server\\list.txt", "x.txt"])
def test_not_even_its_state_is_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_file", lambda _: pytest.fail("a server would be asked"))
    with pytest.raises(InputError, match=REFUSED):
        Pipeline.stored(f"words(stopwords='{name}')", "a model")


def test_lists_of_languages_may_be_stored() -> None:
    assert Pipeline.stored("words(stopwords=en+es)", "a model").stopwords == "en+es"


def test_the_user_may_name_the_file(
    tmp_path: Path, tokens: str, secret: Path, opened: list[Path]
) -> None:
    topics = topics_file(tmp_path, tokens)
    given = score(topics, TEXTS, "npmi", tokens=tokens)
    assert set(opened) == {secret}
    assert score(topics, TEXTS, "npmi").to_dicts() == given.to_dicts(), "it was named before"


def test_the_command_says_what_to_give(
    tmp_path: Path, tokens: str, capsys: pytest.CaptureFixture[str], opened: list[Path]
) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join(TEXTS), encoding="utf-8")
    command = ["score", str(topics_file(tmp_path, tokens)), "-c", str(texts), "-m", "npmi"]
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    assert f'give --tokens "{tokens}"' in capsys.readouterr().err
    assert opened == []
    with pytest.raises(SystemExit) as ended:
        main([*command, "--tokens", tokens])
    assert ended.value.code == 0


def test_counts_need_the_list_that_they_were_made_with(
    tmp_path: Path, tokens: str, secret: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    topics = topics_file(tmp_path, "words")
    count(topics, TEXTS, "npmi", tokens=tokens, output=tmp_path / "k.counts")
    before = score(topics, TEXTS, "npmi", tokens=tokens)
    monkeypatch.setattr(stopwords, "_NAMED", set())
    opened.clear()
    with pytest.raises(InputError, match=f"the tokens of the counts .*{REFUSED}"):
        score(topics, counts=tmp_path / "k.counts", metrics="npmi")
    assert opened == []
    after = score(topics, counts=tmp_path / "k.counts", metrics="npmi", tokens=tokens)
    values = [[row["value"] for row in one.to_dicts()] for one in (before, after)]
    assert values[0] == values[1]
    secret.write_text("soup\n", encoding="utf-8")
    with pytest.raises(InputError, match="the counts were made with"):
        score(topics, counts=tmp_path / "k.counts", metrics="npmi", tokens=tokens)


def test_counts_are_scored_by_the_command_with_the_list_named_again(
    tokens: str, secret: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list may have moved since: its words are compared, not its path."""
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    (tmp_path / "topics.txt").write_text("cat dog\nsoup bread\n", encoding="utf-8")
    topics, counts = str(tmp_path / "topics.txt"), str(tmp_path / "a.counts")

    def run(command: str, *options: str) -> int:
        stopwords._NAMED.clear()  # each command is a process of its own
        with pytest.raises(SystemExit) as ended:
            main([command, topics, "-m", "npmi@2", *options])
        return int(ended.value.code or 0)

    assert run("count", "-c", str(tmp_path / "texts.txt"), "--tokens", tokens, "-o", counts) == 0
    assert run("score", "--counts", counts) == 2
    assert REFUSED in capsys.readouterr().err
    assert run("score", "--counts", counts, "--tokens", tokens) == 0
    assert run("score", "--counts", counts, "--tokens", "words") == 2
    moved = secret.rename(tmp_path / "moved.txt")
    again = tokens.replace(str(secret), str(moved))
    assert run("score", "--counts", counts, "--tokens", again) == 0


def test_topics_in_several_languages_cannot_name_a_file(tokens: str, opened: list[Path]) -> None:
    sides = {
        name: Topics.of([["cat", "dog"]], language=name, tokens=tokens) for name in ("en", "sv")
    }
    model = MultilingualTopics.of_languages(sides, model="m")
    with pytest.raises(InputError, match=f"the topics in en .*{REFUSED}"):
        pipelines_of_models([model], None)
    assert opened == []
    assert pipelines_of_models([model], {"en": tokens, "sv": "words"})["sv"].stopwords is None


def test_a_model_cannot_name_a_file_for_new_texts(tokens: str, opened: list[Path]) -> None:
    known = train("pltm", TEXTS, k=2, max_df=1.0, iterations=10, tokens="words")
    model = dataclasses.replace(known, tokens=tokens)
    with pytest.raises(InputError, match=REFUSED):
        infer(model, ["cat dog"], iterations=10)
    assert opened == []
    given = infer(model, ["cat dog"], iterations=10, tokens=tokens)
    assert given.tolist() == infer(model, ["cat dog"], iterations=10).tolist()
    assert opened


def test_a_classifier_cannot_name_a_file(
    tokens: str, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Record:
        pass

    record: Any = Record()
    record.tokens = tokens
    which = "tealeaves.evidence.attention.classifiers.record.record_of"
    monkeypatch.setattr(which, lambda _: record)
    with pytest.raises(InputError, match=f"the tokens of the classifier .*{REFUSED}"):
        choose_pipeline([], None, "folder")
    words = Pipeline.parse("words")
    [note] = token_notes([], words, "words", tokens)
    assert note.startswith("the classifier was fitted with the tokens words(stopwords=")
    assert opened == []


def test_texts_cannot_name_a_file_as_their_language(secret: Path, opened: list[Path]) -> None:
    documents = [Document(text, language=str(secret)) for text in TEXTS]
    train("pltm", Corpus.of(documents), k=2, max_df=1.0, iterations=10)
    assert opened == []
