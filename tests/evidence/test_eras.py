"""Years of first use of words: tables of them, lemmas, and where a word has none."""

from __future__ import annotations

import gzip
import json
import math
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence.eras import Eras
from tealeaves.text.lemmas import lemmatizer

YEARS = {"king": 900, "web": 1400, "computer": 1995, "nan": 1913, "null": 1625, "-": 1500}
# an unknown year is no year; a second row of a word is an earlier one
ROWS = [
    *((word, str(year)) for word, year in YEARS.items()), ("web", "1950"), ("King", "1066"),
    ("lost", "NA"),
]  # fmt: skip


def cells(sign: str, *, header: str = "", more: str = "") -> str:
    lines = [header] if header else []
    lines += [sign.join([word, year, *filter(None, [more])]) for word, year in ROWS]
    return "\n".join(lines) + "\n"


TABLES = {
    "plain.tsv": cells("\t"),
    "basis.tsv": cells("\t", more="quote:Shak"),
    "more.tsv": cells("\t", more="7"),
    "basis_before.tsv": "".join(f"{word}\tx\t{year}\n" for word, year in ROWS),
    "header.tsv": cells("\t", header="word\tyear"),
    "other_way.tsv": "Year\tBasis\tWord\n" + "".join(f"{y}\t2\t{w}\n" for w, y in ROWS),
    "often.csv": cells(",", header="Headword,First use,n", more="5"),
    "plain.csv": cells(","),
    "sheet.csv": cells(";", header="word;year"),
    "spaces.txt": cells("  "),
    "tabs.txt": cells("\t"),
    "dates.tsv": "".join(
        f"{word}\t{int(year):04d}-03-01\n" for word, year in ROWS if year != "NA"
    ),
    "rows.jsonl": "".join(json.dumps({"word": w, "year": y}) + "\n" for w, y in ROWS),
    "rows.json": json.dumps(
        [{"term": w, "year": None if y == "NA" else int(y)} for w, y in ROWS]
    ),
}  # fmt: skip


def same(found: Eras) -> None:
    assert len(found) == len(YEARS)
    assert {word: found.year(word) for word in YEARS} == YEARS
    assert found.year("lost") is None


@pytest.mark.parametrize("name", TABLES)
def test_every_table_says_the_same(name: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / name, tmp_path / f"{name}.gz"
    plain.write_text(TABLES[name], encoding="utf-8")
    packed.write_bytes(gzip.compress(TABLES[name].encode()))
    same(Eras.open(plain))
    same(Eras.open(str(packed)))
    assert Eras.open(plain).signature == Eras.open(packed).signature == Eras(YEARS).signature


def test_frames_mappings_and_tuples(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"year": [None if y == "NA" else int(y) for _, y in ROWS], "word": [w for w, _ in ROWS]}
    )
    frame.write_parquet(tmp_path / "rows.parquet")
    for one in (tmp_path / "rows.parquet", frame, frame.lazy(), frame.to_dicts(), ROWS, iter(ROWS)):
        same(Eras.open(one))
    same(Eras.open({**YEARS, "lost": None}))
    opened = Eras.open(YEARS)
    assert Eras.open(opened, "sv") is opened


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "years.csv"
    path.write_bytes(b"\xef\xbb\xbfword,year\r\nKing,900\r\n\r\nweb,1400\r\n")
    found = Eras.open(path)
    assert (found.year("king"), found.year("web"), len(found)) == (900, 1400, 2)


def test_words_are_folded() -> None:
    found = Eras({unicodedata.normalize("NFD", "CAFÉ"): 1802})
    assert found.year("Café") == found.year(unicodedata.normalize("NFD", "café")) == 1802
    assert found.year("cafe") is None
    assert found.year("") is None


def test_unknown_words_are_not_a_number() -> None:
    found = Eras({"king": 900, "caesar": -44}).years(["king", "qwxz", "Caesar"])
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, [900.0, math.nan, -44.0])
    assert Eras({"king": 900}).years([]).shape == (0,)


@pytest.fixture
def without_simplemma(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    lemmatizer.cache_clear()
    yield
    lemmatizer.cache_clear()


def test_lemmas_are_looked_up_after_the_word() -> None:
    pytest.importorskip("simplemma")
    found = Eras({"computer": 1995, "go": 800, "mice": 1500, "mouse": 700})
    assert found.lemmas
    assert found.year("Computers") == 1995
    assert found.year("went") == 800
    assert found.year("mice") == 1500  # it stands there itself
    assert Eras({"kung": 1200}, "swe").year("kungar") == 1200


def test_languages_without_lemmas_are_looked_up_as_they_are() -> None:
    found = Eras({"国王": 900}, "zh")
    assert (found.lemmas, found.year("国王"), found.year("国")) == (False, 900, None)


@pytest.mark.usefixtures("without_simplemma")
def test_without_the_extra_words_are_looked_up_as_they_are() -> None:
    found = Eras({"computer": 1995})
    assert not found.lemmas
    assert (found.year("computer"), found.year("computers")) == (1995, None)
    assert len(found.signature) == 16


def test_the_signature_is_of_content_language_and_lemmas(request: pytest.FixtureRequest) -> None:
    pytest.importorskip("simplemma")
    one = Eras({"king": 900, "web": 1400})
    assert len(one.signature) == 16
    assert int(one.signature, 16) > 0
    assert one.signature == Eras([("Web", 1400), ("king", 901), ("king", 900)]).signature
    others = [
        Eras({"king": 900}), Eras({"king": 900, "web": 1401}), Eras({"king": 900, "wed": 1400}),
        Eras({"king": 900, "web": 1400}, "sv"),
    ]  # fmt: skip
    signatures = {other.signature for other in others}
    request.getfixturevalue("without_simplemma")
    signatures.add(Eras({"king": 900, "web": 1400}).signature)
    assert len(signatures | {one.signature}) == 6


def test_language_and_repr() -> None:
    assert repr(Eras({"king": 900}, "eng")) == "Eras(en: 1 words)"
    assert Eras({"king": 900}, "Klingon").language == "klingon"


WRONG: dict[str, tuple[str, str]] = {
    "letters.tsv": (
        "a\t1\nb\t2\nking\tlong ago\nc\t3\n",
        "letters.tsv:3: the year of 'king' is 'long ago', ",
    ),
    "far.csv": ("word,year\nking,19133\n", "far.csv:2: the year of 'king' is 19133: years are"),
    "half.csv": (
        "word,year\nking,1913.5\n",
        "half.csv:2: the year of 'king' is 1913.5, not a",
    ),
    "none.tsv": ("", "none.tsv: the table is empty"),
    "title.tsv": ("word\tyear\n", "title.tsv: no word has a year"),
    "unknown.tsv": ("word\tyear\nking\tNA\n", "unknown.tsv: no word has a year"),
    "other.tsv": ("thing\twhen\nking\t900\nweb\t1400\n", "other.tsv:1: 'when' is no year; if"),
    "words.txt": ("king\nqueen\n", "words.txt: no column is a year"),
    "short.tsv": ("king\t900\nweb\n", "short.tsv:2: 1 fields, but line 1 has 2"),
    "blank.tsv": ("king\t900\n \t1400\n", "blank.tsv:2: ' ' is not a word"),
    "no.jsonl": ('{"word": "king"}\n', "no.jsonl: no column is called year"),
    "list.jsonl": ('{"word": "king", "year": [1]}\n', "list.jsonl:1: the year of 'king' is [1], "),
    "huge.tsv": (
        "word\tyear\nking\t1e999\n",
        "huge.tsv:2: the year of 'king' is '1e999', not",
    ),
    "inf.tsv": ("king\tinf\n", "inf.tsv:1: the year of 'king' is inf: years are from"),
    "two.csv": ("term,lemma,year\na,b,1\n", "two.csv: term and lemma may all be the word"),
    "years.pickle": ("x", "years.pickle: a table of words and years is .tsv, .csv, .txt, .jsonl"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_a_line(name: str, tmp_path: Path) -> None:
    content, message = WRONG[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Eras.open(tmp_path / name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "the years of words: no word has a year"),
        ({"king": "x"}, "row 1: the year of 'king' is 'x', not a number"),
        ({"a": 1, 7: 900}, "row 2: 7 is not a word"),
        ([("king",)], "row 1: ('king',) is not a word and a year"),
        (["king"], "row 1: 'king' is not a word and a year"),
        (7, "dated words are a data frame or dictionaries"),
    ],
)
def test_what_is_wrong_in_memory(wrong: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Eras.open(wrong)
    assert message in str(caught.value)


def test_no_such_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"years\.tsv: no such file"):
        Eras.open(tmp_path / "years.tsv")
    with pytest.raises(InputError, match="a folder, not a file"):
        Eras.open(tmp_path)


WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=6)


@settings(max_examples=40)
@given(st.dictionaries(WORDS, st.integers(-3000, 3000), min_size=1, max_size=8))
def test_any_words_come_back_from_a_table(
    tmp_path_factory: pytest.TempPathFactory, years: dict[str, int]
) -> None:
    expected: dict[str, int] = {}
    for word, year in years.items():
        plain = unicodedata.normalize("NFC", word.lower())
        expected[plain] = min(year, expected.get(plain, 3000))
    path = tmp_path_factory.mktemp("eras") / "years.tsv"
    path.write_text("".join(f"{w}\t{y}\tx\n" for w, y in years.items()), encoding="utf-8")
    found = Eras.open(path)
    assert len(found) == len(expected)
    assert {word: found.year(word) for word in expected} == expected


@pytest.mark.reference
def test_the_english_list(reference_data: Path) -> None:
    pytest.importorskip("simplemma")
    found = Eras.open(reference_data / "word_era_en" / "word_era.tsv.gz")
    assert len(found) == 154_534
    words = ["web", "king", "biology", "computer", "software"]
    assert found.years(words).tolist() == [1400, 1610, 1913, 1995, 2006]
    assert found.year("computers") == 1995  # by its lemma
    # words that look as if nothing stood there
    assert found.years(["nan", "null", "na"]).tolist() == [1913, 1625, 1400]
