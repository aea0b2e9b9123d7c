"""Matching translation accuracy as it was released, against people who read both languages."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tealeaves
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.judgments import read_judgments
from tealeaves.metrics import metric
from tealeaves.topics.multilingual import MultilingualTopics

pytestmark = pytest.mark.reference

# Table 2 of the paper has Turkish .677, Romanian .592, Swedish .248 and Chinese .411; the released
# numbers give the last two as .249 and .412. Of Amharic (.172) and Tagalog (.289) they give others.
PEARSON = {
    "en-tr": 0.677, "en-zh": 0.412, "en-ro": 0.592, "en-sv": 0.249, "en-am": 0.152, "en-tl": 0.324,
}  # fmt: skip
# Romanian and Swedish topics that were shown twice are one each
TOPICS = {"en-tr": 60, "en-zh": 60, "en-ro": 48, "en-sv": 49, "en-am": 60, "en-tl": 60}


@pytest.fixture(scope="module")
def released(reference_data: Path) -> pl.DataFrame:
    return pl.read_csv(reference_data / "hao2018_lessons_bible" / "mta.csv.gz")


def test_people_agree_as_published(reference_data: Path, released: pl.DataFrame) -> None:
    people = read_judgments(reference_data / "hao2018_lessons_bible" / "human_judgments_fixed.csv")
    scores = released.filter(pl.col("cardinality") == 10).select(
        dataset="language_pair",
        model=pl.format("{}/{}", "doclink_rate", "chain_id"),
        topic="topic_id",
        metric=pl.lit("mta@10"),
        value="mta",
    )
    found = tealeaves.correlate(
        scores, people, coefficients=("pearson",), draws=0, permutations=100
    ).rows
    assert {row.dataset: row.n for row in found} == TOPICS
    assert {row.dataset: row.value for row in found} == pytest.approx(PEARSON, abs=0.0005)


def test_released_values_are_shares_of_the_words(released: pl.DataFrame) -> None:
    matches = released["mta"] * released["cardinality"]
    # written with six digits
    assert ((matches - matches.round()).abs() <= 0.5e-6 * released["cardinality"]).all()
    assert released.filter(pl.col("cardinality") == 10)["mta"].max() == 0.8
    assert released["mta"].min() == 0.0


@pytest.mark.parametrize(
    ("folder", "file", "pairs", "english", "other", "expected"),
    [
        # son, years: their translations (son, år) are not among the words; taxi is alike in both
        (
            "dictionaries_muse",
            "en-sv.txt.gz",
            82_372,
            ["king", "house", "war", "son", "years", "taxi"],
            ["kung", "hus", "krig", "blå", "sommar", "taxi"],
            3 / 6,
        ),
        # both English words mean Ethiopia, which is matched once; ጃርት is aardvark
        (
            "dictionaries_wiktionary_omw",
            "en-am.tsv.gz",
            909,
            ["aardvark", "abyssinia", "ethiopia"],
            ["ኢትዮጵያ", "ጃርት", "ባህል"],
            2 / 3,
        ),
    ],
    ids=["muse", "wiktionary"],
)
def test_real_dictionaries(
    reference_data: Path,
    folder: str,
    file: str,
    pairs: int,
    english: list[str],
    other: list[str],
    expected: float,
) -> None:
    language = file[3:5]
    path = reference_data / folder / file
    found = Dictionaries.open(path, ["en", language])
    assert len(found) == pairs
    topics = MultilingualTopics.of_languages({"en": [english], language: [other]})
    scores = tealeaves.score(topics, None, metric("mta@10"), dictionary=found)
    assert scores.value("model", "mta@10") == pytest.approx(expected)
