"""Marking: which words are odd, by which metric, and how that is shown and saved."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
import pytest

import tealeaves
from tealeaves import MultilingualTopics, Topics
from tealeaves.errors import InputError
from tealeaves.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import Metric, Result, Score, Scores, metric, read_scores
from tealeaves.metrics.gathering import read_corpus
from tealeaves.metrics.marking import Marks, mark_words, marker_among
from tealeaves.tables.table import MARK_LEGEND

# cat, dog, bird and cow are in the same texts; soup is in others
TEXTS = ["cat dog bird cow", "soup bread", "soup", "bread"] * 15
ODD = ["cat", "dog", "soup", "bird", "cow"]
FINE = ["cat", "dog", "bird", "cow"]


def finnish(words: Any, model: str = "malli") -> Topics:
    """Return topics that no English vectors judge: only the texts are asked."""
    return Topics.of(words, model=model, language="fi")


class Nothing(msgspec.Struct, frozen=True):
    """No parameters."""


@dataclass(frozen=True, repr=False, eq=False)
class LastIsOdd(Metric):
    """Needs nothing, and calls the last of the first words odd."""

    settings: Nothing
    source: ClassVar[str] = "nothing"

    def lacks(self, model: Topics) -> str:
        return "it is a bad one" if model.model == "bad" else ""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Any]:
        return []

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        return [Result(np.ones(len(model)), np.ones(len(model))) for model in models]

    def odd_words(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[tuple[str, ...]]]:
        return [[topic.words[: self.top][-1:] for topic in model.topics] for model in models]

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        return ["the last word is odd, whatever it is"]


last_is_odd = LastIsOdd(
    name="last_is_odd",
    summary="",
    better="higher",
    bounds=(0, 1),
    cite="",
    settings=Nothing(),
)


# ---------------------------------------------------------------------- which metric marks


def test_some_metrics_can_mark_and_others_cannot() -> None:
    assert isinstance(metric("consensus"), Marks)
    assert isinstance(metric("consensus(kind=ranks)@5"), Marks)
    assert isinstance(last_is_odd, Marks)
    assert not isinstance(metric("npmi@10"), Marks)


@pytest.mark.parametrize(
    ("asked", "marker"),
    [
        ("npmi@10 consensus@7", "consensus@7"),
        ("consensus(kind=ranks)@4 consensus@7", "consensus(kind=ranks)@4"),
        ("npmi@10 c_v@10", "consensus@10"),
        ("npmi@5 sparsity", "consensus@5"),
        ("npmi@5 c_v@6", "consensus@10"),
        ("npmi", "consensus@10"),
    ],
)
def test_the_first_that_can_marks_else_one_that_is_registered(asked: str, marker: str) -> None:
    metrics = tealeaves.metrics.parse_metrics(asked)
    assert repr(marker_among(metrics, [finnish([FINE])])) == marker


def test_without_any_that_can_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tealeaves.metrics.marking.METRICS", {})
    with pytest.raises(InputError, match="no metric is installed that can mark words"):
        marker_among([metric("npmi")], [finnish([FINE])])
    with pytest.raises(InputError, match="npmi cannot mark words"):
        mark_words(metric("npmi"), [], Evidence([]))


def test_topics_in_several_languages_are_refused() -> None:
    both = MultilingualTopics.of_languages({"en": [["cat"]], "es": [["gato"]]})
    with pytest.raises(InputError, match="words are marked in topics of one language"):
        tealeaves.score(both, metrics="twc@1", mark=True)


# ---------------------------------------------------------------------- what is marked


def test_a_word_that_belongs_elsewhere_is_marked() -> None:
    scores = tealeaves.score(finnish([ODD, FINE]), TEXTS, "npmi@10", mark=True)
    assert scores.marked == {("malli", 0): ("soup",), ("malli", 1): ()}
    assert {row.metric for row in scores} == {"npmi@10"}  # the marker is no column
    assert "marked by consensus@10: 1 of 2 topics have odd words" in scores.notes
    assert any(note.startswith("consensus: judged by the corpus") for note in scores.notes)


def test_numbers_and_signatures_are_those_without_marks() -> None:
    models = finnish([ODD, FINE])
    plain = tealeaves.score(models, TEXTS, "npmi@10 consensus@10")
    marked = tealeaves.score(models, TEXTS, "npmi@10 consensus@10", mark=True)
    assert marked.rows == plain.rows
    assert plain.marked == {}
    assert "odd" not in plain.to_dicts()[0]
    assert [note for note in marked.notes if note not in plain.notes] == [
        "marked by consensus@10: 1 of 2 topics have odd words"
    ]


def test_only_the_words_that_are_judged_are_marked() -> None:
    scores = tealeaves.score(finnish([[*FINE, "soup"]]), TEXTS, "npmi@4", mark=True)
    assert scores.marked == {("malli", 0): ()}


def test_the_texts_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []

    def counted(*arguments: Any, **given: Any) -> Any:
        read.append(arguments)
        return read_corpus(*arguments, **given)

    monkeypatch.setattr("tealeaves.metrics.gathering.read_corpus", counted)

    def once() -> Iterator[str]:  # a second reading would find nothing
        yield from TEXTS

    scores = tealeaves.score(finnish([ODD]), once(), "npmi@10 c_v@10", mark=True)
    assert len(read) == 1
    assert scores.marked == {("malli", 0): ("soup",)}
    assert not math.isnan(scores.value("malli", "c_v@10"))


def test_a_reference_may_be_given_for_marking_alone() -> None:
    topics, others = finnish([ODD]), [f"{text} also" for text in TEXTS]
    with pytest.raises(InputError, match="the reference is of no use to npmi@10"):
        tealeaves.score(topics, TEXTS, "npmi@10", reference=others)
    scores = tealeaves.score(topics, TEXTS, "npmi@10", reference=others, mark=True)
    assert scores.marked == {("malli", 0): ("soup",)}
    assert any("judged by the corpus, the reference" in note for note in scores.notes)


def test_another_metric_marks_where_it_is_asked_for() -> None:
    models = [finnish([ODD, FINE], "good"), finnish([ODD], "bad")]
    scores = tealeaves.score(models, metrics=[last_is_odd @ 3], mark=True)
    assert scores.marked == {("good", 0): ("soup",), ("good", 1): ("bird",)}
    assert scores.notes.count("the last word is odd, whatever it is") == 1
    assert [row["odd"] for row in scores.to_dicts()] == [["soup"], ["bird"], None, None, None]


def test_with_nothing_to_go_by_nothing_can_be_marked() -> None:
    with pytest.raises(InputError, match="consensus has nothing to go by"):
        tealeaves.score(finnish([ODD]), metrics="diversity@5", mark=True)


# ---------------------------------------------------------------------- how it is shown

ROWS = [
    Score("m", 0, "npmi", 0.5, 1.0, "s"),
    Score("m", 1, "npmi", 0.25, 1.0, "s"),
    Score("m", 2, "npmi", 0.25, 1.0, "s"),
    Score("m", None, "npmi", 0.375, 1.0, "s"),
]
WORDS: Any = {("m", 0): ("c_t", "a|b", "<i>", "dog"), ("m", 1): ("x", "y"), ("m", 2): ("z",)}
MARKED: Any = {("m", 0): ("<i>", "a|b", "c_t"), ("m", 1): ()}


@pytest.fixture
def scores() -> Scores:
    return Scores(ROWS, words=WORDS, marked=MARKED, better={"npmi": "higher"})


def test_each_format_marks_in_its_own_way(scores: Scores) -> None:
    text = str(scores).splitlines()
    assert "[c_t] [a|b] [<i>] dog" in text[1]
    assert text[-1] == MARK_LEGEND
    assert r"| ~~c_t~~ ~~a\|b~~ ~~&lt;i>~~ dog |" in scores.to_markdown()
    assert (
        r"& {[}c\_t{]} {[}a\textbar{}b{]} {[}\textless{}i\textgreater{}{]} dog &"
        in scores.to_latex()
    )
    page = scores.to_html()
    marked = " ".join(f"<s><bdi>{word}</bdi></s>" for word in ("c_t", "a|b", "&lt;i&gt;"))
    assert f"{marked} <bdi>dog</bdi></td>" in page
    for written in (scores.to_markdown(), scores.to_latex(), html.unescape(page)):
        assert MARK_LEGEND in written


def test_where_nothing_is_odd_no_legend_stands(scores: Scores) -> None:
    scores.marked[("m", 0)] = ()
    assert MARK_LEGEND not in str(scores)
    assert MARK_LEGEND not in str(Scores(ROWS, words=WORDS))


def test_models_alone_have_no_odd_words(scores: Scores) -> None:
    assert "odd" not in scores.models.to_dicts()[0]
    assert scores.models.legend == []
    assert scores.topics.to_dicts()[0]["odd"] == ["<i>", "a|b", "c_t"]


def test_data_frames_have_lists(scores: Scores) -> None:
    wanted = [["<i>", "a|b", "c_t"], [], None, None]
    assert scores.to_polars()["odd"].to_list() == wanted
    assert scores.to_pandas()["odd"].tolist() == wanted
    rows = [json.loads(line) for line in scores.to_jsonl().splitlines()]
    assert [row["odd"] for row in rows] == wanted
    lines = scores.to_csv().splitlines()
    assert lines[0].endswith(",odd")
    assert lines[1].endswith(",<i> a|b c_t")


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_what_was_saved_comes_back(scores: Scores, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"scores{suffix}"
    scores.save(path)
    found = read_scores(path)
    unjudged = {("m", "2"): ()} if suffix == ".csv" else {}  # which has no word for nothing
    marked = {(model, str(topic)): odd for (model, topic), odd in found.marked.items()}
    assert marked == {("m", "0"): MARKED["m", 0], ("m", "1"): (), **unjudged}
    assert [row.value for row in found] == [row.value for row in ROWS]
    assert str(found) == str(scores)


def test_what_was_not_marked_comes_back_unmarked(tmp_path: Path) -> None:
    Scores(ROWS, words=WORDS).save(tmp_path / "plain.jsonl")
    assert read_scores(tmp_path / "plain.jsonl").marked == {}


def test_odd_words_that_are_no_list_are_refused() -> None:
    row = {"model": "m", "topic": 0, "metric": "npmi", "value": 1, "odd": 7}
    with pytest.raises(InputError, match="row 1: odd: 7 is no list of words"):
        read_scores([row])


def test_a_wide_table_may_have_a_metric_of_that_name() -> None:
    found = read_scores([{"topic": 0, "odd": 0.5}])
    assert [(row.metric, row.value) for row in found] == [("odd", 0.5)]
    assert found.marked == {}


def test_tables_with_marks_wrap_words_and_others_do_not() -> None:
    assert Scores(ROWS, words=WORDS, marked={("m", 0): ()}).table().wraps == ("words",)
    assert Scores(ROWS, words=WORDS).table().wraps == ()
