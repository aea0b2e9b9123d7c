"""Tokens agree on where words of characters begin and end."""

from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.stems.settling import settled
from tealeaves.lexicon.words import Words

Piece = tuple[tuple[int, ...], str]


def piece(text: str, first: int, length: int) -> Piece:
    return tuple(range(first, first + length)), text[first : first + length]


def forms(texts: list[str], found: list[list[Piece]]) -> list[list[str]]:
    made = settled(Words.of(texts), range(len(texts)), found)
    for text, some in zip(texts, made, strict=True):
        for places, form in some:
            assert "".join(text[place] for place in places) == form
    return [[form for _, form in some] for some in made]


def test_what_most_have_is_taken_where_it_stands() -> None:
    texts = ["大祭司", "祭司长", "这祭司", "公司的"]
    found = [[piece("大祭司", 1, 2)], [piece("祭司长", 0, 2)], [piece("这祭司", 2, 1)],
             [piece("公司的", 1, 1)]]  # fmt: skip
    # 司 stands in all four, and two have it; 祭司 in three, and two have it
    assert forms(texts, found) == [["祭司"], ["祭司"], ["祭司"], ["司"]]


def test_what_few_have_is_given_up() -> None:
    texts = ["王大卫"] * 5
    found = [[piece("王大卫", 2, 1)]] * 4 + [[piece("王大卫", 0, 3)]]
    assert forms(texts, found) == [["卫"]] * 5


def test_half_is_not_most() -> None:
    texts = ["右手", "右手"]
    assert forms(texts, [[piece("右手", 0, 2)], [piece("右手", 1, 1)]]) == [["右手"], ["手"]]


def test_two_parts_of_a_word_become_one() -> None:
    texts = ["亚伯拉罕"] * 3
    whole, parts = [piece(texts[0], 1, 3)], [piece(texts[0], 1, 1), piece(texts[0], 3, 1)]
    assert forms(texts, [whole, whole, parts]) == [["伯拉罕"]] * 3


def test_words_that_differ_in_the_text_stay_different() -> None:
    # father: 父 or 父亲, as it is written
    texts = ["父亲", "父亲", "父亲", "父神", "天父"]
    found = [[piece("父亲", 0, 2)], [piece("父亲", 0, 2)], [piece("父亲", 0, 1)],
             [piece("父神", 0, 1)], [piece("天父", 1, 1)]]  # fmt: skip
    assert forms(texts, found) == [["父亲"]] * 3 + [["父"]] * 2


def test_words_of_letters_stay_as_they_are() -> None:
    words = Words.of([["the", "hand"], ["hands", "神"]])
    found: list[list[Piece]] = [[((0,), "the"), ((1,), "hand")], [((0,), "hands"), ((1,), "神")]]
    assert settled(words, [0, 1], found) == found
    assert settled(words, [], []) == []
    assert settled(words, [0], [[]]) == [[]]


texts_and_spans = st.lists(
    st.tuples(st.text("上帝神人", min_size=1, max_size=6), st.integers(0, 5), st.integers(1, 3)),
    min_size=1,
    max_size=6,
)


@given(texts_and_spans)
def test_words_are_those_of_a_plain_count(drawn: list[tuple[str, int, int]]) -> None:
    texts = [text for text, _, _ in drawn]
    found = [piece(text, min(a, len(text) - 1), n) for text, a, n in drawn]
    found = [(tuple(p for p in places if p < len(text)), form) for (places, form), text in
             zip(found, texts, strict=True)]  # fmt: skip
    about = [
        [
            (b - a, text[a:b], a)
            for a, b in itertools.combinations(range(len(text) + 1), 2)
            if set(range(a, b)) & set(places)
        ]
        for text, (places, _) in zip(texts, found, strict=True)
    ]
    chosen = Counter(form for _, form in found)
    standing = Counter(word for some in about for word in {word for _, word, _ in some})
    made = forms(texts, [[one] for one in found])
    for (after,), (_, before), some in zip(made, found, about, strict=True):
        good = [word for _, word, _ in some if chosen[word] > standing[word] / 2]
        assert len(after) == max(map(len, good), default=len(before))
        assert after in good or after == before
