"""Vectors of eight numbers: machine code does exactly what the Python does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.compiling.intrinsics import (
    LANES,
    lane_of,
    prefetch,
    running_weights,
    running_weights_at,
)
from tealeaves.compiling.kernel import compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32


@compiled
def weighed(
    sums: F64, factors: F64, counts: I32, start: int, more: float, own: int, weight: float
) -> None:
    """Weigh whole numbers."""
    prefetch(counts, start)
    running_weights(sums, factors, counts, start, more, own, weight)


@compiled
def weighed_fractions(
    sums: F64, factors: F64, counts: F64, start: int, more: float, own: int, weight: float
) -> None:
    """Weigh fractions."""
    running_weights(sums, factors, counts, start, more, own, weight)


@compiled
def weighed_at(
    sums: F64,
    factors: F64,
    places: I32,
    counts: I32,
    start: int,
    size: int,
    own: int,
    weight: float,
) -> None:
    """Weigh a few."""
    running_weights_at(sums, factors, places, counts, start, size, own, weight)


@compiled
def drawn_lane(sums: F64, last: int, uniform: float, rest: F64) -> int:
    """Draw a lane."""
    lane, rest[0] = lane_of(sums, last, uniform)
    return lane


seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds, blocks=st.integers(1, 9), start=st.integers(0, 11))
@settings(deadline=None)
def test_running_sums_of_all_weights(seed: int, blocks: int, start: int) -> None:
    draw = np.random.default_rng(seed)
    size = blocks * LANES
    factors, counts = draw.random(size), draw.integers(0, 99, size + 11).astype(np.int32)
    own, weight, more = int(draw.integers(-1, size)), float(draw.random()), float(draw.random())
    for kernel, kind in ((weighed, np.int32), (weighed_fractions, np.float64)):
        ours, python = np.zeros(size), np.zeros(size)
        kernel(ours, factors, counts.astype(kind), start, more, own, weight)
        kernel.plain(python, factors, counts.astype(kind), start, more, own, weight)
        assert ours.tolist() == python.tolist()
    weights = factors * (counts[start : start + size] + more)
    if own >= 0:
        weights[own] = weight
    np.testing.assert_allclose(ours.reshape(-1, LANES), weights.reshape(-1, LANES).cumsum(axis=0))


@given(seed=seeds, blocks=st.integers(0, 9), start=st.integers(0, 11))
@settings(deadline=None)
def test_running_sums_of_a_few_weights(seed: int, blocks: int, start: int) -> None:
    draw = np.random.default_rng(seed)
    size = blocks * LANES
    factors = draw.random(40)
    places = draw.integers(0, 40, size + 11).astype(np.int32)
    counts = draw.integers(0, 99, size + 11).astype(np.int32)
    own, weight = int(draw.integers(-1, 40)), float(draw.random())
    ours, python = np.full(size + 3, -1.0), np.full(size + 3, -1.0)
    weighed_at(ours, factors, places, counts, start, size, own, weight)
    weighed_at.plain(python, factors, places, counts, start, size, own, weight)
    assert ours.tolist() == python.tolist()
    assert ours[size:].tolist() == [-1] * 3
    here = slice(start, start + size)
    weights = np.where(places[here] == own, weight, factors[places[here]] * counts[here])
    found = ours[:size].reshape(-1, LANES)
    np.testing.assert_allclose(found, weights.reshape(-1, LANES).cumsum(axis=0))


@given(
    totals=st.lists(st.one_of(st.just(0.0), st.floats(1e-9, 9)), min_size=8, max_size=8),
    uniform=st.one_of(st.floats(0, 1, exclude_max=True), st.just(1 - 2**-53)),
)
@settings(deadline=None)
def test_a_lane_is_drawn_by_its_sum(totals: list[float], uniform: float) -> None:
    sums, rest, other = np.array([9.0, *totals]), np.zeros(1), np.zeros(1)
    lane = drawn_lane(sums, 1, uniform, rest)
    assert lane == drawn_lane.plain(sums, 1, uniform, other)
    assert rest[0] == other[0]
    if sum(totals) == 0:
        assert lane == LANES - 1
        return
    before = sum(totals[:lane])
    assert before + rest[0] == pytest.approx(uniform * sum(totals))
    assert -1e-14 <= rest[0] <= totals[lane] + 1e-14  # lanes are added in another order
    if uniform < 1 - 1e-12:
        assert totals[lane] > 0 or rest[0] < 1e-14
