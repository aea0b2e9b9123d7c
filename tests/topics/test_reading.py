from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.topics import Topics, read_models, read_topics

WORDS = [["cat", "dog"], ["bread", "soup"]]


def write(path: Path, data: str = "cat dog\nbread soup\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data, encoding="utf-8")
    return path


def names(models: Any) -> list[str]:
    return [model.model for model in read_models(models)]


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".zst", zstandard.compress)],
)
@pytest.mark.parametrize(
    ("ending", "data"),
    [(".txt", b"cat dog\nbread soup\n"), (".json", b'[["cat","dog"],["bread","soup"]]')],
)
def test_a_compressed_file_is_unpacked(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes], ending: str, data: bytes
) -> None:
    path = tmp_path / f"lda{ending}{suffix}"
    path.write_bytes(pack(data))
    assert read_topics(path) == Topics.of(WORDS, model="lda")


def test_a_compressed_file_cut_short_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lda.txt.gz"
    path.write_bytes(gzip.compress(b"cat dog\nbread soup\n")[:-5])
    with pytest.raises(InputError, match=r"lda\.txt\.gz: the \.gz file is cut short"):
        read_topics(path)


@pytest.mark.parametrize(("data", "separator"), [("", None), (" \n\n", None), ("\n", "comma")])
def test_an_empty_file_is_an_error(tmp_path: Path, data: str, separator: str | None) -> None:
    path = write(tmp_path / "a.txt", data)
    with pytest.raises(InputError) as caught:
        read_topics(path, separator=separator)
    assert str(caught.value) == f"{path}: the file is empty"


def test_a_folder_of_several_models_asks_for_their_names(tmp_path: Path) -> None:
    (tmp_path / "lda-10-0.topics").write_text('{"topics": [["cat", "dog"]]}')
    (tmp_path / "lda-20-0.topics").write_text('{"topics": [["cat", "dog"]]}')
    for name in (str(tmp_path), f"{tmp_path}/"):
        with pytest.raises(InputError) as caught:
            read_topics(name)
        assert str(caught.value).endswith(f"name its models: {tmp_path}/*.topics")


def test_a_missing_file_or_a_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.json: no such file"):
        read_topics(tmp_path / "no.json")
    with pytest.raises(InputError, match="a folder, not a file of topics"):
        read_topics(tmp_path)


def test_one_model_may_be_topics_word_lists_or_a_path(tmp_path: Path) -> None:
    path = write(tmp_path / "lda.txt")
    topics = Topics.of(WORDS, model="lda")
    assert read_models(topics) == [topics]
    assert read_models(path) == [topics]
    assert read_models(str(path)) == [topics]
    assert read_models(WORDS) == [Topics.of(WORDS)]
    assert read_models(tuple(map(tuple, WORDS))) == [Topics.of(WORDS)]


def test_a_path_is_not_taken_for_the_list_of_its_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "ab"):
        write(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert names("ab") == ["ab"]


def test_several_models_may_be_topics_word_lists_and_paths(tmp_path: Path) -> None:
    path = write(tmp_path / "lda.txt")
    nmf = Topics.of([["x", "y"]], model="nmf")
    assert read_models([nmf, path, WORDS]) == [
        nmf,
        Topics.of(WORDS, model="lda"),
        Topics.of(WORDS, model="model"),
    ]
    assert read_models((str(path), nmf)) == [Topics.of(WORDS, model="lda"), nmf]
    assert read_models([path]) == [Topics.of(WORDS, model="lda")]


def test_a_mapping_names_its_models(tmp_path: Path) -> None:
    path = write(tmp_path / "lda.txt")
    models = {"a": WORDS, "b": path, "c": str(path), "d": Topics.of(WORDS, model="x"), 5: WORDS}
    found = read_models(models)
    assert [model.model for model in found] == ["a", "b", "c", "d", "5"]
    assert {model.topics for model in found} == {Topics.of(WORDS).topics}


def test_a_mapping_of_models_may_hold_mappings_of_topics() -> None:
    [model] = read_models({"a": {-1: ["cat"], 3: ["dog"]}})
    assert [(topic.id, topic.words) for topic in model.topics] == [(-1, ("cat",)), (3, ("dog",))]


def test_a_model_renamed_keeps_all_else() -> None:
    topics = Topics.of(WORDS, documents=[1, 2], outliers=3, document_topic=[[1.0, 0.0]])
    [renamed] = read_models({"other": topics})
    assert renamed.model == "other"
    assert renamed.topics == topics.topics
    assert renamed.documents_per_topic() == ([1, 2], 3)
    assert renamed.document_topic is not None


def test_files_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    one, two = write(tmp_path / "en" / "good.txt"), write(tmp_path / "es" / "good.txt")
    other = write(tmp_path / "en" / "bad.txt")
    assert names([one, two, other]) == [str(one), str(two), "bad"]


def test_models_of_one_name_in_memory_are_numbered() -> None:
    assert names([WORDS, WORDS]) == ["model 1", "model 2"]
    assert names([Topics.of(WORDS, model="a"), Topics.of(WORDS, model="a")]) == ["a 1", "a 2"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "a 1", "a 2", "b"]), min_size=1))
def test_the_names_of_several_models_are_always_different(given_names: list[str]) -> None:
    found = names([Topics.of(WORDS, model=name) for name in given_names])
    assert len(set(found)) == len(found)


def test_a_file_given_twice_has_two_names(tmp_path: Path) -> None:
    path = write(tmp_path / "lda.txt")
    found = names([path, path])
    assert len(set(found)) == 2


@pytest.mark.parametrize("kind", [str, Path])
def test_a_missing_file_among_several_is_named(
    tmp_path: Path, kind: type[str] | type[Path]
) -> None:
    path, missing = write(tmp_path / "lda.txt"), tmp_path / "missing.json"
    with pytest.raises(InputError, match=r"missing\.json: no such file"):
        read_models([kind(str(path)), kind(str(missing))])


@pytest.mark.parametrize("wrong", [5, None, [], {}, [[]], [["a"], []], [["a"], 5], [5], ["a", "b"]])
def test_what_is_no_model_is_an_input_error(wrong: Any) -> None:
    with pytest.raises(InputError):
        read_models(wrong)
