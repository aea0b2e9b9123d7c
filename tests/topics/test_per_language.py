"""Aligned topics of several files, one for each language."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.topics import MultilingualTopics, Topics, read_multilingual, read_topics
from tealeaves.topics.per_language import split_language_prefix

ENGLISH = '[["king", "house"], ["bread", "soup"]]'
SPANISH = "rey casa\npan sopa\n"
KEYS = "0\t0.05\troi maison \n1\t0.05\tpain soupe \n"  # of MALLET
ALIGNED = {"en": [["king", "house"], ["bread", "soup"]], "es": [["rey", "casa"], ["pan", "sopa"]]}


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_may_be_of_any_form(tmp_path: Path) -> None:
    found = read_multilingual(
        {
            "en": written(tmp_path / "a.json", ENGLISH),
            "es": str(written(tmp_path / "b.txt", SPANISH)),
            "fr": written(tmp_path / "c.txt", KEYS),
        },
        model="m",
    )
    french = [["roi", "maison"], ["pain", "soupe"]]
    assert found == MultilingualTopics.of_languages(ALIGNED | {"fr": french}, model="m")


def test_the_model_is_called_as_the_files_are(tmp_path: Path) -> None:
    english = written(tmp_path / "en" / "good.json", ENGLISH)
    spanish = written(tmp_path / "es" / "good.txt", SPANISH)
    assert read_multilingual({"en": english, "es": spanish}).model == "good"
    other = written(tmp_path / "es" / "bueno.txt", SPANISH)
    assert read_multilingual({"en": english, "es": other}).model == "good+bueno"


def test_one_file_is_plain_topics_in_its_language(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", ENGLISH)
    assert read_multilingual({"en": path}) == Topics.of(ALIGNED["en"], model="a", language="en")


def test_numbers_that_differ_are_an_error_that_names_the_files(tmp_path: Path) -> None:
    paths = {
        "en": written(tmp_path / "a.json", ENGLISH),
        "es": written(tmp_path / "b.txt", "rey casa\n"),
    }
    with pytest.raises(InputError) as caught:
        read_multilingual(paths)
    assert str(caught.value) == (
        f"{paths['en']}, {paths['es']}: the languages have different numbers of topics: "
        "en has 2, es has 1"
    )


def test_a_file_that_says_another_language_is_an_error(tmp_path: Path) -> None:
    english = written(tmp_path / "a.json", '{"language": "English", "topics": [["king"]]}')
    spanish = written(tmp_path / "b.json", '[["rey"]]')
    assert read_multilingual({"en": english, "es": spanish}).model == "a+b"
    with pytest.raises(InputError, match="given for es say that they are in English"):
        read_multilingual({"es": english, "en": spanish})


def test_a_file_of_several_languages_is_no_side(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", '{"languages": {"en": [["king"]], "es": [["rey"]]}}')
    with pytest.raises(InputError, match=r"a.json: topics in en, es, not in en alone"):
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
    written(folder / ".hidden", "no topics")
    assert read_topics(folder) == MultilingualTopics.of_languages(ALIGNED, model="lda")


def test_the_keys_of_several_models_of_mallet_are_sides_where_they_are_called_so(
    tmp_path: Path,
) -> None:
    written(tmp_path / "m" / "pt-BR.txt", KEYS)
    written(tmp_path / "m" / "french.txt", KEYS)
    found = read_topics(tmp_path / "m")
    assert isinstance(found, MultilingualTopics)
    assert found.languages == ("french", "pt-BR")
    assert found.side("fr")[0].words == ("roi", "maison")


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
        written(tmp_path / "m" / name, ENGLISH)
    with pytest.raises(InputError, match=r"a folder, not a file of topics.*en\.json, es\.json"):
        read_topics(tmp_path / "m")


def test_a_folder_whose_files_do_not_fit_is_an_error_that_names_them(tmp_path: Path) -> None:
    written(tmp_path / "m" / "en.json", ENGLISH)
    written(tmp_path / "m" / "es.txt", "rey\n")
    with pytest.raises(InputError, match=r"m/en\.json, .*m/es\.txt: .*en has 2, es has 1"):
        read_topics(tmp_path / "m")


def test_the_folders_of_the_demo_are_no_models(tmp_path: Path) -> None:
    demo.copy_to(tmp_path)
    for folder in ("topics", "topics/en"):
        with pytest.raises(InputError, match="a folder, not a file of topics"):
            read_topics(tmp_path / folder)


def test_the_demo_is_aligned() -> None:
    good, middling, shuffled = demo.multilingual_models()
    assert [one.model for one in (good, middling, shuffled)] == list(demo.QUALITIES)
    for found, *plain in zip(
        (good, middling, shuffled), demo.models("en"), demo.models("es"), strict=True
    ):
        assert [side.topics for side in found.by_language.values()] == [p.topics for p in plain]
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


def test_a_file_that_is_called_so_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path("en=a.json"), ENGLISH)
    assert split_language_prefix("en=a.json") is None
