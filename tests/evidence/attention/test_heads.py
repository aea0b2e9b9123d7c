"""Statistics of heads, and the rules that choose among them."""

from __future__ import annotations

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics, select_heads

# two layers of three heads, of two texts
CONFIDENCE = np.array(
    [
        [[0.5, 0.9, 0.4], [0.2, 0.2, 0.1]],
        [[0.7, 0.3, 0.4], [0.4, 0.4, 0.3]],
    ]
)
RELEVANCE = np.array(
    [
        [[2.0, 1.0, 1.0], [3.0, -2.0, 1.0]],
        [[0.5, 1.5, 2.0], [-1.0, 0.0, -3.0]],
    ]
)


def _statistics() -> HeadStatistics:
    return HeadStatistics.of_texts(CONFIDENCE, RELEVANCE)


def test_statistics_by_hand() -> None:
    found = _statistics()
    assert found.texts == 2
    # (0.5 + 0.7) / 2, (0.9 + 0.3) / 2, ...
    np.testing.assert_allclose(found.mean_confidence, [[0.6, 0.6, 0.4], [0.3, 0.3, 0.2]])
    # layer 1 has 2.5, 2.5 and 3 of 8; layer 2 has 2, -2 and -2, in all -2: shares of its size 2
    expected = np.array([[2.5 / 8, 2.5 / 8, 3 / 8], [1, -1, -1]])
    np.testing.assert_allclose(found.mean_importance, expected)


def test_a_layer_without_relevance_has_no_shares() -> None:
    relevance = np.array([[[1.0, -1.0, 0.0], [1.0, 1.0, 2.0]]])
    found = HeadStatistics.of_texts(CONFIDENCE[:1], relevance).mean_importance
    assert np.isnan(found[0]).all()
    assert found[1].tolist() == [0.25, 0.25, 0.5]


def test_relevance_that_is_not_a_number_adds_nothing() -> None:
    relevance = np.array([[[np.nan, 1.0, 1.0], [1.0, 1.0, 2.0]]])
    found = HeadStatistics.of_texts(CONFIDENCE[:1], relevance)
    assert found.relevance.tolist() == [[0, 1, 1], [1, 1, 2]]


def test_one_text_whose_heads_cancel_out_does_not_decide() -> None:
    """Its shares would be 1001 and -1000, and the mean over both texts 500.75 and -499.75."""
    relevance = np.array([[[0.5, 1.5]], [[1.001, -1.0]]])
    found = HeadStatistics.of_texts(np.ones((2, 1, 2)), relevance).mean_importance
    np.testing.assert_allclose(found, [[1.501 / 2.001, 0.5 / 2.001]])


def test_statistics_add() -> None:
    one, other = (HeadStatistics.of_texts(CONFIDENCE[[n]], RELEVANCE[[n]]) for n in (0, 1))
    assert one + other == _statistics()
    assert one + HeadStatistics.zeros(2, 3) == one
    assert one != other


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # ties of confidence (0.6 and 0.6, 0.3 and 0.3) go to the first head
        ("confident", [[1, 0, 0], [1, 0, 0]]),
        # an equal share of three heads is 0.333: only 3/8 and 1 are above
        ("important", [[0, 0, 1], [1, 0, 0]]),
        ("top1", [[0, 0, 1], [1, 0, 0]]),
        (1, [[0, 0, 0], [1, 0, 0]]),
        (2, [[0, 0, 1], [1, 0, 0]]),
        # 2.5/8 is there twice: the lower number comes first
        (3, [[1, 0, 1], [1, 0, 0]]),
        (6, [[1, 1, 1], [1, 1, 1]]),
        ("all", [[1, 1, 1], [1, 1, 1]]),
    ],
)
def test_rules_by_hand(rule: str | int, expected: list[list[int]]) -> None:
    assert select_heads(_statistics(), rule).astype(int).tolist() == expected


def test_an_equal_share_is_not_above_an_equal_share() -> None:
    equal = HeadStatistics(4, np.ones((1, 4)), np.ones((1, 4)))  # mean share 1/4 each
    assert not select_heads(equal, "important").any()


@pytest.mark.parametrize("rule", [0, -1, 7])
def test_a_number_of_heads_that_there_are_not(rule: int) -> None:
    with pytest.raises(
        InputError, match=f"heads must be from 1 to 6, the number of heads, not {rule}"
    ):
        select_heads(_statistics(), rule)


@pytest.mark.parametrize("rule", ["importnat", "", True])
def test_an_unknown_rule(rule: str | int) -> None:
    with pytest.raises(
        InputError, match=f"^heads must be confident, important, top1, all or a number, not {rule}"
    ):
        select_heads(_statistics(), rule)


def test_nothing_known_of_heads() -> None:
    nothing = HeadStatistics.zeros(2, 3)
    assert np.isnan(nothing.mean_confidence).all()
    assert np.isnan(nothing.mean_importance).all()
    assert not select_heads(nothing, "important").any()
    fixed = FixedHeads.of(nothing)
    assert fixed.confident.tolist() == [0, 0]


def test_the_unknown_is_chosen_last() -> None:
    confidence = np.array([[np.nan, 0.5, 0.1], [np.nan, np.nan, 0.2]])
    relevance = np.array([[1.0, -1.0, 0.0], [-1.0, 2.0, 3.0]])  # the first layer has no shares
    partly = HeadStatistics(1, confidence, relevance)
    assert select_heads(partly, "confident").astype(int).tolist() == [[0, 1, 0], [0, 0, 1]]
    assert select_heads(partly, 4).astype(int).tolist() == [[1, 0, 0], [1, 1, 1]]


def test_fixed_heads() -> None:
    fixed = FixedHeads.of(_statistics())
    assert fixed.confident.tolist() == [0, 0]
    assert fixed.important.astype(int).tolist() == [[0, 0, 1], [1, 0, 0]]
    same = FixedHeads(fixed.confident.copy(), fixed.important.copy())
    assert fixed == same
    assert fixed.digest == same.digest
    other = FixedHeads(fixed.confident + 1, fixed.important)
    another = FixedHeads(fixed.confident, ~fixed.important)
    assert fixed != other
    assert fixed != another
    assert len({fixed.digest, other.digest, another.digest}) == 3
