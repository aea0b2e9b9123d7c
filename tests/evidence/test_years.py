"""Years of first use of words: tables, lemmas, and years derived from dated lists and texts."""

from __future__ import annotations

import gzip
import json
import math
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.years import WordYears, derive_years, years_of_texts
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
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


def same(years: WordYears) -> None:
    assert len(years) == len(YEARS)
    assert {word: years.year(word) for word in YEARS} == YEARS
    assert years.year("lost") is None


@pytest.mark.parametrize("name", TABLES)
def test_every_format_gives_the_same_years(name: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / name, tmp_path / f"{name}.gz"
    plain.write_text(TABLES[name], encoding="utf-8")
    packed.write_bytes(gzip.compress(TABLES[name].encode()))
    same(WordYears.open(plain))
    same(WordYears.open(str(packed)))
    assert (
        WordYears.open(plain).signature
        == WordYears.open(packed).signature
        == WordYears(YEARS).signature
    )


def test_frames_mappings_and_tuples(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"year": [None if y == "NA" else int(y) for _, y in ROWS], "word": [w for w, _ in ROWS]}
    )
    frame.write_parquet(tmp_path / "rows.parquet")
    for one in (tmp_path / "rows.parquet", frame, frame.lazy(), frame.to_dicts(), ROWS, iter(ROWS)):
        same(WordYears.open(one))
    same(WordYears.open({**YEARS, "lost": None}))
    opened = WordYears.open(YEARS)
    assert WordYears.open(opened, "sv") is opened


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "years.csv"
    path.write_bytes(b"\xef\xbb\xbfword,year\r\nKing,900\r\n\r\nweb,1400\r\n")
    years = WordYears.open(path)
    assert (years.year("king"), years.year("web"), len(years)) == (900, 1400, 2)


def test_words_are_normalized() -> None:
    years = WordYears({unicodedata.normalize("NFD", "CAFÉ"): 1802})
    assert years.year("Café") == years.year(unicodedata.normalize("NFD", "café")) == 1802
    assert years.year("cafe") is None
    assert years.year("") is None


def test_unknown_words_are_nan() -> None:
    years = WordYears({"king": 900, "caesar": -44}).years(["king", "qwxz", "Caesar"])
    assert years.dtype == np.float64
    np.testing.assert_array_equal(years, [900.0, math.nan, -44.0])
    assert WordYears({"king": 900}).years([]).shape == (0,)


@pytest.fixture
def without_simplemma(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    lemmatizer.cache_clear()
    yield
    lemmatizer.cache_clear()


def test_lemmas_are_looked_up_after_the_word() -> None:
    pytest.importorskip("simplemma")
    years = WordYears({"computer": 1995, "go": 800, "mice": 1500, "mouse": 700})
    assert years.lemmas
    assert years.year("Computers") == 1995
    assert years.year("went") == 800
    assert years.year("mice") == 1500  # it stands there itself
    assert WordYears({"kung": 1200}, "swe").year("kungar") == 1200


def test_a_language_without_a_lemmatizer() -> None:
    years = WordYears({"国王": 900}, "zh")
    assert (years.lemmas, years.year("国王"), years.year("国")) == (False, 900, None)


@pytest.mark.usefixtures("without_simplemma")
def test_without_the_extra_there_are_no_lemmas() -> None:
    years = WordYears({"computer": 1995})
    assert not years.lemmas
    assert (years.year("computer"), years.year("computers")) == (1995, None)
    assert len(years.signature) == 16


def test_the_signature_is_of_content_language_and_lemmas(request: pytest.FixtureRequest) -> None:
    pytest.importorskip("simplemma")
    one = WordYears({"king": 900, "web": 1400})
    assert len(one.signature) == 16
    assert int(one.signature, 16) > 0
    assert one.signature == WordYears([("Web", 1400), ("king", 901), ("king", 900)]).signature
    others = [
        WordYears({"king": 900}),
        WordYears({"king": 900, "web": 1401}),
        WordYears({"king": 900, "wed": 1400}),
        WordYears({"king": 900, "web": 1400}, "sv"),
    ]
    signatures = {other.signature for other in others}
    request.getfixturevalue("without_simplemma")
    signatures.add(WordYears({"king": 900, "web": 1400}).signature)
    assert len(signatures | {one.signature}) == 6


def test_language_and_repr() -> None:
    assert repr(WordYears({"king": 900}, "eng")) == "WordYears(en: 1 words)"
    assert WordYears({"king": 900}, "Klingon").language == "klingon"


WRONG: dict[str, tuple[str, str]] = {
    "letters.tsv": (
        "a\t1\nb\t2\nking\tlong ago\nc\t3\n",
        "letters.tsv:3: the year of 'king' is 'long ago', ",
    ),
    "far.csv": ("word,year\nking,19133\n", "far.csv:2: the year of 'king' is 19133: years are"),
    "half.csv": ("word,year\nking,1913.5\n", "half.csv:2: the year of 'king' is 1913.5, not a"),
    "none.tsv": ("", "none.tsv: the table is empty"),
    "title.tsv": ("word\tyear\n", "title.tsv: no word has a year"),
    "unknown.tsv": ("word\tyear\nking\tNA\n", "unknown.tsv: no word has a year"),
    "other.tsv": ("thing\twhen\nking\t900\nweb\t1400\n", "other.tsv:1: 'when' is no year; if"),
    "words.txt": ("king\nqueen\n", "words.txt: no column has years"),
    "short.tsv": ("king\t900\nweb\n", "short.tsv:2: 1 fields, but line 1 has 2"),
    "blank.tsv": ("king\t900\n \t1400\n", "blank.tsv:2: ' ' is not a word"),
    "no.jsonl": ('{"word": "king"}\n', "no.jsonl: no column is called year"),
    "list.jsonl": ('{"word": "king", "year": [1]}\n', "list.jsonl:1: the year of 'king' is [1], "),
    "huge.tsv": ("word\tyear\nking\t1e999\n", "huge.tsv:2: the year of 'king' is '1e999', not"),
    "inf.tsv": ("king\tinf\n", "inf.tsv:1: the year of 'king' is inf: years are from"),
    "two.csv": ("term,lemma,year\na,b,1\n", "two.csv: term and lemma may all be the word"),
    "years.pickle": ("x", "years.pickle: a table of words and years is .tsv, .csv, .txt, .jsonl"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_in_files_are_one_line(name: str, tmp_path: Path) -> None:
    content, message = WRONG[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        WordYears.open(tmp_path / name)
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
        (7, "dated words must be a data frame or dictionaries"),
    ],
)
def test_errors_in_values_in_memory(wrong: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        WordYears.open(wrong)
    assert message in str(caught.value)


def test_no_such_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"years\.tsv: no such file"):
        WordYears.open(tmp_path / "years.tsv")
    with pytest.raises(InputError, match="a folder, not a file"):
        WordYears.open(tmp_path)


WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=6)


@settings(max_examples=40)
@given(st.dictionaries(WORDS, st.integers(-3000, 3000), min_size=1, max_size=8))
def test_words_that_are_written_to_a_table_are_read(
    tmp_path_factory: pytest.TempPathFactory, years: dict[str, int]
) -> None:
    expected: dict[str, int] = {}
    for word, year in years.items():
        plain = unicodedata.normalize("NFC", word.lower())
        expected[plain] = min(year, expected.get(plain, 3000))
    path = tmp_path_factory.mktemp("eras") / "years.tsv"
    path.write_text("".join(f"{w}\t{y}\tx\n" for w, y in years.items()), encoding="utf-8")
    result = WordYears.open(path)
    assert len(result) == len(expected)
    assert {word: result.year(word) for word in expected} == expected


@pytest.mark.reference
def test_the_english_list(reference_data: Path) -> None:
    pytest.importorskip("simplemma")
    years = WordYears.open(reference_data / "word_era_en" / "word_era.tsv.gz")
    assert len(years) == 154_534
    words = ["web", "king", "biology", "computer", "software"]
    assert years.years(words).tolist() == [1400, 1610, 1913, 1995, 2006]
    assert years.year("computers") == 1995  # by its lemma
    # words that look as if nothing stood there
    assert years.years(["nan", "null", "na"]).tolist() == [1913, 1625, 1400]


# ---------------------------------------------------------------------- derived years


# as n-grams are published: word, year, occurrences, volumes
NGRAMS = "Web\t1400\t1\t1\nweb\t1950\t9\t3\nweb\t1610\t2\t2\nweb\t1610\t3\t1\nking\t1500\t4\t4\n"


@pytest.fixture
def ngrams(tmp_path: Path) -> Path:
    path = tmp_path / "ngrams.tsv"
    path.write_text(NGRAMS)
    return path


@pytest.mark.parametrize(
    ("at_least", "expected"),
    [
        (1, {"web": 1400, "king": 1500}),
        (4, {"web": 1610, "king": 1500}),  # 2 + 3 in 1610
        (5, {"web": 1610}),
        (6, {"web": 1950}),
    ],
)
def test_occurrences_of_a_year_add_up(
    ngrams: Path, at_least: float, expected: dict[str, int]
) -> None:
    assert derive_years(ngrams, count="3", at_least=at_least) == expected
    titled = ngrams.with_name("titled.tsv")
    titled.write_text("ngram\tyear\tmatch_count\tvolumes\n" + NGRAMS)
    assert derive_years(titled, at_least=at_least) == expected


def test_without_counts_a_row_is_an_occurrence(ngrams: Path) -> None:
    assert derive_years(ngrams) == {"web": 1400, "king": 1500}
    assert derive_years(ngrams, at_least=2) == {"web": 1610}


def test_a_table_of_years_ignores_counts(tmp_path: Path) -> None:
    path = tmp_path / "years.csv"
    path.write_text("word,year,count\nking,900,0\nking,1500,3\n")
    assert WordYears.open(path).year("king") == 900
    assert derive_years(path) == {"king": 1500}


def test_columns_by_any_name(tmp_path: Path) -> None:
    rows = [
        {"what": "king", "when": 900, "often": 1.0},
        {"what": "king", "when": 700, "often": math.nan},
        {"what": "web", "when": 1400, "often": 2.0},
    ]
    names: dict[str, Any] = {"word": "what", "year": "when"}
    pl.DataFrame(rows).write_csv(tmp_path / "rows.csv")
    for one in (rows, pl.DataFrame(rows), tmp_path / "rows.csv"):
        assert derive_years(one, **names) == {"king": 700, "web": 1400}
        # how often is not known of 700
        assert derive_years(one, **names, count="often") == {"king": 900, "web": 1400}
        assert derive_years(one, **names, count="often", at_least=2) == {"web": 1400}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"year": "yaer"}, "no column yaer"),
        ({"word": "9"}, "no column 9 (there are 1, 2, 3, 4)"),
        ({"at_least": 0}, "at_least must be more than 0, not 0"),
        ({"at_least": math.nan}, "at_least must be more than 0, not nan"),
        ({"at_least": 7}, "no word has a year in which it occurs 7 times or more"),
    ],
)
def test_errors_in_options(ngrams: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        derive_years(ngrams, **options)
    assert message in str(caught.value)


def test_counts_must_be_numbers_of_at_least_zero() -> None:
    with pytest.raises(InputError, match="row 1: the count of 'king' is -1, not 0 or more"):
        derive_years([("king", 900, -1)])
    with pytest.raises(InputError, match="row 1: the count of 'king' is 'x', not a number"):
        derive_years([("king", 900, "x")])


COUNTED = st.tuples(st.sampled_from("abc"), st.integers(1400, 1410), st.integers(0, 3))


@given(st.lists(COUNTED, max_size=40), st.integers(1, 5))
def test_derived_years_equal_those_of_plain_sums(
    rows: list[tuple[str, int, int]], at_least: int
) -> None:
    sums: dict[tuple[str, int], int] = {}
    for word, year, count in rows:
        sums[word, year] = sums.get((word, year), 0) + count
    enough = sorted(((year, word) for (word, year), n in sums.items() if n >= at_least))
    expected = {word: year for year, word in reversed(enough)}  # the earliest is written last
    if expected:
        assert derive_years(rows, at_least=at_least) == expected
    else:
        with pytest.raises(InputError, match="no word has a year"):
            derive_years(rows, at_least=at_least)


# ---------------------------------------------------------------------- texts

TEXTS = [
    Document("The Web of the king", label="1995-08-06"),
    Document("A king", label="1611 kjv"),
    Document("web, web and king", id="1400_chaucer"),
    Document("An ox", label="-0044"),
]


def test_texts_are_dated_by_label_or_id() -> None:
    years = years_of_texts(Corpus.of(TEXTS), "words(min_length=3)")
    assert years == {"the": 1995, "web": 1400, "king": 1400, "and": 1400}
    assert years_of_texts(Corpus.of(TEXTS))["ox"] == -44
    assert years_of_texts(Corpus.of(TEXTS), at_least=2) == {"the": 1995, "web": 1400}
    # the third text has four words, the second two
    assert "a" not in years_of_texts(Corpus.of(TEXTS), "words(min_tokens=3)")


def test_texts_of_one_year_add_up() -> None:
    texts = [Document("king", label="1900"), Document("a king", label="1900-02")]
    assert years_of_texts(Corpus.of(texts), at_least=2) == {"king": 1900}


def test_texts_without_a_year_are_a_warning() -> None:
    others = [Document("ox", label="17"), Document("ox", label="news", id="1400")]
    with pytest.warns(TealeavesWarning, match="2 texts have no year .* label '17' and the id ''"):
        assert "ox" not in years_of_texts(Corpus.of([*TEXTS[:3], *others]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        years_of_texts(Corpus.of(TEXTS))


@pytest.mark.parametrize("label", ["", "17", "news", "9999", "19951"])
def test_texts_none_of_which_has_a_year_are_an_error(label: str) -> None:
    with pytest.raises(InputError, match=r"no word has a year .*must begin with its year"):
        years_of_texts(Corpus.of([Document("ox", label=label)]))


def test_years_of_texts_are_a_table() -> None:
    assert WordYears.open(years_of_texts(Corpus.of(TEXTS))).year("king") == 1400
