"""The chart of terms and topics, as the dictionary that draws it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tealeaves.report.charts import term_matrix_chart
from tealeaves.topics import Topics
from tealeaves.topics.term_matrix import term_matrix

pytestmark = pytest.mark.usefixtures("inline_rows")

HOSTILE, LONG = "</script><b>", "w" * 200
TOPICS = Topics.of(
    {7: [HOSTILE, "soup"], "a topic": ["salt", "soup", LONG], 3: ["שלום"]}, model="m"
)


def circles(content: dict[str, Any]) -> dict[tuple[str, str], float]:
    return {(row["term"], row["topic"]): row["weight"] for row in content["data"]["values"]}


def test_each_weight_is_a_circle_of_that_area() -> None:
    content = term_matrix_chart(term_matrix(TOPICS)).to_dict()
    assert circles(content) == {
        (HOSTILE, "7"): 1, ("soup", "7"): 0.5, ("soup", "a topic"): 0.5, ("salt", "a topic"): 1,
        (LONG, "a topic"): 0.3333, ("שלום", "3"): 1,
    }  # fmt: skip
    size = content["encoding"]["size"]
    # linear from 0: twice the weight has twice the area
    assert size["scale"]["domain"] == [0, 1]
    assert size["scale"]["range"][0] == 0
    assert "type" not in size["scale"]
    assert size["legend"]["title"] == "1 / rank"
    assert content["title"]["text"] == "Terms and topics of m"


def test_terms_and_topics_stand_in_their_order() -> None:
    found = term_matrix(TOPICS)
    encoding = term_matrix_chart(found).to_dict()["encoding"]
    assert encoding["x"]["scale"]["domain"] == ["7", "a topic", "3"]
    assert encoding["y"]["scale"]["domain"] == list(found.terms)
    assert encoding["x"]["axis"]["labelAngle"] == -90
    assert encoding["x"]["axis"]["labelOverlap"] is False
    short = term_matrix_chart(term_matrix(Topics.of([["a"], ["b"]]))).to_dict()["encoding"]
    assert short["x"]["axis"]["labelAngle"] == 0


def test_the_words_of_a_topic_are_there_once() -> None:
    content = term_matrix_chart(term_matrix(TOPICS)).to_dict()
    [looked_up] = content["transform"]
    words = {row["topic"]: row["words"] for row in looked_up["from"]["data"]["values"]}
    assert words == {"7": f"{HOSTILE} soup", "a topic": f"salt soup {LONG}", "3": "שלום"}
    assert (looked_up["lookup"], looked_up["from"]["key"]) == ("topic", "topic")
    assert looked_up["from"]["fields"] == ["words"]
    fields = [one["field"] for one in content["encoding"]["tooltip"]]
    assert fields == ["term", "topic", "weight", "words"]


def test_words_are_text_and_long_ones_are_cut_only_on_the_axis(
    texts_of: Callable[[Any], list[Any]],
) -> None:
    drawn = [one.text for one in texts_of(term_matrix_chart(term_matrix(TOPICS)))]
    assert {HOSTILE, "soup", "שלום", "7", "a topic"} <= set(drawn)
    [cut] = [text for text in drawn if text.startswith("www")]
    assert cut.endswith("…")
    assert len(cut) < 40


def smoothed(topics: int, words: int = 300) -> Topics:
    phi = np.random.default_rng(0).dirichlet(np.full(words, 0.02), topics)
    phi = 0.99 * phi + 0.01 / words
    names = tuple(f"w{number}" for number in range(words))
    lists = [[names[place] for place in np.argsort(-row)[:10]] for row in phi]
    return Topics.of(lists, vocabulary=names, topic_word=phi)


def test_circles_that_could_not_be_seen_are_left_out_and_it_stays_small() -> None:
    found = term_matrix(smoothed(200))
    content = term_matrix_chart(found).to_dict(validate=False)
    most = found.values.max()
    assert len(circles(content)) == (found.values >= 0.003 * most).sum() < found.values.size / 4
    assert len(json.dumps(content)) < 300_000
    assert content["width"] == {"step": 12}
    assert "80 of 300 terms" in content["title"]["subtitle"][1]
    assert "probability" in content["title"]["subtitle"][0]


def test_the_row_and_the_column_under_the_pointer_stand_out() -> None:
    content = term_matrix_chart(term_matrix(TOPICS)).to_dict()
    assert [one["select"]["fields"] for one in content["params"]] == [["term"], ["topic"]]
    assert {one["select"]["on"] for one in content["params"]} == {"pointerover"}
    colour = content["encoding"]["color"]
    assert colour["condition"]["param" if "param" in colour["condition"] else "test"] == {
        "or": [{"param": "same_term", "empty": False}, {"param": "same_topic", "empty": False}]
    }
