"""Weights in eight lanes: running sums against numpy's, and draws against the sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.models.polylingual.kernels.lanes import (
    LANES,
    draw,
    lane_of,
    running_weights,
    running_weights_at,
    total_of_lanes,
)

seeds = st.integers(0, 2**32 - 1)


def added_up(weights: Any) -> list[float]:
    """Add up lanes with numpy, in order."""
    return list(weights.reshape(-1, LANES).cumsum(axis=0).ravel().tolist())


@given(seed=seeds, blocks=st.integers(1, 9), start=st.integers(0, 11))
def test_running_sums_of_all_weights(seed: int, blocks: int, start: int) -> None:
    rng = np.random.default_rng(seed)
    size = blocks * LANES
    factors, counts = rng.random(size), rng.integers(0, 99, size + 11).astype(np.int32)
    own, weight, more = int(rng.integers(-1, size)), float(rng.random()), float(rng.random())
    sums = np.zeros(size)
    running_weights(sums, factors, counts, start, more, own, weight)
    weights = factors * (counts[start : start + size] + more)
    if own >= 0:
        weights[own] = weight
    assert sums.tolist() == added_up(weights)
    assert total_of_lanes(sums, size - LANES) == pytest.approx(weights.sum())


@given(seed=seeds, blocks=st.integers(1, 9), start=st.integers(0, 11))
def test_running_sums_of_a_few_weights(seed: int, blocks: int, start: int) -> None:
    rng = np.random.default_rng(seed)
    size = blocks * LANES
    factors = rng.random(40)
    places = rng.integers(0, 40, size + 11).astype(np.int32)
    counts = rng.integers(1, 99, size + 11).astype(np.int32)
    own = int(rng.integers(-1, 40))
    sums = np.full(size + 3, -1.0)
    running_weights_at(sums, factors, places, counts, start, size, own)
    here = slice(start, start + size)
    less = np.where(places[here] == own, 1, 0)
    assert sums[:size].tolist() == added_up(factors[places[here]] * (counts[here] - less))
    assert sums[size:].tolist() == [-1] * 3


@given(
    totals=st.lists(st.one_of(st.just(0.0), st.floats(1e-9, 9)), min_size=8, max_size=8),
    uniform=st.one_of(st.floats(0, 1, exclude_max=True), st.just(1 - 2**-53)),
)
def test_a_lane_is_drawn_by_its_sum(totals: list[float], uniform: float) -> None:
    sums: Any = [9.0, *totals]
    lane, rest = lane_of(sums, 1, uniform)
    if sum(totals) == 0:
        assert lane == LANES - 1
        return
    before = sum(totals[:lane])
    assert before + rest == pytest.approx(uniform * sum(totals))
    assert -1e-14 <= rest <= totals[lane] + 1e-14  # lanes are added in another order
    if uniform < 1 - 1e-12:
        assert totals[lane] > 0 or rest < 1e-14


@given(seed=seeds, blocks=st.integers(1, 30), uniform=st.floats(0, 1, exclude_max=True))
def test_a_place_is_drawn_by_its_weight(seed: int, blocks: int, uniform: float) -> None:
    """In whole numbers nothing is rounded: the place is the first whose sum is above the target."""
    rng = np.random.default_rng(seed)
    size = blocks * LANES
    weights = rng.integers(0, 4, size) * (rng.random(size) < 0.5)
    weights[rng.integers(size)] += 1
    lanes = weights.reshape(-1, LANES)
    target = uniform * float(weights.sum())
    in_order = lanes.T.ravel()  # the first lane, the second, ...
    expected = int(np.searchsorted(in_order.cumsum(), target, side="right"))
    lane, block = divmod(expected, blocks)
    sums: Any = lanes.cumsum(axis=0).ravel().astype(np.float64).tolist()
    assert draw(sums, size, size, uniform) == block * LANES + lane


def test_what_fills_a_row_up_is_never_drawn() -> None:
    sums: Any = [1.0] * 5 + [0.0] * 3 + [2.0] * 3 + [1.0, 1.0] + [0.0] * 3
    drawn = {draw(sums, 16, 11, number / 997) for number in range(997)} | {
        draw(sums, 16, 11, 1 - 2**-53)
    }
    assert drawn == set(range(5)) | {8, 9, 10}
    empty: Any = [0.0] * 16
    assert draw(empty, 16, 11, 0.5) < 11
