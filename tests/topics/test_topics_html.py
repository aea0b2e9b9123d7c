"""Topics as notebooks show them."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.topics import MultilingualTopics, Topics

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


def test_documents_are_told_where_they_are_known() -> None:
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
def test_any_word_is_shown_as_it_is(words: list[str]) -> None:
    shown = re.findall(r"<bdi>(.*?)</bdi>", Topics.of([words])._repr_html_(), re.DOTALL)
    assert [unescape(word) for word in shown[1:]] == [word.strip() for word in words]
