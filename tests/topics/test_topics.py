"""Topics: their checks, their counts of documents, and their table in notebooks."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.printing import visible
from tealeaves.topics import MultilingualTopics, Topic, Topics
from tests.calls import count_calls

WORDS = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1)


def test_topics_may_be_of_different_lengths() -> None:
    topics = Topics.of([["cat", "dog", "horse"], ["bread"]], model="toy")
    assert [topic.words for topic in topics.topics] == [("cat", "dog", "horse"), ("bread",)]
    assert [topic.id for topic in topics.topics] == [0, 1]
    assert len(topics) == 2
    assert repr(topics) == "Topics(toy: 2 topics)"


@settings(deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, unique=True), min_size=1))
def test_words_and_their_order_are_kept(lists: list[list[str]]) -> None:
    topics = Topics.of(lists)
    assert [list(topics[number].words) for number in range(len(topics))] == lists


def test_the_ids_of_a_mapping_are_kept() -> None:
    topics = Topics.of({-1: ["a"], 7: ["b"], "last": ["c"]}, documents=[3, 2, 1])
    assert [(t.id, t.words, t.documents) for t in topics.topics] == [
        (-1, ("a",), 3),
        (7, ("b",), 2),
        ("last", ("c",), 1),
    ]


def test_word_lists_may_come_from_an_iterator() -> None:
    assert Topics.of(words.split() for words in ("a b", "c")) == Topics.of([["a", "b"], ["c"]])


def test_white_space_around_words_is_removed() -> None:
    assert Topics.of([[" cat\n", "new york "]])[0].words == ("cat", "new york")


def test_a_repeated_word_counts_once_with_a_warning() -> None:
    with pytest.warns(TealeavesWarning, match=r"toy: topic 4 lists a word more than once \(dog\)"):
        topics = Topics.of({4: ["cat", "dog", "horse", "dog "]}, model="toy")
    assert topics[0].words == ("cat", "dog", "horse")


def test_weights_stay_with_their_words_when_one_is_repeated() -> None:
    topic = Topic(0, ("a", "b", "a", "c", "b"), (5.0, 4.0, 3.0, 2.0, 1.0))
    with pytest.warns(TealeavesWarning, match=r"\(a, b\)"):
        topics = Topics((topic,))
    assert topics[0].words == ("a", "b", "c")
    assert topics[0].weights == (5.0, 4.0, 2.0)


@pytest.mark.parametrize("weights", [None, tuple(map(float, range(4000)))])
def test_repeated_words_are_not_searched_again_and_again(
    weights: tuple[float, ...] | None,
) -> None:
    topic = Topic(0, tuple(f"w{number % 1000}" for number in range(4000)), weights)
    with pytest.warns(TealeavesWarning, match=r"\(w0, w1, w10, .* and 990 more\)"):
        calls = count_calls(lambda: Topics((topic,)))
    assert calls["tuple.count"] + calls["tuple.index"] == 0


def test_every_topic_that_repeats_a_word_warns_once() -> None:
    with pytest.warns(TealeavesWarning) as caught:
        Topics.of([["a", "a", "b", "b"], ["c"], ["d", "d"]])
    assert [str(warning.message).split(" lists")[0] for warning in caught] == [
        "model: topic 0",
        "model: topic 2",
    ]


def test_the_warning_points_at_the_line_that_made_the_topics() -> None:
    with pytest.warns(TealeavesWarning) as caught:
        Topics((Topic(0, ("a", "a")),))
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ((), r"^toy: no topics$"),
        ((Topic("x", ()),), r"^toy: topic x has no words$"),
        ((Topic(0, ("a",)), Topic(1, ("b", ""))), r"^toy: topic 1: word 2 is empty$"),
        ((Topic(3, ("a", "b", " \t")),), r"^toy: topic 3: word 3 is empty$"),
        ((Topic(3, ("a", 5)),), r"^toy: topic 3: word 2 is 5, not a string$"),  # type: ignore[arg-type]
        ((Topic(3, (None,)),), r"^toy: topic 3: word 1 is None, not a string$"),  # type: ignore[arg-type]
        ((Topic(3, ("a", "b"), (1.0,)),), r"^toy: topic 3 has 2 words but 1 weights$"),
        ((Topic(3, ("a",), None, -1),), r"^toy: topic 3 has a negative number of documents$"),
        ((Topic(3, ("a",)), Topic(3, ("b",))), r"^toy: the topic id 3 is given twice$"),
    ],
)
def test_an_error_names_model_topic_and_rank(topics: tuple[Topic, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Topics(topics, model="toy")


@pytest.mark.parametrize("weight", [float("nan"), float("inf")])
def test_weights_that_json_cannot_hold_are_an_error(weight: float) -> None:
    with pytest.raises(InputError, match=r"toy: topic 3.*weight"):
        Topics((Topic(3, ("a", "b"), (1.0, weight)),), model="toy")


def test_a_negative_number_of_outliers_is_an_error() -> None:
    with pytest.raises(InputError, match=r"toy.*negative"):
        Topics.of([["a"]], model="toy", outliers=-1)


def test_a_string_in_place_of_a_word_list_is_an_error() -> None:
    with pytest.raises(InputError, match="toy: topic 1 is a string; give a list of words"):
        Topics.of([["a"], "b c"], model="toy")


def test_document_counts_must_be_one_for_each_topic() -> None:
    with pytest.raises(InputError, match="toy: 1 document counts for 2 topics"):
        Topics.of([["a"], ["b"]], model="toy", documents=[3])


def test_document_counts_may_be_an_array() -> None:
    counts: Any = np.array([3, 4])
    assert Topics.of([["a"], ["b"]], documents=counts).documents_per_topic() == ([3, 4], 0)


@pytest.mark.parametrize("topic_id", [None, 1.5, (1, 2)])
def test_an_id_that_is_neither_number_nor_name_is_an_error(topic_id: Any) -> None:
    with pytest.raises(InputError, match=r"toy: .*id"):
        Topics((Topic(topic_id, ("a",)),), model="toy")


def test_topics_are_values() -> None:
    one, two = Topics.of([["a", "b"]]), Topics.of([["a", "b"]])
    assert one == two
    assert hash(one) == hash(two)
    assert one != Topics.of([["b", "a"]])
    assert one != Topics.of([["a", "b"]], model="other")
    with pytest.raises(AttributeError):
        one.model = "x"  # type: ignore[misc]


def test_documents_per_topic_come_from_the_counts() -> None:
    topics = Topics.of([["a"], ["b"]], documents=[3, 0], outliers=2)
    assert topics.documents_per_topic() == ([3, 0], 2)


def test_documents_per_topic_come_from_the_matrix_without_counts() -> None:
    shares = [[0.9, 0.1], [0.2, 0.8], [0.0, 0.0], [0.5, 0.5], [0.6, 0.4]]
    topics = Topics.of([["a"], ["b"]], document_topic=shares)
    assert topics.documents_per_topic() == ([3, 1], 1)


def test_outliers_outside_the_matrix_are_added_to_those_inside() -> None:
    topics = Topics.of([["a"], ["b"]], document_topic=[[0.0, 0.0], [0.0, 1.0]], outliers=2)
    assert topics.documents_per_topic() == ([0, 1], 3)


def test_counts_go_before_the_matrix() -> None:
    topics = Topics.of([["a"], ["b"]], documents=[7, 8], document_topic=[[1.0, 0.0]])
    assert topics.documents_per_topic() == ([7, 8], 0)


def test_counts_of_some_topics_only_give_way_to_the_matrix() -> None:
    parts = (Topic(0, ("a",), None, 7), Topic(1, ("b",)))
    assert Topics(parts).documents_per_topic() is None
    matrix = Topics.of([["a"], ["b"]], document_topic=[[0.0, 1.0]]).document_topic
    assert Topics(parts, document_topic=matrix).documents_per_topic() == ([0, 1], 0)


def test_documents_per_topic_may_be_unknown() -> None:
    assert Topics.of([["a"]]).documents_per_topic() is None


HOSTILE = ("<script>alert(1)</script>", "\"><img src=x onerror='alert(1)'>", "&lt;b&gt;", "שלום")


class Seen(HTMLParser):
    """The tags and the texts of a page, cell by cell."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in ("td", "th", "p"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        self.cells[-1] += data


ALLOWED = {"p", "table", "thead", "tbody", "tr", "th", "td", "bdi"}


def test_a_table_of_first_words() -> None:
    topics = Topics.of({"a": [f"w{n}" for n in range(12)], 7: ["x y", "z"]}, model="m")
    seen = Seen(topics._repr_html_())
    assert seen.cells == [
        "Topics(m: 2 topics)", "topic", "words", "a", "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 …", "7",
        "x y z",
    ]  # fmt: skip
    # each word is on its own: "x y" is one
    assert "<bdi>x y</bdi> <bdi>z</bdi>" in topics._repr_html_()


def test_documents_are_shown_if_they_are_known() -> None:
    theta = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.0, 0.0]])
    seen = Seen(Topics.of([["a"], ["b"]], document_topic=theta)._repr_html_())
    assert seen.cells[1:] == [
        "topic", "words", "documents", "0", "a", "2", "1", "b", "1",
        "documents without a topic: 1",
    ]  # fmt: skip
    assert "1,234,567" in Topics.of([["a"]], documents=[1234567])._repr_html_()


def test_at_most_fifty_topics_are_shown() -> None:
    seen = Seen(Topics.of([[f"w{n}"] for n in range(1061)])._repr_html_())
    assert seen.tags.count("tr") == 51
    assert seen.cells[-1] == "… 1,011 more"
    assert "more" not in Topics.of([[f"w{n}"] for n in range(50)])._repr_html_()


def test_each_language_has_its_column() -> None:
    topics = MultilingualTopics.of_languages(
        {"en": [["king", "house"], ["bread"]], "he": [["מלך"], ["לחם", HOSTILE[0]]]},
        documents=[3, 4],
    )
    seen = Seen(topics._repr_html_())
    assert seen.cells == [
        "MultilingualTopics(model: 2 topics in en, he)", "topic", "en", "he", "documents",
        "0", "king house", "מלך", "3", "1", "bread", f"לחם {HOSTILE[0]}", "4",
    ]  # fmt: skip
    assert set(seen.tags) == ALLOWED


def test_hostile_words_ids_and_names_are_text() -> None:
    topics = Topics.of({HOSTILE[0]: list(HOSTILE)}, model=HOSTILE[1])
    seen = Seen(topics._repr_html_())
    assert set(seen.tags) == ALLOWED
    assert seen.attributes == {"style"}
    assert seen.cells[-2:] == [HOSTILE[0], " ".join(HOSTILE)]
    assert HOSTILE[1] in seen.cells[0]


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=5, unique_by=str.strip))
def test_any_word_is_shown_as_it_is_but_for_control_characters(words: list[str]) -> None:
    shown = re.findall(r"<bdi>(.*?)</bdi>", Topics.of([words])._repr_html_(), re.DOTALL)
    assert [unescape(word) for word in shown[1:]] == [visible(word.strip()) for word in words]


def test_a_model_of_one_topic() -> None:
    model = Topics.of({"a": ["cat"], 7: ["dog"]}, model="m", tokens="words")
    assert model.only("7").topics == (model[1],)
    assert model.only(7).tokens == "words"
    with pytest.raises(InputError, match=r"^m: no topic b \(there are a, 7\)$"):
        model.only("b")
