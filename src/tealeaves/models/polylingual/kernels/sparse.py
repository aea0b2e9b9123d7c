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

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tealeaves.kernels import Arguments, kernel
from tealeaves.models.polylingual.kernels.dense import find_factors
from tealeaves.models.polylingual.kernels.lanes import (
    LANES,
    draw,
    running_weights,
    running_weights_at,
    total_of_lanes,
)
from tealeaves.models.polylingual.kernels.random import uniform

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64
    from tealeaves.models.polylingual.kernels.dense import TopicTotals, TupleWords

_BELOW_1 = 1.0 - 2.0**-53


@dataclass(frozen=True)
class WordRows(Arguments):
    """The topics of each word, and how often it has them."""

    begins: I64
    lengths: I32
    places: I32
    counts: I32


@dataclass(frozen=True)
class SparseBuffers(Arguments):
    """Memory to work in.

    ``mixed``, ``present`` and ``where`` are of the tuple, ``factors`` and ``sums`` (of the
    smoothing) of a side, ``row_sums`` of a token.
    """

    mixed: I32
    present: I32
    where: I32
    factors: F64
    sums: F64
    row_sums: F64


# ------------------------------------------------------------------ the topics of a word


def find_place(rows: WordRows, row: int, topic: int) -> int:
    """Return where a topic is in the row of a word; -1 if it is not."""
    begin = rows.begins[row]
    for place in range(begin, begin + rows.lengths[row]):
        if rows.places[place] == topic:
            return int(place)
    return -1


def take_from_row(rows: WordRows, row: int, here: int, none: int) -> None:
    """Take the topic that is ``here`` from a word once; the last one fills the gap."""
    places, counts = rows.places, rows.counts
    counts[here] -= 1
    if counts[here] == 0:
        rows.lengths[row] -= 1
        last = rows.begins[row] + rows.lengths[row]
        places[here], counts[here] = places[last], counts[last]
        places[last], counts[last] = none, 0


def add_to_row(rows: WordRows, row: int, k: int) -> None:
    """Give a topic to a word once more."""
    here = find_place(rows, row, k)
    if here < 0:
        here = rows.begins[row] + rows.lengths[row]
        rows.places[here] = k
        rows.lengths[row] += 1
    rows.counts[here] += 1


@kernel
def fill_rows(topics: I32, token_rows: I64, rows: WordRows) -> None:
    """Add each token's topic to the row of its word."""
    for token in range(len(topics)):
        add_to_row(rows, token_rows[token], topics[token])


@kernel
def move_tokens(before: I32, topics: I32, token_rows: I64, rows: WordRows, none: int) -> None:
    """Move the tokens whose topic has changed, in the rows of their words."""
    for token in range(len(topics)):
        if before[token] != topics[token]:
            row = token_rows[token]
            take_from_row(rows, row, find_place(rows, row, before[token]), none)
            add_to_row(rows, row, topics[token])


# ------------------------------------------------------------------ the topics of a tuple


def find_present(buffers: SparseBuffers, topics: I32, start: int, end: int) -> int:
    """Count the topics of a tuple's tokens, list those it has, and return how many."""
    for k in range(len(buffers.mixed)):
        buffers.mixed[k] = 0
    number = 0
    for token in range(start, end):
        number = add_present(buffers, topics[token], number)
    return number


def add_present(buffers: SparseBuffers, k: int, number: int) -> int:
    """Give the tuple a token of a topic; return how many topics it has then."""
    if buffers.mixed[k] == 0:
        buffers.present[number] = k
        buffers.where[k] = number
        number += 1
    buffers.mixed[k] += 1
    return number


def drop_present(buffers: SparseBuffers, k: int, number: int) -> int:
    """Take a token of a topic from the tuple; return how many topics it has then."""
    buffers.mixed[k] -= 1
    if buffers.mixed[k] == 0:
        number -= 1
        last = buffers.present[number]
        buffers.present[buffers.where[k]] = last
        buffers.where[last] = buffers.where[k]
    return number


def sum_shares(buffers: SparseBuffers, shares: F64, side: int, number: int) -> float:
    """Add up ``n_dk * share_lk`` over the topics that the tuple has."""
    total = 0.0
    for n in range(number):
        k = buffers.present[n]
        total += buffers.mixed[k] * shares[side + k]
    return total


def draw_present(
    target: float,
    buffers: SparseBuffers,
    shares: F64,
    side: int,
    number: int,
    own: int,
    weight: float,
) -> int:
    """Draw one of the topics that the tuple has; -1 if by rounding there is none.

    ``weight`` is that of the topic ``own``.
    """
    for n in range(number):
        k = int(buffers.present[n])
        target -= weight if k == own else buffers.mixed[k] * shares[side + k]
        if target < 0.0:
            return k
    return -1


# ------------------------------------------------------------------ sampling


class Buckets(NamedTuple):
    """The weights for a token that does not count itself.

    ``less`` is the share of its topic without it. The others are the sums of the three parts, of
    the first two without beta.
    """

    less: float
    all_topics: float
    of_tuple: float
    of_word: float


def padded_length(rows: WordRows, row: int) -> int:
    """Return the length of a row that is filled up to a multiple of eight."""
    return int((rows.lengths[row] + LANES - 1) // LANES * LANES)


def smooth(totals: TopicTotals, side: int, sums: F64, own: int, weight: float) -> float:
    """Write the running sums of ``alpha_k * share_lk``, and return their total."""
    running_weights(sums, totals.alpha, totals.shares, side, 0.0, own, weight)
    return total_of_lanes(sums, len(sums) - LANES)


def weigh_buckets(
    old: int,
    language: int,
    row: int,
    rows: WordRows,
    totals: TopicTotals,
    buffers: SparseBuffers,
    all_topics: float,
    of_tuple: float,
) -> Buckets:
    """Weigh the three parts for a token that has topic ``old``, and write the sums of its row.

    ``all_topics`` and ``of_tuple`` are the sums of the first two with the token. The factor of
    its topic is then that without it.
    """
    cell, n_old, alpha = language * len(buffers.sums) + old, buffers.mixed[old], totals.alpha[old]
    less = 1.0 / (totals.counts[cell] - 1 + totals.sizes[language])
    share = totals.shares[cell]
    buffers.factors[old] = (n_old - 1 + alpha) * less
    size = padded_length(rows, row)
    running_weights_at(
        buffers.row_sums, buffers.factors, rows.places, rows.counts, rows.begins[row], size, old
    )
    return Buckets(
        less,
        all_topics + alpha * (less - share),
        of_tuple + ((n_old - 1) * less - n_old * share),
        total_of_lanes(buffers.row_sums, size - LANES),
    )


@kernel
def sample_sparse(
    first: int,
    last: int,
    key: int,
    texts: TupleWords,
    topics: I32,
    rows: WordRows,
    totals: TopicTotals,
    buffers: SparseBuffers,
) -> None:
    """Sample the topic of each token of the tuples from ``first`` to before ``last``."""
    starts, languages, width = texts.starts, texts.languages, len(buffers.sums)
    alpha, shares, mixed, factors = totals.alpha, totals.shares, buffers.mixed, buffers.factors
    for d in range(first, last):
        number = find_present(buffers, topics, starts[d * languages], starts[(d + 1) * languages])
        for language in range(languages):
            start, end = starts[d * languages + language], starts[d * languages + language + 1]
            if start == end:
                continue
            side, beta = language * width, totals.beta[language]
            find_factors(mixed, totals, side, factors)
            all_topics = smooth(totals, side, buffers.sums, -1, 0.0)
            of_tuple = sum_shares(buffers, shares, side, number)
            for token in range(start, end):
                old, new = topics[token], -1
                row = texts.rows[language] + texts.words[token]
                n_old, factor = mixed[old], factors[old]
                less, s, r, q = weigh_buckets(
                    old, language, row, rows, totals, buffers, all_topics, of_tuple
                )
                target = uniform(key, token) * (q + beta * (s + r))
                if target < q:
                    size, random = padded_length(rows, row), min(target / q, _BELOW_1)
                    place = draw(buffers.row_sums, size, rows.lengths[row], random)
                    new = rows.places[rows.begins[row] + place]
                else:
                    target = (target - q) / beta
                    if target < r:
                        own = (n_old - 1) * less
                        new = draw_present(target, buffers, shares, side, number, old, own)
                    if new < 0:
                        smooth(totals, side, buffers.sums, old, alpha[old] * less)
                        random = min(max((target - r) / s, 0.0), _BELOW_1)
                        new = draw(buffers.sums, width, totals.k, random)
                if new == old:
                    factors[old] = factor
                    continue
                topics[token] = new
                take_from_row(rows, row, find_place(rows, row, old), totals.k)
                add_to_row(rows, row, new)
                number = drop_present(buffers, old, number)
                number = add_present(buffers, new, number)
                totals.counts[side + old] -= 1
                totals.counts[side + new] += 1
                more = 1.0 / (totals.counts[side + new] + totals.sizes[language])
                n_new, before = mixed[new], shares[side + new]
                all_topics = s + alpha[new] * (more - before)
                of_tuple = r + (n_new * more - (n_new - 1) * before)
                shares[side + old], shares[side + new] = less, more
                factors[new] = (n_new + alpha[new]) * more


@kernel
def weigh_sparse(
    d: int,
    token: int,
    texts: TupleWords,
    topics: I32,
    rows: WordRows,
    totals: TopicTotals,
    buffers: SparseBuffers,
    weights: F64,
) -> None:
    """Write what the topic of one token of tuple ``d`` is drawn by; last stands the sum it uses.

    Add what stands in ``sums``, times beta, to the weights: the smoothing of all topics.
    """
    starts, languages, shares = texts.starts, texts.languages, totals.shares
    number = find_present(buffers, topics, starts[d * languages], starts[(d + 1) * languages])
    language = 0
    while starts[d * languages + language + 1] <= token:
        language += 1
    side, old, beta = language * len(buffers.sums), topics[token], totals.beta[language]
    row = texts.rows[language] + texts.words[token]
    find_factors(buffers.mixed, totals, side, buffers.factors)
    all_topics = smooth(totals, side, buffers.sums, -1, 0.0)
    of_tuple = sum_shares(buffers, shares, side, number)
    less, s, r, q = weigh_buckets(old, language, row, rows, totals, buffers, all_topics, of_tuple)
    smooth(totals, side, buffers.sums, old, totals.alpha[old] * less)
    for n in range(number):
        k = buffers.present[n]
        n_k, share = buffers.mixed[k] - (k == old), less if k == old else shares[side + k]
        weights[k] += beta * n_k * share
    for n in range(rows.lengths[row]):
        before = buffers.row_sums[n - LANES] if n >= LANES else 0.0
        weights[rows.places[rows.begins[row] + n]] += buffers.row_sums[n] - before
    weights[len(weights) - 1] = q + beta * (s + r)
