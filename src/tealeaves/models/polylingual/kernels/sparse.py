"""The sampler that weighs few topics for each token: for large numbers of topics.

The weight of a topic is that of :mod:`.dense`, split into three (Yao et al. 2009):

    alpha_k * beta_l * share_lk                     smoothing, of every topic
    n_dk * beta_l * share_lk                        of the topics that the tuple has
    n_lkw * (n_dk + alpha_k) * share_lk             of the topics that the word has

where ``share_lk`` is 1 / (n_lk + V_l * beta_l). The first two sums are kept up to date and begin
anew with each side, so that no rounding adds up. Most draws fall to the third.

The topics that a word has are in its row. Rows lie together: the numbers of the topics in
``places``, how often the word has them in ``counts``, from ``begins[row]`` on, ``lengths[row]`` of
them, in the order in which they came. Topic K, which has no weight, fills the row up to a multiple
of eight. The topics that a tuple has are listed in ``present``; ``where`` says at which place of
the list each topic is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.compiling.intrinsics import LANES, running_weights, running_weights_at
from tealeaves.compiling.kernel import compiled, inlined
from tealeaves.models.polylingual.kernels.dense import AHEAD, fetch_row, find_factors
from tealeaves.models.polylingual.kernels.random import draw, total_of_lanes, uniform

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, I64

_BELOW_1 = 1.0 - 2.0**-53


# ------------------------------------------------------------------ the topics of a word


@inlined
def find_place(places: I32, begin: int, length: int, topic: int) -> int:
    """Return where a topic is in the row of a word; -1 if it is not.

    It compares the whole row, in vectors: a loop that may end early would compare one by one.
    """
    found = 0
    for n in range(length):
        found += (n + 1) * (places[begin + n] == topic)
    return begin + found - 1 if found else -1


@inlined
def take_from_row(
    places: I32, counts: I32, begin: int, lengths: I32, row: int, here: int, none: int
) -> None:
    """Take the topic that is ``here`` from a word once; the last one fills the gap."""
    counts[here] -= 1
    if counts[here] == 0:
        lengths[row] -= 1
        last = begin + lengths[row]
        places[here], counts[here] = places[last], counts[last]
        places[last], counts[last] = none, 0


@inlined
def add_to_row(places: I32, counts: I32, begin: int, lengths: I32, row: int, k: int) -> None:
    """Give a topic to a word once more."""
    here = find_place(places, begin, lengths[row], k)
    if here < 0:
        here = begin + lengths[row]
        places[here] = k
        lengths[row] += 1
    counts[here] += 1


@compiled
def fill_rows(topics: I32, rows: I64, begins: I64, lengths: I32, places: I32, counts: I32) -> None:
    """Add each token's topic to the row of its word."""
    for token in range(len(topics)):
        row = rows[token]
        add_to_row(places, counts, begins[row], lengths, row, topics[token])


@compiled
def move_tokens(
    before: I32,
    topics: I32,
    rows: I64,
    begins: I64,
    lengths: I32,
    places: I32,
    counts: I32,
    none: int,
) -> None:
    """Move the tokens whose topic has changed, in the rows of their words."""
    for token in range(len(topics)):
        if before[token] != topics[token]:
            row = rows[token]
            begin = begins[row]
            here = find_place(places, begin, lengths[row], before[token])
            take_from_row(places, counts, begin, lengths, row, here, none)
            add_to_row(places, counts, begin, lengths, row, topics[token])


# ------------------------------------------------------------------ the topics of a tuple


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


# ------------------------------------------------------------------ sampling


@inlined
def smooth(alpha: F64, shares: F64, side: int, sums: F64, own: int, weight: float) -> Any:
    """Write the running sums of ``alpha_k * share_lk``, and return their total."""
    running_weights(sums, alpha, shares, side, 0.0, own, weight)
    return total_of_lanes(sums, len(sums) - LANES)


@inlined
def weigh_row(
    factors: F64,
    places: I32,
    counts: I32,
    begin: int,
    length: int,
    own: int,
    here: int,
    factor: float,
    sums: F64,
) -> Any:
    """Write the running sums of the topics of a word, one token of ``own`` less; return the total.

    ``here`` is where ``own`` is, ``factor`` its factor without the token.
    """
    size = (length + LANES - 1) // LANES * LANES
    weight = factor * (counts[here] - 1)
    running_weights_at(sums, factors, places, counts, begin, size, own, weight)
    return total_of_lanes(sums, size - LANES)


@inlined
def weigh_buckets(
    old: int,
    side: int,
    size: float,
    row: int,
    begins: I64,
    lengths: I32,
    places: I32,
    counts: I32,
    language_topics: I32,
    alpha: F64,
    mixed: I32,
    shares: F64,
    factors: F64,
    row_sums: F64,
    all_topics: float,
    of_tuple: float,
) -> tuple[int, float, float, float, float]:
    """Weigh the three parts for a token that has topic ``old`` and does not count itself.

    Returns where its topic is in the row, the share of its topic without it, and the sums of the
    parts, of the first two without beta. ``all_topics`` and ``of_tuple`` are these two with the
    token.
    """
    less = 1.0 / (language_topics[side + old] - 1 + size)
    share, n_old = shares[side + old], mixed[old]
    s = all_topics + alpha[old] * (less - share)
    r = of_tuple + ((n_old - 1) * less - n_old * share)
    factor = (n_old - 1 + alpha[old]) * less
    begin, length = begins[row], lengths[row]
    here = find_place(places, begin, length, old)
    q = weigh_row(factors, places, counts, begin, length, old, here, factor, row_sums)
    return here, less, s, r, q


@compiled
def sample_sparse(
    first: int,
    last: int,
    languages: int,
    k_most: int,
    key: int,
    starts: I64,
    words: I32,
    topics: I32,
    rows: I64,
    begins: I64,
    lengths: I32,
    places: I32,
    counts: I32,
    language_topics: I32,
    alpha: F64,
    beta: F64,
    sizes: F64,
    mixed: I32,
    present: I32,
    where: I32,
    shares: F64,
    factors: F64,
    sums: F64,
    row_sums: F64,
) -> None:
    """Sample the topic of each token of the tuples from ``first`` to before ``last``."""
    width = len(sums)
    for d in range(first, last):
        number = find_present(
            mixed, topics, starts[d * languages], starts[(d + 1) * languages], present, where
        )
        for language in range(languages):
            start, end = starts[d * languages + language], starts[d * languages + language + 1]
            if start == end:
                continue
            side, smoothing, size = language * width, beta[language], sizes[language]
            find_factors(mixed, alpha, shares, side, factors)
            all_topics = smooth(alpha, shares, side, sums, -1, 0.0)
            of_tuple = sum_shares(mixed, shares, side, present, number)
            for token in range(start, end):
                ahead = rows[language] + words[min(token + AHEAD, end - 1)]
                fetch_row(places, begins[ahead], lengths[ahead])
                fetch_row(counts, begins[ahead], lengths[ahead])
                old = topics[token]
                row = rows[language] + words[token]
                begin = begins[row]
                n_old = mixed[old]
                here, less, s, r, q = weigh_buckets(
                    old, side, size, row, begins, lengths, places, counts, language_topics, alpha,
                    mixed, shares, factors, row_sums, all_topics, of_tuple,
                )  # fmt: skip
                target = uniform(key, token) * (q + smoothing * (s + r))
                new = -1
                if target < q:
                    length = lengths[row]
                    of_row = (length + LANES - 1) // LANES * LANES
                    new = places[begin + draw(row_sums, of_row, length, min(target / q, _BELOW_1))]
                else:
                    target = (target - q) / smoothing
                    if target < r:
                        new = draw_present(
                            target, mixed, shares, side, present, number, old, (n_old - 1) * less
                        )
                    if new < 0:
                        smooth(alpha, shares, side, sums, old, alpha[old] * less)
                        target = min(max((target - r) / s, 0.0), _BELOW_1)
                        new = draw(sums, width, k_most, target)
                if new != old:
                    topics[token] = new
                    take_from_row(places, counts, begin, lengths, row, here, k_most)
                    add_to_row(places, counts, begin, lengths, row, new)
                    number = drop_present(mixed, old, present, where, number)
                    number = add_present(mixed, new, present, where, number)
                    language_topics[side + old] -= 1
                    language_topics[side + new] += 1
                    more, before = 1.0 / (language_topics[side + new] + size), shares[side + new]
                    n_new = mixed[new]
                    all_topics = s + alpha[new] * (more - before)
                    of_tuple = r + (n_new * more - (n_new - 1) * before)
                    shares[side + old], shares[side + new] = less, more
                    factors[old] = (n_old - 1 + alpha[old]) * less
                    factors[new] = (n_new + alpha[new]) * more


@compiled
def weigh_sparse(
    d: int,
    token: int,
    languages: int,
    starts: I64,
    words: I32,
    topics: I32,
    rows: I64,
    begins: I64,
    lengths: I32,
    places: I32,
    counts: I32,
    language_topics: I32,
    alpha: F64,
    beta: F64,
    sizes: F64,
    mixed: I32,
    present: I32,
    where: I32,
    shares: F64,
    factors: F64,
    sums: F64,
    row_sums: F64,
    weights: F64,
) -> None:
    """Write what the topic of one token of tuple ``d`` is drawn by; last stands the sum it uses.

    Add what stands in ``sums``, times beta, to the weights: the smoothing of all topics.
    """
    first, end = starts[d * languages], starts[(d + 1) * languages]
    number = find_present(mixed, topics, first, end, present, where)
    language = 0
    while starts[d * languages + language + 1] <= token:
        language += 1
    side, old = language * len(sums), topics[token]
    row = rows[language] + words[token]
    find_factors(mixed, alpha, shares, side, factors)
    _, less, s, r, q = weigh_buckets(
        old, side, sizes[language], row, begins, lengths, places, counts, language_topics, alpha,
        mixed, shares, factors, row_sums,
        smooth(alpha, shares, side, sums, -1, 0.0),
        sum_shares(mixed, shares, side, present, number),
    )  # fmt: skip
    smooth(alpha, shares, side, sums, old, alpha[old] * less)
    for n in range(number):
        k = present[n]
        n_k, share = (mixed[k] - 1, less) if k == old else (mixed[k], shares[side + k])
        weights[k] += beta[language] * n_k * share
    for n in range(lengths[row]):
        before = row_sums[n - LANES] if n >= LANES else 0.0
        weights[places[begins[row] + n]] += row_sums[n] - before
    weights[len(weights) - 1] = q + beta[language] * (s + r)
