"""Explanations: values with intervals, reasons, odd words, and the weakest pairs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl
import pytest

import tealeaves
from tealeaves import MultilingualTopics, Topics, demo
from tealeaves.consensus import Explanation, Explanations, explain, open_predictors
from tealeaves.consensus.predictors import BANDS, PERCENTILES, Predictor
from tealeaves.consensus.reasons import NAMED_REASONS, main_reason, reasons_of
from tealeaves.consensus.signals import names_of
from tealeaves.consensus.words import WeakPair, weakest_of
from tealeaves.errors import InputError
from tealeaves.evidence import count_corpus
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.planning import count_requests
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

from .made import relations_of
from .small_world import MIXED, PURE, TOPICS, english, finnish, texts, toy, word

TEXTS, REFERENCE = texts(0), texts(1)
NAN = math.nan


@pytest.fixture(scope="module")
def everything() -> Explanations:
    """What corpus, reference and two embeddings say of all topics together."""
    return explain(
        english(), TEXTS, reference=REFERENCE, embeddings=[toy("one"), toy("two", 1)], top=8
    )


# ---------------------------------------------------------------------- values and intervals


def test_values_and_support_are_those_of_the_metric(everything: Explanations) -> None:
    embeddings = [toy("one"), toy("two", 1)]
    scores = tealeaves.score(
        english(), TEXTS, "consensus@8", reference=REFERENCE, embeddings=embeddings, mark=True
    )
    assert [(row.model, row.topic, row.value, row.support) for row in everything] == [
        (row.model, row.topic, row.value, row.support) for row in scores
    ]
    assert [tuple(row.odd) for row in everything.topics] == list(scores.marked.values())
    assert everything.notes == [note for note in scores.notes if not note.startswith("marked by")]


def test_an_average_topic_and_all_parts_make_the_value(everything: Explanations) -> None:
    for row in everything.topics:
        total = row.usual + sum(row.parts.values())
        assert row.value == pytest.approx(min(max(total, 0.0), 1.0))
        assert tuple(row.parts) == names_of(["corpus", "reference", "vectors", "several"])
        assert row.sources == ["corpus", "reference", "one", "two"]


@pytest.mark.parametrize("level", [0.5, 0.8, 0.98])
def test_the_interval_adds_the_percentiles_of_errors(level: float) -> None:
    found = explain(finnish(), TEXTS, top=8, level=level)
    predictor = open_predictors().of_parts(["corpus"])
    for row in found.topics:
        low, high = (_error(predictor, row.value, 50 + sign * 50 * level) for sign in (-1, 1))
        assert row.low == pytest.approx(max(row.value + low, 0.0))
        assert row.high == pytest.approx(min(row.value + high, 1.0))
    assert found.level == level


def _error(predictor: Predictor, value: float, percentile: float) -> float:
    """Return the error at a percentile, between those of the bands around a value."""

    def between(place: float, places: Sequence[float], numbers: Sequence[float]) -> float:
        for left in range(len(places) - 1):
            if places[left] <= place <= places[left + 1]:
                part = (place - places[left]) / (places[left + 1] - places[left])
                return (1 - part) * numbers[left] + part * numbers[left + 1]
        return numbers[0] if place < places[0] else numbers[-1]

    return between(
        value, BANDS, [between(percentile, PERCENTILES, one) for one in predictor.errors]
    )


def test_a_model_has_the_mean_and_no_interval(everything: Explanations) -> None:
    [model] = [row for row in everything if row.topic is None]
    assert model.value == pytest.approx(np.mean([row.value for row in everything.topics]))
    assert math.isnan(model.low)
    assert math.isnan(model.high)
    assert (model.interval, model.sentence, model.words) == ("", "", [])


def test_counts_say_what_their_texts_say() -> None:
    topics = finnish()
    pipeline = Pipeline.parse("words")
    requests = count_requests([topics], [metric("consensus@8")], Wording(pipeline))
    counts = count_corpus(Corpus.of(TEXTS), pipeline, requests)
    assert explain(topics, counts=counts, top=8).rows == explain(topics, TEXTS, top=8).rows


# ---------------------------------------------------------------------- words


def test_the_topic_of_all_themes_is_the_worst(everything: Explanations) -> None:
    worst = everything.worst_first(1).rows
    assert [row.words for row in worst] == [MIXED]
    assert "best words less related" in worst[0].main_reason


def test_a_word_of_another_theme_is_odd_and_in_the_weakest_pairs() -> None:
    topics = [*PURE[1:], [*PURE[0][:6], word("b", 0)]]
    row = explain(english(topics), TEXTS, embeddings=toy()).topics[-1]
    assert row.odd == [word("b", 0)]
    assert str(row.marked).split()[-1] == f"[{word('b', 0)}]"
    assert min(row.fits, key=row.fits.__getitem__) == word("b", 0)
    assert list(row.fits) == row.words
    assert all(pair.other == word("b", 0) for pair in row.weakest)
    assert len(row.weakest) == 3


@pytest.mark.parametrize(
    "sources", [["corpus"], ["one", "two"], ["corpus", "reference", "one", "two"]]
)
def test_weakest_pairs_by_hand(sources: list[str]) -> None:
    relations = relations_of(sources, topics=3, size=5)
    for topic, found in enumerate(weakest_of(relations)):
        odds: dict[tuple[int, int], float] = {}
        for one, other in combinations(range(5), 2):
            kinds = [
                [relations.logits[name][topic, one, other] for name in names]
                for names in (relations.texts, relations.embeddings)
                if names
            ]
            odds[one, other] = float(np.mean([np.mean(kind) for kind in kinds]))
        wanted = sorted(odds, key=odds.__getitem__)[:3]
        words = relations.words[topic]
        assert [pair[:2] for pair in found] == [(words[a], words[b]) for a, b in wanted]
        assert [pair.related for pair in found] == pytest.approx(
            [1 / (1 + math.exp(-odds[pair])) for pair in wanted]
        )


def test_a_pair_that_nobody_knows_is_not_called_weak() -> None:
    relations = relations_of(["corpus", "one"], topics=1, size=3)
    [[weakest, *_]] = weakest_of(relations)
    one, other = (relations.words[0].index(name) for name in weakest[:2])
    half, none = ({name: flags.copy() for name, flags in relations.known.items()} for _ in "ab")
    for known, names in ((half, ["corpus"]), (none, ["corpus", "one"])):
        for name in names:
            known[name][0, [one, other], [other, one]] = False
        relations.known.update(known)
        [found] = weakest_of(relations)
        assert (weakest in found) is (known is half)
        assert len(found) == (3 if known is half else 2)


def test_a_topic_of_two_words_has_one_pair() -> None:
    row = explain(finnish([PURE[0][:2]]), TEXTS).topics[0]
    assert [str(pair) for pair in row.weakest] == ["–".join(PURE[0][:2])]


# ---------------------------------------------------------------------- reasons


def test_reasons_are_the_largest_parts_on_both_sides(everything: Explanations) -> None:
    for row in everything.topics:
        lowered = sorted(part for part in row.parts.values() if part <= -0.005)[:NAMED_REASONS]
        raised = sorted((p for p in row.parts.values() if p >= 0.005), reverse=True)[:NAMED_REASONS]
        wanted = [lowered, raised] if row.value < row.usual else [raised, lowered]
        assert [reason.part for reason in row.reasons] == [*wanted[0], *wanted[1]]
        assert row.sentence == "; ".join(map(str, row.reasons))


def test_reasons_in_words() -> None:
    parts = {"texts.best": 0.3, "texts.worst": -0.25, "agreement.texts": -0.1, "texts.common": -0.2}
    assert list(map(str, reasons_of(parts, 1))) == [
        "-0.25 how related the third of words is that fits worst, by the texts",
        "+0.30 how related the third of words is that fits best, by the texts",
    ]
    assert [one.signal for one in reasons_of({"texts.best": 0.3, "texts.worst": -0.25})] == [
        "texts.best",
        "texts.worst",
    ]
    assert reasons_of({"texts.best": 0.004, "texts.worst": -0.004}) == []
    assert reasons_of({}) == []


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"texts.worst": -0.2, "vectors.worst": -0.1}, "-0.30 worst words less related"),
        ({"texts.first": 0.2, "joined.first": 0.1}, "+0.30 first words more related"),
        ({"agreement.texts": -0.2, "agreement.joined": -0.1}, "-0.30 sources agree less"),
        ({"agreement.vectors": 0.2}, "+0.20 sources agree more"),
        ({"joined.second": -0.2}, "-0.20 a second theme"),
        ({"texts.common": -0.2}, "-0.20 how common words are"),
        ({"vectors.length": 0.2}, "+0.20 length of vectors"),
        ({"texts.best": -0.004}, ""),
        ({}, ""),
    ],
)
def test_the_main_reason_adds_up_what_texts_and_vectors_say(
    parts: dict[str, float], said: str
) -> None:
    assert main_reason(parts) == said


def test_the_main_reason_goes_where_the_value_went() -> None:
    parts = {"texts.best": -0.25, "texts.worst": -0.2, "vectors.worst": -0.1, "texts.first": 0.4}
    assert main_reason(parts) == "-0.30 worst words less related"
    raised = {"texts.best": 0.2, "texts.worst": -0.3, "texts.first": 0.11}
    assert main_reason(raised) == "+0.20 best words more related"


def test_every_signal_has_a_main_reason() -> None:
    for predictor in open_predictors().predictors:
        for signal in predictor.model.signals:
            assert main_reason({signal: -0.1}).startswith("-0.10 ")


# ---------------------------------------------------------------------- what is not known


def test_topics_of_other_lengths_than_in_training_are_named() -> None:
    words = [one for some in PURE[:3] for one in some]
    assert len(words) >= 22
    topics = [words[:size] for size in (4, 5, 20, 21, 3)] + [["al"]]
    notes = [note for note in explain(finnish(topics), TEXTS, top=None).notes if "training" in note]
    assert notes == [
        f"consensus: judged by {what} words: {number} of 5 topics ({named}); the training "
        "topics had 5 to 20, and errors may be larger here"
        for what, number, named in (("fewer than 5", 2, "0, 4"), ("more than 20", 1, "3"))
    ]
    two = explain([finnish(topics[1:3]), finnish(topics[:1], "other")], TEXTS, top=4).notes
    assert any("fewer than 5 words: 3 of 3 topics (malli 0, malli 1, other 0)" in n for n in two)


def test_a_topic_that_nothing_is_known_of_says_why() -> None:
    topics = [PURE[0], ["zzx", "zzy"], ["al"]]
    first, unknown, short, model = explain(finnish(topics), TEXTS)
    assert not math.isnan(first.value)
    for row, why in (
        (unknown, "no source that was asked knows two of its words"),
        (short, "it has fewer than two words"),
    ):
        assert math.isnan(row.value)
        assert row.support == 0
        assert row.sentence == row.main_reason == row.why_not == why
        assert (row.parts, row.weakest, row.odd, row.sources) == ({}, [], [], [])
    assert model.value == first.value


def test_a_model_without_pairs_is_left_out_and_named() -> None:
    found = explain([finnish(), finnish([["ak"], ["bk"]], "short")], TEXTS)
    rows = [row for row in found if row.model == "short"]
    assert [row.topic for row in rows] == [0, 1, None]
    assert all(math.isnan(row.value) for row in rows)
    assert rows[0].why_not == "it compares two words or more, and no topic has two"
    assert any(note.startswith("short: no consensus@10: ") for note in found.notes)


@pytest.mark.parametrize("level", [0.0, -0.1, 0.99, NAN])
def test_a_level_that_is_not_known_is_refused_before_texts_are_read(level: float) -> None:
    with pytest.raises(InputError, match=r"must be above 0, and at most 0\.98"):
        explain(english(), "no_such_file.txt", level=level)


def test_what_cannot_be_judged_is_refused() -> None:
    both = MultilingualTopics.of_languages({"en": [["cat"]], "es": [["gato"]]})
    several = r"its topics are in several languages \(en, es\).*`tealeaves consensus --language`"
    with pytest.raises(InputError, match=several):
        explain(both, TEXTS)
    with pytest.raises(InputError, match="consensus has nothing to go by"):
        explain(finnish())
    with pytest.raises(InputError, match="consensus@1 cannot be computed: malli: it compares two"):
        explain(finnish(), TEXTS, top=1)
    with pytest.raises(InputError, match="consensus@0: the number of top words must be at least 1"):
        explain(finnish(), TEXTS, top=0)
    with pytest.raises(InputError, match="give either a corpus or counts, not both"):
        explain(finnish(), TEXTS, counts=[])


# ---------------------------------------------------------------------- rows and tables

KINDS = ("best", "worst", "first", "second", "common", "length")
PARTS = {"texts.best": -0.3, "texts.worst": 0.1}
ROWS = [
    Explanation(model="m", topic="a b", value=0.4, low=0.1, high=0.7, support=0.5, usual=0.6,
                sources=["corpus"], parts=PARTS, odd=["dog"], words=["cat", "dog", "cow"],
                weakest=[WeakPair("cat", "dog", 0.1)], fits={"cat": 1.2, "dog": 0.2, "cow": 1.1}),
    Explanation(model="m", topic=1, value=NAN, support=0.0, words=["zz"], why_not="it is short"),
    Explanation(model="m", topic=None, value=0.4, support=0.25),
    Explanation(model="n", topic=0, value=0.2, low=0.0, high=0.5, support=1.0, usual=0.6,
                sources=["corpus"], parts=PARTS, words=["x", "y"], fits={"x": 1.0, "y": 1.0}),
    Explanation(model="n", topic=None, value=0.2, support=1.0),
]  # fmt: skip
SOME = Explanations(ROWS, level=0.9, top=10, notes=["a note"])


def test_the_table() -> None:
    lines = str(SOME).splitlines()
    assert " ".join(lines[0].split()) == "model topic words main reason value ↑ 90% interval"
    assert "cat [dog] cow  -0.30 best words less related  0.4000 (50%)  [0.10, 0.70]" in lines[1]
    assert lines[2].split() == ["m", "1", "zz", "it", "is", "short", "–"]
    assert lines[3].split() == ["m", "all", "0.4000", "(25%)"]
    assert "from 0, the worst answer people could give, to 1, the best" in lines[6]
    assert "for 90% of topics like those it was fitted to (English; in other corpora" in lines[7]
    assert "an average topic, which has 0.60" in lines[8]
    assert lines[-1] == "a note"
    assert "fit their topic badly" in lines[-3]
    assert "~~dog~~" in SOME.to_markdown()
    assert "<s><bdi>dog</bdi></s>" in SOME.to_html()
    single = Explanations(ROWS[3:], level=0.5, top=None)
    assert single.table().headings == ["topic", "words", "main reason", "value ↑", "50% interval"]
    assert "fit their topic badly" not in str(single)
    assert "for 50% of topics like those it was fitted to" in str(single)
    assert "worst of" not in str(SOME)


def test_all_words_that_were_judged_are_shown() -> None:
    words = [f"w{number}" for number in range(17)]
    row = Explanation(model="m", topic=0, value=0.5, support=1.0, words=words, odd=["w11"])
    found = Explanations([row], level=0.9, top=17)
    assert " ".join([*words[:11], "[w11]", *words[12:]]) in str(found)
    assert found.table().wraps == ("words", "main reason")


def test_the_legend_says_what_agreement_of_sources_is() -> None:
    agree = {"agreement.joined": 0.3, "texts.best": -0.2}
    row = Explanation(model="m", topic=0, value=0.5, support=1.0, parts=agree)
    said = "texts and vectors (or two texts, two embeddings) agree on which words belong"
    assert row.main_reason == "+0.30 sources agree more"
    assert said in str(Explanations([row], level=0.9, top=10))
    assert said not in str(SOME)


def test_a_notebook_is_told_who_judged() -> None:
    assert SOME.judged_by == "judged by corpus"
    assert SOME._repr_html_().endswith("<p>judged by corpus</p>")
    both = msgspec.structs.replace(ROWS[0], sources=["corpus", "<b>"])
    more = Explanations([both, *ROWS[1:]], level=0.9, top=10)
    assert more.judged_by == "judged by corpus, <b> (1 of 2 topics)"
    assert "&lt;b&gt; (1 of 2 topics)" in more.to_html()
    assert "judged by" not in Explanations(ROWS[1:3], level=0.9, top=10).to_html()


def test_rows() -> None:
    first, second, model, *_ = SOME.to_dicts()
    assert tuple(first) == SOME.columns
    assert first["weakest"] == ["cat–dog"]
    assert first["fits"] == [1.2, 0.2, 1.1]
    assert first["reasons"].startswith("-0.30 how related the third of words is that fits best")
    assert second["reasons"] == "it is short"
    assert (model["topic"], model["fits"], model["reasons"]) == (None, [], "")
    content = json.loads(SOME.to_json())
    assert (content["level"], content["top"], content["notes"]) == (0.9, 10, ["a note"])
    assert content["rows"][1]["value"] is None
    lines = SOME.to_csv().splitlines()
    assert lines[0] == "model,topic,value,low,high,support,usual,sources,reasons,odd,weakest,words"
    assert lines[1].endswith(",dog,cat–dog,cat dog cow")


def test_rows_have_all_parts_and_these_make_the_value_and_the_main_reason(
    everything: Explanations, tmp_path: Path
) -> None:
    everything.save(tmp_path / "found.parquet")
    frame = pl.read_parquet(tmp_path / "found.parquet").to_dicts()
    lines = [json.loads(line) for line in everything.to_jsonl().splitlines()]
    for row, line, saved in zip(everything, lines, frame, strict=True):
        assert line["parts"] == saved["parts"]
        assert {one["signal"]: one["part"] for one in line["parts"]} == row.parts
        if row.topic is None:
            assert line["parts"] == []
            continue
        total = line["usual"] + sum(one["part"] for one in line["parts"])
        assert line["value"] == pytest.approx(min(max(total, 0.0), 1.0))
        kinds: dict[str, float] = {}
        for one in line["parts"]:
            kind = next((k for k in KINDS if one["signal"].endswith(f".{k}")), "")
            kind = "agree" if one["signal"].startswith("agreement.") else kind
            kinds[kind] = kinds.get(kind, 0.0) + one["part"]
        number, *words = row.main_reason.split()
        wanted = max(kinds.values()) if total > line["usual"] else min(kinds.values())
        assert number == f"{wanted:+.2f}"
        assert any(kind in words and kinds[kind] == wanted for kind in kinds)
    assert "parts" not in everything.to_csv().splitlines()[0]


@pytest.mark.parametrize("found", [SOME, Explanations(ROWS[1:3], level=0.9, top=10)])
def test_data_frames_have_the_same_kinds_whatever_is_in_them(
    found: Explanations, tmp_path: Path
) -> None:
    found.save(tmp_path / "found.parquet")
    frame = pl.read_parquet(tmp_path / "found.parquet")
    assert frame.columns == list(found.columns)
    assert frame.schema["odd"] == pl.List(pl.String)
    assert frame.schema["fits"] == pl.List(pl.Float64)
    assert frame.schema["parts"] == pl.List(pl.Struct({"signal": pl.String, "part": pl.Float64}))
    assert frame["topic"].to_list() == [
        None if row.topic is None else str(row.topic) for row in found
    ]


def test_worst_first() -> None:
    def named(found: Explanations) -> list[tuple[str, Any]]:
        return [(row.model, row.topic) for row in found]

    assert named(SOME.worst_first()) == [("n", 0), ("m", "a b"), ("m", 1), ("m", None), ("n", None)]
    assert named(SOME.worst_first(1)) == [("n", 0)]
    assert named(SOME.worst_first(9)) == [("n", 0), ("m", "a b")]
    assert SOME.worst_first(1).notes == ["a note"]
    assert len(SOME) == 5


def test_the_worst_say_their_model_and_of_how_many_they_are() -> None:
    worst = SOME.worst_first(1)
    assert worst.table().labels[0] == "model"
    assert worst.chosen == "the worst of 3 topics"
    assert "the worst of 3 topics" in str(worst)
    assert SOME.worst_first(2).chosen == "the 2 worst of 3 topics"
    assert worst.worst_first(1).chosen == worst.chosen
    assert SOME.chosen == SOME.worst_first().chosen == ""
    assert Explanations(ROWS[:3], level=0.9, top=10).worst_first(1).table().labels[0] == "topic"


# ---------------------------------------------------------------------- the demo


def test_the_demo_is_judged_as_it_was_made() -> None:
    found = explain(demo.models(), demo.corpus())
    means = {row.model: row.value for row in found if row.topic is None}
    assert means["good"] > means["middling"] > means["shuffled"]
    by_topic = {(row.model, row.topic): row for row in found.topics}
    assert by_topic["middling", 1].main_reason.endswith("a second theme")  # kitchen and garden
    assert by_topic["middling", 3].odd  # a school, and names, in a garden
    assert not any(row.odd for row in found.topics if row.model == "good")


def test_it_takes_what_score_takes() -> None:
    named = {"one": TOPICS[:2], "two": TOPICS[2:4]}
    found = explain(named, TEXTS, embeddings=toy(), tokens="tokens", top=None, threads=1)
    assert list(dict.fromkeys(row.model for row in found)) == ["one", "two"]
    assert found.top is None
    topics = Topics.of(TOPICS[:2], model="one", language="fi")
    assert explain(topics, reference=REFERENCE, reference_tokens="tokens").rows[0].sources == [
        "reference"
    ]
