"""``fit``: what is learned from tables whose targets are known functions of features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.arrays import Floats
from tealeaves.estimator.cross_validation import choose, leave_one_language_out
from tealeaves.estimator.estimators import open_estimators
from tealeaves.estimator.features import FEATURES
from tealeaves.estimator.fitting import Fitting, feature_sets, fit
from tealeaves.estimator.table import FeatureTable
from tealeaves.learners.conformal import Conformal

from .made import LANGUAGES, Columns, made_table, spoken

ALL = tuple(FEATURES)
FEW = ("cnpmi", "mta", "twc_pivot")
LINE = ("cnpmi", "mta", "era_mean")


@pytest.fixture(scope="module")
def nested() -> Fitting:
    return fit(made_table(noise=0.02), learner="ridge", source="made up")


# ---------------------------------------------------------------------- what is learned


@pytest.mark.parametrize(("learner", "off"), [("adaboost", 1e-9), ("ridge", 0.005)])
def test_a_line_is_found_again(learner: str, off: float) -> None:
    table, new = made_table(names=LINE), made_table(["xh"], LINE, seed=1)
    found = fit(table, learner=learner, nested=False)
    [one] = found.estimators.estimators
    assert one.predict(new.values) == pytest.approx(new.target, abs=off)
    assert found.left_out[0].estimates == pytest.approx(table.target, abs=off)
    assert one.reached.estimate == pytest.approx(1.0, abs=0.001)
    assert one.reached.error < off


def _product(of: Columns) -> Floats:
    return 2 * (of["cnpmi"] - 0.2) * (of["twc_pivot"] - 0.65)


def _steps(of: Columns) -> Floats:
    return 0.3 * (of["cnpmi"] > 0.1) - 0.5 * (of["cnpmi"] > 0.4)


@pytest.mark.parametrize(("learner", "target"), [("ridge", _product), ("trees", _steps)])
def test_learners_that_are_no_lines_find_more(
    learner: str, target: Callable[[Columns], Floats]
) -> None:
    names = ("cnpmi", "twc_pivot")
    table = made_table(LANGUAGES[:3], names, target=target)
    new = made_table(["xh"], names, target=target, seed=1)
    reached = {}
    for name in ("adaboost", learner):
        [one] = fit(table, learner=name, nested=False).estimators.estimators
        reached[name] = np.corrcoef(one.predict(new.values), new.target)[0, 1]
    assert reached[learner] > 0.8
    assert reached["adaboost"] < 0.5


def test_of_noise_nothing_is_learned() -> None:
    table = made_table(target=lambda of: 0 * of["cnpmi"], noise=0.1)
    [one] = fit(table, learner="ridge", nested=False).estimators.estimators
    assert one.reached.estimate == pytest.approx(0.0, abs=0.3)
    # the error of one who always says 0: the mean of |N(0, .1)| is .1 sqrt(2/pi) = .080
    assert 0.07 < one.reached.error < 0.11


def test_what_it_saw_is_kept(nested: Fitting) -> None:
    table = made_table(noise=0.02)
    for one in nested.estimators.estimators:
        matrix = table.with_names(one.features).values
        assert [seen.mean for seen in one.seen] == pytest.approx(matrix.mean(axis=0))
        assert [seen.sd for seen in one.seen] == pytest.approx(matrix.std(axis=0))
        assert [seen.low for seen in one.seen] == matrix.min(axis=0).tolist()
        assert [seen.high for seen in one.seen] == matrix.max(axis=0).tolist()
        assert one.languages == LANGUAGES
        assert one.rows == len(table) == 160
        assert list(one.cardinalities) == [5, 10]
        ten = table.cardinalities == 10
        assert one.cardinalities[10].raw.mean == pytest.approx(table.column("cnpmi")[ten].mean())
        assert one.cardinalities[10].target.high == table.target[ten].max()
    assert (nested.estimators.pivot, nested.estimators.learner) == ("en", "ridge")
    assert nested.estimators.source == "made up"


def test_the_same_seed_is_the_same_file() -> None:
    table = made_table(LANGUAGES[:3], FEW, noise=0.05, topics=6)
    one, same, other = (
        fit(table, learner="adaboost", nested=False, seed=seed).estimators for seed in (0, 0, 1)
    )
    assert one.signature == same.signature != other.signature


# ---------------------------------------------------------------------- nested sets of features


def test_nested_sets_lack_each_choice_of_what_may_be_lacking() -> None:
    sets = feature_sets(ALL)
    parts = [
        {"mta"},
        {"era_mean", "era_sd"},
        {"drift_mean", "drift_sd"},
        {"mc_pivot", "mc_other", "icc"},
    ]
    lacking = [frozenset(ALL) - frozenset(some) for some in sets]
    choices = [some for number in range(5) for some in combinations(parts, number)]
    assert len(sets) == len(set(sets)) == 16
    assert set(lacking) == {frozenset().union(*some) for some in choices}
    assert lacking[0] == frozenset()
    assert lacking[-1] == frozenset().union(*parts)
    assert all(tuple(name for name in ALL if name in some) == some for some in sets)


@pytest.mark.parametrize(
    ("names", "sets"),
    [
        (["cnpmi"], [("cnpmi",)]),
        (["mta"], [("mta",)]),  # of nothing nothing is learned
        (["cnpmi", "era_sd"], [("cnpmi", "era_sd"), ("cnpmi",)]),
    ],
)
def test_sets_of_few_features(names: list[str], sets: list[tuple[str, ...]]) -> None:
    assert feature_sets(names) == sets


def test_the_least_wrong_come_first(nested: Fitting) -> None:
    several = nested.estimators.estimators
    errors = [one.reached.error for one in several]
    assert errors == sorted(errors)
    # the target is made of mta above all, then of years; drift is noise
    with_mta = ["mta" in one.features for one in several]
    assert with_mta == sorted(with_mta, reverse=True)
    assert any("era_mean" in one.features for one in several)
    assert not all("era_mean" in one.features for one in several)  # years may be lacking


def test_who_does_no_better_with_more_is_left_out(nested: Fitting) -> None:
    sets = [set(one.features) for one in nested.estimators.estimators]
    assert len(sets) < 16
    for place, features in enumerate(sets):
        assert not any(better < features for better in sets[:place])
    assert min(sets, key=len) == set(feature_sets(ALL)[-1])  # none needs less


def test_what_was_said_of_languages_left_out_is_in_the_same_order(nested: Fitting) -> None:
    table = made_table(noise=0.02)
    assert len(nested.left_out) == len(nested.estimators.estimators)
    for one, left in list(zip(nested.estimators.estimators, nested.left_out, strict=True))[::3]:
        again = leave_one_language_out(table, one.features, learner="ridge")
        assert left.estimates.tolist() == again.tolist()
        assert np.abs(table.target - left.estimates).mean() == pytest.approx(one.reached.error)


def test_a_single_one_has_all_features() -> None:
    table = made_table(names=FEW, noise=0.02)
    single, several = (fit(table, learner="ridge", nested=nested) for nested in (False, True))
    assert [one.features for one in single.estimators.estimators] == [FEW]
    assert len(several.estimators.estimators) == len(several.left_out) == 2
    assert single.estimators.estimators[0] in several.estimators.estimators


# ---------------------------------------------------------------------- features left out


@pytest.mark.parametrize(
    ("without", "gone"),
    [
        (["mta"], {"mta"}),
        ("era", {"era_mean", "era_sd"}),  # a string is one name
        (["gap"], {"mc_pivot", "mc_other", "icc"}),
        (["era", "drift_sd"], {"era_mean", "era_sd", "drift_sd"}),
        (["base"], {"cardinality", "cnpmi", "inpmi", "mta", "twc_pivot", "twc_other"}),
    ],
)
def test_features_and_groups_can_be_left_out(without: str | list[str], gone: set[str]) -> None:
    found = fit(made_table(noise=0.02), learner="ridge", without=without, nested=False)
    [one] = found.estimators.estimators
    assert one.features == tuple(name for name in ALL if name not in gone)


def test_a_further_feature_is_used_and_left_out_by_its_group() -> None:
    names = (*FEW, "cnpmi(never=-1)")
    table = made_table(names=FEW, noise=0.02)
    more = replace(table, names=names, values=np.column_stack([table.values, table.target]))
    [with_it] = fit(more, learner="ridge", nested=False).estimators.estimators
    [without] = fit(more, learner="ridge", without=["more"], nested=False).estimators.estimators
    assert with_it.features == names
    assert with_it.reached.error < 0.005 < without.reached.error
    assert without.features == FEW


def test_tables_may_be_files(tmp_path: Path) -> None:
    whole = made_table(LANGUAGES[:3], FEW, topics=4, noise=0.02)
    files = []
    for name in LANGUAGES[:3]:
        files.append(tmp_path / f"{name}.csv")
        whole.select(spoken(whole, name)).save(files[-1])
    whole.save(tmp_path / "all.csv")
    # a table that is read has its cardinality as a feature
    given: dict[str, Any] = {"nested": False, "without": "cardinality"}
    found = [fit(one, **given).estimators for one in (files, tmp_path / "all.csv")]
    found.append(fit(str(tmp_path / "all.csv"), **given).estimators)
    expected = fit(whole, nested=False).estimators
    assert {one.signature for one in found} == {expected.signature}


def _with_column(table: FeatureTable, name: str, column: Floats) -> FeatureTable:
    values = table.values.copy()
    values[:, table.names.index(name)] = column
    return replace(table, values=values)


# ---------------------------------------------------------------------- what was reached


def test_what_was_reached_is_what_one_computes_oneself() -> None:
    """Fit without each language, and look at its rows, with nothing of ``fit``."""
    table = made_table(names=FEW, noise=0.05)
    found = fit(table, learner="ridge", nested=False)
    languages, y = np.array(table.languages), table.target
    estimates = np.empty(len(table))
    for name in LANGUAGES:
        own = languages == name
        chosen = choose("ridge", table.values[~own], y[~own], languages[~own].tolist())
        estimates[own] = chosen.fitted.predict(table.values[own])
    rows = []
    for name in LANGUAGES:
        own = languages == name
        errors = np.abs(y - estimates)
        inside = []
        for size in (5, 10):
            # three other languages reach 3/4 at most, and so nothing holds 90 % for sure
            others = ~own & (table.cardinalities == size)
            conformal = Conformal.of(errors[others], languages[others].tolist(), [size] * 60)
            inside += (
                errors[own & (table.cardinalities == size)] <= conformal.half_width(0.9, size)
            ).tolist()
        rows.append(
            [
                np.corrcoef(table.column("cnpmi")[own], y[own])[0, 1],
                np.corrcoef(estimates[own], y[own])[0, 1],
                errors[own].mean(),
                np.mean(inside),
            ]
        )
    reached = found.estimators.estimators[0].reached
    assert found.left_out[0].estimates == pytest.approx(estimates)
    *told, inside = np.mean(rows, axis=0).tolist()
    assert [reached.raw, reached.estimate, reached.error] == pytest.approx(told)
    # intervals without an end hold everything, so nothing is told of them
    assert (inside, reached.covered) == (1.0, None)


def test_ten_languages_hold_nine_tenths() -> None:
    table = made_table([f"l{n}" for n in range(12)], FEW, noise=0.05, tops=[10])
    found = fit(table, learner="ridge", nested=False)
    [left], [one] = found.left_out, found.estimators.estimators
    assert np.isfinite(left.half_widths).all()
    errors = np.abs(table.target - left.estimates)
    assert one.reached.covered == pytest.approx((errors <= left.half_widths).mean())
    assert one.reached.covered is not None
    assert 0.85 < one.reached.covered < 1
    for name, [kept] in zip(one.conformal.languages, one.conformal.residuals, strict=True):
        # what is kept may be rounded, but never down
        more = np.array(kept) - np.sort(errors[spoken(table, name)])
        assert more.min() > -1e-12
        assert more.max() < 1.1e-5
    assert 0.05 < one.half_width(10, 0.9) < 0.3


def test_all_are_compared_by_the_rows_that_all_could_judge() -> None:
    table = made_table(names=FEW, noise=0.05)
    some = np.arange(len(table)) % 4 == 0
    mta = np.where(some, np.nan, table.column("mta"))
    table = _with_column(table, "mta", mta)
    found = fit(table, learner="ridge")
    for one, left in zip(found.estimators.estimators, found.left_out, strict=True):
        with_mta = "mta" in one.features
        assert one.rows == (120 if with_mta else 160)
        assert np.isnan(left.estimates).sum() == (40 if with_mta else 0)
        errors = np.abs(table.target - left.estimates)
        assert one.reached.error == pytest.approx(errors[~some].mean())
        # but intervals are of all that it judged
        kept = sum(len(own) for sizes in one.conformal.residuals for own in sizes)
        assert kept == one.rows


# ---------------------------------------------------------------------- who has seen what


def test_a_language_of_nonsense_does_not_change_its_own_estimates() -> None:
    """Whatever is told of a language, estimates of it rest on others alone."""
    table = made_table(names=FEW, noise=0.02, topics=8)
    own = spoken(table, "sv")
    rng = np.random.default_rng(9)
    nonsense = np.where(own, rng.uniform(-1, 1, size=len(table)), table.target)
    for learner in ("adaboost", "ridge"):
        sound = fit(table, learner=learner, nested=False)
        spoiled = fit(replace(table, target=nonsense), learner=learner, nested=False)
        one, other = sound.left_out[0].estimates, spoiled.left_out[0].estimates
        assert one[own].tolist() == other[own].tolist()
        # others have learned from it
        assert (one[~own] != other[~own]).any()
        assert (
            spoiled.estimators.estimators[0].reached.error
            > sound.estimators.estimators[0].reached.error
        )


def test_the_final_estimator_has_learned_from_all() -> None:
    table = made_table(names=FEW, noise=0.02)
    own = spoken(table, "sv")
    [sound] = fit(table, nested=False, learner="ridge").estimators.estimators
    [spoiled] = fit(
        replace(table, target=np.where(own, -table.target, table.target)),
        nested=False,
        learner="ridge",
    ).estimators.estimators
    assert sound.fitted != spoiled.fitted
    # a language that lacks a feature has taught nothing, and is not named
    lacking = _with_column(table, "mta", np.where(own, np.nan, table.column("mta")))
    [one] = fit(lacking, nested=False, learner="ridge").estimators.estimators
    assert one.languages == ("am", "ro", "tl")
    assert one.conformal.languages == ["am", "ro", "tl"]


# ---------------------------------------------------------------------- what says nothing


def test_estimates_that_do_not_vary_have_no_correlation(tmp_path: Path) -> None:
    """A feature that is one number in each language lets estimates of a language be one number."""
    table = made_table(LANGUAGES[:3], ("cnpmi", "mta"), noise=0.02, topics=6, tops=[10])
    flat = np.select([spoken(table, name) for name in LANGUAGES[:3]], [0.1, 0.2, 0.4])
    found = fit(_with_column(table, "mta", flat), learner="ridge", without=["cnpmi"])
    [one] = found.estimators.estimators
    assert one.reached.estimate is None
    assert one.reached.raw == pytest.approx(
        np.mean([np.corrcoef(table.column("cnpmi")[mine], table.target[mine])[0, 1]
                 for mine in (spoken(table, name) for name in LANGUAGES[:3])])
    )  # fmt: skip
    found.estimators.save(tmp_path / "flat.json")
    assert open_estimators(tmp_path / "flat.json") == found.estimators


def test_topics_without_a_cnpmi_are_not_learned_from_even_where_it_is_not_used() -> None:
    table = made_table(LANGUAGES[:3], ("cnpmi", "mta"), noise=0.02, topics=6)
    lacks = (np.arange(len(table)) % 7 == 0) | spoken(table, "am") & (table.cardinalities == 5)
    table = _with_column(table, "cnpmi", np.where(lacks, np.nan, table.column("cnpmi")))
    [one] = fit(table, learner="ridge", without=["cnpmi"], nested=False).estimators.estimators
    assert one.features == ("mta",)
    assert one.rows == (~lacks).sum()
    raw = [
        np.corrcoef(table.column("cnpmi")[mine], table.target[mine])[0, 1]
        for mine in (spoken(table, name) & ~lacks for name in LANGUAGES[:3])
    ]
    assert one.reached.raw == pytest.approx(np.mean(raw))
