"""A sum of broken lines, against another solver of the same problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.learners.additive import Additive, BrokenLine

from .benchmark import benchmark_module

fit_additive = benchmark_module("fitting").fit_additive

# as the module has them: a change must be meant
SHRINK, SHRINK_FREE, SMOOTH = 10.0, 500.0, 30.0
NAMES = ("one", "two", "free")


def drawn(size: int = 90, seed: int = 0, *, noise: float = 0.1) -> tuple[Floats, Floats]:
    """Return three signals on scales of their own, and answers that rise with the first two."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(size, 3)) * [0.2, 3.0, 1.0] + [0.5, -4.0, 0.0]
    answers = 0.5 + 0.1 * np.tanh(5 * (values[:, 0] - 0.5)) + 0.05 * (values[:, 1] + 4) / 3
    return values, answers - 0.05 * values[:, 2] + noise * rng.normal(size=size)


def slopes(model: Additive) -> Floats:
    return np.array([line.slopes for line in model.lines])


def pieces_by_hand(value: float, low: float, high: float) -> list[float]:
    if value < low:
        return [value, 0.0, 0.0]
    if value < high:
        return [low, value - low, 0.0]
    return [low, high - low, value - high]


def by_another_solver(
    values: Floats, target: Floats, weights: Floats, groups: Sequence[int], free: Sequence[bool]
) -> Floats:
    """Solve with bounds, the penalties being further rows, and a column for each group's level."""
    from scipy.optimize import lsq_linear

    count = values.shape[1]
    columns = []
    for column in values.T:
        low, high = np.quantile(column, [1 / 3, 2 / 3])
        columns.append(np.array([pieces_by_hand(v, low, high) for v in column]) / column.std())
    levels = np.array([[float(group == own) for own in sorted(set(groups))] for group in groups])
    rows = [np.hstack([*columns, levels]) * np.sqrt(weights)[:, None]]
    right = [target * np.sqrt(weights)]
    for place in range(count):
        shrink = SHRINK_FREE if free[place] else SHRINK
        for piece in range(3):
            row = np.zeros((1, rows[0].shape[1]))
            row[0, 3 * place + piece] = np.sqrt(shrink / 3)
            rows.append(row)
        for piece in range(2):
            row = np.zeros((1, rows[0].shape[1]))
            row[0, 3 * place + piece : 3 * place + piece + 2] = np.sqrt(SMOOTH) * np.array([1, -1])
            rows.append(row)
    right.append(np.zeros(len(rows) - 1))
    lowest = np.full(rows[0].shape[1], -np.inf)
    lowest[: 3 * count] = np.where(np.repeat(free, 3), -np.inf, 0.0)
    found = lsq_linear(
        np.vstack(rows), np.concatenate(right), (lowest, np.inf), method="bvls", tol=1e-14
    )
    return np.asarray(found.x[: 3 * count].reshape(count, 3) / values.std(axis=0)[:, None])


@pytest.mark.parametrize("free", [(), ("free",), ("one", "two", "free")])
@pytest.mark.parametrize("seed", [0, 1])
def test_slopes_are_those_of_another_solver(free: tuple[str, ...], seed: int) -> None:
    values, target = drawn(seed=seed)
    rng = np.random.default_rng(seed)
    weights, groups = rng.uniform(0.2, 2, size=90), rng.integers(3, size=90)
    target = target + np.array([0.0, 0.3, -0.2])[groups]
    model = fit_additive(values, target, signals=NAMES, free=free, weights=weights, groups=groups)
    wanted = by_another_solver(
        values, target, weights, groups.tolist(), [name in free for name in NAMES]
    )
    np.testing.assert_allclose(slopes(model), wanted, atol=2e-6)
    assert (slopes(model)[2] < 0).any() == ("free" in free)


def test_one_group_and_weights_of_one_are_the_default() -> None:
    values, target = drawn()
    plain = fit_additive(values, target, signals=NAMES)
    ones, zeros = np.ones(90), np.zeros(90, dtype=np.int64)
    assert fit_additive(values, target, signals=NAMES, weights=ones, groups=zeros) == plain
    assert plain.average == pytest.approx(target.mean(), abs=1e-6)
    assert plain.signals == NAMES


def test_the_level_is_a_weighted_mean() -> None:
    values, target = drawn(60)
    weights = np.repeat([2.0, 1.0], 30)
    model = fit_additive(values, target, signals=NAMES, weights=weights)
    average = (2 * target[:30].sum() + target[30:].sum()) / 90
    assert model.average == pytest.approx(average, abs=1e-6)


def test_the_level_is_that_of_groups_whatever_their_size() -> None:
    """Groups of 10 and 50 topics, of a level of .2 and .8, whose topics weigh 3 and 1."""
    values, _ = drawn(60)
    groups = np.repeat([0, 1], [10, 50])
    target = np.where(groups == 0, 0.2, 0.8)
    for weighs, wanted in (((3.0, 1.0), 0.35), ((1.0, 1.0), 0.5), ((0.5, 1.5), 0.65)):
        model = fit_additive(
            values, target, signals=NAMES, weights=np.array(weighs)[groups], groups=groups
        )
        assert model.average == pytest.approx(wanted, abs=1e-6)


def test_within_a_group_weights_make_its_level_and_their_mean_its_share() -> None:
    """Of the first group: (.2 · 1 + .8 · 3) / 4 = .65, with a mean weight of 2; the other has .4
    and a weight of 1.
    """
    values, _ = drawn(60)
    groups, weights = np.repeat([0, 1], 30), np.repeat([1.0, 3.0, 1.0], [15, 15, 30])
    target = np.repeat([0.2, 0.8, 0.4], [15, 15, 30])
    model = fit_additive(values, target, signals=NAMES, weights=weights, groups=groups)
    assert model.average == pytest.approx((2 * 0.65 + 0.4) / 3, abs=1e-6)


# ---------------------------------------------------------------------- what some topics lack


@pytest.mark.parametrize("free", [(), ("two",)])
def test_a_signal_that_is_lacking_is_taken_for_the_mean_of_the_others(
    free: tuple[str, ...],
) -> None:
    values, target = drawn()
    lacking = values.copy()
    lacking[::3, 1] = np.nan
    filled = values.copy()
    filled[::3, 1] = np.mean([value for place, value in enumerate(values[:, 1]) if place % 3])
    groups = np.repeat([0, 1, 2], 30)
    found, wanted = (
        fit_additive(some, target, signals=NAMES, free=free, groups=groups)
        for some in (lacking, filled)
    )
    assert found == wanted
    assert np.isnan(lacking[0, 1])  # what was given is left as it was


def test_a_signal_that_all_lack_says_nothing() -> None:
    values, target = drawn()
    lacking = values.copy()
    lacking[:, 1] = np.nan
    model = fit_additive(lacking, target, signals=NAMES)
    assert slopes(model)[1].tolist() == [0, 0, 0]
    assert np.isfinite(model.predict(values)).all()
    assert model.parts(values)[:, 1].tolist() == [0] * 90


def test_a_topic_that_lacks_a_signal_is_predicted_by_the_others() -> None:
    values, target = drawn()
    model = fit_additive(values, target, signals=NAMES, free=["free"])
    lacking = values.copy()
    lacking[:5, 0] = np.nan
    parts, wanted = model.parts(lacking), model.parts(values)
    assert (wanted[:5, 0] != 0).all()
    wanted[:5, 0] = 0
    assert parts.tolist() == wanted.tolist()
    assert LINE.part(np.array([np.nan, 1.0])) == pytest.approx([0.0, 0.3])
    nothing = model.predict(np.full((1, 3), np.nan))
    assert nothing.tolist() == [model.average]


def test_many_topics_leave_nothing_of_the_penalty() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(size=(60_000, 1))
    low, high = np.quantile(values, [1 / 3, 2 / 3])
    parts = np.array([0.3, 0.1, 0.6])
    target = np.array([pieces_by_hand(v, low, high) for v in values[:, 0]]) @ parts
    model = fit_additive(values, target, signals=["one"])
    assert slopes(model)[0] == pytest.approx(parts, abs=0.05)
    np.testing.assert_allclose(model.predict(values), target, atol=0.01)


def test_a_groups_own_level_changes_nothing() -> None:
    values, target = drawn()
    groups = np.repeat([0, 1, 2], 30)
    raised = target + np.where(groups == 1, 0.3, 0.0)
    plain, other = (
        fit_additive(values, some, signals=NAMES, groups=groups) for some in (target, raised)
    )
    np.testing.assert_allclose(slopes(plain), slopes(other), atol=2e-6)
    assert other.average == pytest.approx(plain.average + 0.3 / 3, abs=2e-6)


def test_a_signal_that_only_differs_between_groups_says_nothing() -> None:
    values, target = drawn()
    groups = np.repeat([0, 1, 2], 30)
    values[:, 0] = groups
    model = fit_additive(values, target + groups, signals=NAMES, groups=groups)
    assert slopes(model)[0].tolist() == [0, 0, 0]


def test_a_constant_signal_says_nothing() -> None:
    values, target = drawn()
    values[:, 1] = 0.7
    model = fit_additive(values, target, signals=NAMES, free=["two"])
    assert slopes(model)[1] == pytest.approx([0, 0, 0], abs=1e-6)
    assert model.parts(values)[:, 1] == pytest.approx(np.zeros(90), abs=1e-6)


def test_parts_add_up_and_their_mean_is_nothing() -> None:
    values, target = drawn()
    groups, weights = np.repeat([0, 0, 1], 30), np.repeat([1.0, 2.0, 0.5], 30)
    model = fit_additive(
        values, target, signals=NAMES, free=["free"], groups=groups, weights=weights
    )
    parts = model.parts(values)
    assert parts.shape == (90, 3)
    np.testing.assert_allclose(
        model.predict(values), np.clip(model.average + parts.sum(axis=1), 0, 1)
    )
    means = [np.average(parts[groups == g], axis=0, weights=weights[groups == g]) for g in (0, 1)]
    # a topic of the first group weighs 1.5 in the mean; slopes and means have six decimals
    np.testing.assert_allclose((1.5 * means[0] + 0.5 * means[1]) / 2, 0, atol=2e-5)
    assert np.abs(parts).max(axis=0).min() > 0.01


# ---------------------------------------------------------------------- a line


LINE = BrokenLine("one", (1.0, 2.0), (0.5, 0.25, 0.1), -1.0, 4.0, 0.2)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (0.0, 0.0),
        (1.0, 0.5),
        (1.5, 0.5 + 0.125),
        (2.0, 0.75),
        (3.0, 0.85),
        (4.0, 0.95),
        (9.0, 0.95),  # training saw nothing above 4
        (-1.0, -0.5),
        (-7.0, -0.5),
    ],
)
def test_a_line_by_hand(value: float, wanted: float) -> None:
    assert LINE.part(np.array([value])) == pytest.approx([wanted - 0.2])


def test_beyond_what_training_saw_it_is_level() -> None:
    values, target = drawn()
    model = fit_additive(values, target, signals=NAMES)
    low, high = values.min(axis=0), values.max(axis=0)
    for edge, beyond in ((low, low - 5), (high, high + 5)):
        np.testing.assert_allclose(model.parts(edge[None]), model.parts(beyond[None]), atol=1e-5)
    inside = model.parts((low + 0.2 * (high - low))[None])
    assert (inside > model.parts(low[None]))[0, :2].all()


def test_predictions_are_from_0_to_1() -> None:
    model = Additive(0.5, (BrokenLine("one", (0.0, 1.0), (1.0, 1.0, 1.0), -9.0, 9.0, 0.0),))
    assert model.predict(np.array([[-3.0], [0.2], [3.0]])).tolist() == [0, 0.7, 1]


def test_other_signals_than_it_reads_are_refused() -> None:
    values, target = drawn()
    model = fit_additive(values, target, signals=NAMES)
    with pytest.raises(InputError, match="2 signals, not 3"):
        model.predict(values[:, :2])


def test_no_signals_at_all() -> None:
    assert Additive(0.4, ()).predict(np.zeros((2, 0))).tolist() == [0.4, 0.4]


def test_json_gives_the_same_predictions_back() -> None:
    values, target = drawn()
    model = fit_additive(values, target, signals=NAMES, free=["free"])
    again: Any = msgspec.json.decode(msgspec.json.encode(model), type=Additive)
    assert again == model
    assert again.predict(values).tobytes() == model.predict(values).tobytes()


@settings(max_examples=30)
@given(st.integers(3, 40), st.integers(0, 10**6), st.floats(0, 2))
def test_what_may_not_fall_never_falls(size: int, seed: int, noise: float) -> None:
    values, target = drawn(size, seed, noise=noise)
    model = fit_additive(values, -target, signals=NAMES, free=["free"])
    assert (slopes(model)[:2] >= 0).all()
    rng = np.random.default_rng(seed)
    low = rng.normal(size=(20, 3)) * 3
    high = low + rng.exponential(size=(20, 3)) * [1, 1, 0]
    assert (model.predict(low) <= model.predict(high)).all()
    assert (model.parts(low)[:, :2] <= model.parts(high)[:, :2] + 1e-12).all()
