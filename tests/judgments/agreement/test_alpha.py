"""Krippendorff's α and Fleiss' κ: against tables of the papers, an oracle, and by hand."""

from __future__ import annotations

import math
import sys

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.judgments.agreement.alpha import LEVELS, Level, Tally, alpha, kappa
from tealeaves.judgments.agreement.estimates import Resampling, estimate
from tealeaves.judgments.ratings import Ratings

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: 4 observers, 12 units
PUBLISHED = """
1 2 3 3 2 1 4 1 2 * * *
1 2 3 3 2 2 4 1 2 5 * 3
* 3 3 3 2 3 4 2 2 5 1 *
1 2 3 3 2 4 4 1 2 5 1 *
"""
# Fleiss' κ of 10 subjects by 14 raters in 5 categories: how often each category was chosen
FLEISS = """
0 0 0 0 14
0 2 6 4 2
0 0 3 5 6
0 3 9 2 0
2 2 8 1 1
7 7 0 0 0
3 2 6 3 0
2 5 3 2 2
6 5 2 1 0
0 2 2 3 7
"""


def of_table(table: Floats) -> Ratings:
    """Annotators by items, NaN where there is no answer."""
    who, item = np.indices(table.shape).reshape(2, -1)
    return Ratings.of([str(i) for i in item], [str(a) for a in who], table.ravel())


def published() -> Ratings:
    lines = [line.split() for line in PUBLISHED.strip().splitlines()]
    return of_table(np.array([[math.nan if x == "*" else float(x) for x in xs] for xs in lines]))


def of_counts(counts: list[list[int]]) -> Ratings:
    found = [
        (str(item), float(value))
        for item, row in enumerate(counts)
        for value, count in enumerate(row)
        for _ in range(count)
    ]
    items, values = zip(*found, strict=True)
    return Ratings.of(items, [None] * len(items), values)


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_published_table(level: str, value: float) -> None:
    assert float(alpha(published(), level)) == pytest.approx(value, abs=5e-4)


def test_by_hand() -> None:
    # items {1, 1}, {2, 3}, {4, 4}: the two ordered pairs of unlike answers are those of the second
    ratings = of_counts([[0, 2, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 2]])
    # expected, nominal: 6² − (2² + 1 + 1 + 2²) = 26
    assert float(alpha(ratings, "nominal")) == pytest.approx(1 - 5 * 2 / 26)
    # interval: 2 (6 · 47 − 15²) = 114
    assert float(alpha(ratings, "interval")) == pytest.approx(1 - 5 * 2 / 114)
    # ordinal: mean ranks of 1, 2, 3, 4 are 1, 2.5, 3.5, 5; their frequencies 2, 1, 1, 2
    expected = 2 * (2 * 1.5**2 + 2 * 2.5**2 + 4 * 4**2 + 1 * 1**2 + 2 * 2.5**2 + 2 * 1.5**2)
    assert float(alpha(ratings, "ordinal")) == pytest.approx(1 - 5 * (2 * 1**2) / expected)


@st.composite
def tables(draw: st.DrawFn) -> Floats:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = (draw(st.integers(2, 6)), draw(st.integers(2, 15)))
    table = rng.integers(0, draw(st.integers(2, 7)), shape).astype(np.float64)
    table[rng.random(shape) < draw(st.sampled_from([0.0, 0.3, 0.6]))] = math.nan
    return table


def oracle(table: Floats, level: Level) -> float:
    """Return the package's α; NaN where it finds nothing to compare."""
    paired = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    if len(np.unique(paired[~np.isnan(paired)])) < 2:
        return math.nan
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


@given(table=tables(), level=st.sampled_from(LEVELS))
@settings(max_examples=150)
def test_random_tables_with_missing_answers(table: Floats, level: Level) -> None:
    ratings = of_table(table)
    expected = oracle(table, level)
    assert float(alpha(ratings, level)) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(table=tables(), level=st.sampled_from(LEVELS), seed=st.integers(0, 1000))
@settings(max_examples=60)
def test_weights_are_copies_of_items(table: Floats, level: Level, seed: int) -> None:
    """A draw's α is that of a table with each item as often as it was drawn."""
    times = np.random.default_rng(seed).multinomial(
        table.shape[1], np.ones(table.shape[1]) / table.shape[1]
    )
    drawn = np.repeat(table, times, axis=1)
    ratings = of_table(table)
    # items without any answer are items too, so that weights fit
    assert len(ratings.items) == table.shape[1]
    found = alpha(ratings, level, np.stack([np.ones(len(times)), times]).astype(np.float64))
    assert found[0] == pytest.approx(float(alpha(ratings, level)), abs=1e-12, nan_ok=True)
    assert found[1] == pytest.approx(oracle(drawn, level), abs=1e-9, nan_ok=True)
    share = kappa(ratings, times[None].astype(np.float64))[0]
    assert share == pytest.approx(float(kappa(of_table(drawn))), abs=1e-12, nan_ok=True)


def test_many_draws_are_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = published()
    weights = np.random.default_rng(0).multinomial(12, np.ones(12) / 12, 50).astype(np.float64)
    whole = {level: alpha(ratings, level, weights) for level in LEVELS}
    shares = kappa(ratings, weights)
    monkeypatch.setattr(sys.modules[Tally.__module__], "_BLOCK", 12 * 7)
    for level in LEVELS:
        np.testing.assert_allclose(alpha(ratings, level, weights), whole[level], atol=1e-14)
    np.testing.assert_allclose(kappa(ratings, weights), shares, atol=1e-14)


def test_all_different_numbers_of_any_size() -> None:
    rng = np.random.default_rng(0)
    table = 1e6 + rng.normal(size=(1, 60)) + 0.3 * rng.normal(size=(4, 60))
    found = float(alpha(of_table(table), "interval"))
    assert found == pytest.approx(oracle(table - 1e6, "interval"), abs=1e-9)
    ordinal = float(alpha(of_table(table), "ordinal"))
    assert ordinal == pytest.approx(oracle(table, "ordinal"), abs=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("value", [3.0, 0.1])
def test_undefined_is_nan(level: str, value: float) -> None:
    same = Ratings.of(list("aabbcc"), [None] * 6, [value] * 6)
    single = Ratings.of(list("abc"), [None] * 3, [1.0, 2.0, 3.0])
    nothing = Ratings.of([], [], [])
    for ratings in (same, single, nothing):
        assert math.isnan(alpha(ratings, level))
        assert math.isnan(kappa(ratings))
    # in the first draw all answers are the same, in the second nothing is paired
    ratings = Ratings.of(list("aabbc"), [None] * 5, [value, value, value, 2.0, 1.0])
    weights = np.array([[2.0, 0.0, 1.0], [0.0, 0.0, 3.0], [1.0, 1.0, 1.0]])
    assert np.isnan(alpha(ratings, level, weights)).tolist() == [True, True, False]
    assert np.isnan(kappa(ratings, weights)).tolist() == [True, True, False]


def test_what_rounding_leaves_of_equal_numbers_is_no_variation() -> None:
    """Each draw has one item alone, whose three answers are the same."""
    numbers = np.random.default_rng(0).random(40)
    items = np.repeat(np.arange(40), 3)
    ratings = Ratings.of([str(i) for i in items], [None] * 120, numbers[items])
    for times in (1.0, 3.0, 7.0):
        assert np.isnan(alpha(ratings, "interval", times * np.eye(40))).all()


def test_no_draws() -> None:
    assert alpha(published(), "nominal", np.empty((0, 12))).shape == (0,)
    assert kappa(published(), np.empty((0, 12))).shape == (0,)


def test_an_unknown_level_is_named() -> None:
    with pytest.raises(InputError, match="no level ordnal; did you mean ordinal"):
        alpha(published(), "ordnal")


def test_perfect_agreement_and_the_order_of_levels() -> None:
    perfect = of_counts([[3, 0, 0], [0, 3, 0], [0, 0, 3]])
    assert [float(alpha(perfect, level)) for level in LEVELS] == pytest.approx([1, 1, 1])
    assert float(kappa(perfect)) == pytest.approx(1)
    # two values only: all levels are the same
    two = of_counts([[2, 1], [3, 0], [0, 3], [1, 2]])
    first, *others = (float(alpha(two, level)) for level in LEVELS)
    assert others == pytest.approx([first, first])


def test_fleiss_kappa_of_the_well_known_table() -> None:
    counts = [[int(x) for x in line.split()] for line in FLEISS.strip().splitlines()]
    assert float(kappa(of_counts(counts))) == pytest.approx(0.210, abs=5e-4)


def test_kappa_with_unequal_numbers_of_answers_by_hand() -> None:
    # like pairs: 1 of 1, 1 of 3, none to pair; shares of the classes 4/5 and 1/5
    ratings = of_counts([[2, 0], [2, 1], [0, 1]])
    agreed, chance = (1 + 1 / 3) / 2, (4 / 5) ** 2 + (1 / 5) ** 2
    assert float(kappa(ratings)) == pytest.approx((agreed - chance) / (1 - chance))


def test_alpha_nominal_is_nearly_kappa() -> None:
    """They differ by the correction for small samples: (1 − α) = (1 − κ)(n − 1) / n."""
    counts = [[int(x) for x in line.split()] for line in FLEISS.strip().splitlines()]
    ratings = of_counts(counts)
    corrected = 1 - (1 - float(kappa(ratings))) * (140 - 1) / 140
    assert float(alpha(ratings, "nominal")) == pytest.approx(corrected)


def simulated(rng: np.random.Generator, items: int) -> Ratings:
    """Four classes of a latent number that half of the variance is of; three answers an item."""
    latent = np.sqrt(0.5) * (rng.normal(size=(1, items)) + rng.normal(size=(3, items)))
    item = np.tile(np.arange(items), 3)
    values = np.digitize(latent, [-1.2, -0.3, 0.7]).ravel().astype(np.float64)
    return Ratings([str(i) for i in range(items)], [], item, np.full(3 * items, -1), values)


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_intervals_hold_the_truth(level: str) -> None:
    rng = np.random.default_rng(5)
    truth = float(alpha(simulated(rng, 300_000), level))
    times, held = 250, 0
    for number in range(times):
        ratings = simulated(rng, 50)
        found = estimate(
            lambda w, ratings=ratings: alpha(ratings, level, w),  # type: ignore[misc]
            50,
            Resampling(draws=400, seed=number),
        )
        held += found.low <= truth <= found.high
    # three standard errors of a share of .95 in 250 times, and one point that few items cost
    assert 0.90 <= held / times <= 0.99


def test_the_seed_decides() -> None:
    def ends(seed: int) -> tuple[float, ...]:
        found = estimate(lambda w: alpha(published(), "nominal", w), 12, Resampling(200, seed))
        return found[:3]

    assert ends(1) == ends(1)
    assert ends(1) != ends(2)
