"""The human ceiling and the reliability of means."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tealeaves.arrays import Floats
from tealeaves.judgments.agreement.ceiling import against_rest, ceiling
from tealeaves.judgments.agreement.estimates import Resampling
from tealeaves.judgments.agreement.reliability import reliability, spearman_brown
from tealeaves.judgments.ratings import Ratings

NO_DRAWS = Resampling(draws=0)


def of_table(table: Floats, *, named: bool = True) -> Ratings:
    """Items by annotators, NaN where there is no answer."""
    item, who = np.indices(table.shape).reshape(2, -1)
    people = [f"p{a}" if named else None for a in who]
    return Ratings.of([f"t{i}" for i in item], people, table.ravel())


def simulated(
    rng: np.random.Generator, items: int, people: int, noise: float, mildness: float = 0.0
) -> Floats:
    """True means of variance 1, annotators of some mildness, and noise of some variance."""
    truth = rng.normal(size=(items, 1))
    own = math.sqrt(mildness) * rng.normal(size=(1, people))
    return truth + own + math.sqrt(noise) * rng.normal(size=(items, people))


# ---------------------------------------------------------------------- ceiling


def test_one_against_the_rest_as_scipy_has_it() -> None:
    rng = np.random.default_rng(0)
    table = np.clip(np.round(simulated(rng, 30, 6, 1.0) + 2), 1, 4)
    table[rng.random(table.shape) < 0.3] = np.nan
    found = ceiling(of_table(table), resampling=NO_DRAWS)
    oracles = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    for name, oracle in oracles.items():
        each = []
        for one in range(6):
            others = np.delete(table, one, axis=1)
            both = ~np.isnan(table[:, one]) & ~np.isnan(others).all(axis=1)
            rest = np.array([np.nanmean(row) for row in others[both]])
            each.append(oracle(table[both, one], np.round(rest, 12)).statistic)
        assert found.estimates[name].value == pytest.approx(np.mean(each), abs=1e-12)
        assert found.estimates[name][3:5] == (6, "annotators")
    assert (found.picked, found.few, found.constant) == (False, 0, 0)


def test_by_hand() -> None:
    # ann 1 2 3 against the mean of bob 1 3 2 and eve 2 2 2, which is 1.5 2.5 2:
    # deviations -1 0 1 and -.5 .5 0 give .5 / sqrt(2 · .5) = .5
    table = np.array([[1.0, 1.0, 2.0], [2.0, 3.0, 2.0], [3.0, 2.0, 2.0]])
    pairs = {one.who: one for one in against_rest(of_table(table))}
    assert pairs["p0"].rest.tolist() == [1.5, 2.5, 2.0]
    # bob -1 1 0 against 1.5 2 2.5, deviations -.5 0 .5: .5 / sqrt(2 · .5); eve is constant
    found = ceiling(of_table(table), least=3, resampling=NO_DRAWS)
    assert found.estimates["pearson"].value == pytest.approx(0.5)
    assert (found.estimates["pearson"].n, found.constant) == (2, 1)


def test_the_mean_of_the_others_is_of_those_who_answered() -> None:
    nan = math.nan
    table = np.array([[1.0, 2.0, nan], [4.0, nan, nan], [3.0, 5.0, 7.0]])
    pairs = {one.who: one for one in against_rest(of_table(table))}
    assert pairs["p0"].item.tolist() == [0, 2]  # nobody else answered the second item
    assert pairs["p0"].rest.tolist() == [2.0, 6.0]
    assert pairs["p2"].rest.tolist() == [4.0]


def test_answers_without_a_name_are_part_of_the_rest() -> None:
    ratings = Ratings.of(["a", "a", "b", "b"], ["ann", None, "ann", None], [1.0, 2.0, 3.0, 5.0])
    (only,) = against_rest(ratings)
    assert (only.who, only.own.tolist(), only.rest.tolist()) == ("ann", [1.0, 3.0], [2.0, 5.0])


def test_few_items_in_common_are_counted() -> None:
    rng = np.random.default_rng(1)
    table = simulated(rng, 12, 4, 1.0)
    table[4:, 3] = np.nan
    found = ceiling(of_table(table), resampling=NO_DRAWS)
    assert (found.few, found.estimates["pearson"].n) == (1, 3)
    assert ceiling(of_table(table), least=4, resampling=NO_DRAWS).few == 0


@pytest.mark.parametrize("named", [True, False])
def test_the_truth_of_known_variances(named: bool) -> None:
    # cov(t + e, t + mean of k - 1 e) = 1; variances 1 + e and 1 + e / (k - 1)
    table = simulated(np.random.default_rng(2), 4000, 5, noise=2.0)
    found = ceiling(of_table(table, named=named), coefficients=["pearson"], resampling=NO_DRAWS)
    expected = 1 / math.sqrt((1 + 2.0) * (1 + 2.0 / 4))
    assert found.estimates["pearson"].value == pytest.approx(expected, abs=0.02)
    assert found.picked is not named
    assert found.estimates["pearson"].unit == ("annotators" if named else "items")


def test_picks_where_no_annotator_has_enough_items() -> None:
    """Each of a crowd answers two items: random answers stand for one annotator."""
    table = simulated(np.random.default_rng(3), 400, 4, noise=1.0)
    items = np.repeat(np.arange(400), 4)
    crowd = [f"w{number // 2}" for number in range(1600)]
    found = ceiling(Ratings.of([str(i) for i in items], crowd, table.ravel()), resampling=NO_DRAWS)
    assert (found.picked, found.few, found.estimates["pearson"].n) == (True, 800, 400)
    expected = 1 / math.sqrt(2 * (1 + 1 / 3))
    assert found.estimates["pearson"].value == pytest.approx(expected, abs=0.05)


def test_models_are_means_of_items() -> None:
    rng = np.random.default_rng(4)
    table = simulated(rng, 40, 3, 1.0)
    groups = np.repeat(np.arange(8), 5)
    found = ceiling(of_table(table), groups=groups, resampling=NO_DRAWS)
    means = table.reshape(8, 5, 3).mean(axis=1)
    expected = ceiling(of_table(means), resampling=NO_DRAWS)
    for name, estimate in found.estimates.items():
        assert estimate.value == pytest.approx(expected.estimates[name].value, abs=1e-12)
    assert (
        ceiling(of_table(table, named=False), groups=groups).estimates["pearson"].unit == "models"
    )


def test_four_models_are_enough_for_a_ceiling() -> None:
    table = simulated(np.random.default_rng(5), 20, 3, 1.0)
    groups = np.repeat(np.arange(4), 5)
    found = ceiling(of_table(table), groups=groups, resampling=NO_DRAWS)
    expected = ceiling(of_table(table.reshape(4, 5, 3).mean(axis=1)), least=4, resampling=NO_DRAWS)
    assert (found.picked, found.few) == (False, 0)
    value = found.estimates["pearson"].value
    assert value == pytest.approx(expected.estimates["pearson"].value, abs=1e-12)


def test_nothing_to_compare_is_nan() -> None:
    nobody = Ratings.of(list("abcdef"), [None] * 6, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0])
    constant = of_table(np.ones((8, 3)))
    for ratings in (nobody, constant, Ratings.of([], [], [])):
        found = ceiling(ratings)
        assert all(math.isnan(one.value) for one in found.estimates.values())
        assert all(math.isnan(one.low) for one in found.estimates.values())
    assert ceiling(constant).constant == 3


def test_the_interval_of_the_ceiling_holds_the_truth() -> None:
    rng = np.random.default_rng(6)
    truth = 1 / math.sqrt((1 + 1.0) * (1 + 1.0 / 3))
    times, held = 200, 0
    for seed in range(times):
        table = simulated(rng, 40, 4, 1.0)
        found = ceiling(
            of_table(table), coefficients=["pearson"], resampling=Resampling(300, seed)
        ).estimates["pearson"]
        held += found.low <= truth <= found.high
    # three standard errors of a share of .95 in 200 times, and one point that few items cost
    assert 0.89 <= held / times <= 0.99


def test_many_annotators_are_drawn_fewer_times() -> None:
    rng = np.random.default_rng(7)
    table = np.round(simulated(rng, 150, 160, 1.0))
    table[rng.random(table.shape) < 0.73] = np.nan
    found = ceiling(of_table(table))
    assert found.estimates["kendall"].n == 160
    assert found.estimates["kendall"].note == "interval of 200 draws"


# ---------------------------------------------------------------------- reliability


def test_spearman_brown() -> None:
    # twice as many: 2 · .6 / (1 + .6); three times: 3 · .5 / (1 + 2 · .5)
    assert float(spearman_brown(0.6)) == pytest.approx(0.75)
    assert float(spearman_brown(0.5, 3)) == pytest.approx(0.75)
    assert float(spearman_brown(0.3, 1)) == pytest.approx(0.3)
    assert spearman_brown(np.array([1.0, 0.0, -0.2, -0.9, np.nan])).tolist() == pytest.approx(
        [1.0, 0.0, -0.5, -1.0, np.nan], nan_ok=True
    )
    # beyond the pole at -1 / (k - 1) the formula turns positive; that is no reliability
    assert float(spearman_brown(-0.9, 3)) == -1.0


@pytest.mark.parametrize(("people", "noise"), [(2, 1.0), (3, 1.0), (5, 2.0), (8, 4.0)])
@pytest.mark.parametrize("named", [True, False])
def test_reliability_of_known_variances(people: int, noise: float, named: bool) -> None:
    table = simulated(np.random.default_rng(people), 4000, people, noise)
    found = reliability(of_table(table, named=named), splits=20, resampling=NO_DRAWS)
    expected = people / (people + noise)
    assert found.reliability.value == pytest.approx(expected, abs=0.025)
    assert found.attainable.value == pytest.approx(math.sqrt(found.reliability.value))
    assert found.factor == pytest.approx(people / (people // 2))


def test_milder_annotators_are_no_noise_where_all_answered_all() -> None:
    table = simulated(np.random.default_rng(8), 3000, 4, noise=1.0, mildness=4.0)
    found = reliability(of_table(table), splits=20, resampling=NO_DRAWS)
    assert found.reliability.value == pytest.approx(4 / (4 + 1), abs=0.02)


def test_unequal_numbers_of_answers() -> None:
    rng = np.random.default_rng(9)
    table = simulated(rng, 6000, 6, noise=2.0)
    table[np.arange(6)[None, :] >= rng.choice([1, 2, 3, 6], (6000, 1))] = np.nan
    found = reliability(of_table(table), splits=20, resampling=NO_DRAWS)
    counts = (~np.isnan(table)).sum(axis=1)
    assert found.reliability.n == (counts > 1).sum()
    noise = 2.0 * np.mean(1 / counts[counts > 1])
    assert found.reliability.value == pytest.approx(1 / (1 + noise), abs=0.025)


def test_attainable_is_what_a_perfect_metric_gets() -> None:
    rng = np.random.default_rng(10)
    truth = rng.normal(size=(5000, 1))
    table = truth + 1.5 * rng.normal(size=(5000, 4))
    found = reliability(of_table(table), splits=20, resampling=NO_DRAWS)
    perfect = np.corrcoef(truth[:, 0], table.mean(axis=1))[0, 1]
    assert found.attainable.value == pytest.approx(perfect, abs=0.02)


def test_reliability_of_models() -> None:
    rng = np.random.default_rng(11)
    model = np.repeat(0.5 * rng.normal(size=400), 10)[:, None]
    table = model + simulated(rng, 4000, 3, noise=2.0)
    groups = np.repeat(np.arange(400), 10)
    found = reliability(of_table(table), groups=groups, splits=20, resampling=NO_DRAWS)
    # the mean of ten items: variance .25 + 1 / 10 of the means, 2 / 3 / 10 of noise
    assert found.reliability.value == pytest.approx(0.35 / (0.35 + 2 / 30), abs=0.03)
    assert found.reliability[3:5] == (400, "models")


def test_two_answers_have_one_split_by_hand() -> None:
    # halves 1 2 3 4 and 2 1 4 3: r = .6, whichever half is first; 2 · .6 / 1.6 = .75
    table = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0]])
    found = reliability(of_table(table), resampling=NO_DRAWS)
    assert found.halves == pytest.approx(0.6)
    assert found.reliability.value == pytest.approx(0.75)


def test_no_sign_of_reliability() -> None:
    # halves 1 2 3 4 and 4 3 2 1
    table = np.array([[1.0, 4.0], [2.0, 3.0], [3.0, 2.0], [4.0, 1.0]])
    found = reliability(of_table(table), resampling=NO_DRAWS)
    assert (found.reliability.value, found.attainable.value) == (-1.0, 0.0)
    for ratings in (of_table(np.ones((6, 3))), Ratings.of(["a"], [None], [1.0])):
        assert math.isnan(reliability(ratings).reliability.value)
        assert math.isnan(reliability(ratings).attainable.value)


def test_the_interval_of_reliability_holds_the_truth() -> None:
    rng = np.random.default_rng(12)
    times, held = 200, 0
    for seed in range(times):
        table = simulated(rng, 50, 4, 1.0)
        found = reliability(of_table(table), splits=20, resampling=Resampling(300, seed))
        held += found.reliability.low <= 4 / 5 <= found.reliability.high
    # three standard errors of a share of .95 in 200 times, and one point that few items cost
    assert 0.89 <= held / times <= 0.99


def test_the_seed_decides() -> None:
    ratings = of_table(simulated(np.random.default_rng(13), 20, 3, 1.0), named=False)
    once, again, other = (reliability(ratings, resampling=Resampling(50, s)) for s in (1, 1, 2))
    assert once == again
    assert once.halves != other.halves
    first, second = (ceiling(ratings, resampling=Resampling(50, s)).estimates for s in (1, 1))
    assert first == second
