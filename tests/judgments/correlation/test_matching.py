from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from operator import add

import pytest

from tealeaves.errors import InputError
from tealeaves.judgments import Judgments
from tealeaves.judgments.correlation.matching import MatchedScores, ScoreIndex, match
from tealeaves.metrics.reading import SavedScores
from tealeaves.metrics.scores import Score, Scores

Scored = Callable[..., Scores]
Judged = Callable[..., Judgments]
Row = tuple[str, int | str | None, float]


def scores(*rows: Row, metric: str = "m") -> Scores:
    return Scores([Score(model, topic, metric, value, 1.0, "") for model, topic, value in rows])


def people(*rows: tuple[str, int | str, float], dataset: str = "") -> Judgments:
    return Judgments.of(
        [
            {"dataset": dataset, "model": m, "topic": t, "answer": x, "words": f"{m}{t} and more"}
            for m, t, x in rows
        ]
    )


def column(matched: MatchedScores) -> list[float]:
    return [float(value) for value in matched.scores["m"]]


def test_topics_are_matched_by_model_and_id() -> None:
    found = match(
        people(("a", 1, 3), ("b", 1, 2), ("a", "x", 1)),
        ScoreIndex(scores(("a", "x", 0.1), ("b", 1, 0.2), ("a", 1, 0.3))),
        "topic",
    )
    assert [tuple(key[1:]) for key in found.keys] == [("a", "1"), ("b", "1"), ("a", "x")]
    assert column(found) == [0.3, 0.2, 0.1]
    assert list(found.human) == [3, 2, 1]
    assert found.notes == []


def test_what_has_no_partner_is_counted_and_named() -> None:
    found = match(
        people(("a", 1, 3), ("a", 2, 2), ("a", 3, math.nan)),
        ScoreIndex(scores(("a", 1, 0.1), ("a", 3, 0.3), ("a", 9, 0.9))),
        "topic",
    )
    assert len(found) == 1
    assert found.notes == [
        "1 topics have no answer that counts: a 3",
        "1 of 3 judged topics have no score: a 2",
    ]


def test_the_only_model_of_both_sides_is_the_same() -> None:
    index = ScoreIndex(scores(("lda.json", 0, 0.5), ("lda.json", 1, 0.6)))
    found = match(people(("LDA", 0, 3), ("LDA", 1, 2)), index, "topic")
    assert column(found) == [0.5, 0.6]
    assert found.notes == ["LDA of the judgments is taken for lda.json of the scores"]
    nameless = match(people(("", 0, 3), ("", 1, 2)), index, "topic")
    assert nameless.notes == []


def test_two_models_must_bear_the_same_names() -> None:
    index = ScoreIndex(scores(("a", 0, 0.5), ("b", 0, 0.6)))
    with pytest.raises(InputError, match=r"\(c 0, d 0\) is among the scores \(a 0, b 0\)"):
        match(people(("c", 0, 3), ("d", 0, 3)), index, "topic")


def test_data_sets_are_told_apart_where_both_sides_name_them() -> None:
    rows = scores(("a", 0, 0.1), ("a", 0, 0.2))
    index = ScoreIndex(SavedScores(rows.rows, datasets=["news", "wiki"]))
    assert column(match(people(("a", 0, 3), dataset="wiki"), index, "topic")) == [0.2]
    with pytest.raises(InputError, match="judgments are of other, the scores of news, wiki"):
        match(people(("a", 0, 3), dataset="other"), index, "topic")
    with pytest.raises(InputError, match="judgments are of no named data set, the scores of news"):
        match(people(("a", 0, 3)), index, "topic")


def test_one_side_may_name_no_data_set() -> None:
    one = scores(("a", 0, 0.1))
    named = ScoreIndex(SavedScores(one.rows, datasets=["news"]))
    assert column(match(people(("a", 0, 3)), named, "topic")) == [0.1]
    assert column(match(people(("a", 0, 3), dataset="news"), ScoreIndex(one), "topic")) == [0.1]


def test_two_scores_of_one_topic_are_refused() -> None:
    with pytest.raises(InputError, match="the metric m has two scores for topic 0 of a"):
        ScoreIndex(scores(("a", 0, 0.1), ("a", 0, 0.2)))
    ScoreIndex(scores(("a", 0, math.nan), ("a", 0, math.nan)))


def test_a_model_has_its_own_score_or_the_mean_of_its_judged_topics() -> None:
    judged = people(("a", 0, 1), ("a", 1, 2), ("b", 0, 3))
    topics = [("a", 0, 0.1), ("a", 1, 0.3), ("a", 2, 0.9), ("b", 0, 0.5)]
    found = match(judged, ScoreIndex(scores(*topics)), "model")
    assert column(found) == pytest.approx([0.2, 0.5])
    assert list(found.human) == [1.5, 3]
    assert found.notes == [
        "the score of a model is the mean of its judged topics' where it has none"
    ]
    own = match(judged, ScoreIndex(scores(*topics, ("a", None, 0.7), ("b", None, 0.8))), "model")
    assert column(own) == [0.7, 0.8]
    assert own.notes == ["of 1 models not all topics were judged, but all are in their score: a"]


def test_equal_means_of_models_are_equal() -> None:
    """Added one by one, ten times 0.1 is less than 1 in floating point."""
    answers = {"a": [0.1] * 10, "b": [1.0, *[0.0] * 9]}
    rows = [(model, topic, x) for model, xs in answers.items() for topic, x in enumerate(xs)]
    assert reduce(add, answers["a"]) != reduce(add, answers["b"])
    given = people(*rows)
    found = match(given, ScoreIndex(scores(*rows)), "model")
    assert list(found.human) == [0.1, 0.1]
    assert dict(zip(found.keys, found.human, strict=True)) == given.human("model")


def test_topics_that_are_not_in_a_models_mean_are_said() -> None:
    judged = people(("a", 0, 1), ("a", 1, 2), ("a", 2, 3), ("a", 3, math.nan), ("b", 0, 3))
    topics = [("a", 0, 0.1), ("a", 1, math.nan), ("a", 3, 0.9), ("b", 0, 0.5)]
    found = match(judged, ScoreIndex(scores(*topics)), "model")
    # nobody answered on topic 3: its score is not in the mean either
    assert column(found) == pytest.approx([0.1, 0.5])
    assert list(found.human) == [2, 3]
    assert found.notes == [
        "1 topics have no answer that counts: a 3",
        "the score of a model is the mean of its judged topics' where it has none",
        "1 of 4 judged topics have no score and are in people's mean alone: a 2",
        "1 topics have no value of m and are in people's mean alone: a 1",
    ]


def test_scores_of_models_alone_say_nothing_of_topics() -> None:
    index = ScoreIndex(scores(("a", None, 0.7)))
    with pytest.raises(InputError, match="the scores have no topics"):
        match(people(("a", 0, 3)), index, "topic")
    assert column(match(people(("a", 0, 3)), index, "model")) == [0.7]


def test_unknown_words_are_said(scores_of: Scored, people_of: Judged) -> None:
    plain = match(people_of([1, 2]), ScoreIndex(scores_of({"m": [0.1, 0.2]})), "topic")
    assert plain.notes == [
        "the words of 2 of 2 topics are not known: near-identical ones cannot be told, and "
        "intervals may be too narrow (give a column words)"
    ]
    known = ScoreIndex(scores_of({"m": [0.1, 0.2]}, words=["x y", "z"]))
    assert match(people_of([1, 2]), known, "topic").notes == []


def test_words_come_from_either_side(scores_of: Scored, people_of: Judged) -> None:
    index = ScoreIndex(scores_of({"m": [0.1, 0.2]}, words=["x y", "z"]))
    assert match(people_of([1, 2]), index, "topic").words == [("x", "y"), ("z",)]
    # also where only the scores name a data set
    words: dict[tuple[str | None, str, str], list[str]] = {("news", "a", "0"): ["x", "y"]}
    named = SavedScores(scores(("a", 0, 0.1)).rows, datasets=["news"], topic_words=words)
    assert match(people(("a", 0, 3)), ScoreIndex(named), "topic").words == [("x", "y")]
    judged = Judgments.of([{"model": "lda", "topic": 0, "answer": 1, "words": "p q"}])
    plain = ScoreIndex(scores_of({"m": [0.1]}))
    assert match(judged, plain, "topic").words == [("p", "q")]
