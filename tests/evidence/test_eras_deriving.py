"""Years of first use from dated lists and dated texts."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.eras import Eras, derive_years, years_of_texts
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document

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


def test_a_table_of_years_takes_no_heed_of_counts(tmp_path: Path) -> None:
    path = tmp_path / "years.csv"
    path.write_text("word,year,count\nking,900,0\nking,1500,3\n")
    assert Eras.open(path).year("king") == 900
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
        ({"at_least": 0}, "at_least is 0: a word occurs more than 0 times"),
        ({"at_least": math.nan}, "at_least is nan"),
        ({"at_least": 7}, "no word has a year in which it occurs 7 times or more"),
    ],
)
def test_what_is_wrong(ngrams: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        derive_years(ngrams, **options)
    assert message in str(caught.value)


def test_counts_are_not_negative_and_numbers() -> None:
    with pytest.raises(InputError, match="row 1: the count of 'king' is -1, not 0 or more"):
        derive_years([("king", 900, -1)])
    with pytest.raises(InputError, match="row 1: the count of 'king' is 'x', not a number"):
        derive_years([("king", 900, "x")])


COUNTED = st.tuples(st.sampled_from("abc"), st.integers(1400, 1410), st.integers(0, 3))


@given(st.lists(COUNTED, max_size=40), st.integers(1, 5))
def test_against_sums_of_all_years(rows: list[tuple[str, int, int]], at_least: int) -> None:
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
    found = years_of_texts(Corpus.of(TEXTS), "words(min_length=3)")
    assert found == {"the": 1995, "web": 1400, "king": 1400, "and": 1400}
    assert years_of_texts(Corpus.of(TEXTS))["ox"] == -44
    assert years_of_texts(Corpus.of(TEXTS), at_least=2) == {"the": 1995, "web": 1400}
    # the third text has four words, the second two
    assert "a" not in years_of_texts(Corpus.of(TEXTS), "words(min_tokens=3)")


def test_texts_of_one_year_add_up() -> None:
    texts = [Document("king", label="1900"), Document("a king", label="1900-02")]
    assert years_of_texts(Corpus.of(texts), at_least=2) == {"king": 1900}


def test_texts_without_a_year_are_told() -> None:
    others = [Document("ox", label="17"), Document("ox", label="news", id="1400")]
    with pytest.warns(TealeavesWarning, match="2 texts have no year .* label '17' and the id ''"):
        assert "ox" not in years_of_texts(Corpus.of([*TEXTS[:3], *others]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        years_of_texts(Corpus.of(TEXTS))


@pytest.mark.parametrize("label", ["", "17", "news", "9999", "19951"])
def test_no_text_has_a_year(label: str) -> None:
    with pytest.raises(InputError, match=r"begins with its year .*no word has a year"):
        years_of_texts(Corpus.of([Document("ox", label=label)]))


def test_years_of_texts_are_a_table() -> None:
    assert Eras.open(years_of_texts(Corpus.of(TEXTS))).year("king") == 1400
