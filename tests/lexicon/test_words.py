"""Texts as numbers of words."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.words import Words

TEXTS = st.lists(st.lists(st.text("abc", min_size=1, max_size=2), max_size=5), max_size=6)


@given(TEXTS)
def test_texts_come_back(texts: list[list[str]]) -> None:
    words = Words.of(texts)
    assert list(words) == texts
    assert len(words) == len(texts)
    assert len(set(words.vocabulary)) == len(words.vocabulary)
    assert words.rows.tolist() == [row for row, text in enumerate(texts) for _ in text]
    for row, text in enumerate(texts):
        assert [words.word(row, place) for place in range(len(text))] == text
    assert set(words.vocabulary) == {word for text in texts for word in text}


@given(TEXTS)
def test_words_are_replaced_one_by_one(texts: list[list[str]]) -> None:
    mapped = Words.of(texts).mapped(lambda word: word[0])
    assert list(mapped) == [[word[0] for word in text] for text in texts]
    assert len(set(mapped.vocabulary)) == len(mapped.vocabulary)


@given(TEXTS, st.data())
def test_some_texts_in_any_order(texts: list[list[str]], data: st.DataObject) -> None:
    rows = data.draw(
        st.lists(st.sampled_from(range(len(texts))), max_size=8) if texts else st.just([])
    )
    words = Words.of(texts)
    taken = words.taken(rows)
    assert list(taken) == [texts[row] for row in rows]
    assert taken.vocabulary == words.vocabulary  # so that numbers still mean the same
    assert taken.numbers.dtype == np.int32
    assert taken.starts.dtype == np.int64
