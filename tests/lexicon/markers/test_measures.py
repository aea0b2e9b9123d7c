"""The measures against those of scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, fisher_exact, hypergeom, power_divergence

from tealeaves.lexicon.markers.kernels import upper_tails
from tealeaves.lexicon.markers.measures import (
    MEASURES,
    THRESHOLDS,
    chi_square,
    expected,
    fisher,
    log_likelihood,
    t_score,
)

cells = st.tuples(*[st.integers(0, 60)] * 3, st.integers(0, 4000))


def margins(table: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return both, marker, seed and total of the four cells of a table."""
    a, b, c, d = table
    return a, a + b, a + c, a + b + c + d


def sign_of(table: tuple[int, int, int, int]) -> int:
    a, b, c, d = table
    return -1 if a * (a + b + c + d) < (a + b) * (a + c) else 1


def has_margins(table: tuple[int, int, int, int]) -> bool:
    a, b, c, d = table
    return min(a + b, c + d, a + c, b + d) > 0


@given(cells)
def test_log_likelihood_is_that_of_scipy(table: tuple[int, int, int, int]) -> None:
    assume(has_margins(table))
    observed = np.array(table).reshape(2, 2)
    theirs = chi2_contingency(observed, correction=False, lambda_="log-likelihood")
    chance = theirs.expected_freq.ravel()
    divergence = power_divergence(observed.ravel(), chance, lambda_="log-likelihood").statistic
    ours = log_likelihood([table[0]], *map_margins(table))[0]
    assert ours == pytest.approx(sign_of(table) * theirs.statistic, abs=1e-8)
    assert abs(ours) == pytest.approx(abs(divergence), abs=1e-8)


def map_margins(table: tuple[int, int, int, int]) -> tuple[list[int], int, int]:
    _, marker, seed, total = margins(table)
    return [marker], seed, total


@given(cells, st.booleans())
def test_chi_square_is_that_of_scipy(table: tuple[int, int, int, int], yates: bool) -> None:
    assume(has_margins(table))
    theirs = chi2_contingency(np.array(table).reshape(2, 2), correction=yates).statistic
    ours = chi_square([table[0]], *map_margins(table), yates=yates)[0]
    assert ours == pytest.approx(sign_of(table) * theirs, abs=1e-8)


@given(cells)
def test_fisher_is_that_of_scipy(table: tuple[int, int, int, int]) -> None:
    assume(has_margins(table))
    p = fisher_exact(np.array(table).reshape(2, 2), alternative="greater").pvalue
    ours = fisher([table[0]], *map_margins(table))[0]
    assert ours == pytest.approx(-math.log10(p), rel=1e-7, abs=1e-9)


def test_fisher_does_not_underflow() -> None:
    # all 900 passages of a seed in a Bible have the marker, and no other has
    score = fisher([900], [900], 900, 31_000)[0]
    log10 = -hypergeom(31_000, 900, 900).logsf(899) / math.log(10)
    if math.isfinite(log10):
        assert score == pytest.approx(log10, rel=1e-9)
    logs = math.lgamma(31_001) - math.lgamma(901) - math.lgamma(30_101)
    assert score == pytest.approx(logs / math.log(10), rel=1e-10)
    assert score > 1000


@given(st.lists(cells.filter(has_margins), min_size=1, max_size=4))
def test_the_tails_of_python_and_c_agree(tables: list[tuple[int, int, int, int]]) -> None:
    for table in tables:
        a, marker, seed, total = margins(table)
        logs = np.array([math.lgamma(n + 1) for n in range(total + 1)])
        found, plain = np.empty(1), np.empty(1)
        given_ = np.array([a]), np.array([marker]), seed, total, logs
        upper_tails(*given_, found)
        upper_tails.python(*given_, plain)
        assert found[0] == plain[0]


def test_t_score_by_hand() -> None:
    # E = 5 * 10 / 100; (4 - 0.5) / 2
    assert expected([5], 10, 100).tolist() == [0.5]
    assert t_score([4], [5], 10, 100).tolist() == [1.75]
    assert np.isnan(t_score([0], [5], 10, 100)).all()
    assert t_score([1], [30], 10, 100).tolist() == [-2.0]


def test_what_cannot_be_said_is_nan() -> None:
    assert np.isnan(chi_square([5, 0], [10, 0], 5, 10)).all()


def test_attraction_alone_is_above_nothing() -> None:
    for name, measure in MEASURES.items():
        assert measure([3], [3], 10, 100)[0] > 0, name
        if name != "fisher":
            assert measure([1], [50], 10, 100)[0] < 0, name
            assert measure([1], [10], 10, 100)[0] == pytest.approx(0, abs=1e-12), name
    assert set(MEASURES) == set(THRESHOLDS)


def test_the_usual_bounds_are_at_one_in_a_thousand() -> None:
    from scipy.stats import chi2

    assert chi2(1).isf(0.001) == pytest.approx(THRESHOLDS["g2"], abs=0.005)
    assert chi2(1).isf(0.001) == pytest.approx(THRESHOLDS["chi2"], abs=0.005)
