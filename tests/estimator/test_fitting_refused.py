"""``fit``: what it refuses, before the long work and in one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator.fitting import check, fit
from tealeaves.estimator.table import FeatureTable

from .made import LANGUAGES, made_table

FEW = ("cnpmi", "mta", "twc_pivot")


@pytest.mark.parametrize(
    ("without", "message"),
    [
        (["mat"], "no feature or group mat in the table; did you mean mta?"),
        (["more"], "no feature or group more in the table"),  # there is none of that group
        (["base", "gap", "era", "drift"], "no feature is left to learn from"),
    ],
)
def test_what_cannot_be_left_out(without: list[str], message: str) -> None:
    with pytest.raises(InputError) as error:
        fit(made_table(topics=3), without=without)
    assert str(error.value).startswith(message)


def _with_column(table: FeatureTable, name: str, column: Floats) -> FeatureTable:
    values = table.values.copy()
    values[:, table.names.index(name)] = column
    return replace(table, values=values)


def test_a_constant_feature_is_an_error_in_one_line() -> None:
    table = made_table(noise=0.02)
    with pytest.raises(InputError) as error:
        fit(_with_column(table, "mta", np.zeros(len(table))))
    assert str(error.value).startswith("mta is 0 in all 160 rows")
    assert "--without mta" in str(error.value)
    assert "\n" not in str(error.value)
    assert fit(
        _with_column(table, "mta", np.zeros(len(table))),
        learner="ridge",
        without=["mta"],
        nested=False,
    )


def test_a_feature_that_is_never_defined_is_an_error_in_one_line() -> None:
    table = made_table()
    with pytest.raises(InputError, match=r"^drift_sd is undefined in all 160 rows.*modern.*$"):
        fit(_with_column(table, "drift_sd", np.full(len(table), np.nan)))


@pytest.mark.parametrize(
    ("languages", "message"),
    [
        (["sv"], r"one language only \(sv\): without it nothing is left.*three or more"),
        (["ro", "sv"], r"two languages only \(ro, sv\): without one of them too few.*three"),
    ],
)
def test_too_few_languages_are_an_error_in_one_line(languages: list[str], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}.*$"):
        fit(made_table(languages))


def test_several_pivots_are_an_error_in_one_line() -> None:
    two = FeatureTable.joined([made_table(topics=3), made_table(["sw"], topics=3, pivot="fr")])
    with pytest.raises(InputError, match=r"^the tables have several pivots \(en, fr\): fit each$"):
        fit(two)


def _scaled(table: FeatureTable) -> Floats:
    return 100 * table.target


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (lambda table: np.full(len(table), np.nan), "none of 160 rows has a target and a CNPMI: "),
        (lambda table: np.full(len(table), 0.25), "the target is 0.25 in all 160 rows with it: "),
        (_scaled, "the target of am, model m0, topic 0 is "),
    ],
)
def test_targets_are_looked_at_before_features(
    target: Callable[[FeatureTable], Floats], message: str
) -> None:
    table = made_table()
    spoiled = _with_column(table, "mta", np.zeros(len(table)))  # which would be an error too
    with pytest.raises(InputError) as error:
        fit(replace(spoiled, target=target(table)))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_targets_may_be_as_large_as_a_cnpmi() -> None:
    table = made_table(LANGUAGES[:3], FEW, topics=4, noise=0.02)
    ends = replace(table, target=table.target.copy())
    ends.target[:2] = -1.0 - 1e-12, 1.0 + 1e-12  # rounded
    assert check(ends) == FEW
    ends.target[1] = 1.001
    with pytest.raises(InputError, match=r"^the target of am, model m0, topic 0 is 1.001: a CNPM"):
        check(ends)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bad", "unknown metric bad"),
        ("cnpmi_estimated", "an estimate cannot be a feature"),
        ("inpmi(language=sv)", "it must be computed for any languages: leave out language="),
        ("npmi", "a further feature is a metric of topics across languages"),
    ],
)
def test_a_column_that_nobody_could_compute_is_an_error_in_one_line(name: str, why: str) -> None:
    table = made_table(LANGUAGES[:3], FEW, topics=4, noise=0.02)
    more = replace(table, names=(*FEW, name), values=np.column_stack([table.values, table.target]))
    with pytest.raises(InputError) as error:
        fit(more)
    said = f"column {name} is neither a feature nor a metric that can be one: leave it out "
    assert str(error.value).startswith(f"{said}(--without {name}); ")
    assert why in str(error.value)
    assert "\n" not in str(error.value)
    assert check(more, without=name) == FEW  # and a string is one name


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_that_adaboost_does_not_know(seed: int) -> None:
    table = made_table(LANGUAGES[:3], FEW, topics=4, noise=0.02)
    with pytest.raises(InputError) as error:
        fit(table, learner="adaboost", seed=seed)
    assert str(error.value) == f"seed must be from 0 to 4294967295 for adaboost, not {seed}"
    assert check(table, learner="adaboost", seed=2**32 - 1) == FEW
    assert check(table, learner="ridge", seed=2**32) == FEW


def test_all_is_checked_before_the_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the long work was begun")

    monkeypatch.setattr("tealeaves.estimator.fitting.leave_one_language_out", never)
    table = made_table(topics=3)
    for wrong, given in (
        (made_table(["sv"]), {}),
        (table, {"learner": "oracle"}),
        (table, {"without": "eras"}),
        (table, {"learner": "adaboost", "seed": 2**32}),
        (replace(table, target=np.zeros(len(table))), {}),
    ):
        with pytest.raises(InputError):
            fit(wrong, **given)


def test_a_table_needs_the_cnpmi_that_estimates_stand_beside() -> None:
    with pytest.raises(InputError, match=r"^no feature cnpmi in the table"):
        fit(made_table(names=("mta", "icc")))
