"""What cosines are between words at large."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from tealeaves.consensus.relations import (
    FEWEST_WORDS,
    MOST_WORDS,
    Moments,
    moments_of_cosines,
)

from .made import vectors_of

RNG = np.random.default_rng(0)
ROWS = {f"w{number:04}": RNG.normal(0.3, 1, size=5).tolist() for number in range(60)}


def test_mean_and_deviation_of_all_pairs() -> None:
    found = moments_of_cosines(vectors_of(ROWS), list(ROWS))
    cosines = [
        float(np.dot(one, other) / np.sqrt(np.dot(one, one) * np.dot(other, other)))
        for one, other in combinations(ROWS.values(), 2)
    ]
    assert len(cosines) == 60 * 59 / 2
    assert found is not None
    assert found.mean == pytest.approx(np.mean(cosines))
    assert found.deviation == pytest.approx(np.std(cosines))
    again = found.standardised(np.array(cosines))
    assert (again.mean(), again.std()) == pytest.approx((0, 1), abs=1e-9)


def test_standardised_by_hand() -> None:
    assert Moments(0.1, 0.2).standardised(np.array([0.5, 0.1, -0.1])).tolist() == [2, 0, -1]


def test_neither_order_nor_repetition_of_words_matters() -> None:
    words = list(ROWS)
    once = moments_of_cosines(vectors_of(ROWS), words)
    assert moments_of_cosines(vectors_of(ROWS), [*reversed(words), *words]) == once


def test_unknown_words_are_left_out() -> None:
    more = ROWS | {"none": [np.nan] * 5}
    assert moments_of_cosines(vectors_of(more), list(more)) == moments_of_cosines(
        vectors_of(ROWS), list(ROWS)
    )


def test_of_too_few_known_words_nothing_is_said() -> None:
    words = list(ROWS)
    assert moments_of_cosines(vectors_of(ROWS), words[:FEWEST_WORDS]) is not None
    assert moments_of_cosines(vectors_of(ROWS), words[: FEWEST_WORDS - 1]) is None
    blank = ROWS | dict.fromkeys(words[FEWEST_WORDS - 1 :], [np.nan] * 5)
    assert moments_of_cosines(vectors_of(blank), words) is None


def test_vectors_that_all_point_the_same_way_say_nothing() -> None:
    """But for rounding, which is no deviation."""
    alike = {word: (np.array([0.3, 0.1, 0.7]) * (1 + n)).tolist() for n, word in enumerate(ROWS)}
    assert moments_of_cosines(vectors_of(alike), list(alike)) is None


def test_of_many_words_some_are_taken_from_all_over_the_alphabet() -> None:
    """Words of the first half are alike, and so are those of the second."""
    many = 2 * MOST_WORDS
    rows: dict[str, Sequence[float]] = {
        f"w{n:05}": [1.0, 0.0] if n < many // 2 else [0.0, 1.0] for n in range(many)
    }
    found = moments_of_cosines(vectors_of(rows), list(rows))
    assert found is not None
    half = MOST_WORDS // 2
    alike, pairs = half * (half - 1), MOST_WORDS * (MOST_WORDS - 1) / 2
    assert found.mean == pytest.approx(alike / pairs)
