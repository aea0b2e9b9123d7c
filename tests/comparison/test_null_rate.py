"""Two sets of topics of the same kind are called different at most as often as the level says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tealeaves.comparison import compare_scores

REPETITIONS, LEVEL = 300, 0.1


@pytest.mark.parametrize("pairing", ["matched", "none"])
def test_chance_is_called_a_difference_at_most_at_the_nominal_rate(made: Any, pairing: str) -> None:
    rng = np.random.default_rng(0)
    p = []
    for number in range(REPETITIONS):
        a, b = rng.gamma(2.0, size=(2, 9))
        words = {
            name: [[f"w{w}" for w in rng.choice(30, 3, replace=False)] for _ in range(9)]
            for name in "ab"
        }
        given = made({"a": a, "b": b}, words=words)
        found = compare_scores(*given, pairing=pairing, draws=199, seed=number, level=LEVEL)
        p.append(found.pairs[0].p)
        assert found.pairs[0].significant == (p[-1] <= LEVEL)
    for level in (LEVEL, 0.5):
        error = 3 * math.sqrt(level * (1 - level) / REPETITIONS)
        share = np.mean(np.array(p) <= level)
        assert level - error <= share <= level + error


def test_a_real_difference_is_found(made: Any) -> None:
    rng = np.random.default_rng(1)
    found = [
        compare_scores(
            *made({"a": rng.normal(0, 1, 15), "b": rng.normal(1.5, 1, 15)}), draws=199, seed=number
        )
        .pairs[0]
        .significant
        for number in range(50)
    ]
    assert np.mean(found) > 0.8


def test_families_of_several_tests_err_no_more_often(made: Any) -> None:
    """Of four models of the same kind, the chance of any difference at all is bounded by Holm."""
    rng = np.random.default_rng(2)
    repetitions = 150
    any_found = 0
    for number in range(repetitions):
        given = made(dict(zip("abcd", rng.normal(size=(4, 12)), strict=True)))
        found = compare_scores(*given, draws=199, seed=number, level=LEVEL)
        letters = {row.letters for row in found.summary}
        assert (letters != {"a"}) == any(row.significant for row in found.pairs)
        any_found += letters != {"a"}
    assert any_found / repetitions <= LEVEL + 3 * math.sqrt(LEVEL * (1 - LEVEL) / repetitions)
