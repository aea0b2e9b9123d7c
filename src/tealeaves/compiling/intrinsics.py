"""Single instructions that Python has no name for; :mod:`.lowering` says them to LLVM."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, U8

LANES = 8  # of vectors; a processor may do them in several steps


def load64(data: U8, place: int) -> int:
    """Return the eight bytes from ``place`` on as a number, the first byte the least."""
    return int.from_bytes(data[place : place + 8].tobytes(), "little")


def store64(data: U8, place: int, value: int) -> None:
    """Write a number to the eight bytes from ``place`` on, the least byte first."""
    data[place : place + 8] = list(int(value).to_bytes(8, "little"))


def trailing_zeros(value: int) -> int:
    """Return the number of the lowest bit that is set; 64 if none is."""
    return (int(value) & -int(value)).bit_length() - 1 if value else 64


def running_weights(
    sums: F64, factors: F64, counts: I32 | F64, start: int, more: float, own: int, weight: float
) -> None:
    """Add up the weights ``factors[k] * (counts[start + k] + more)`` in each of eight lanes.

    Only that of place ``own`` is ``weight``. ``sums[k]`` is the sum of the weights k, k - 8, k - 16
    and so on; there must be a multiple of 8.
    """
    for k in range(len(sums)):
        before = sums[k - LANES] if k >= LANES else 0.0
        sums[k] = before + (weight if k == own else factors[k] * (counts[start + k] + more))


def running_weights_at(
    sums: F64,
    factors: F64,
    places: I32,
    counts: I32,
    start: int,
    size: int,
    own: int,
    weight: float,
) -> None:
    """Add up the weights ``factors[places[start + n]] * counts[start + n]`` in eight lanes.

    As :func:`running_weights`, for the few places that have a count at all; ``size`` is a multiple
    of 8, and ``weight`` is that of the place ``own``.
    """
    for n in range(size):
        place = places[start + n]
        added = weight if place == own else factors[place] * counts[start + n]
        sums[n] = added + (sums[n - LANES] if n >= LANES else 0.0)


def lane_of(sums: F64, last: int, uniform: float) -> tuple[int, float]:
    """Draw one of eight lanes by the sums from ``last`` on; ``uniform`` is below 1.

    Returns the lane and the rest of the drawn weight, which lies within this lane but for
    rounding: the sums of lanes are added in pairs, as a processor adds vectors.
    """
    totals = list(sums[last : last + LANES])
    for step in (1, 2, 4):
        totals = [value + (totals[k - step] if k >= step else 0) for k, value in enumerate(totals)]
    target = uniform * totals[-1]
    lane = sum(total <= target for total in totals[:-1])
    return lane, target - (totals[lane - 1] if lane else 0.0)


def prefetch(counts: I32, place: int) -> None:
    """Say that memory will soon be wanted."""
