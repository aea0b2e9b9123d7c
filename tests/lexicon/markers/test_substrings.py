"""The index of substrings against one that looks at every word for every string."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.markers.kernels import MarkerPlaces, count_markers
from tealeaves.lexicon.markers.substrings import MarkerIndex
from tealeaves.lexicon.words import Words

# a small alphabet, so that words share much; an astral letter and one outside Latin among them
letters = st.text(alphabet="abä手𐍈", min_size=1, max_size=7)
vocabularies = st.lists(letters, min_size=1, max_size=12, unique=True)
lengths = st.tuples(st.integers(1, 4), st.integers(0, 6)).map(lambda two: (two[0], sum(two)))
texts_of_words = st.lists(st.lists(letters, max_size=6), max_size=12)


def strings_of(word: str, shortest: int, longest: int) -> set[str]:
    """All markers of a word: itself, and substrings of these lengths, boundaries counted."""
    bounded = f"#{word}#"
    found = {bounded}
    for start in range(len(bounded)):
        for end in range(start + shortest, min(start + longest, len(bounded)) + 1):
            found.add(bounded[start:end])
    return found - {"#"}


def longest_of_each_set(
    vocabulary: list[str], shortest: int, longest: int
) -> dict[frozenset[int], str]:
    """For each set of words that some string tells, the longest such string, the first of them."""
    bearers: dict[str, set[int]] = {}
    for number, word in enumerate(vocabulary):
        for string in strings_of(word, shortest, longest):
            bearers.setdefault(string, set()).add(number)
    found: dict[frozenset[int], str] = {}
    for string in sorted(bearers, key=lambda string: (-len(string), string)):
        found.setdefault(frozenset(bearers[string]), string)
    return found


@given(vocabularies, lengths)
def test_each_set_of_words_has_its_longest_string(
    vocabulary: list[str], bounds: tuple[int, int]
) -> None:
    index = MarkerIndex.of(Words.of([vocabulary]), *bounds)
    texts: dict[frozenset[int], str] = {}
    for marker in range(len(index)):
        members = index.words_of(marker).tolist()
        assert members == sorted(set(members))
        texts[frozenset(members)] = index.text(marker)
    assert len(texts) == len(index)  # no set twice
    assert texts == longest_of_each_set(vocabulary, *bounds)


def test_lengths_that_no_word_has_cost_nothing() -> None:
    # two words share all but their end: the longest marker of both has 40 letters and an edge
    words = Words.of([["a" * 40 + end for end in "bc"]])
    huge, enough = (MarkerIndex.of(words, 3, longest) for longest in (2**31 - 1, 42))
    assert huge.lengths.tolist() == enough.lengths.tolist() == [43, 43, 41]
    assert len(MarkerIndex.of(Words.of([["a"]]), 2**31 - 1, 2**31 - 1)) == 1  # the word


def test_a_number_sign_in_a_word_is_no_boundary() -> None:
    index = MarkerIndex.of(Words.of([["a#bc"], ["bc"], ["x#bc"], ["abc"]]), 2, 4)
    found = {(index.text(m), tuple(index.words_of(m).tolist())) for m in range(len(index))}
    assert ("#bc#", (1,)) in found  # the word
    assert ("#bc#", (0, 2)) in found  # the sign and the end of two others
    assert ("bc#", (0, 1, 2, 3)) in found


@given(texts_of_words, lengths)
def test_passages_and_frequencies_are_those_of_a_search(
    texts: list[list[str]], bounds: tuple[int, int]
) -> None:
    index = MarkerIndex.of(Words.of(texts), *bounds)
    rows = np.arange(0, len(texts), 2)
    some = index.count(rows)
    for marker in range(len(index)):
        string = index.text(marker)
        there = [any(string in f"#{word}#" for word in text) for text in texts]
        assert index.frequencies[marker] == sum(there)
        assert index.occurs(marker, np.arange(len(texts))).tolist() == there
        assert index.occurs(marker, rows).tolist() == [there[row] for row in rows]
        assert some[marker] == sum(there[row] for row in rows)


@given(texts_of_words)
def test_words_and_markers_know_each_other(texts: list[list[str]]) -> None:
    index = MarkerIndex.of(Words.of(texts))
    ways = {(int(w), m) for m in range(len(index)) for w in index.words_of(m)}
    back = {(w, int(m)) for w in range(len(index.words.vocabulary)) for m in index.markers_of(w)}
    assert ways == back
    bears = {(int(w), m) for m in range(len(index)) for w in np.flatnonzero(index.contained_in(m))}
    assert bears == ways


@given(texts_of_words, st.lists(st.integers(0, 11), unique=True))
def test_python_and_c_agree(texts: list[list[str]], chosen: list[int]) -> None:
    index = MarkerIndex.of(Words.of(texts))
    places = MarkerPlaces(
        index.words.starts, index.words.numbers, index.word_starts, index.word_markers
    )
    rows = np.array([row for row in chosen if row < len(texts)], np.int64)
    results = []
    for run in (count_markers, count_markers.python):
        last, counts = np.full(len(index), -1, np.int32), np.zeros(len(index), np.int32)
        run(rows, places, last, counts)
        results.append((last.tolist(), counts.tolist()))
    assert results[0] == results[1]
    assert results[0][1] == index.count(rows).tolist()


@pytest.mark.parametrize("texts", [[], [[]], [[], []]])
def test_nothing_has_no_markers(texts: list[list[str]]) -> None:
    index = MarkerIndex.of(Words.of(texts))
    assert len(index) == 0
    assert index.frequencies.tolist() == []


def test_words_that_do_not_occur_have_no_markers() -> None:
    words = Words.of([["hand"], ["hands"], ["foot"]]).taken([1])
    index = MarkerIndex.of(words)
    assert [index.text(m) for m in range(len(index))] == ["#hands#"]
    assert index.words_of(0).tolist() == [1]
