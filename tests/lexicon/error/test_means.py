"""Means over lemmas and languages, intervals over lemmas, tests by signs: against plain loops."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tealeaves.lexicon.error.means import (
    FEWEST_RESAMPLED,
    ErrorGrid,
    LemmaBootstrap,
    grids_of,
    over_lemmas,
    over_targets,
)
from tealeaves.lexicon.error.measures import ErrorMeasures, LemmaError
from tealeaves.statistics.intervals import bca_interval

Values = NDArray[np.float64]


def plain_total(values: Values) -> float:
    """The mean over languages of the means over lemmas, of what is known."""
    means = []
    for row in values.tolist():
        known = [value for value in row if not math.isnan(value)]
        if known:
            means.append(sum(known) / len(known))
    return sum(means) / len(means) if means else math.nan


def made_up(models: int, targets: int, lemmas: int, missing: float = 0.0, seed: int = 0) -> Values:
    rng = np.random.default_rng(seed)
    values = rng.random((models, targets, lemmas))
    values[rng.random(values.shape) < missing] = math.nan
    return values


def grid(values: Values) -> ErrorGrid:
    names = [tuple(f"{kind}{n}" for n in range(size))
             for kind, size in zip("mtl", values.shape, strict=True)]  # fmt: skip
    return ErrorGrid(names[0], names[1], names[2], values)


@given(st.integers(0, 1000), st.floats(0, 0.9))
def test_totals_are_means_of_means_of_what_is_known(seed: int, missing: float) -> None:
    values = made_up(3, 4, 5, missing, seed)
    expected = [plain_total(one) for one in values]
    assert grid(values).totals == pytest.approx(expected, nan_ok=True)


def test_every_language_counts_alike_however_many_lemmas_it_has() -> None:
    values = np.array([[[0.0, 0.0, 0.0], [1.0, math.nan, math.nan]]])
    assert grid(values).totals == [0.5]
    assert grid(values).lemma_counts == [3]
    assert grid(values).at("t1").totals == [1.0]
    assert grid(values).at("t1").lemma_counts == [1]


def test_a_grid_is_made_of_rows_in_any_order() -> None:
    said = [("l", "fi", "hand", 0.1), ("m", "sv", "foot", 0.2), ("l", "sv", "foot", 0.3)]
    rows = [
        LemmaError(model=m, target=t, lemma=w, measures=ErrorMeasures(error=e, ari=-e))
        for m, t, w, e in said
    ]
    found = grids_of(rows)
    one = found["error"]
    assert (one.models, one.targets, one.lemmas) == (("l", "m"), ("fi", "sv"), ("hand", "foot"))
    np.testing.assert_array_equal(
        one.values, [[[0.1, math.nan], [math.nan, 0.3]], [[math.nan] * 2, [math.nan, 0.2]]]
    )
    np.testing.assert_array_equal(found["ari"].values, -one.values)


def test_differences_are_of_what_both_have() -> None:
    values = np.array([[[0.5, 0.9, math.nan]], [[0.1, math.nan, 0.7]]])
    apart = grid(values).differences([(0, 1), (1, 0)])
    assert apart.models == ("m0 - m1", "m1 - m0")
    assert apart.totals == pytest.approx([0.4, -0.4])
    assert apart.lemma_counts == [1, 1]


def test_what_all_models_share_is_taken_once() -> None:
    values = np.array([[[0.5, math.nan, math.nan]], [[0.5, 0.7, math.nan]]])
    line = grid(values).merged("line")
    np.testing.assert_array_equal(line.values, [[[0.5, 0.7, math.nan]]])


# ---------------------------------------------------------------------- intervals


def drawn_plainly(values: Values, draws: int, seed: int) -> tuple[Values, Values]:
    """Draw lemmas as they come, and leave each out once."""
    count = values.shape[1]
    chosen = np.random.default_rng(seed).integers(count, size=(draws, count))
    drawn = np.array([plain_total(values[:, row]) for row in chosen])
    left = np.array([plain_total(np.delete(values, n, axis=1)) for n in range(count)])
    return drawn, left


@pytest.mark.parametrize(("targets", "missing"), [(1, 0.0), (3, 0.0), (3, 0.3)])
def test_intervals_are_of_lemmas_drawn_with_all_their_languages(
    targets: int, missing: float
) -> None:
    values = made_up(2, targets, 14, missing, seed=5)
    found = LemmaBootstrap(300, 0.9, seed=7).intervals(values, 0.0, 1.0)
    for one, interval in zip(values, found, strict=True):
        held = one[:, np.isfinite(one).any(axis=0)]
        drawn, left = drawn_plainly(held, 300, seed=7)
        assert interval == pytest.approx(bca_interval(plain_total(one), drawn, left, 0.9), abs=1e-9)


def test_lemmas_that_a_model_lacks_are_no_units_of_it() -> None:
    values = made_up(1, 2, 12)
    more = np.concatenate([values, np.full((1, 2, 5), math.nan)], axis=2)
    bootstrap = LemmaBootstrap(200, 0.95, seed=0)
    assert bootstrap.intervals(more, 0, 1) == bootstrap.intervals(values, 0, 1)


def test_few_lemmas_have_the_interval_of_student() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = 0.5 + 0.1 * (made_up(1, 1, FEWEST_RESAMPLED - 1) - 0.5)
    [found] = LemmaBootstrap(100, 0.95, 0).intervals(values, 0.0, 1.0)
    row = values[0, 0]
    spread = row.std(ddof=1) / math.sqrt(len(row))
    expected = stats.t.interval(0.95, len(row) - 1, loc=row.mean(), scale=spread)
    assert found == pytest.approx(expected)


def test_intervals_stay_within_bounds() -> None:
    values = np.array([[[0.0, 0.0, 0.9]]])
    [found] = LemmaBootstrap(100, 0.95, 0).intervals(values, 0.0, 1.0)
    assert found == (0.0, 1.0)


def test_one_lemma_has_no_interval_and_equal_ones_have_one_without_width() -> None:
    bootstrap = LemmaBootstrap(100, 0.95, 0)
    [single] = bootstrap.intervals(np.array([[[0.3, math.nan]]]), 0, 1)
    assert all(math.isnan(end) for end in single)
    [equal] = bootstrap.intervals(np.full((1, 1, 12), 0.25), 0, 1)
    assert equal == (0.25, 0.25)


def test_a_total_has_no_interval_where_a_language_has_a_single_lemma() -> None:
    """Without that lemma the total would be of the other languages: here all of them are 0.25."""
    finnish, german = [0.25, 0.25, 0.5], [math.nan, math.nan, 0.125]
    values = np.array([finnish, german])
    without = [plain_total(np.delete(values, lemma, axis=1)) for lemma in range(3)]
    assert without == [0.25] * 3
    bootstrap = LemmaBootstrap(100, 0.95, 0)
    both = np.array([[finnish, german], [finnish, [0.5, 0.5, 0.125]]])
    single, enough = bootstrap.intervals(both, 0, 1)
    assert all(math.isnan(end) for end in single)
    assert enough.low < grid(both).totals[1] < enough.high
    # a language that has none is no part of the total
    [alone] = bootstrap.intervals(np.array([[finnish, [math.nan] * 3]]), 0, 1)
    assert alone == bootstrap.intervals(np.array([[finnish]]), 0, 1)[0]
    assert alone.low < alone.high
    many = made_up(1, 2, 14)
    many[0, 1, 1:] = math.nan
    assert all(math.isnan(end) for end in bootstrap.intervals(many, 0, 1)[0])


def test_that_nothing_varies_is_told_by_lemmas_and_not_by_totals_without_one() -> None:
    bootstrap = LemmaBootstrap(100, 0.95, 0)
    # the totals without a lemma are all 0.3, the lemmas of a language are not alike
    [chance] = bootstrap.intervals(np.array([[[0.2, 0.4], [0.4, 0.2]]]), 0, 1)
    assert all(math.isnan(end) for end in chance)
    [equal] = bootstrap.intervals(np.array([[[0.2, 0.2], [0.4, 0.4]]]), 0, 1)
    assert equal == pytest.approx((0.3, 0.3))


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_many_totals_at_once_are_those_of_each(
    missing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Totals are drawn in pieces that fit into memory, and by the lemmas that they rest on."""
    values = made_up(6, 2, 14, missing, seed=3)
    bootstrap = LemmaBootstrap(100, 0.95, 0)
    alone = [bootstrap.intervals(one[None], 0, 1)[0] for one in values]
    assert len(set(alone)) == 6
    np.testing.assert_allclose(bootstrap.intervals(values, 0, 1), alone)
    monkeypatch.setattr("tealeaves.lexicon.error.means._BUDGET", 5 * 8 * 2 * 100)
    np.testing.assert_allclose(bootstrap.intervals(values, 0, 1), alone)


# ---------------------------------------------------------------------- tests


def swapped_p(a: Values, b: Values) -> float:
    """Exchange two models on every set of lemmas: how often are they as far apart?"""
    both = np.isfinite(a) & np.isfinite(b)
    apart = np.where(both, a - b, math.nan)
    held = apart[:, np.isfinite(apart).any(axis=0)]
    seen = abs(plain_total(held))
    found = [
        abs(plain_total(held * np.array(signs))) for signs in product([1, -1], repeat=held.shape[1])
    ]
    return sum(value >= seen - 1e-12 for value in found) / len(found)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_p_is_of_all_exchanges_of_two_models(missing: float) -> None:
    values = made_up(3, 2, 8, missing, seed=2)
    values[1] = np.clip(values[1] - 0.3, 0, 1)
    pairs = [(0, 1), (0, 2), (1, 2)]
    found = grid(values).differences(pairs).ps(draws=10_000, seed=0)
    assert found == pytest.approx([swapped_p(values[a], values[b]) for a, b in pairs])
    assert min(found) < 0.5


def test_drawn_signs_come_near_all_signs() -> None:
    values = made_up(2, 1, 11, seed=4)
    [exact] = grid(values).differences([(0, 1)]).ps(draws=5000, seed=0)
    [drawn] = grid(values).differences([(0, 1)]).ps(draws=2000, seed=0)
    assert exact == pytest.approx(swapped_p(*values))
    assert 0 < abs(drawn - exact) < 0.04


def test_means_of_nothing_are_nothing() -> None:
    nothing: Any = np.full((1, 2, 3), math.nan)
    assert np.isnan(over_lemmas(nothing, np.ones((1, 3)))).all()
    assert np.isnan(over_targets(nothing)).all()
    assert math.isnan(grid(nothing).ps(100, 0)[0])
