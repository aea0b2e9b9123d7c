"""Dictionaries: files of translations, and what they say of words."""

from __future__ import annotations

import gzip
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries import Dictionaries, DictionaryRequest

BOTH = ["en", "sv"]
MUSE = "king kung\nhouse\thus\nhouse  kammare\n"
ENTRIES = {"king": {"kung"}, "house": {"hus", "kammare"}}


def opened(given: Any, languages: list[str] = BOTH) -> Dictionaries:
    return Dictionaries.open(given, languages)


def entries(found: Dictionaries, words: tuple[str, ...] = ("king", "house")) -> dict[str, set[str]]:
    return {word: set(found.translations(("en", "sv"), word)) for word in words}


def wanted(*pairs: tuple[str, str]) -> DictionaryRequest:
    """Ask for dictionaries of one model's languages."""
    return DictionaryRequest(frozenset({pairs}))


@pytest.fixture
def muse(tmp_path: Path) -> Path:
    path = tmp_path / "en-sv.txt"
    path.write_text(MUSE)
    return path


class TestWhatIsGiven:
    def test_a_file_named_after_its_languages(self, muse: Path) -> None:
        assert entries(opened(muse)) == ENTRIES
        assert entries(opened(str(muse))) == ENTRIES
        assert len(opened(muse)) == 3

    @pytest.mark.parametrize(
        "name",
        ["en-sv.txt", "en_sv.tsv", "muse.en-sv.txt", "eng-swe.dict", "English_Swedish.txt",
         "dict.cc-en-sv-2020.txt", "wiki_en-sv.txt", "EN-SV.TXT", "en+sv.txt"],
    )  # fmt: skip
    @pytest.mark.parametrize("languages", [BOTH, ["eng", "swe"], ["sv", "en_GB", "tr"]])
    def test_names(self, tmp_path: Path, name: str, languages: list[str]) -> None:
        (tmp_path / name).write_text(MUSE)
        found = opened(tmp_path / name, languages)
        assert found.translations(("en", "sv"), "king") == {"kung"}
        assert found.translations(("swe", "eng"), "kung") == {"king"}

    def test_the_name_of_a_folder_says_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "en-sv").mkdir()
        path = tmp_path / "en-sv" / "words.txt"
        path.write_text(MUSE)
        with pytest.raises(InputError) as error:
            opened(path)
        assert str(error.value) == (
            f"{path}: its name does not tell which two languages the dictionary is of: write "
            f"en-sv={path}"
        )

    def test_a_label_goes_before_the_name(self, tmp_path: Path) -> None:
        path = tmp_path / "fr-de.txt"
        path.write_text(MUSE)
        assert entries(opened(f"en-sv={path}")) == ENTRIES
        assert entries(opened([f"en-sv={path}"])) == ENTRIES
        assert entries(opened({"en-sv": path})) == ENTRIES
        assert entries(opened({("en", "sv"): [path]})) == ENTRIES

    def test_a_name_with_a_sign_of_equality(self, tmp_path: Path) -> None:
        path = tmp_path / "a=b.en-sv.txt"
        path.write_text(MUSE)
        assert entries(opened(path)) == ENTRIES

    @pytest.mark.parametrize(
        ("name", "expected"),
        [("zh_CN-en.txt", "zh-en"), ("zh-Hans_en.txt", "zh-en"), ("en-zh_CN.txt", "en-zh"),
         ("en-zh.sv-en.txt", "en-zh")],
    )  # fmt: skip
    def test_regions(self, tmp_path: Path, name: str, expected: str) -> None:
        (tmp_path / name).write_text("a b\n")
        found = opened(tmp_path / name, ["en", "zh"])
        assert found.translations(("en", "zh"), "a" if expected == "en-zh" else "b")

    def test_languages_without_a_code(self) -> None:
        found = opened({"en-klingon": [("king", "ta'")]}, ["en", "klingon"])
        assert found.translations(("klingon", "en"), "ta'") == {"king"}

    def test_two_ways_to_write_one_language(self) -> None:
        languages = ["en", "zh-hans", "zh-hant"]
        found = opened({"en-zh": [("king", "王")], "zh-hans-zh-hant": [("国", "國")]}, languages)
        for written in languages[1:]:
            assert found.translations(("en", written), "king") == {"王"}
        assert found.translations(("zh-hans", "zh-hant"), "国") == {"國"}
        assert found.translations(("zh-hant", "zh-hans"), "國") == {"国"}

    def test_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "README.md").write_text("no dictionary")
        (tmp_path / "en-sv.txt").write_text(MUSE)
        (tmp_path / "en-fi.txt").write_text("broken, and not needed")
        assert entries(opened(tmp_path)) == ENTRIES
        (tmp_path / "en-sv.txt").unlink()
        (tmp_path / "en-fi.txt").unlink()
        with pytest.raises(InputError, match=r"no file there is called like en-sv\.txt"):
            opened(tmp_path)

    def test_files_of_one_pair_are_joined(self, tmp_path: Path, muse: Path) -> None:
        other = tmp_path / "sv-en.tsv"  # the other way round
        other.write_text("kung\tking\ndrott\tking\n")
        found = opened([muse, other])
        assert entries(found) == {"king": {"kung", "drott"}, "house": {"hus", "kammare"}}
        assert len(found) == 4
        assert found.signature == opened([other, muse]).signature
        assert found.signature != opened(muse).signature

    def test_what_is_opened_stays(self, muse: Path) -> None:
        found = opened(muse)
        assert opened(found) is found

    def test_nothing(self) -> None:
        assert len(opened(None)) == 0
        with pytest.raises(InputError, match=r"no dictionary of en and sv \(none was given\)"):
            opened(None).translations(("en", "sv"), "king")

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ([("king", "kung")], 'say the languages of pairs of words, {"en-sv": pairs}'),
            (7, "7 is no dictionary"),
            ({"words": "x.txt"}, "dictionary 'words': which two languages is it of? write 'en-sv'"),
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
    def test_mistakes(self, given: Any, message: str) -> None:
        with pytest.raises(InputError) as error:
            opened(given)
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
    def test_forms(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "en-sv.tsv"
        path.write_bytes(text.encode())
        found = opened(path)
        assert entries(found) == ENTRIES
        assert len(found) == 3
        assert (
            found.signature == opened({"en-sv": [w.split() for w in MUSE.splitlines()]}).signature
        )

    def test_compressed(self, tmp_path: Path) -> None:
        path = tmp_path / "en-sv.txt.gz"
        path.write_bytes(gzip.compress(MUSE.encode()))
        assert entries(opened(path)) == ENTRIES

    def test_words_of_several_words(self, tmp_path: Path) -> None:
        path = tmp_path / "en-es.tsv"
        path.write_text("New York\tNueva York\nking\trey\n")
        found = opened(path, ["en", "es"])
        assert found.translations(("en", "es"), "new york") == {"nueva york"}

    def test_normal_form(self, tmp_path: Path) -> None:
        path = tmp_path / "en-es.tsv"
        path.write_text("reigned\treino\N{COMBINING ACUTE ACCENT}\n")
        found = opened(path, ["en", "es"])
        assert found.translations(("en", "es"), "REIGNED") == {
            "rein\N{LATIN SMALL LETTER O WITH ACUTE}"
        }
        assert found.knows(("en", "es"), "es", "reino\N{COMBINING ACUTE ACCENT}")
        assert found.knows(("en", "es"), "es", "REIN\N{LATIN CAPITAL LETTER O WITH ACUTE}")

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
    def test_broken(self, tmp_path: Path, text: str, message: str) -> None:
        path = tmp_path / "en-sv.txt"
        path.write_text(text)
        with pytest.raises(InputError) as error:
            opened(path)
        assert str(error.value).startswith(f"{path}{message}")
        assert "\n" not in str(error.value)

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "en-sv.txt"
        path.write_bytes("king kung\nyear år\n".encode("latin-1"))
        with pytest.raises(InputError, match=r"en-sv.txt:2: invalid UTF-8"):
            opened(path)

    def test_a_large_file_is_read_at_once(self, tmp_path: Path) -> None:
        path = tmp_path / "en-sv.txt"
        path.write_text("".join(f"word{n % 70_000} ord{n}\n" for n in range(100_000)))
        before = time.process_time()
        found = opened(path)
        assert found.knows(("en", "sv"), "sv", "ord99999")
        assert time.process_time() - before < 2  # it takes a fifth of a second, alone
        assert len(found) == 100_000


class TestWhatTheySay:
    def test_both_ways(self, muse: Path) -> None:
        found = opened(muse)
        assert found.translations(("sv", "en"), "hus") == {"house"}
        assert found.translations(("sv", "en"), "house") == frozenset()
        assert found.knows(("sv", "en"), "en", "house")
        assert not found.knows(("sv", "en"), "sv", "house")
        with pytest.raises(InputError, match="fi is neither en nor sv"):
            found.knows(("en", "sv"), "fi", "talo")

    def test_words_that_are_written_alike(self) -> None:
        found = opened({"en-sv": [("taxi", "taxi"), ("taxi", "droska"), ("café", "café")]})
        for pair in (("en", "sv"), ("sv", "en")):
            assert "taxi" in found.translations(pair, "taxi")
            assert "taxi" not in found.translations(pair, "TAXI", identical=False)
            assert found.translations(pair, "café", identical=False) == {"café"}
        assert found.knows(("en", "sv"), "en", "taxi", identical=False)
        assert not found.knows(("en", "sv"), "sv", "taxi", identical=False)

    def test_a_pair_without_a_dictionary(self, muse: Path) -> None:
        found = opened(muse, ["en", "sv", "tr"])
        alone, other = wanted(("sv", "en")), wanted(("en", "tr"))
        found.check(alone)
        with pytest.raises(InputError) as error:
            found.check(alone | other)
        assert str(error.value) == (
            "no dictionary of en and tr (those given are of en-sv): give --dictionary en-tr=PATH"
        )

    def test_one_pair_of_several_languages_is_enough(self, muse: Path) -> None:
        found = opened(muse, ["en", "sv", "tr", "zh"])
        found.check(wanted(("tr", "en"), ("tr", "sv"), ("en", "sv")))
        with pytest.raises(InputError) as error:
            found.check(wanted(("tr", "en"), ("tr", "zh"), ("en", "zh")))
        assert str(error.value) == (
            "no dictionary of any two of tr, en, zh (those given are of en-sv): "
            "give --dictionary tr-en=PATH"
        )

    def test_dictionaries_of_other_languages_are_named(self, tmp_path: Path) -> None:
        (tmp_path / "en-fi.txt").write_text("broken, and not needed")
        found = opened(tmp_path / "en-fi.txt")
        assert not found.covers("en", "sv")
        with pytest.raises(InputError, match="those given are of en-fi"):
            found.check(wanted(("en", "sv")))

    def test_the_signature_is_that_of_the_pairs(self) -> None:
        pairs = [("king", "kung"), ("house", "hus")]
        one = opened({"en-sv": pairs}).signature
        assert one.startswith("en-sv:2:")
        assert one == opened({"en-sv": [*pairs[::-1], ("KING", "kung")]}).signature
        assert one == opened({"sv-en": [pair[::-1] for pair in pairs]}, ["sv", "en"]).signature
        assert one != opened({"sv-en": pairs}).signature
        assert one != opened({"en-sv": [("king", "hus"), ("house", "kung")]}).signature


WORDS = st.text("abcåÄ王ع'- ", min_size=1, max_size=4).filter(str.strip)


@drawn(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_files_and_pairs_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("drawn") / "sv-en.tsv"
    path.write_text("".join(f"{one}\t{other}\n" for one, other in pairs))
    read, told = opened(path), opened({"sv-en": pairs})
    assert read.signature == told.signature
    expected: dict[str, set[str]] = {}
    for one, other in pairs:
        expected.setdefault(other.strip().lower(), set()).add(one.strip().lower())
    for word, found in expected.items():
        assert read.translations(("en", "sv"), word) == found
