"""The invented judgments of the demo have what the commands show."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tealeaves import demo
from tealeaves.judgments import Judgments, TopicKey


@pytest.fixture(scope="module")
def people() -> Judgments:
    return Judgments.of(demo.judgments())


def test_eight_people_judge_each_topic_twice(people: Judgments) -> None:
    topics = {
        TopicKey("", model.model, str(topic.id)): list(topic.words)
        for model in demo.models("en")
        for topic in model.topics
    }
    assert people.words == topics
    for task in ("rating", "intrusion"):
        part = people.where(task=task)
        assert part.counts() == dict.fromkeys(part.counts(), 8)
        assert set(part.counts()) == set(topics)
        assert len(part.ratings.annotators) == 8
        assert (part.ratings.annotator >= 0).all()
    assert people.notes == []


def test_ratings_are_from_one_to_three(people: Judgments) -> None:
    rating = people.where(task="rating")
    assert set(rating.values.to_list()) == {1.0, 2.0, 3.0}
    assert not rating.has_key


def test_words_that_were_clicked_are_of_the_topic_or_the_intruder(people: Judgments) -> None:
    intrusion = people.where(task="intrusion")
    assert intrusion.has_key
    assert set(intrusion.frame["options"]) == {6}
    for row in intrusion.topics_only.frame.iter_rows(named=True):
        words = people.words[TopicKey("", row["model"], row["topic"])]
        assert row["key"] not in words
        assert row["answer"] in {*words[:5], row["key"]}
        assert row["correct"] == (row["answer"] == row["key"])


@pytest.mark.parametrize("task", ["rating", "intrusion"])
def test_better_topics_are_judged_better_but_not_all_alike(people: Judgments, task: str) -> None:
    part = people.where(task=task)
    means = [part.human("model")[TopicKey("", quality, "")] for quality in demo.QUALITIES]
    assert means == sorted(means, reverse=True)
    for quality in demo.QUALITIES:
        topics = [mean for key, mean in part.human().items() if key.model == quality]
        assert len(set(topics)) > 2


def test_one_annotator_does_not_read(people: Judgments) -> None:
    checks = people.checks.frame.group_by("annotator").agg(pl.len(), pl.col("correct").mean())
    assert set(checks["len"]) == {4}
    shares = {who: share for who, _, share in checks.iter_rows()}
    assert shares == {f"a{number}": float(number != 6) for number in range(1, 9)}
    careless = people.where(annotator="a6").frame
    assert careless["time"].max() < 1.5  # type: ignore[operator]
    assert people.without(["a6"]).frame["time"].min() >= 1.5  # type: ignore[operator]
    assert set(careless.filter(pl.col("task") == "rating")["answer"]) == {"2"}


def test_the_file_says_that_it_is_invented_and_is_small() -> None:
    (path,) = Path(demo.__file__).parent.glob("*judgments.csv")
    assert path.name == "invented_judgments.csv"
    assert path.stat().st_size < 60_000
    assert "INVENTED" in (demo.__doc__ or "")
