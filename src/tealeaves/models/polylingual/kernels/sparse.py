"""The sampler that looks at few topics for a token: for large numbers of topics.

The weight of a topic is that of :mod:`.dense`, taken apart into three (Yao et al. 2009):

    alpha_k * beta_l * share_lk                     smoothing, of every topic
    n_dk * beta_l * share_lk                        of the topics that the tuple has
    n_lkw * (n_dk + alpha_k) * share_lk             of the topics that the word has

where ``share_lk`` is 1 / (n_lk + V_l * beta_l). The first two sums are kept up to date and begin
anew with each side, so that no rounding adds up. Most draws fall to the third.

What a word has is in its row (:mod:`.rows`), what the tuple has in a list (:mod:`.present`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.compiling.intrinsics import LANES, running_weights, running_weights_at
from tealeaves.compiling.kernel import compiled, inlined
from tealeaves.models.polylingual.kernels.dense import AHEAD, fetch_row, find_factors
from tealeaves.models.polylingual.kernels.drawing import draw, total_of_lanes
from tealeaves.models.polylingual.kernels.present import (
    add_present,
    draw_present,
    drop_present,
    find_present,
    sum_shares,
)
from tealeaves.models.polylingual.kernels.random import uniform
from tealeaves.models.polylingual.kernels.rows import add_to_row, find_place, take_from_row

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, I64

_BELOW_1 = 1.0 - 2.0**-53


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
