"""Hypothesis tests by hand, against scipy and all arrangements, and under the null hypothesis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.statistics import correlation, hypothesis_tests
from tealeaves.statistics.correlation import COEFFICIENTS
from tealeaves.statistics.hypothesis_tests import (
    CorrelationTest,
    least_p,
    mann_whitney_p,
    paired_t_p,
    permutation_p,
    sign_flip_ps,
    steiger,
    two_sample_ps,
    welch_t_p,
    wilcoxon_p,
    williams,
)
from tealeaves.statistics.resampling import permutations

TENTHS = st.integers(-9, 9).map(lambda number: number / 10)
SAMPLES = st.lists(TENTHS, min_size=2, max_size=5)


def sign_flip_p(differences: Floats | Sequence[float], draws: int, seed: int) -> float:
    return float(sign_flip_ps(np.array([differences], dtype=float), draws, seed)[0])


def two_sample_p(
    a: Floats | Sequence[float], b: Floats | Sequence[float], draws: int, seed: int
) -> float:
    first, second = (np.array([side], dtype=float) for side in (a, b))
    return float(two_sample_ps(first, second, draws, seed)[0])


def welch(a: Floats, b: Floats, axis: int) -> Floats:
    return np.asarray(np.abs(stats.ttest_ind(a, b, axis=axis, equal_var=False).statistic))


def square_of_t(a: Sequence[int], b: Sequence[int]) -> Fraction | float:
    """Return the square of Welch's t in exact numbers; 0 without a difference at all."""
    means = [Fraction(sum(side), len(side)) for side in (a, b)]
    parts = [
        sum((one - mean) ** 2 for one in side) / Fraction(len(side) * (len(side) - 1))
        for side, mean in zip((a, b), means, strict=True)
    ]
    distance = (means[0] - means[1]) ** 2
    return distance / sum(parts) if sum(parts) else (math.inf if distance else Fraction(0))


def test_sign_flip_by_hand() -> None:
    # sums of ±1 ±2 ±4: 7, 5, 3, 1 and their negatives; 5 or more in either direction: 4 of 8
    assert sign_flip_p([-1, 2, 4], draws=100, seed=0) == 4 / 8
    assert sign_flip_p([1, 1, 1, 1, 1], draws=32, seed=0) == 2 / 32
    assert sign_flip_p([0, 0, 0], draws=100, seed=0) == 1


def test_two_sample_by_hand() -> None:
    # t² = (difference of means)² / (variance / 2 + variance / 3), by the first side of two:
    # 0 1: 4.5² / (1/4 + 19/3) = 3.08; 3 10 comes next: 5.5² / (49/4 + 1/3) = 2.40; then 0 2: 1.59,
    # 2 10: 1.30, 1 2: .89, 0 3: .78, 1 10: .70, 0 10: .36, 1 3 and 2 3: less. So only itself of 10.
    assert two_sample_p([0, 1], [2, 3, 10], draws=100, seed=0) == 1 / 10
    assert two_sample_p([2, 3, 10], [0, 1], draws=100, seed=0) == 1 / 10
    # 1 1 0 | 0 0: (2/3)² / (1/9) = 4; 1 0 0 | 1 0: (1/6)² / (1/9 + 1/4) = .08; 0 0 0 | 1 1 has an
    # infinite t: 3 of the first kind and that one, of 10
    assert two_sample_p([1, 1, 0], [0, 0], draws=100, seed=0) == 4 / 10
    assert two_sample_p([5, 5], [5, 5, 5], draws=100, seed=0) == 1


@given(st.lists(TENTHS, min_size=2, max_size=8))
def test_sign_flip_by_all_patterns_in_exact_numbers(row: list[float]) -> None:
    whole = [round(10 * value) for value in row]
    sums = [sum(s * w for s, w in zip(signs, whole, strict=True))
            for signs in product((1, -1), repeat=len(row))]  # fmt: skip
    expected = sum(abs(total) >= abs(sum(whole)) for total in sums) / len(sums)
    assert sign_flip_p(row, draws=256, seed=0) == expected


@given(SAMPLES, SAMPLES)
def test_two_sample_by_all_deals_in_exact_numbers(a: list[float], b: list[float]) -> None:
    whole = [round(10 * value) for value in [*a, *b]]
    places = set(range(len(whole)))
    found = [
        square_of_t([whole[k] for k in deal], [whole[k] for k in places - set(deal)])
        for deal in combinations(range(len(whole)), len(a))
    ]
    expected = sum(one >= found[0] for one in found) / len(found)
    assert two_sample_p(a, b, draws=252, seed=0) == pytest.approx(expected, abs=1e-12)


def test_exact_ones_are_those_of_scipy() -> None:
    rng = np.random.default_rng(3)
    d = rng.normal(0.3, size=9)
    theirs = stats.permutation_test(
        (d,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip_p(d, draws=512, seed=0) == pytest.approx(theirs.pvalue)
    a, b = rng.normal(size=5), rng.normal(1, size=6)
    theirs = stats.permutation_test((a, b), welch, alternative="greater", n_resamples=np.inf)
    assert two_sample_p(a, b, draws=462, seed=0) == pytest.approx(theirs.pvalue)
    c, d = rng.normal(size=4), rng.normal(1, 3, size=9)
    theirs = stats.permutation_test((c, d), welch, alternative="greater", n_resamples=np.inf)
    assert two_sample_p(c, d, draws=715, seed=0) == pytest.approx(theirs.pvalue)
    assert 0.01 < theirs.pvalue < 0.99


def test_random_ones_are_near_the_exact_ones() -> None:
    rng = np.random.default_rng(4)
    d, a, b = rng.normal(0.4, size=14), rng.normal(size=8), rng.normal(0.7, size=8)
    draws = 5000
    for exact, drawn in (
        (sign_flip_p(d, 2**14, 0), sign_flip_p(d, draws, 1)),
        (two_sample_p(a, b, math.comb(16, 8), 0), two_sample_p(a, b, draws, 1)),
    ):
        assert drawn != exact
        assert abs(drawn - exact) < 4 * math.sqrt(exact * (1 - exact) / draws)
        # (c + 1) / (draws + 1)
        assert drawn * (draws + 1) == pytest.approx(round(drawn * (draws + 1)))
    assert sign_flip_p(np.arange(1.0, 41), 999, 0) == 1 / 1000
    assert two_sample_p(np.arange(20.0), np.arange(50.0, 70), 999, 0) == 1 / 1000


def test_same_seed_same_number_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    d = np.random.default_rng(4).normal(0.2, size=24)
    first, whole = sign_flip_p(d, 2000, 7), two_sample_p(d[:12], d[12:], 2000, 7)
    assert sign_flip_p(d, 2000, 7) == first
    assert sign_flip_p(d, 2000, 8) != first
    exact = sign_flip_p(d[:9], 512, 0), two_sample_p(d[:5], d[5:9], 126, 0)
    monkeypatch.setattr(hypothesis_tests, "_BLOCK", 24 * 7)
    assert two_sample_p(d[:12], d[12:], 2000, 7) == whole
    assert sign_flip_p(d, 2000, 7) == first
    assert (sign_flip_p(d[:9], 512, 0), two_sample_p(d[:5], d[5:9], 126, 0)) == exact


@pytest.mark.parametrize("draws", [50, 1000])
def test_many_at_once_are_those_of_each_alone(draws: int) -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=(7, 6)), rng.normal(0.5, 2, size=(7, 4))
    a[3] = b[3] = 0  # the same throughout
    a[3, 3:] = 0.0
    together = two_sample_ps(a, b, draws, 3)
    assert together.tolist() == [two_sample_p(x, y, draws, 3) for x, y in zip(a, b, strict=True)]
    assert together[3] == 1
    assert len(set(together.tolist())) > 4
    assert sign_flip_ps(a, draws, 3).tolist() == [sign_flip_p(row, draws, 3) for row in a]


@pytest.mark.parametrize(
    ("n", "m", "sd"), [(10, 50, 2.0), (50, 10, 2.0), (8, 30, 3.0), (20, 20, 3.0)]
)
def test_level_is_held_where_sizes_and_spreads_are_unequal(n: int, m: int, sd: float) -> None:
    """Of 3,000 pairs of samples with the same mean, about one in 20 has p of .05 or less.

    A permutation of the difference of means itself is far off where the smaller sample has the
    larger spread: .155 of the first of these. Ten sets of arrangements, as those of one are shared.
    """
    rng = np.random.default_rng(9)
    p = [
        two_sample_ps(rng.normal(0, sd, (300, n)), rng.normal(0, 1, (300, m)), 499, number)
        for number in range(10)
    ]
    # three binomial errors, three of the arrangements that are shared, and one point for small n
    error = 3 * math.sqrt(0.05 * 0.95 / 3000) + 3 * math.sqrt(0.05 * 0.95 / 4990)
    assert abs((np.concatenate(p) <= 0.05).mean() - 0.05) < error + 0.005


def test_p_is_uniform_under_the_null() -> None:
    rng = np.random.default_rng(6)
    flips = np.array([sign_flip_p(rng.normal(size=9), 512, 0) for _ in range(600)])
    drawn = rng.normal(size=(600, 10))
    deals = np.array([two_sample_p(row[:5], row[5:], 252, 0) for row in drawn])
    for p in (flips, deals):
        for alpha in (0.125, 0.25, 0.5):
            # no more often than alpha, and less often only by the steps of p
            share = (p <= alpha).mean()
            assert abs(share - alpha) < 4 * math.sqrt(alpha * (1 - alpha) / 600) + 2 / 252


def test_paired_t_and_welch_by_their_formulas() -> None:
    d = np.array([0.5, 1.5, -0.2, 2.0, 0.9])
    t = d.mean() / (d.std(ddof=1) / math.sqrt(5))
    assert paired_t_p(d) == pytest.approx(2 * stats.t.sf(t, 4))
    # means 2 and 7, variances 1 and 10 of 3 and 5: t = -5 / √(1 / 3 + 2)
    # degrees of freedom: (1 / 3 + 2)² / ((1 / 3)² / 2 + 2² / 4)
    freedom = (7 / 3) ** 2 / (1 / 18 + 1)
    expected = 2 * stats.t.sf(5 / math.sqrt(7 / 3), freedom)
    assert welch_t_p([1, 2, 3], [3, 5, 7, 9, 11]) == pytest.approx(expected)
    # a side that does not vary adds nothing: degrees of freedom of the other alone
    assert welch_t_p([1, 2, 3], [0.1] * 4) == pytest.approx(2 * stats.t.sf(1.9 * math.sqrt(3), 2))


def test_ranks_by_hand() -> None:
    # of 32 patterns of signs of the ranks 1 to 5, the sum of the negative ones is at most 2 in 3
    # (none, 1, 2), and as far on the other side in 3 more
    assert wilcoxon_p([1, -2, 3, 4, 5]) == pytest.approx(6 / 32)
    assert wilcoxon_p([0, 1, -2, 3, 4, 0, 5]) == pytest.approx(6 / 32)
    # U = 1 of 20 ways: none or one pair out of order on either side, 4 ways
    assert mann_whitney_p([1, 2, 4], [3, 5, 6]) == pytest.approx(4 / 20)


def test_large_samples_of_ranks_are_normal() -> None:
    rng = np.random.default_rng(1)
    d = np.round(rng.normal(0.3, size=80), 1)
    kept = d[d != 0]
    ranks = stats.rankdata(np.abs(kept))
    ties = np.unique(np.abs(kept), return_counts=True)[1]
    n = kept.size
    variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum() / 48
    z = (ranks[kept > 0].sum() - n * (n + 1) / 4) / math.sqrt(variance)
    assert wilcoxon_p(d) == pytest.approx(2 * stats.norm.sf(abs(z)))


def test_no_difference_at_all_is_1() -> None:
    same = [0.1, 0.1, 0.1]
    for paired in (paired_t_p, wilcoxon_p):
        assert paired([0, 0]) == 1
    for two in (welch_t_p, mann_whitney_p):
        assert two(same, same) == 1


def test_an_infinite_t_is_nan() -> None:
    assert math.isnan(paired_t_p([0.3 - 0.2, 0.4 - 0.3, 0.1]))
    assert math.isnan(welch_t_p([0.1, 0.1], [0.2, 0.2]))
    # permutations and ranks need no spread
    assert sign_flip_p([0.3 - 0.2, 0.4 - 0.3, 0.1], 8, 0) == 0.25
    assert two_sample_p([0.1, 0.1], [0.2, 0.2], 6, 0) == pytest.approx(2 / 6)


@pytest.mark.parametrize("few", [[], [1.0]])
def test_fewer_than_two_is_nan(few: list[float]) -> None:
    assert math.isnan(sign_flip_p(few, 100, 0))
    for paired in (paired_t_p, wilcoxon_p):
        assert math.isnan(paired(few))
    for a, b in ((few, [1.0, 2.0]), ([1.0, 2.0], few), (few, few)):
        assert math.isnan(two_sample_p(a, b, 100, 0))
        assert math.isnan(welch_t_p(a, b))
        assert math.isnan(mann_whitney_p(a, b))


@given(SAMPLES, SAMPLES)
@settings(max_examples=50)
def test_every_test_gives_a_p_or_nan_and_warns_of_nothing(a: list[float], b: list[float]) -> None:
    found = [sign_flip_p(a, 32, 0), two_sample_p(a, b, 300, 0), wilcoxon_p(a), mann_whitney_p(a, b)]
    assert all(0 < p <= 1 for p in found)
    assert all(math.isnan(p) or 0 <= p <= 1 for p in (paired_t_p(a), welch_t_p(a, b)))


def test_least_p_is_reached() -> None:
    for n in (2, 3, 6):
        one_sign = np.arange(1.0, n + 1)
        assert least_p("sign_flip", n) == sign_flip_p(one_sign, 100, 0)
        assert least_p("wilcoxon", n) == wilcoxon_p(one_sign)
    for n, m in ((2, 2), (2, 4), (5, 3)):
        apart = np.zeros(n), np.full(m, 1.0)
        least = two_sample_p(*apart, 100, 0)
        assert least_p("two_sample", n, m) == pytest.approx(least)
        order = np.arange(float(n + m))
        assert least_p("mann_whitney", n, m) == pytest.approx(mann_whitney_p(order[:n], order[n:]))


@given(SAMPLES, SAMPLES)
def test_nothing_is_below_the_least_p(a: list[float], b: list[float]) -> None:
    assert sign_flip_p(a, 32, 0) >= least_p("sign_flip", len(a))
    assert two_sample_p(a, b, 252, 0) >= least_p("two_sample", len(a), len(b)) - 1e-12


def test_least_p_of_draws_and_of_too_few() -> None:
    assert least_p("sign_flip", 40, draws=999) == 1 / 1000
    assert least_p("sign_flip", 5, draws=999) == 1 / 16
    assert least_p("two_sample", 30, 30, draws=1999) == 1 / 2000
    assert math.isnan(least_p("sign_flip", 1))
    assert math.isnan(least_p("two_sample", 5, 1))


def test_what_cannot_be_tested_is_said() -> None:
    with pytest.raises(InputError, match="value 1 of a sample is nan"):
        wilcoxon_p([math.nan, 1])
    for two in (welch_t_p, mann_whitney_p):
        with pytest.raises(InputError, match="drop such values"):
            two([1, 2], [1, math.inf])
    with pytest.raises(InputError, match="at least one draw"):
        two_sample_p([1, 2], [3, 4], 0, 0)
    with pytest.raises(InputError, match="no least p of 'welch'"):
        least_p("welch", 3, 3)
    with pytest.raises(InputError, match="two numbers"):
        least_p("two_sample", 3)
    with pytest.raises(InputError, match="one number"):
        least_p("wilcoxon", 3, 3)


# -------------------------------------------------------------------- permutations of correlations

COEFFICIENT_NAMES = sorted(COEFFICIENTS)


def integer_sample(n: int, columns: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, size=n).astype(float)
    return rng.integers(0, 5, size=(n, columns)) + 0.5 * y[:, None], y


@pytest.mark.parametrize("name", COEFFICIENT_NAMES)
def test_permutation_p_is_the_share_of_all_permutations(name: str) -> None:
    x, y = integer_sample(6, 3, seed=3)
    every = np.array(list(itertools.permutations(y)))
    value = np.abs(COEFFICIENTS[name](x, y))
    others = np.abs([COEFFICIENTS[name](x, one) for one in every])
    exact = (others >= value - 1e-10).mean(axis=0)
    draws = 20_000
    # with ties at the value, of which rounding would lose some
    assert (np.isclose(others, value, atol=1e-12).sum(axis=0) > 2).all()
    error = 5 * np.sqrt(exact * (1 - exact) / draws) + 1 / draws
    assert (np.abs(permutation_p(name, x, y, draws, seed=0) - exact) < error).all()


@pytest.mark.parametrize("name", COEFFICIENT_NAMES)
def test_permutation_p_counts_the_same_permutations_as_one_by_one(name: str) -> None:
    x, y = integer_sample(40, 3, seed=1)
    orders = np.concatenate(list(permutations(40, 199, seed=5)))
    value = np.abs(COEFFICIENTS[name](x, y))
    others = np.abs([COEFFICIENTS[name](x, y[order]) for order in orders])
    expected = ((others >= value - 1e-10).sum(axis=0) + 1) / 200
    assert permutation_p(name, x, y, 199, seed=5).tolist() == expected.tolist()
    alone = [permutation_p(name, column, y, 199, seed=5)[0] for column in x.T]
    assert alone == expected.tolist()


@pytest.mark.parametrize("name", COEFFICIENT_NAMES)
def test_permutation_p_is_uniform_under_the_null(name: str) -> None:
    rng = np.random.default_rng(11)
    n = 60  # so that equal tau are rare
    p = [
        permutation_p(name, rng.exponential(size=n), rng.normal(size=n), 199, seed)[0]
        for seed in range(300)
    ]
    # p is k / 200: a random part of a step makes it continuous
    smooth = np.array(p) - rng.random(300) / 200
    assert stats.kstest(smooth, "uniform").pvalue > 0.01
    assert len(set(p)) > 100


@pytest.mark.parametrize("name", COEFFICIENT_NAMES)
def test_a_strong_relation_has_the_least_p_on_either_side(name: str) -> None:
    y = np.arange(30.0)
    both = np.column_stack([y**3, -(y**3)])
    assert permutation_p(name, both, y, 99, seed=0).tolist() == [0.01, 0.01]


@pytest.mark.parametrize("name", COEFFICIENT_NAMES)
def test_constant_sides_have_no_permutation_p(name: str) -> None:
    y = np.arange(8.0)
    x = np.column_stack([y, np.full(8, 0.1)])
    found = permutation_p(name, x, y, 99, seed=0)
    assert found[0] == 0.01
    assert np.isnan(found[1])
    assert np.isnan(permutation_p(name, x, np.full(8, 0.1), 99, seed=0)).all()
    assert np.isnan(permutation_p(name, np.zeros((0, 2)), np.zeros(0), 99, seed=0)).all()


def test_kendalls_permutation_p_is_the_same_in_many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = integer_sample(60, 2, seed=2)
    whole = permutation_p("kendall", x, y, 99, seed=0)

    def small(n: int, budget: int) -> list[tuple[slice, slice]]:
        return [(slice(i, min(i + 7, n)), slice(i, n)) for i in range(0, n, 7)]

    monkeypatch.setattr(correlation, "pair_blocks", small)
    assert (permutation_p("kendall", x, y, 99, seed=0) == whole).all()


def test_an_unknown_coefficient_is_named() -> None:
    with pytest.raises(InputError, match=r"no coefficient 'spearmann'.*did you mean spearman\?"):
        permutation_p("spearmann", np.arange(4.0), np.arange(4.0), 9, seed=0)


# ---------------------------------------------------------------------- two correlations

Tester = Callable[[float, float, float, int], CorrelationTest]
BOTH = pytest.mark.parametrize("test", [williams, steiger])


def test_williams_as_published() -> None:
    # Howell, Statistical Methods for Psychology, on .80 and .72 with .89 between, n = 26
    assert williams(0.80, 0.72, 0.89, 26) == pytest.approx((1.361, 0.187), abs=5e-4)
    # the manual of R's package psych, r.test with n = 5105, gives p to eight digits
    found = williams(0.693458895410494, 0.695966022434845, 0.988475791500198, 5105)
    assert found.p == pytest.approx(0.1000759, abs=5e-8)
    assert found.statistic < 0


def test_williams_by_hand() -> None:
    # r = .5, .3, .4 and n = 103: |R| = 1 - .25 - .09 - .16 + 2 × .5 × .3 × .4 = .62
    # t = .2 √(102 × 1.4 / (2 × 102 / 100 × .62 + .16 × .6³)) = .2 √(142.8 / 1.29936)
    t = 0.2 * math.sqrt(142.8 / 1.29936)
    assert williams(0.5, 0.3, 0.4, 103) == pytest.approx((t, 2 * stats.t.sf(t, 100)))


def test_steiger_as_given_by_cocor() -> None:
    # outputs of R's package cocor, method steiger1980, for correlations rounded to four digits
    found = steiger(0.2493, 0.3395, 0.4082, 553)
    assert found == pytest.approx((-2.0660, 0.0388), abs=2e-3)
    assert steiger(0.0228, 0.3522, 0.3718, 553).statistic == pytest.approx(-7.1345, abs=2e-3)


def test_steiger_by_hand() -> None:
    # r = .5, .3, .4 and n = 103: mean .4, its square .16
    # ψ = .4 × (1 - .32) - .08 × (1 - .32 - .16) = .272 - .0416 = .2304; c = .2304 / .84² = 16 / 49
    # Z = (atanh .5 - atanh .3) √(100 / (2 - 32 / 49)) = .2397864 × 8.6164
    z = (0.5493061443 - 0.3095196042) * math.sqrt(100 / (66 / 49))
    assert steiger(0.5, 0.3, 0.4, 103) == pytest.approx((z, 2 * stats.norm.sf(z)), rel=1e-8)


@BOTH
def test_the_other_way_round_only_the_sign_changes(test: Tester) -> None:
    one, other = test(0.6, 0.4, 0.3, 40), test(0.4, 0.6, 0.3, 40)
    assert one.statistic == pytest.approx(-other.statistic)
    assert one.p == pytest.approx(other.p)
    assert test(0.4, 0.4, 0.3, 40) == (0, 1)


@BOTH
@pytest.mark.parametrize(
    "given",
    [
        (0.5, 0.3, 0.4, 3),
        (1.0, 0.3, 0.3, 50),
        (0.3, -1.0, 0.3, 50),
        (0.5, 0.5, 1.0, 50),
        (0.5, 0.5, 1 - 1e-16, 50),
        (0.5, -0.5, -1.0, 50),
        (0.6, 0.8, 0.0, 50),  # 1 - .36 - .64: y is made of x and z
        (0.9, -0.9, 0.9, 50),  # no three variables are so
        (math.nan, 0.3, 0.4, 50),
        (0.5, 0.3, math.nan, 50),
    ],
)
def test_undefined_tests_of_correlations_are_nan(
    test: Tester, given: tuple[float, float, float, int]
) -> None:
    found = test(*given)
    assert math.isnan(found.statistic)
    assert math.isnan(found.p)


@BOTH
@pytest.mark.parametrize(("rho", "between", "n"), [(0.5, 0.7, 30), (0.0, 0.2, 15), (0.8, 0.6, 60)])
def test_p_of_correlations_is_uniform_where_the_correlations_are_equal(
    test: Tester, rho: float, between: float, n: int
) -> None:
    covariance = np.array([[1, between, rho], [between, 1, rho], [rho, rho, 1]])
    factor = np.linalg.cholesky(covariance)
    normal = np.random.default_rng(5).normal(size=(2000, n, 3)) @ factor.T
    normal -= normal.mean(axis=1, keepdims=True)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    r = np.einsum("sni,snj->sij", normal, normal)
    p = np.array([test(a[0, 2], a[1, 2], a[0, 1], n).p for a in r])
    # four standard errors of a share of 2000, and a little for what is an approximation
    for alpha in (0.05, 0.2, 0.5):
        bound = 4 * math.sqrt(alpha * (1 - alpha) / 2000) + 0.005
        assert abs((p <= alpha).mean() - alpha) < bound


@BOTH
def test_p_of_correlations_is_small_where_they_differ(test: Tester) -> None:
    assert test(0.7, 0.3, 0.3, 200).p < 1e-6
