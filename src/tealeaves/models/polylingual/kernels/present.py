"""The topics that a tuple has: ``present`` lists them, ``where`` says at which place each is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.compiling.kernel import inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32


@inlined
def find_present(mixed: I32, topics: I32, start: int, end: int, present: I32, where: I32) -> int:
    """Count the topics of a tuple's tokens, list those it has, and return how many."""
    for k in range(len(mixed)):
        mixed[k] = 0
    number = 0
    for token in range(start, end):
        k = topics[token]
        if mixed[k] == 0:
            present[number] = k
            where[k] = number
            number += 1
        mixed[k] += 1
    return number


@inlined
def sum_shares(mixed: I32, shares: F64, side: int, present: I32, number: int) -> float:
    """Add up ``n_dk * share_lk`` over the topics that the tuple has."""
    total = 0.0
    for n in range(number):
        total += mixed[present[n]] * shares[side + present[n]]
    return total


@inlined
def draw_present(
    target: float, mixed: I32, shares: F64, side: int, present: I32, number: int, own: int,
    weight: float,
) -> Any:  # fmt: skip
    """Draw one of the topics that the tuple has; -1 if by rounding there is none."""
    for n in range(number):
        k = present[n]
        target -= weight if k == own else mixed[k] * shares[side + k]
        if target < 0.0:
            return k
    return -1


@inlined
def drop_present(mixed: I32, k: int, present: I32, where: I32, number: int) -> int:
    """Take a token of a topic from the tuple; return how many topics it has then."""
    mixed[k] -= 1
    if mixed[k] == 0:
        number -= 1
        last = present[number]
        present[where[k]] = last
        where[last] = where[k]
    return number


@inlined
def add_present(mixed: I32, k: int, present: I32, where: I32, number: int) -> int:
    """Give the tuple a token of a topic; return how many topics it has then."""
    if mixed[k] == 0:
        present[number] = k
        where[k] = number
        number += 1
    mixed[k] += 1
    return number
