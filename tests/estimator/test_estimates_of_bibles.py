"""The estimators that come with tealeaves, on real Bibles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tealeaves
from tealeaves import MultilingualTopics
from tealeaves.estimator import explain, predict

pytestmark = pytest.mark.reference

ENGLISH = [
    [
        "government",
        "minister",
        "party",
        "election",
        "president",
        "law",
        "court",
        "vote",
        "state",
        "power",
    ],
    ["team", "players", "match", "season", "won", "game", "club", "final", "victory", "league"],
    [
        "doctor",
        "hospital",
        "patients",
        "disease",
        "health",
        "medical",
        "treatment",
        "children",
        "cancer",
        "drug",
    ],
    ["water", "river", "mountain", "sea", "island", "earth", "north", "south", "valley", "land"],
]
SWEDISH = [
    [
        "regeringen",
        "minister",
        "parti",
        "val",
        "president",
        "lag",
        "domstol",
        "röst",
        "staten",
        "makt",
    ],
    ["laget", "spelare", "match", "säsong", "vann", "spel", "klubb", "final", "seger", "ligan"],
    [
        "läkare",
        "sjukhus",
        "patienter",
        "sjukdom",
        "hälsa",
        "medicinsk",
        "behandling",
        "barn",
        "cancer",
        "läkemedel",
    ],
    ["vatten", "floden", "berg", "havet", "ön", "jorden", "norr", "söder", "dalen", "land"],
]


@pytest.fixture(scope="module")
def models() -> list[MultilingualTopics]:
    crossed = [*SWEDISH[1:], SWEDISH[0]]
    return [
        MultilingualTopics.of_languages({"en": ENGLISH, "sv": swedish}, model=name)
        for name, swedish in (("aligned", SWEDISH), ("crossed", crossed))
    ]


@pytest.fixture(scope="module")
def bibles(reference_data: Path) -> dict[str, Path]:
    folder = reference_data / "bible"
    return {"en": folder / "eng_web.tsv.gz", "sv": folder / "swe_1917.tsv.gz"}


@pytest.fixture(scope="module")
def beside(reference_data: Path) -> dict[str, Any]:
    return {
        "dictionary": reference_data / "dictionaries_muse" / "en-sv.txt.gz",
        "years": reference_data / "word_era_en" / "word_era.tsv.gz",
    }


def test_nothing_but_topics_and_bibles_is_needed(
    models: list[MultilingualTopics], bibles: dict[str, Path]
) -> None:
    found = predict(models, bibles)
    whole = {row.model: row for row in found if row.topic is None}
    assert whole["aligned"].estimate > whole["crossed"].estimate
    topics = [row for row in found if row.topic is not None]
    assert all(-1 <= row.low < row.estimate < row.high <= 1 for row in topics)
    assert all("mta" not in row.features and "era_mean" not in row.features for row in topics)
    # the Bible has rivers and mountains, but neither players nor a league
    aligned = {row.topic: row for row in topics if row.model == "aligned"}
    assert not aligned[1].trusted
    assert "the reference has only" in aligned[1].reason


def test_what_else_is_given_is_used(
    models: list[MultilingualTopics], bibles: dict[str, Path], beside: dict[str, Any]
) -> None:
    found = predict(models, bibles, **beside)
    aligned, crossed = ([row for row in found if row.model == m] for m in ("aligned", "crossed"))
    assert all("mta" in row.features for row in aligned[:4])
    # years made estimates of languages left out no better: that is said, not hidden
    assert any("years of words are not used" in note for note in found.notes)
    # a dictionary tells aligned topics from crossed ones, whatever the Bible knows of them
    assert all(a.estimate > c.estimate for a, c in zip(aligned[:4], crossed[:4], strict=True))


def test_the_metric_and_the_command_say_the_same(
    models: list[MultilingualTopics], bibles: dict[str, Path], beside: dict[str, Any]
) -> None:
    scores = tealeaves.score(models, bibles, "cnpmi_estimated@10", **beside)
    found = predict(models, bibles, **beside)
    expected = {(row.model, row.topic): row.estimate for row in found}
    assert {(row.model, row.topic): row.value for row in scores} == pytest.approx(expected)


def test_contributions_add_up_to_the_estimate(
    models: list[MultilingualTopics], bibles: dict[str, Path], beside: dict[str, Any]
) -> None:
    for one in explain(models[:1], bibles, **beside):
        total = one.usual + sum(one.contributions.values())
        assert total == pytest.approx(one.prediction.estimate, abs=1e-9)
