"""Leave one language out: who has seen what, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.estimator import cross_validation
from tealeaves.estimator.cross_validation import (
    held_out_half_widths,
    leave_one_language_out,
    share_texts,
)
from tealeaves.estimator.fitting import fit
from tealeaves.estimator.table import FeatureTable

NAMES = ("cnpmi", "mta")


def table_of(
    languages: Sequence[str], *, pivots: Sequence[str] = (), rows: int = 12
) -> FeatureTable:
    """Make some rows a language, whose target is a sum of features and noise."""
    rng = np.random.default_rng(7)
    size = rows * len(languages)
    values = rng.normal(size=(size, 2))
    return FeatureTable(
        pivots=tuple(np.repeat(pivots or ["en"] * len(languages), rows).tolist()),
        languages=tuple(np.repeat(languages, rows).tolist()),
        models=("m",) * size,
        topics=tuple(range(rows)) * len(languages),
        cardinalities=np.full(size, 10),
        names=NAMES,
        values=values,
        target=0.1 * values @ [1.0, 0.5] + 0.02 * rng.normal(size=size),
    )


@dataclass
class Means:
    """Predict the mean target, and remember who was learned from."""

    seen: list[set[str]] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)

    def __call__(self, x: Floats, y: Floats, languages: Sequence[str], seed: int) -> Any:
        assert len(x) == len(y) == len(languages)
        assert np.isfinite(x).all()
        assert np.isfinite(y).all()
        self.seen.append(set(languages))
        self.seeds.append(seed)
        return Constant(float(y.mean()))


@dataclass
class Constant:
    value: float

    def predict(self, x: Floats) -> Floats:
        return np.full(len(x), self.value)


def test_each_language_is_estimated_from_the_others() -> None:
    table, learner = table_of(["am", "ro", "sv"]), Means()
    found = leave_one_language_out(table, NAMES, learner=learner, seed=3, threads=1)
    assert learner.seen == [{"ro", "sv"}, {"am", "sv"}, {"am", "ro"}]
    assert learner.seeds == [3, 3, 3]
    y = table.target
    assert found[0] == pytest.approx(y[12:].mean())
    assert found[12:24] == pytest.approx(np.concatenate([y[:12], y[24:]]).mean())


def test_threads_do_not_show() -> None:
    table = table_of(["am", "ro", "sv", "tl"])
    one, several = (
        leave_one_language_out(table, NAMES, learner="trees", threads=number) for number in (1, 3)
    )
    assert one.tolist() == several.tolist()


def test_it_is_what_scikit_learn_does_with_groups() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    selection = pytest.importorskip("sklearn.model_selection")
    table = table_of(["am", "ro", "sv", "tl"])

    def fit(x: Floats, y: Floats, languages: Sequence[str], seed: int) -> Any:
        return linear.LinearRegression().fit(x, y)

    expected = selection.cross_val_predict(
        linear.LinearRegression(), table.values, table.target,
        groups=table.languages, cv=selection.LeaveOneGroupOut(),
    )  # fmt: skip
    np.testing.assert_allclose(leave_one_language_out(table, NAMES, learner=fit), expected)


def test_a_language_under_two_names_is_left_out_whole() -> None:
    learner = Means()
    leave_one_language_out(
        table_of(["cmn", "zh", "zh-Hant", "ro"]), NAMES, learner=learner, threads=1
    )
    assert learner.seen == [{"ro"}, {"cmn"}]


def test_rows_where_the_language_is_the_pivot_are_left_out_too() -> None:
    learner = Means()
    table = table_of(["ro", "sv", "tl"], pivots=["swe", "en", "en"])
    leave_one_language_out(table, NAMES, learner=learner, threads=1)
    assert learner.seen == [{"sv", "tl"}, {"tl"}, {"ro", "sv"}]  # without ro, sv, tl


def test_undefined_features_and_targets_have_no_estimate_and_are_not_learned_from() -> None:
    table = table_of(["am", "ro", "sv"])
    table.values[5, 1] = np.nan
    table.target[20] = np.nan
    found = leave_one_language_out(table, NAMES, learner=Means())
    assert np.flatnonzero(np.isnan(found)).tolist() == [5, 20]
    y = np.delete(table.target, [5, 20])
    assert found[-1] == pytest.approx(y[:-12].mean())
    # a feature that is not asked for need not be defined
    assert np.isnan(leave_one_language_out(table, ["cnpmi"], learner=Means())).sum() == 1


def test_a_learner_by_name_needs_two_languages_beside_the_one_left_out() -> None:
    table = table_of(["am", "ro", "sv"])
    found = leave_one_language_out(table, NAMES, learner="adaboost")
    assert np.corrcoef(found, table.target)[0, 1] > 0.9  # the target is nearly linear
    np.testing.assert_array_equal(found, leave_one_language_out(table, NAMES, learner="adaboost"))
    with pytest.raises(InputError, match=r"two languages only \(am, ro\).*three or more"):
        leave_one_language_out(table_of(["am", "ro"]), NAMES, learner="adaboost")


def test_the_usual_learner_is_that_of_fit() -> None:
    table = table_of(["am", "ro", "sv"])
    usual = leave_one_language_out(table, NAMES)
    assert usual.tolist() == leave_one_language_out(table, NAMES, learner="ridge").tolist()
    assert usual.tolist() != leave_one_language_out(table, NAMES, learner="adaboost").tolist()
    assert usual.tolist() == fit(table, nested=False).left_out[0].estimates.tolist()


def test_too_few_languages_in_one_line() -> None:
    with pytest.raises(InputError) as error:
        leave_one_language_out(table_of(["sv"]), NAMES, learner=Means())
    assert str(error.value) == (
        "one language only (sv): without it nothing is left to learn from, "
        "give tables of two or more"
    )
    unknown = table_of(["am", "ro"])
    unknown.target[:] = np.nan
    with pytest.raises(InputError, match="no row has all features and a target"):
        leave_one_language_out(unknown, NAMES, learner=Means())


def test_a_constant_feature_is_an_error() -> None:
    table = table_of(["am", "ro", "sv"])
    table.values[:, 1] = 0.0
    with pytest.raises(InputError, match="mta is 0 in all 36 rows"):
        leave_one_language_out(table, NAMES, learner=Means())


def test_estimates_are_cut_to_what_cnpmi_can_be() -> None:
    def wild(x: Floats, y: Floats, languages: Sequence[str], seed: int) -> Any:
        return Constant(-40.0)

    assert (leave_one_language_out(table_of(["am", "ro"]), NAMES, learner=wild) == -1).all()


def test_a_bar_over_languages(capsys: pytest.CaptureFixture[str]) -> None:
    leave_one_language_out(table_of(["am", "ro"]), NAMES, learner=Means(), progress=True)
    assert "leaving out" in capsys.readouterr().err
    leave_one_language_out(table_of(["am", "ro"]), NAMES, learner=Means())
    assert capsys.readouterr().err == ""


def test_half_widths_come_from_the_residuals_of_other_languages() -> None:
    table = table_of(["am", "ro", "sv"], rows=1)
    estimates = table.target - [0.1, -0.2, 0.4]
    # two others have the mass 1/3 each, and 1/3 lies at infinity: half of all is at the larger one
    found = held_out_half_widths(table, estimates, level=0.5)
    np.testing.assert_allclose(found, [0.4, 0.4, 0.2])
    assert np.isinf(held_out_half_widths(table, estimates, level=0.9)).all()
    assert np.isinf(held_out_half_widths(table_of(["sv"]), np.zeros(12))).all()
    estimates[1] = np.nan  # one other: 1/2 is at its residual
    found = held_out_half_widths(table, estimates, level=0.5)
    np.testing.assert_allclose(found, [0.4, np.nan, 0.1])


# ---------------------------------------------------------------------- texts that are shared


@dataclass
class Recording:
    """Predict nothing of interest, and keep which rows were predicted from which."""

    table: FeatureTable
    pairs: list[tuple[set[int], set[int]]] = field(default_factory=list)

    def numbers(self, x: Floats) -> set[int]:
        known = {row.tobytes(): number for number, row in enumerate(self.table.values)}
        return {known[row.tobytes()] for row in np.ascontiguousarray(x)}

    def __call__(self, x: Floats, y: Floats, languages: Sequence[str], seed: int) -> Any:
        return Recorded(self, self.numbers(x))


@dataclass
class Recorded:
    whole: Recording
    learned: set[int]

    def predict(self, x: Floats) -> Floats:
        self.whole.pairs.append((self.learned, self.whole.numbers(x)))
        return np.zeros(len(x))


def shared_parts(one: str, other: str) -> set[str]:
    return (set(one.split("+")) & set(other.split("+"))) - {""}


def test_rows_that_share_texts_are_never_learned_from() -> None:
    table = table_of(["am", "ro", "sv"])
    texts = ("a", "b", "a+c", "c", "", "b+c") * 6
    table = replace(table, texts=texts)
    learner = Recording(table)
    found = leave_one_language_out(table, NAMES, learner=learner, threads=1)
    assert np.isfinite(found).all()
    predicted = [row for _, rows in learner.pairs for row in rows]
    assert sorted(predicted) == list(range(36))  # each once
    for learned, rows in learner.pairs:
        for row in rows:
            expected = {
                other
                for other in range(36)
                if table.languages[other] != table.languages[row]
                and not shared_parts(texts[other], texts[row])
            }
            assert learned == expected
            assert expected


def test_texts_that_nobody_shares_change_nothing() -> None:
    table = table_of(["am", "ro", "sv"])
    own = replace(table, texts=tuple(f"news of {name}" for name in table.languages))
    plain, named = (
        leave_one_language_out(each, NAMES, learner="adaboost") for each in (table, own)
    )
    np.testing.assert_array_equal(plain, named)


def test_settings_are_chosen_with_the_same_texts_kept_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[list[str]] = []

    def chosen(name: str, x: Floats, y: Floats, languages: Any, texts: Any, *, seed: int) -> Any:
        assert len(x) == len(y) == len(languages) == len(texts)
        seen.append(sorted(set(texts)))
        return Chosen(Constant(0.0))

    monkeypatch.setattr(cross_validation, "choose", chosen)
    table = replace(table_of(["am", "ro", "sv"]), texts=("a", "b", "c") * 12)
    leave_one_language_out(table, NAMES, learner="ridge", threads=1)
    assert seen == [["b", "c"], ["a", "c"], ["a", "b"]] * 3


@dataclass
class Chosen:
    fitted: Constant


def test_rows_that_all_share_their_texts_in_one_line() -> None:
    table = replace(table_of(["am", "ro", "sv"]), texts=("news", "news+talks") * 18)
    for learner in (Means(), "ridge"):
        with pytest.raises(InputError) as error:
            leave_one_language_out(table, NAMES, learner=learner)
        assert str(error.value) == (
            "all rows share the texts that trained their topics: give tables of others too"
        )
    # languages are too few, whatever they share
    with pytest.raises(InputError, match=r"^one language only \(sv\)"):
        leave_one_language_out(
            replace(table_of(["sv"]), texts=("a", "b") * 6), NAMES, learner=Means()
        )


def test_some_that_share_with_all_others_have_no_estimate() -> None:
    table = replace(table_of(["am", "ro", "sv"], rows=2), texts=("a+b", "a", "a", "b", "b", "b"))
    found = leave_one_language_out(table, NAMES, learner=Means())
    assert np.isnan(found).tolist() == [True] + [False] * 5


@given(st.lists(st.lists(st.sampled_from("abcd")).map("+".join)), st.sets(st.sampled_from("abcd")))
def test_sharing_is_a_part_in_common(texts: list[str], own: set[str]) -> None:
    found = share_texts(texts, "+".join(sorted(own)))
    assert found.dtype == bool
    assert found.tolist() == [bool(own & set(one.split("+"))) for one in texts]


def test_names_are_compared_whole() -> None:
    assert share_texts(["news", "new", "News"], "news").tolist() == [True, False, False]


def test_topics_without_a_cnpmi_tell_nothing_of_an_estimator_that_does_without() -> None:
    """Their targets are far off: they would widen intervals, but are never judged."""
    table = table_of(["am", "ro", "sv", "tl"])
    odd = np.arange(48) % 12 == 0
    table.values[odd, 0] = np.nan
    table.target[odd] = 0.9
    some = fit(table, learner="ridge", without=["cnpmi"], nested=False)
    rest = fit(table.select(~odd), learner="ridge", without=["cnpmi"], nested=False)
    [one], [other] = some.estimators.estimators, rest.estimators.estimators
    assert one == other
    np.testing.assert_array_equal(some.left_out[0].estimates[~odd], rest.left_out[0].estimates)
    assert np.isnan(some.left_out[0].estimates[odd]).all()
