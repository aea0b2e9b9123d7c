"""Dictionaries: files of translations, and what they say of words."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.evidence.requests import DictionaryRequest

from ..calls import call_growth  # noqa: TID252

BOTH = ["en", "sv"]
MUSE = "king kung\nhouse\thus\nhouse  kammare\n"
ENTRIES = {"king": {"kung"}, "house": {"hus", "kammare"}}


def open_dictionaries(given: Any, languages: list[str] = BOTH) -> Dictionaries:
    return Dictionaries.open(given, languages)


def entries(
    dictionaries: Dictionaries, words: tuple[str, ...] = ("king", "house")
) -> dict[str, set[str]]:
    return {word: set(dictionaries.translations(("en", "sv"), word)) for word in words}


def request_for(*pairs: tuple[str, str]) -> DictionaryRequest:
    """Ask for dictionaries of one model's languages."""
    return DictionaryRequest(frozenset({pairs}))


@pytest.fixture
def muse(tmp_path: Path) -> Path:
    path = tmp_path / "en-sv.txt"
    path.write_text(MUSE)
    return path


class TestSources:
    def test_a_file_named_after_its_languages(self, muse: Path) -> None:
        assert entries(open_dictionaries(muse)) == ENTRIES
        assert entries(open_dictionaries(str(muse))) == ENTRIES
        assert len(open_dictionaries(muse)) == 3

    @pytest.mark.parametrize(
        "name",
        ["en-sv.txt", "en_sv.tsv", "muse.en-sv.txt", "eng-swe.dict", "English_Swedish.txt",
         "dict.cc-en-sv-2020.txt", "wiki_en-sv.txt", "EN-SV.TXT", "en+sv.txt"],
    )  # fmt: skip
    @pytest.mark.parametrize("languages", [BOTH, ["eng", "swe"], ["sv", "en_GB", "tr"]])
    def test_languages_in_file_names(self, tmp_path: Path, name: str, languages: list[str]) -> None:
        (tmp_path / name).write_text(MUSE)
        dictionaries = open_dictionaries(tmp_path / name, languages)
        assert dictionaries.translations(("en", "sv"), "king") == {"kung"}
        assert dictionaries.translations(("swe", "eng"), "kung") == {"king"}

    def test_the_name_of_the_parent_folder_is_not_used(self, tmp_path: Path) -> None:
        (tmp_path / "en-sv").mkdir()
        path = tmp_path / "en-sv" / "words.txt"
        path.write_text(MUSE)
        with pytest.raises(InputError) as error:
            open_dictionaries(path)
        assert str(error.value) == (
            f"{path}: its name does not contain the two languages of the dictionary; write "
            f"en-sv={path}"
        )

    def test_a_label_is_preferred_to_the_file_name(self, tmp_path: Path) -> None:
        path = tmp_path / "fr-de.txt"
        path.write_text(MUSE)
        assert entries(open_dictionaries(f"en-sv={path}")) == ENTRIES
        assert entries(open_dictionaries([f"en-sv={path}"])) == ENTRIES
        assert entries(open_dictionaries({"en-sv": path})) == ENTRIES
        assert entries(open_dictionaries({("en", "sv"): [path]})) == ENTRIES

    def test_a_file_name_may_contain_an_equals_sign(self, tmp_path: Path) -> None:
        path = tmp_path / "a=b.en-sv.txt"
        path.write_text(MUSE)
        assert entries(open_dictionaries(path)) == ENTRIES

    @pytest.mark.parametrize(
        ("name", "expected"),
        [("zh_CN-en.txt", "zh-en"), ("zh-Hans_en.txt", "zh-en"), ("en-zh_CN.txt", "en-zh"),
         ("en-zh.sv-en.txt", "en-zh")],
    )  # fmt: skip
    def test_file_names_with_regions(self, tmp_path: Path, name: str, expected: str) -> None:
        (tmp_path / name).write_text("a b\n")
        dictionaries = open_dictionaries(tmp_path / name, ["en", "zh"])
        assert dictionaries.translations(("en", "zh"), "a" if expected == "en-zh" else "b")

    def test_languages_without_a_code(self) -> None:
        dictionaries = open_dictionaries({"en-klingon": [("king", "ta'")]}, ["en", "klingon"])
        assert dictionaries.translations(("klingon", "en"), "ta'") == {"king"}

    def test_two_ways_to_write_one_language(self) -> None:
        languages = ["en", "zh-hans", "zh-hant"]
        dictionaries = open_dictionaries(
            {"en-zh": [("king", "王")], "zh-hans-zh-hant": [("国", "國")]}, languages
        )
        for written in languages[1:]:
            assert dictionaries.translations(("en", written), "king") == {"王"}
        assert dictionaries.translations(("zh-hans", "zh-hant"), "国") == {"國"}
        assert dictionaries.translations(("zh-hant", "zh-hans"), "國") == {"国"}

    def test_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "README.md").write_text("no dictionary")
        (tmp_path / "en-sv.txt").write_text(MUSE)
        (tmp_path / "en-fi.txt").write_text("broken, and not needed")
        assert entries(open_dictionaries(tmp_path)) == ENTRIES
        (tmp_path / "en-sv.txt").unlink()
        (tmp_path / "en-fi.txt").unlink()
        with pytest.raises(InputError, match=r"no file in this folder has a name like en-sv\.txt"):
            open_dictionaries(tmp_path)

    def test_files_of_one_pair_are_joined(self, tmp_path: Path, muse: Path) -> None:
        other = tmp_path / "sv-en.tsv"  # the other way round
        other.write_text("kung\tking\ndrott\tking\n")
        dictionaries = open_dictionaries([muse, other])
        assert entries(dictionaries) == {"king": {"kung", "drott"}, "house": {"hus", "kammare"}}
        assert len(dictionaries) == 4
        assert dictionaries.signature == open_dictionaries([other, muse]).signature
        assert dictionaries.signature != open_dictionaries(muse).signature

    def test_dictionaries_are_returned_unchanged(self, muse: Path) -> None:
        dictionaries = open_dictionaries(muse)
        assert open_dictionaries(dictionaries) is dictionaries

    def test_no_dictionary_is_given(self) -> None:
        assert len(open_dictionaries(None)) == 0
        with pytest.raises(InputError, match=r"no dictionary of en and sv \(none was given\)"):
            open_dictionaries(None).translations(("en", "sv"), "king")

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ([("king", "kung")], 'give pairs of words with their languages, {"en-sv": pairs}'),
            (7, "7 is no dictionary"),
            (
                {"words": "x.txt"},
                "dictionary 'words': the label must be two languages, such as 'en-sv'",
            ),
            ({"en-sv": [("king",)]}, r"en-sv: pair 1: ('king',) is not a word and a translation"),
            ({"en-sv": [("king", "kung"), ("king", 3)]}, "en-sv: pair 2"),
            ({"en-sv": [("king", " ")]}, "en-sv: pair 1"),
            ({"en-sv": [7]}, "en-sv: pair 1: 7"),
            ({"en-sv": []}, "en-sv: the dictionary is empty"),
            ("en-sv=nowhere.txt", "nowhere.txt: no such file"),
            ("en-sv.txt", "en-sv.txt: no such file"),
            ("nope.txt", "nope.txt: no such file"),
            ({"en-sv": ["nope.txt"]}, "nope.txt: no such file"),
            ("en-fi=nope.txt", "nope.txt: no such file"),  # though it would not be read
            ("fi-et.txt", "fi-et.txt: no such file"),
        ],
    )
    def test_errors_in_what_is_given(self, given: Any, message: str) -> None:
        with pytest.raises(InputError) as error:
            open_dictionaries(given)
        assert message in str(error.value)
        assert "\n" not in str(error.value)


class TestFiles:
    @pytest.mark.parametrize(
        "text",
        [
            MUSE,
            MUSE.replace("\n", "\r\n"),
            "\N{BOM}" + MUSE,
            f"\n{MUSE}\n \t \n",
            "king\tkung\t3\nhouse\thus\t12\nhouse\tkammare\t1\textra\n",
            "en\tsv\nking\tkung\nhouse\thus\nhouse\tkammare",
            "English Swedish\nking kung\nhouse hus\nhouse kammare",
            "sv\ten\nkung\tking\nhus\thouse\nkammare\thouse",  # the header says it better
            "KING Kung\nHouse HUS\nhouse kammare\nhouse Kammare",
            " king \t kung \nhouse\thus\nhouse\tkammare",
        ],
    )  # fmt: skip
    def test_formats_of_lines(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "en-sv.tsv"
        path.write_bytes(text.encode())
        dictionaries = open_dictionaries(path)
        assert entries(dictionaries) == ENTRIES
        assert len(dictionaries) == 3
        assert (
            dictionaries.signature
            == open_dictionaries({"en-sv": [w.split() for w in MUSE.splitlines()]}).signature
        )

    def test_compressed(self, tmp_path: Path) -> None:
        path = tmp_path / "en-sv.txt.gz"
        path.write_bytes(gzip.compress(MUSE.encode()))
        assert entries(open_dictionaries(path)) == ENTRIES

    def test_words_of_several_words(self, tmp_path: Path) -> None:
        path = tmp_path / "en-es.tsv"
        path.write_text("New York\tNueva York\nking\trey\n")
        dictionaries = open_dictionaries(path, ["en", "es"])
        assert dictionaries.translations(("en", "es"), "new york") == {"nueva york"}

    def test_normal_form(self, tmp_path: Path) -> None:
        path = tmp_path / "en-es.tsv"
        path.write_text("reigned\treino\N{COMBINING ACUTE ACCENT}\n")
        dictionaries = open_dictionaries(path, ["en", "es"])
        assert dictionaries.translations(("en", "es"), "REIGNED") == {
            "rein\N{LATIN SMALL LETTER O WITH ACUTE}"
        }
        assert dictionaries.knows(("en", "es"), "es", "reino\N{COMBINING ACUTE ACCENT}")
        assert dictionaries.knows(("en", "es"), "es", "REIN\N{LATIN CAPITAL LETTER O WITH ACUTE}")

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("king kung\nhouse\n", ":2: 'house' is not two columns"),
            ("king\tkung\n\thus\n", r":2: '\thus' is not two columns"),
            ("king\tkung\nhouse\t \n", r":2: 'house\t ' is not two columns"),
            ("king,kung\n", ":1: 'king,kung' is not two columns"),
            ("king kung\nnew york nueva york\n", ":2: 'new york nueva york' has more than two"),
            ("", ": the dictionary is empty"),
            ("\n \n", ": the dictionary is empty"),
            ("en sv\n", ": the dictionary is empty"),
        ],
    )
    def test_broken_lines(self, tmp_path: Path, text: str, message: str) -> None:
        path = tmp_path / "en-sv.txt"
        path.write_text(text)
        with pytest.raises(InputError) as error:
            open_dictionaries(path)
        assert str(error.value).startswith(f"{path}{message}")
        assert "\n" not in str(error.value)

    def test_bytes_that_are_not_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "en-sv.txt"
        path.write_bytes("king kung\nyear år\n".encode("latin-1"))
        with pytest.raises(InputError, match=r"en-sv.txt:2: invalid UTF-8"):
            open_dictionaries(path)

    def test_a_large_file_is_read_in_linear_time(self, tmp_path: Path) -> None:
        path = tmp_path / "en-sv.txt"

        def read(lines: int) -> None:
            words = (f"word{n % (lines * 7 // 10)} ord{n}\n" for n in range(lines))
            path.write_text("".join(words))
            dictionaries = open_dictionaries(path)
            assert dictionaries.knows(("en", "sv"), "sv", f"ord{lines - 1}")
            assert len(dictionaries) == lines

        assert call_growth(read, 1000) == pytest.approx(1, abs=0.1)


class TestTranslations:
    def test_translations_in_both_directions(self, muse: Path) -> None:
        dictionaries = open_dictionaries(muse)
        assert dictionaries.translations(("sv", "en"), "hus") == {"house"}
        assert dictionaries.translations(("sv", "en"), "house") == frozenset()
        assert dictionaries.knows(("sv", "en"), "en", "house")
        assert not dictionaries.knows(("sv", "en"), "sv", "house")
        with pytest.raises(InputError, match="fi is neither en nor sv"):
            dictionaries.knows(("en", "sv"), "fi", "talo")

    def test_identical_words(self) -> None:
        dictionaries = open_dictionaries(
            {"en-sv": [("taxi", "taxi"), ("taxi", "droska"), ("café", "café")]}
        )
        for pair in (("en", "sv"), ("sv", "en")):
            assert "taxi" in dictionaries.translations(pair, "taxi")
            assert "taxi" not in dictionaries.translations(pair, "TAXI", identical=False)
            assert dictionaries.translations(pair, "café", identical=False) == {"café"}
        assert dictionaries.knows(("en", "sv"), "en", "taxi", identical=False)
        assert not dictionaries.knows(("en", "sv"), "sv", "taxi", identical=False)

    def test_a_pair_without_a_dictionary(self, muse: Path) -> None:
        dictionaries = open_dictionaries(muse, ["en", "sv", "tr"])
        alone, other = request_for(("sv", "en")), request_for(("en", "tr"))
        dictionaries.check(alone)
        with pytest.raises(InputError) as error:
            dictionaries.check(alone | other)
        assert str(error.value) == (
            "no dictionary of en and tr (those given are of en-sv): give --dictionary en-tr=PATH"
        )

    def test_one_pair_of_several_languages_is_enough(self, muse: Path) -> None:
        dictionaries = open_dictionaries(muse, ["en", "sv", "tr", "zh"])
        dictionaries.check(request_for(("tr", "en"), ("tr", "sv"), ("en", "sv")))
        with pytest.raises(InputError) as error:
            dictionaries.check(request_for(("tr", "en"), ("tr", "zh"), ("en", "zh")))
        assert str(error.value) == (
            "no dictionary of any two of tr, en, zh (those given are of en-sv): "
            "give --dictionary tr-en=PATH"
        )

    def test_dictionaries_of_other_languages_are_named(self, tmp_path: Path) -> None:
        (tmp_path / "en-fi.txt").write_text("broken, and not needed")
        dictionaries = open_dictionaries(tmp_path / "en-fi.txt")
        assert not dictionaries.covers("en", "sv")
        with pytest.raises(InputError, match="those given are of en-fi"):
            dictionaries.check(request_for(("en", "sv")))

    def test_the_signature_is_that_of_the_pairs(self) -> None:
        pairs = [("king", "kung"), ("house", "hus")]
        one = open_dictionaries({"en-sv": pairs}).signature
        assert one.startswith("en-sv:2:")
        assert one == open_dictionaries({"en-sv": [*pairs[::-1], ("KING", "kung")]}).signature
        assert (
            one
            == open_dictionaries({"sv-en": [pair[::-1] for pair in pairs]}, ["sv", "en"]).signature
        )
        assert one != open_dictionaries({"sv-en": pairs}).signature
        assert one != open_dictionaries({"en-sv": [("king", "hus"), ("house", "kung")]}).signature


WORDS = st.text("abcåÄ王ع'- ", min_size=1, max_size=4).filter(str.strip)


@drawn(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_files_and_pairs_give_the_same_translations(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("drawn") / "sv-en.tsv"
    path.write_text("".join(f"{one}\t{other}\n" for one, other in pairs))
    from_file, from_pairs = open_dictionaries(path), open_dictionaries({"sv-en": pairs})
    assert from_file.signature == from_pairs.signature
    expected: dict[str, set[str]] = {}
    for one, other in pairs:
        expected.setdefault(other.strip().lower(), set()).add(one.strip().lower())
    for word, translations in expected.items():
        assert from_file.translations(("en", "sv"), word) == translations
