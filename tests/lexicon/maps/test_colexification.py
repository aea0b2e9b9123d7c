"""Which languages express groups alike, what they have, and what stands nearby."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.lexicon.maps.colexification import (
    GroupPair,
    MainExpression,
    colexify,
    count_expressions,
)
from tealeaves.lexicon.maps.semantic_map import typical_words

HAND, ARM, RIGHT = frozenset({"hand"}), frozenset({"arm"}), frozenset({"right"})


def test_by_hand() -> None:
    languages: dict[str, list[frozenset[str] | None]] = {
        "apart": [HAND, HAND, ARM, RIGHT, RIGHT],
        "alike": [HAND, HAND, HAND, HAND, ARM],
        "silent": [HAND, None, frozenset(), None, frozenset()],
    }
    found = colexify(languages, np.array([0, 0, 0, 1, -1]), 2)
    assert found.main["apart"] == (MainExpression("hand", 2, 3), MainExpression("right", 1, 1))
    assert found.main["alike"] == (MainExpression("hand", 3, 3), MainExpression("hand", 1, 1))
    assert found.main["silent"] == (MainExpression("hand", 1, 1), None)
    assert found.pairs == (GroupPair(0, 1, ("alike",), ("apart",), ("silent",)),)
    assert found.pairs[0].separated == 0.5


def test_of_equally_frequent_ones_the_more_frequent_elsewhere_is_the_main_one() -> None:
    series = [HAND, ARM, ARM]
    assert colexify({"x": series}, np.array([0, 0, 1]), 2).main["x"][0] == ("arm", 1, 2)
    # and of those the first in the alphabet
    assert colexify({"x": [HAND, ARM]}, np.array([0, 0]), 1).main["x"][0] == ("arm", 1, 2)


def test_several_expressions_count_each() -> None:
    series = [HAND | RIGHT, RIGHT, HAND | RIGHT]
    assert colexify({"x": series}, np.array([0, 0, 0]), 1).main["x"] == (("right", 3, 3),)


def test_pairs_that_most_languages_separate_come_first() -> None:
    languages = {"a": [HAND, HAND, ARM], "b": [HAND, RIGHT, ARM]}
    found = colexify(languages, np.array([0, 1, 2]), 3)
    assert [(pair.one, pair.other, len(pair.apart)) for pair in found.pairs] == [
        (0, 2, 2), (1, 2, 2), (0, 1, 1),
    ]  # fmt: skip


def test_a_pair_that_no_language_has_is_not_separated_either() -> None:
    found = colexify({"x": [HAND, None]}, np.array([0, 1]), 2)
    assert math.isnan(found.pairs[0].separated)


CELLS = st.lists(
    st.one_of(st.none(), st.frozensets(st.sampled_from("abc"), max_size=2)), min_size=5, max_size=5
)


@given(st.dictionaries(st.sampled_from("xyz"), CELLS, min_size=1))
def test_every_language_is_counted_once_in_each_pair(
    languages: dict[str, list[frozenset[str] | None]],
) -> None:
    found = colexify(languages, np.array([0, 1, 2, 0, 1]), 3)
    assert len(found.pairs) == 3
    for pair in found.pairs:
        assert sorted([*pair.alike, *pair.apart, *pair.silent]) == sorted(languages)


@given(CELLS)
def test_tokens_are_expressed_or_without_or_missing(series: list[frozenset[str] | None]) -> None:
    found = count_expressions(series)
    assert found.expressed + found.without + found.missing == len(series)
    assert found.several <= found.expressed
    assert sum(count for _, count in found.expressions) == sum(len(one or ()) for one in series)
    counts = [count for _, count in found.expressions]
    assert counts == sorted(counts, reverse=True)


def test_typical_words_are_those_that_tell_groups_apart() -> None:
    # right in 8 of 8 passages of one group and 1 of 8 of the other: G² = 14.8 by scipy
    texts = [["Right", "the", "hand"]] * 8 + [["right", "the", "hand"]] + [["the", "hand"]] * 7
    found = typical_words(texts, [0] * 8 + [1] * 8, 2, but={"hand"})
    assert found == [["right"], []]


def test_typical_words_are_not_told_of_little_evidence() -> None:
    assert typical_words([["rare"], ["other"]], [0, 1], 2) == [[], []]
    assert typical_words([["a"]] * 9 + [["b"]] * 9, [-1] * 18, 1) == [[]]
