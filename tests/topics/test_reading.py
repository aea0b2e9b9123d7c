"""Reading topics: one file, one file per language, and any models of a caller."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.topics import MultilingualTopics, Topics, read_models, read_multilingual, read_topics
from tealeaves.topics.reading import split_language_prefix

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
    result = read_models(models)
    assert [model.model for model in result] == ["a", "b", "c", "d", "5"]
    assert {model.topics for model in result} == {Topics.of(WORDS).topics}


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
    result = names([Topics.of(WORDS, model=name) for name in given_names])
    assert len(set(result)) == len(result)


def test_a_file_given_twice_has_two_names(tmp_path: Path) -> None:
    path = write(tmp_path / "lda.txt")
    result = names([path, path])
    assert len(set(result)) == 2


@pytest.mark.parametrize("kind", [str, Path])
def test_a_missing_file_among_several_is_named(
    tmp_path: Path, kind: type[str] | type[Path]
) -> None:
    path, missing = write(tmp_path / "lda.txt"), tmp_path / "missing.json"
    with pytest.raises(InputError, match=r"missing\.json: no such file"):
        read_models([kind(str(path)), kind(str(missing))])


@pytest.mark.parametrize("wrong", [5, None, [], {}, [[]], [["a"], []], [["a"], 5], [5], ["a", "b"]])
def test_anything_else_is_an_input_error(wrong: Any) -> None:
    with pytest.raises(InputError):
        read_models(wrong)


ENGLISH = '[["king", "house"], ["bread", "soup"]]'
SPANISH = "rey casa\npan sopa\n"
KEYS = "0\t0.05\troi maison \n1\t0.05\tpain soupe \n"  # of MALLET
ALIGNED = {"en": [["king", "house"], ["bread", "soup"]], "es": [["rey", "casa"], ["pan", "sopa"]]}


def write_text(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_may_be_of_any_form(tmp_path: Path) -> None:
    result = read_multilingual(
        {
            "en": write_text(tmp_path / "a.json", ENGLISH),
            "es": str(write_text(tmp_path / "b.txt", SPANISH)),
            "fr": write_text(tmp_path / "c.txt", KEYS),
        },
        model="m",
    )
    french = [["roi", "maison"], ["pain", "soupe"]]
    assert result == MultilingualTopics.of_languages(ALIGNED | {"fr": french}, model="m")


def test_the_model_is_called_as_the_files_are(tmp_path: Path) -> None:
    english = write_text(tmp_path / "en" / "good.json", ENGLISH)
    spanish = write_text(tmp_path / "es" / "good.txt", SPANISH)
    assert read_multilingual({"en": english, "es": spanish}).model == "good"
    other = write_text(tmp_path / "es" / "bueno.txt", SPANISH)
    assert read_multilingual({"en": english, "es": other}).model == "good+bueno"


def test_one_file_is_plain_topics_in_its_language(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.json", ENGLISH)
    assert read_multilingual({"en": path}) == Topics.of(ALIGNED["en"], model="a", language="en")


def test_numbers_that_differ_are_an_error_that_names_the_files(tmp_path: Path) -> None:
    paths = {
        "en": write_text(tmp_path / "a.json", ENGLISH),
        "es": write_text(tmp_path / "b.txt", "rey casa\n"),
    }
    with pytest.raises(InputError) as caught:
        read_multilingual(paths)
    assert str(caught.value) == (
        f"{paths['en']}, {paths['es']}: the languages have different numbers of topics: "
        "en has 2, es has 1"
    )


def test_a_file_of_another_language_is_an_error(tmp_path: Path) -> None:
    english = write_text(tmp_path / "a.json", '{"language": "English", "topics": [["king"]]}')
    spanish = write_text(tmp_path / "b.json", '[["rey"]]')
    assert read_multilingual({"en": english, "es": spanish}).model == "a+b"
    with pytest.raises(InputError, match="given for es say that they are in English"):
        read_multilingual({"es": english, "en": spanish})


def test_a_file_of_several_languages_is_no_side(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.json", '{"languages": {"en": [["king"]], "es": [["rey"]]}}')
    with pytest.raises(InputError, match=r"a.json: its topics are in en, es: give it without en="):
        read_multilingual({"en": path, "es": path})


def test_no_files_are_an_error() -> None:
    with pytest.raises(InputError, match="no topics: name a file for each language"):
        read_multilingual({})


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.json: no such file"):
        read_multilingual({"en": tmp_path / "gone.json", "es": tmp_path / "gone.json"})


@pytest.mark.parametrize("suffix", [".json", ".json.gz", ".topics"])
def test_a_folder_of_a_file_for_each_language_is_one_model(tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / "lda"
    folder.mkdir()
    for language, words in ALIGNED.items():
        Topics.of(words, model="x").save(folder / f"{language}{suffix.removesuffix('.gz')}")
        if suffix.endswith(".gz"):
            plain = folder / f"{language}.json"
            (folder / f"{language}.json.gz").write_bytes(gzip.compress(plain.read_bytes()))
            plain.unlink()
    write_text(folder / ".hidden", "no topics")
    assert read_topics(folder) == MultilingualTopics.of_languages(ALIGNED, model="lda")


def test_tables_called_by_languages_are_sides(tmp_path: Path) -> None:
    for language, topics in ALIGNED.items():
        rows = [{"topic": k, "word": word} for k, words in enumerate(topics) for word in words]
        pl.DataFrame(rows).write_parquet(tmp_path / f"{language}.parquet")
    assert read_topics(tmp_path) == MultilingualTopics.of_languages(ALIGNED, model=tmp_path.name)


def test_topic_keys_called_by_languages_are_sides(tmp_path: Path) -> None:
    write_text(tmp_path / "m" / "pt-BR.txt", KEYS)
    write_text(tmp_path / "m" / "french.txt", KEYS)
    result = read_topics(tmp_path / "m")
    assert isinstance(result, MultilingualTopics)
    assert result.languages == ("french", "pt-BR")
    assert result.side("fr")[0].words == ("roi", "maison")


@pytest.mark.parametrize(
    "names",
    [
        ["en.json"],
        ["en.json", "good.json"],
        ["en.json", "eng.json"],
        ["en.json", "es.json", "notes.md"],
        ["en.good.json", "es.good.json"],
        ["en", "es"],
    ],
)
def test_other_folders_are_none(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        write_text(tmp_path / "m" / name, ENGLISH)
    with pytest.raises(InputError, match=r"a folder, not a file of topics.*en\.json, es\.json"):
        read_topics(tmp_path / "m")


def test_a_folder_whose_files_do_not_fit_is_an_error_that_names_them(tmp_path: Path) -> None:
    write_text(tmp_path / "m" / "en.json", ENGLISH)
    write_text(tmp_path / "m" / "es.txt", "rey\n")
    with pytest.raises(InputError, match=r"m/en\.json, .*m/es\.txt: .*en has 2, es has 1"):
        read_topics(tmp_path / "m")


def test_the_folders_of_the_demo_are_no_models(tmp_path: Path) -> None:
    demo.copy_to(tmp_path)
    with pytest.raises(InputError, match="a folder, not a file of topics"):
        read_topics(tmp_path / "topics")
    with pytest.raises(InputError, match=r"several models: name its models: .*topics/en/\*\.json$"):
        read_topics(tmp_path / "topics/en")


def test_the_demo_is_aligned() -> None:
    good, middling, shuffled = demo.multilingual_models()
    assert [one.model for one in (good, middling, shuffled)] == list(demo.QUALITIES)
    for result, *plain in zip(
        (good, middling, shuffled), demo.models("en"), demo.models("es"), strict=True
    ):
        assert [side.topics for side in result.by_language.values()] == [p.topics for p in plain]
    # cognates stand in the topic of the same theme
    for word, other, theme in [("planet", "planeta", "astronomy"), ("music", "música", "music")]:
        [position] = [k for k, topic in enumerate(good.topics) if topic.id == theme]
        assert word in good.side("en")[position].words
        assert other in good.side("es")[position].words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("en=a.json", ("en", "a.json")),
        ("pt-BR=dir/a=b.json", ("pt-BR", "dir/a=b.json")),
        ("a.json", None),
        ("dir/en=a.json", None),
        ("=a.json", None),
        ("en=", None),
    ],
)
def test_a_language_before_a_path(text: str, expected: tuple[str, str] | None) -> None:
    assert split_language_prefix(text) == expected


def test_a_file_named_like_a_prefix_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_text(Path("en=a.json"), ENGLISH)
    assert split_language_prefix("en=a.json") is None
