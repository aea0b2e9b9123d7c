"""Transfer from θ that is known already: F1 and folds by hand, scikit-learn's own way."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.metrics.crosslingual.f1 import f1
from tealeaves.metrics.crosslingual.folds import Dealable, deal
from tealeaves.metrics.crosslingual.transfer import transfer_f1

Average = Literal["macro", "micro"]


# ------------------------------------------------------------------ F1


def flags(*rows: str) -> NDArray[np.bool_]:
    return np.array([[sign == "1" for sign in row] for row in rows])


def test_f1_of_one_label_each_by_hand() -> None:
    truth = flags("100", "100", "100", "010", "010", "001")
    given = flags("100", "100", "010", "010", "001", "001")
    # x: TP 2, FP 0, FN 1: 4/5; y: TP 1, FP 1, FN 1: 2/4; z: TP 1, FP 1, FN 0: 2/3
    assert f1(truth, given, "macro") == pytest.approx((4 / 5 + 2 / 4 + 2 / 3) / 3)
    # TP 4, FP 2, FN 2: 8/12, which is the share of right ones, 4 of 6
    assert f1(truth, given, "micro") == pytest.approx(4 / 6)


def test_f1_of_several_labels_by_hand() -> None:
    truth = flags("110", "100", "011", "000")
    given = flags("100", "110", "010", "010")
    # x: TP 2: 4/4; y: TP 1 (third), FP 2, FN 1: 2/5; z: FN 1: 0
    assert f1(truth, given, "macro") == pytest.approx((1 + 2 / 5 + 0) / 3)
    # TP 3, FP 2, FN 2: 6/10
    assert f1(truth, given, "micro") == pytest.approx(6 / 10)


def test_a_label_that_is_nowhere_has_no_f1() -> None:
    assert f1(flags("10", "10"), flags("10", "10"), "macro") == 1.0
    assert math.isnan(f1(flags("00"), flags("00"), "macro"))
    assert math.isnan(f1(flags("00"), flags("00"), "micro"))


@pytest.mark.parametrize("average", ["macro", "micro"])
@given(seed=st.integers(0, 10**6), rare=st.floats(0.05, 0.9))
@settings(max_examples=25)
def test_f1_is_that_of_scikit_learn(average: Average, seed: int, rare: float) -> None:
    from sklearn.metrics import f1_score

    rng = np.random.default_rng(seed)
    truth, given_ = rng.random((2, 9, 4)) < rare
    expected = f1_score(truth, given_, average=average, zero_division=np.nan)
    assert f1(truth, given_, average) == pytest.approx(expected, nan_ok=True)


# ------------------------------------------------------------------ transfer


def overlapping(seed: int, size: int, labels: int = 3) -> tuple[Floats, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    found = rng.integers(0, labels, size)
    return 0.6 * rng.dirichlet(np.ones(labels), size) + 0.4 * np.eye(labels)[found], found


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_one_label_each_is_multinomial_regression(average: Average) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score

    (known, y), (asked, truth) = overlapping(1, 60), overlapping(2, 40)
    names = np.array(["b", "c", "a"])
    predicted = LogisticRegression(C=0.5, max_iter=1000).fit(known, y).predict(asked)
    expected = f1_score(truth, predicted, average=average)
    found = transfer_f1(known, list(names[y]), asked, list(names[truth]), average=average, c=0.5)
    assert 0.5 < found < 1
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_several_labels_are_each_told_from_the_rest(average: Average) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score
    from sklearn.multiclass import OneVsRestClassifier

    (known, _), (asked, _) = overlapping(3, 80, 4), overlapping(4, 50, 4)
    rng = np.random.default_rng(0)
    sets = [shares > rng.uniform(0.2, 0.7, shares.shape) for shares in (known, asked)]
    kept = [truth.any(axis=1) for truth in sets]
    machine = OneVsRestClassifier(LogisticRegression(C=5.0, max_iter=1000))
    predicted = machine.fit(known[kept[0]], sets[0][kept[0]]).predict(asked[kept[1]])
    expected = f1_score(sets[1][kept[1]], predicted, average=average, zero_division=np.nan)
    written = [["|".join(f"l{n}" for n in np.flatnonzero(one)) for one in truth] for truth in sets]
    assert "" in written[0] + written[1]  # such a document is left out
    found = transfer_f1(known, written[0], asked, written[1], average=average, c=5.0)
    assert 0.4 < found < 1
    assert found == pytest.approx(expected)


def test_labels_may_be_collections_or_joined_otherwise() -> None:
    theta = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]] * 2
    joined = ["x", "y", "x;y"] * 2
    listed: list[list[str]] = [["x"], ["y"], ["y", "x"]] * 2
    found = transfer_f1(theta, joined, theta, listed, c=1e4, separator=";")
    assert found == transfer_f1(theta, listed, theta, listed, c=1e4)
    # unsplit, "x;y" is a label of its own, which no list has: FN and FP for two documents
    assert transfer_f1(theta, joined, theta, joined, c=1e4) == 1.0
    assert transfer_f1(theta, joined, theta, listed, c=1e4) < 1


def test_a_label_of_all_or_none_of_the_training_is_predicted_so() -> None:
    theta = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]]
    known, asked = ["x|all", "x|all", "y|all"], ["x", "x|new", "y|all"]
    # x: TP 2: 1; y: TP 1: 1; all: TP 1, FP 2: 2/4; new: FN 1: 0
    assert transfer_f1(theta, known, theta, asked, c=1e4) == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    # in fold 1 only x is learnt from: all are x. x: TP 1, FP 1: 2/3; y: FN 1: 0
    one = transfer_f1(theta[1:], ["x", "y"], theta[1:], ["x", "y"], folds=([0, 1], [1, 1]))
    assert one == pytest.approx((2 / 3 + 0) / 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"train_labels": ["x", "x"]}, "two labels or more"),
        ({"train_labels": ["x"]}, r"1 documents have labels.*topics: \(2, 2\)"),
        ({"test_theta": [[1.0, 0, 0]] * 2}, "have 2 topics, the test documents 3"),
        ({"folds": ([1, 1], [0, 1])}, "all training documents are in fold 1"),
        ({"folds": ([1, 1, 0], [0, 1])}, r"folds: \(3,\)"),
    ],
)
def test_what_cannot_be_learnt_is_one_clear_line(change: dict[str, Any], message: str) -> None:
    theta = [[1.0, 0.0], [0.0, 1.0]]
    usual: dict[str, Any] = {"train_theta": theta, "test_theta": theta}
    usual |= {"train_labels": ["x", "y"], "test_labels": ["x", "y"]}
    assert transfer_f1(**usual) == 1.0
    with pytest.raises(InputError, match=message):
        transfer_f1(**usual | change)


# ------------------------------------------------------------------ folds


LABELS = st.sampled_from(["x", "y", "z"])


@given(
    st.lists(st.tuples(LABELS, st.sampled_from(["en", "sv", "both", "apart"])), max_size=40),
    st.integers(2, 5),
    st.integers(0, 99),
)
def test_folds_are_even_and_keep_tuples_together(
    tuples: list[tuple[str, str]], folds: int, seed: int
) -> None:
    sides: dict[str, list[Dealable]] = {"en": [], "sv": []}
    for number, (label, where) in enumerate(tuples):
        for language in sides:
            if where in (language, "both", "apart"):
                key = "" if where == "apart" else str(number)
                sides[language].append(Dealable(key, number % 3, frozenset([label])))
    found = deal(sides, folds=folds, seed=seed)
    fold_of = [
        {d.key: fold for d, fold in zip(sides[name], found[name].tolist(), strict=True) if d.key}
        for name in sides
    ]
    assert all(fold_of[1].get(key, fold) == fold for key, fold in fold_of[0].items())
    for language, listed in sides.items():
        for label in "xyz":
            mine = [document.labels == {label} for document in listed]
            sizes = np.bincount(found[language][mine], minlength=folds)
            assert sizes.max() - sizes.min() <= 1
    # the order of languages and documents does not matter
    turned = {name: listed[::-1] for name, listed in reversed(sides.items())}
    again = deal(turned, folds=folds, seed=seed)
    for name in sides:
        pairs = [
            sorted(zip(listed, dealt[name].tolist(), strict=True), key=str)
            for listed, dealt in ((sides[name], found), (turned[name], again))
        ]
        assert pairs[0] == pairs[1]


def test_the_seed_decides_the_folds() -> None:
    listed = [Dealable(str(n), n, frozenset("x" if n % 2 else "y")) for n in range(20)]
    found = [deal({"en": listed}, folds=4, seed=s)["en"].tolist() for s in (1, 1, 2, 3)]
    assert found[0] == found[1]
    assert len({tuple(folds) for folds in found}) == 3
