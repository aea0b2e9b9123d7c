"""The posterior probabilities of links, given those of words and jumps: the E step.

A sentence of ``length`` words is explained by ``states``, the words of the other side: each word by
one state, or by none with probability ``alone``. In IBM model 1 all states are equally probable; in
a hidden Markov model (Vogel, Ney and Tillmann 1996) the probability depends on the distance from
the last state that explained a word. A word that no state explains does not change that state (Och
and Ney 2003). ``emissions[state * length + word]`` is the probability that a state emits a word.

Place 0 is the beginning of the sentence, and state s has place s + 1. Jumps of ``reach`` and more,
in either direction, have equal probabilities, so that distant places are summed once for all
states: the work grows with the square of a passage's length, not with the cube.

The functions of this module are what the kernel ``expect`` does, sum by sum. C has them in other
loops (``posteriors.h``), which compute several states at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import F32, F64, I64

    Numbers = Sequence[float] | F64


@dataclass(frozen=True, eq=False)
class PassageStarts(Arguments):
    """Where the tokens of each passage begin, and where those of the last end."""

    source: I64
    target: I64


@dataclass(frozen=True, eq=False)
class Direction(Arguments):
    """What is known of one direction of some passages, and what is found.

    ``logs`` are the logarithms of the probabilities of words, from -80 to 80, one for each cell;
    ``null`` are the probabilities of words without counterpart. ``jumps`` are the weights of jumps
    from -``reach`` to ``reach``, where ``reach`` is at least 1; none for IBM model 1. ``counts`` of
    jumps are added to, ``links`` are written.
    """

    logs: F32
    null: F64
    jumps: F64
    counts: F64
    links: F32


def work_size(longest: int, reach: int) -> int:
    """Return how many numbers C works with if passages have at most so many words."""
    return 3 * (longest + 1) * (longest + 8) + 16 * (longest + reach + 32)


# ---------------------------------------------------------------------- in Python

_POWERS = [2.0 ** (k / 32) for k in range(32)]
_STEPS_OF_E = float.fromhex("0x1.71547652b82fep+5")  # 32 / ln 2
_CUBE, _SQUARE, _LINE = map(
    float.fromhex, ("0x1.c6af84b912394p-20", "0x1.ebfce50fac4f3p-13", "0x1.62e42ff0c52d6p-6")
)


def exponential(value: float) -> float:
    """Return e to the power of a value, in single precision: what glibc's ``expf`` returns.

    So it is the same on all systems.

    >>> exponential(0.0), exponential(-1.0) == float(np.float32(math.exp(-1)))
    (1.0, True)
    """
    steps = value * _STEPS_OF_E
    whole = round(steps)
    rest = steps - whole
    power = math.ldexp(_POWERS[whole % 32], whole // 32)
    result = ((_CUBE * rest + _SQUARE) * (rest * rest) + (_LINE * rest + 1.0)) * power
    return float(np.float32(result))


def expect_by_words(states: int, emissions: Numbers, null: Numbers, alone: float) -> list[float]:
    """Return the probabilities of links in IBM model 1."""
    length, share = len(null), (1.0 - alone) / states
    links = [0.0] * (states * length)
    for word in range(length):
        total = alone * null[word]
        for state in range(states):
            total += share * emissions[state * length + word]
        for state in range(states):
            links[state * length + word] = share * emissions[state * length + word] / total
    return links


def share_out(states: int, jumps: Numbers, alone: float) -> list[float]:
    """Return the factors that make probabilities of the weights of jumps from each place."""
    reach, shares = len(jumps) // 2, []
    for place in range(states + 1):
        total = 0.0
        for state in range(states):
            total += jumps[max(-reach, min(reach, state + 1 - place)) + reach]
        shares.append((1.0 - alone) / total)
    return shares


def add_up(values: Numbers) -> list[float]:
    """Return the cumulative sums of some values: the element k is that of the first k."""
    sums = [0.0]
    for value in values:
        sums.append(sums[-1] + value)
    return sums


def arrive(states: int, jumps: Numbers, leaving: Numbers) -> list[float]:
    """Return the probability that a jump reaches each state, given those of leaving each place."""
    reach, width = len(jumps) // 2, states + 1
    sums, arrivals = add_up(leaving), []
    for state in range(states):
        here = state + 1
        low, high = max(0, here - reach + 1), min(width, here + reach)
        mass = jumps[2 * reach] * sums[low] + jumps[0] * (sums[width] - sums[high])
        for place in range(low, high):
            mass += leaving[place] * jumps[here - place + reach]
        arrivals.append(mass)
    return arrivals


@dataclass
class ForwardPass:
    """The probabilities of places before each word, of reaching each state, and of each word."""

    alpha: list[list[float]]
    arrivals: list[list[float]]
    scales: list[float]


def go_forward(
    states: int, emissions: Numbers, null: Numbers, alone: float, jumps: Numbers, shares: Numbers
) -> ForwardPass:
    """Return the forward probabilities."""
    length = len(null)
    now = [1.0] + [0.0] * states
    found = ForwardPass([now], [], [])
    for word in range(length):
        leaving = [now[place] * shares[place] for place in range(states + 1)]
        arrivals = arrive(states, jumps, leaving)
        stay = alone * null[word]
        total = now[0] * stay
        after = [total]
        for state in range(states):
            mass = arrivals[state] * emissions[state * length + word]
            mass += now[state + 1] * stay
            after.append(mass)
            total += mass
        now = [mass / total for mass in after]
        found.alpha.append(now)
        found.arrivals.append(arrivals)
        found.scales.append(total)
    return found


def leave(
    place: int, mass: float, jumps: Numbers, reached: Numbers, sums: Numbers, counts: F64
) -> float:
    """Return the backward probability of leaving a place by a jump; add to the counts of jumps."""
    reach, states = len(jumps) // 2, len(reached)
    # the states that are closer than ``reach``
    low = max(0, min(states, place - reach))
    high = max(low, min(states, place + reach - 1))
    back, ahead = jumps[0] * sums[low], jumps[2 * reach] * (sums[states] - sums[high])
    counts[0] += mass * back
    counts[2 * reach] += mass * ahead
    total = back + ahead
    for state in range(low, high):
        jump = state + 1 - place + reach
        move = jumps[jump] * reached[state]
        counts[jump] += mass * move
        total += move
    return float(total)


def expect_by_jumps(
    states: int, emissions: Numbers, null: Numbers, alone: float, jumps: Numbers, counts: F64
) -> list[float]:
    """Return the probabilities of links in the hidden Markov model; count jumps."""
    length = len(null)
    shares = share_out(states, jumps, alone)
    before = go_forward(states, emissions, null, alone, jumps, shares)
    beta = [1.0] * (states + 1)
    links = [0.0] * (states * length)
    for word in range(length - 1, -1, -1):
        scale, stay = before.scales[word], alone * null[word]
        reached = [
            emissions[state * length + word] * beta[state + 1] / scale for state in range(states)
        ]
        for state in range(states):
            links[state * length + word] = before.arrivals[word][state] * reached[state]
        sums = add_up(reached)
        for place in range(states + 1):
            mass = before.alpha[word][place] * shares[place]
            left = leave(place, mass, jumps, reached, sums, counts)
            beta[place] = beta[place] * stay / scale + shares[place] * left
    return links


def expect_one_way(
    states: int, emissions: Numbers, null: Numbers, alone: float, way: Direction
) -> list[float]:
    """Return the probabilities of links of one direction; without jumps, those of IBM model 1."""
    if len(way.jumps) == 0:
        return expect_by_words(states, emissions, null, alone)
    return expect_by_jumps(states, emissions, null, alone, way.jumps, way.counts)


# ---------------------------------------------------------------------- the kernel


@kernel
def expect(
    alone: float,
    passages: PassageStarts,
    forward: Direction,
    backward: Direction,
    work: F64,  # noqa: ARG001
) -> None:
    """Write the probabilities of the links of passages, in both directions.

    The arrays of both directions have the cells and tokens of these passages alone. ``work`` is
    where C works; :func:`work_size` is its size.
    """
    cell = 0
    for row in range(len(passages.source) - 1):
        source, source_end = (passages.source[n] - passages.source[0] for n in (row, row + 1))
        target, target_end = (passages.target[n] - passages.target[0] for n in (row, row + 1))
        sources, targets = source_end - source, target_end - target
        if sources * targets == 0:
            continue
        null = forward.null[target:target_end]
        emissions = [exponential(forward.logs[cell + k]) for k in range(sources * targets)]
        links = expect_one_way(sources, emissions, null, alone, forward)
        for k in range(sources * targets):
            forward.links[cell + k] = links[k]
        null = backward.null[source:source_end]
        turned = [cell + i * targets + j for j in range(targets) for i in range(sources)]
        emissions = [exponential(backward.logs[k]) for k in turned]
        links = expect_one_way(targets, emissions, null, alone, backward)
        for k, link in zip(turned, links, strict=True):
            backward.links[k] = link
        cell += sources * targets
