"""The posterior probabilities of links, given those of words and jumps: the E step.

A sentence of ``length`` words is explained by ``states``, the words of the other side: each word by
one state, or by none with probability ``alone``. In IBM model 1 all states are equally probable; in
a hidden Markov model (Vogel, Ney and Tillmann 1996) the probability depends on the distance from
the last state that explained a word. A word that no state explains does not change that state (Och
and Ney 2003). ``emissions[state * length + word]`` is the probability that a state emits a word.

Place 0 is the beginning of the sentence, and state s has place s + 1. Jumps of ``reach`` and more,
in either direction, have equal probabilities, so that distant places are summed once for all
states: the work grows with the square of a passage's length, not with the cube.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import called, compiled

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F32, F64, I64


@called
def expect_by_words(
    states: int, length: int, emissions: F64, null: F64, begin: int, alone: float, links: F64
) -> None:
    """Write the probabilities of links in IBM model 1."""
    share = (1.0 - alone) / states
    for word in range(length):
        total = alone * null[begin + word]
        for state in range(states):
            total += share * emissions[state * length + word]
        for state in range(states):
            links[state * length + word] = share * emissions[state * length + word] / total


@called
def share_out(states: int, jumps: F64, alone: float, shares: F64) -> None:
    """Write the factors that make probabilities of the weights of jumps from each place."""
    reach = len(jumps) // 2
    for place in range(states + 1):
        total = 0.0
        for state in range(states):
            total += jumps[max(-reach, min(reach, state + 1 - place)) + reach]
        shares[place] = (1.0 - alone) / total


@called
def add_up(count: int, values: F64, sums: F64) -> None:
    """Write the cumulative sums of some values: ``sums[k]`` is that of the first k."""
    sums[0] = 0.0
    for k in range(count):
        sums[k + 1] = sums[k] + values[k]


@called
def arrive(
    states: int, jumps: F64, leaving: F64, sums: F64, at: int, arrivals: F64
) -> None:  # fmt: skip
    """Write the probability that a jump reaches each state, given those of leaving each place."""
    reach, width = len(jumps) // 2, states + 1
    add_up(width, leaving, sums)
    for state in range(states):
        here = state + 1
        low, high = max(0, here - reach + 1), min(width, here + reach)
        mass = jumps[2 * reach] * sums[low] + jumps[0] * (sums[width] - sums[high])
        for place in range(low, high):
            mass += leaving[place] * jumps[here - place + reach]
        arrivals[at + state] = mass


@called
def go_forward(
    states: int, length: int, emissions: F64, null: F64, begin: int, alone: float, jumps: F64,
    shares: F64, leaving: F64, sums: F64, alpha: F64, arrivals: F64, scales: F64,
) -> None:  # fmt: skip
    """Write the forward probabilities: of places before each word, and of reaching each state."""
    width = states + 1
    for place in range(width):
        alpha[place] = 0.0
    alpha[0] = 1.0
    for word in range(length):
        now, after, at = word * width, (word + 1) * width, word * states
        for place in range(width):
            leaving[place] = alpha[now + place] * shares[place]
        arrive(states, jumps, leaving, sums, at, arrivals)
        stay = alone * null[begin + word]
        total = alpha[now] * stay
        alpha[after] = total
        for state in range(states):
            mass = arrivals[at + state] * emissions[state * length + word]
            mass += alpha[now + state + 1] * stay
            alpha[after + state + 1] = mass
            total += mass
        scales[word] = total
        for place in range(width):
            alpha[after + place] /= total


@called
def leave(
    place: int, states: int, mass: float, jumps: F64, reached: F64, sums: F64, jump_counts: F64
) -> float:
    """Return the backward probability of leaving a place by a jump; add to the counts of jumps."""
    reach = len(jumps) // 2
    # the states that are closer than ``reach``
    low = max(0, min(states, place - reach))
    high = max(low, min(states, place + reach - 1))
    back, ahead = jumps[0] * sums[low], jumps[2 * reach] * (sums[states] - sums[high])
    jump_counts[0] += mass * back
    jump_counts[2 * reach] += mass * ahead
    total = back + ahead
    for state in range(low, high):
        jump = state + 1 - place + reach
        move = jumps[jump] * reached[state]
        jump_counts[jump] += mass * move
        total += move
    return float(total)


@called
def go_backward(
    states: int, length: int, emissions: F64, null: F64, begin: int, alone: float, jumps: F64,
    shares: F64, sums: F64, alpha: F64, arrivals: F64, scales: F64, beta: F64, reached: F64,
    jump_counts: F64, links: F64,
) -> None:  # fmt: skip
    """Write the probabilities of links; add those of jumps to their counts."""
    width = states + 1
    for place in range(width):
        beta[place] = 1.0
    for word in range(length - 1, -1, -1):
        scale, stay = scales[word], alone * null[begin + word]
        for state in range(states):
            reached[state] = emissions[state * length + word] * beta[state + 1] / scale
            links[state * length + word] = arrivals[word * states + state] * reached[state]
        add_up(states, reached, sums)
        for place in range(width):
            mass = alpha[word * width + place] * shares[place]
            left = leave(place, states, mass, jumps, reached, sums, jump_counts)
            beta[place] = beta[place] * stay / scale + shares[place] * left


@called
def expect_one_way(
    states: int, length: int, null: F64, begin: int, alone: float, jumps: F64, jump_counts: F64,
    emissions: F64, links: F64, shares: F64, leaving: F64, sums: F64, alpha: F64, arrivals: F64,
    scales: F64, beta: F64, reached: F64,
) -> None:  # fmt: skip
    """Write the probabilities of links of one direction; without jumps, those of IBM model 1."""
    if len(jumps) == 0:
        expect_by_words(states, length, emissions, null, begin, alone, links)
        return
    share_out(states, jumps, alone, shares)
    go_forward(
        states, length, emissions, null, begin, alone, jumps, shares, leaving, sums,
        alpha, arrivals, scales,
    )  # fmt: skip
    go_backward(
        states, length, emissions, null, begin, alone, jumps, shares, sums,
        alpha, arrivals, scales, beta, reached, jump_counts, links,
    )  # fmt: skip


@compiled
def expect(
    first: int, last: int, source_starts: I64, target_starts: I64, cells: I64,
    forward_logs: F32, backward_logs: F32, forward_null: F64, backward_null: F64, alone: float,
    forward_jumps: F64, backward_jumps: F64, forward_counts: F64, backward_counts: F64,
    emissions: F64, links: F64, shares: F64, leaving: F64, sums: F64, alpha: F64, arrivals: F64,
    scales: F64, beta: F64, reached: F64, forward: F32, backward: F32,
) -> None:  # fmt: skip
    """Write the probabilities of the links of some passages, in both directions.

    ``cells[row]`` is the first cell of a passage. The arrays from ``emissions`` to ``reached`` are
    buffers to work in.
    """
    for row in range(first, last):
        sources = source_starts[row + 1] - source_starts[row]
        targets = target_starts[row + 1] - target_starts[row]
        cell = cells[row]
        if sources * targets == 0:
            continue
        for k in range(sources * targets):
            emissions[k] = math.exp(forward_logs[cell + k])
        expect_one_way(
            sources, targets, forward_null, target_starts[row], alone, forward_jumps,
            forward_counts, emissions, links, shares, leaving, sums, alpha, arrivals,
            scales, beta, reached,
        )  # fmt: skip
        for k in range(sources * targets):
            forward[cell + k] = links[k]
        for i in range(sources):
            for j in range(targets):
                emissions[j * sources + i] = math.exp(backward_logs[cell + i * targets + j])
        expect_one_way(
            targets, sources, backward_null, source_starts[row], alone, backward_jumps,
            backward_counts, emissions, links, shares, leaving, sums, alpha, arrivals,
            scales, beta, reached,
        )  # fmt: skip
        for i in range(sources):
            for j in range(targets):
                backward[cell + i * targets + j] = links[j * sources + i]
