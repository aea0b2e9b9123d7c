"""Expressions of tokens, by hand; and characters that become words."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.forms.expressions import (
    FormAt,
    agreed_characters,
    express_tokens,
    joined_characters,
)
from tealeaves.lexicon.seeds import find_seed
from tealeaves.lexicon.words import Words
from tealeaves.text.tokenizers import is_character


def by_two_letters(forms: Sequence[str], counts: Sequence[int]) -> list[int]:
    """Group forms by how they begin; the most frequent come first."""
    assert list(counts) == sorted(counts, reverse=True)
    starts = [form[:2] for form in forms]
    return [starts.index(start) for start in starts]


def expressed(
    source: list[list[str]], target: list[list[str]], links: list[tuple[int, int, float]],
    several: float = 0.5, least: float = 0.0,
) -> list[Extracted]:  # fmt: skip
    one, other = Words.of(source), Words.of(target)
    keys = tuple(map(str, range(len(source))))
    bitext = Bitext.of(Passages("en", keys, one, one), Passages("xx", keys, other, other))
    return express_tokens(
        bitext, Links.of(len(one.numbers), links), find_seed(one, "hand"), by_two_letters,
        several=several, least=least,
    )  # fmt: skip


SOURCE = [["the", "hand"], ["hand", "hand"], ["a", "hand"]]
TARGET = [["käsi"], ["käden", "on", "kädet"], ["oikea", "käden", "puoli"]]
# source tokens are counted through: the hands are 1, 2, 3 and 5
LINKS = [(0, 0, 0.1), (1, 0, 0.75), (2, 0, 0.5), (2, 2, 0.25), (3, 2, 0.25), (3, 1, 0.125),
         (5, 0, 0.625), (5, 1, 0.5), (5, 2, 0.375)]  # fmt: skip


def test_forms_are_named_by_the_commonest_of_their_group() -> None:
    found = expressed(SOURCE, TARGET, LINKS)
    # käden is found twice, käsi and kädet once
    assert [token.expressions for token in found] == [
        {"käden"}, {"käden"}, {"käden"}, {"oikea", "käden"}
    ]  # fmt: skip
    assert [token.words for token in found] == [(0,), (0,), (2,), (0, 1)]
    assert [token.confidence for token in found] == [0.75, 0.5, 0.25, 0.625]


def test_several_words_or_the_likeliest() -> None:
    assert [token.words for token in expressed(SOURCE, TARGET, LINKS, several=0.25)] == [
        (0,), (0, 2), (2,), (0, 1, 2)
    ]  # fmt: skip
    assert [token.words for token in expressed(SOURCE, TARGET, LINKS, several=1.0)] == [
        (0,), (0,), (2,), (0,)
    ]  # fmt: skip
    # two forms of one group are one expression
    assert expressed(SOURCE, TARGET, LINKS, several=0.25)[1].expressions == {"käden"}


def test_what_is_too_unlikely_is_nothing() -> None:
    found = expressed(SOURCE, TARGET, LINKS, least=0.5)
    assert found[2] == Extracted(frozenset(), (), 0.25)
    assert all(token.expressions for n, token in enumerate(found) if n != 2)
    # what a token is not expressed by does not count for names either
    assert expressed(SOURCE, TARGET, LINKS, least=0.7)[0].expressions == {"käsi"}


def test_a_token_without_links_is_expressed_by_nothing() -> None:
    found = expressed(SOURCE, TARGET, [(1, 0, 0.5)])
    assert [token.expressions for token in found] == [{"käsi"}, set(), set(), set()]
    assert [token.confidence for token in found[1:]] == [0, 0, 0]


def test_of_equally_frequent_forms_the_first_in_the_alphabet_names_them() -> None:
    found = expressed([["hand"]] * 2, [["käsi"], ["käden"]], [(0, 0, 1.0), (1, 0, 1.0)])
    assert [token.expressions for token in found] == [{"käden"}, {"käden"}]


def test_characters_side_by_side_are_one_expression() -> None:
    target = [["他", "的", "右", "手", "上"], ["右", "手"]]
    links = [(0, 2, 0.9), (0, 3, 0.6), (0, 0, 0.7), (1, 1, 0.9), (1, 0, 0.1)]
    found = expressed([["hand"], ["hand"]], target, links)
    assert [token.expressions for token in found] == [{"他", "右手"}, {"手"}]
    assert [token.words for token in found] == [(0, 2, 3), (1,)]


@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["神", "か", "god", "上帝"]))))
def test_joining_keeps_places_and_letters(steps: list[tuple[int, str]]) -> None:
    place, found = -1, []
    for step, word in steps:
        place += step
        found.append((place, word))
    joined = joined_characters(found)
    assert [place for places, _ in joined for place in places] == [place for place, _ in found]
    assert "".join(word for _, word in joined) == "".join(word for _, word in found)
    words = dict(found)
    for places, word in joined:
        assert list(places) == list(range(places[0], places[-1] + 1))
        assert len(places) == 1 or all(is_character(words[place]) for place in places)
        assert "".join(words[place] for place in places) == word
    for (one, _), (other, _) in pairwise(joined):
        beside = one[-1] + 1 == other[0]
        assert not (beside and is_character(words[one[-1]]) and is_character(words[other[0]]))


@pytest.mark.parametrize(
    ("word", "is_one"),
    [("神", True), ("か", True), ("カ", True), ("ー", True), ("ก็", True), ("လ", True), ("ខ", True),
     ("왕", False), ("a", False), ("上帝", False), ("", False), ("１", False)],
)  # fmt: skip
def test_characters_are_of_scripts_without_spaces(word: str, is_one: bool) -> None:
    assert is_character(word) is is_one


# ---------------------------------------------------------------------- agreed characters


def piece(text: str, first: int, length: int) -> FormAt:
    return FormAt(tuple(range(first, first + length)), text[first : first + length])


def agreed(texts: list[str], linked: list[list[FormAt]]) -> list[list[str]]:
    made = agreed_characters(Words.of(texts), range(len(texts)), linked)
    for text, some in zip(texts, made, strict=True):
        for places, form in some:
            assert "".join(text[place] for place in places) == form
    return [[form for _, form in some] for some in made]


def test_what_most_have_is_taken_where_it_stands() -> None:
    texts = ["大祭司", "祭司长", "这祭司", "公司的"]
    found = [[piece("大祭司", 1, 2)], [piece("祭司长", 0, 2)], [piece("这祭司", 2, 1)],
             [piece("公司的", 1, 1)]]  # fmt: skip
    # 司 stands in all four, and two have it; 祭司 in three, and two have it
    assert agreed(texts, found) == [["祭司"], ["祭司"], ["祭司"], ["司"]]


def test_what_few_have_is_given_up() -> None:
    texts = ["王大卫"] * 5
    found = [[piece("王大卫", 2, 1)]] * 4 + [[piece("王大卫", 0, 3)]]
    assert agreed(texts, found) == [["卫"]] * 5


def test_half_is_not_most() -> None:
    texts = ["右手", "右手"]
    assert agreed(texts, [[piece("右手", 0, 2)], [piece("右手", 1, 1)]]) == [["右手"], ["手"]]


def test_two_parts_of_a_word_become_one() -> None:
    texts = ["亚伯拉罕"] * 3
    whole, parts = [piece(texts[0], 1, 3)], [piece(texts[0], 1, 1), piece(texts[0], 3, 1)]
    assert agreed(texts, [whole, whole, parts]) == [["伯拉罕"]] * 3


def test_words_that_differ_in_the_text_stay_different() -> None:
    # father: 父 or 父亲, as it is written
    texts = ["父亲", "父亲", "父亲", "父神", "天父"]
    found = [[piece("父亲", 0, 2)], [piece("父亲", 0, 2)], [piece("父亲", 0, 1)],
             [piece("父神", 0, 1)], [piece("天父", 1, 1)]]  # fmt: skip
    assert agreed(texts, found) == [["父亲"]] * 3 + [["父"]] * 2


def test_words_of_letters_stay_as_they_are() -> None:
    words = Words.of([["the", "hand"], ["hands", "神"]])
    found = [
        [FormAt((0,), "the"), FormAt((1,), "hand")],
        [FormAt((0,), "hands"), FormAt((1,), "神")],
    ]
    assert agreed_characters(words, [0, 1], found) == found
    assert agreed_characters(words, [], []) == []
    assert agreed_characters(words, [0], [[]]) == [[]]


texts_and_spans = st.lists(
    st.tuples(st.text("上帝神人", min_size=1, max_size=6), st.integers(0, 5), st.integers(1, 3)),
    min_size=1,
    max_size=6,
)


@given(texts_and_spans)
def test_words_are_those_of_a_plain_count(drawn: list[tuple[str, int, int]]) -> None:
    texts = [text for text, _, _ in drawn]
    found = [piece(text, min(a, len(text) - 1), n) for text, a, n in drawn]
    found = [
        FormAt(tuple(p for p in places if p < len(text)), form)
        for (places, form), text in zip(found, texts, strict=True)
    ]
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
    made = agreed(texts, [[one] for one in found])
    for (after,), (_, before), some in zip(made, found, about, strict=True):
        good = [word for _, word, _ in some if chosen[word] > standing[word] / 2]
        assert len(after) == max(map(len, good), default=len(before))
        assert after in good or after == before
