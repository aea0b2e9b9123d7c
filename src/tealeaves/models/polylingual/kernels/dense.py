"""The sampler that weighs every topic for every token: for small numbers of topics.

A token of word w in language l has topic k with a weight of

    (n_dk + alpha_k) * (n_lkw + beta_l) / (n_lk + V_l * beta_l)

where n_dk counts the tokens of the tuple in all its languages. The ``factors``, all of this but the
second term, belong to a side; a token changes two of them. So a topic costs one addition and one
product, in vectors of eight, and no cumulative sum is needed: eight lanes add up their own, a lane
is drawn by the sums of lanes, and a topic by counting the sums of its lane that are not above the
rest. All numbers are doubles.

Rows are padded to a multiple of eight; what is added has factor 0 and is never drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.intrinsics import prefetch, running_weights
from tealeaves.compiling.kernel import compiled, inlined
from tealeaves.models.polylingual.kernels.random import draw, uniform

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I32, I64

AHEAD = 4  # tokens between asking for a row and its use
_LINE = 16  # counts in a line of the processor's cache


@inlined
def count_topics(topics: I32, start: int, end: int, counts: I32) -> None:
    """Count the topics of the tokens of a tuple."""
    for k in range(len(counts)):
        counts[k] = 0
    for token in range(start, end):
        counts[topics[token]] += 1


@inlined
def find_factors(mixed: I32, alpha: F64, shares: F64, share: int, factors: F64) -> None:
    """Write the part of the weights that a side's words have in common."""
    for k in range(len(factors)):
        factors[k] = (mixed[k] + alpha[k]) * shares[share + k]


@inlined
def weigh(
    old: int,
    row: int,
    side: int,
    size: float,
    beta: float,
    word_topics: I32,
    language_topics: I32,
    mixed: I32,
    alpha: F64,
    factors: F64,
    sums: F64,
) -> None:
    """Write the running sums of the weights for a token that has topic ``old``.

    The token itself does not count. Nothing is taken out of the counts for that: a processor waits
    long for a vector of which a part was just written.
    """
    own = (mixed[old] - 1 + alpha[old]) * (word_topics[row + old] - 1 + beta)
    own /= language_topics[side + old] - 1 + size
    running_weights(sums, factors, word_topics, row, beta, old, own)


@inlined
def move(
    by: int,
    k: int,
    row: int,
    side: int,
    size: float,
    word_topics: I32,
    language_topics: I32,
    mixed: I32,
    alpha: F64,
    shares: F64,
    factors: F64,
) -> None:
    """Add a token to a topic, or take it away."""
    mixed[k] += by
    word_topics[row + k] += by
    language_topics[side + k] += by
    shares[side + k] = 1.0 / (language_topics[side + k] + size)
    factors[k] = (mixed[k] + alpha[k]) * shares[side + k]


@inlined
def fetch_row(word_topics: I32, row: int, size: int) -> None:
    """Ask for the row of a word that comes soon."""
    for place in range(row, row + size, _LINE):
        prefetch(word_topics, place)


@compiled
def sample_dense(
    first: int,
    last: int,
    languages: int,
    k_most: int,
    key: int,
    starts: I64,
    words: I32,
    topics: I32,
    rows: I64,
    word_topics: I32,
    language_topics: I32,
    alpha: F64,
    beta: F64,
    sizes: F64,
    mixed: I32,
    shares: F64,
    factors: F64,
    sums: F64,
) -> None:
    """Sample the topic of each token of the tuples from ``first`` to before ``last``.

    ``rows`` says where the words of each language begin in ``word_topics``, ``sizes`` are the
    V_l * beta_l, ``shares`` the 1 / (n_lk + V_l * beta_l); ``mixed`` (the n_dk), ``factors`` and
    ``sums`` are buffers.
    """
    size = len(sums)
    for d in range(first, last):
        count_topics(topics, starts[d * languages], starts[(d + 1) * languages], mixed)
        for language in range(languages):
            start, end = starts[d * languages + language], starts[d * languages + language + 1]
            if start == end:
                continue
            side, offset = language * size, rows[language]
            find_factors(mixed, alpha, shares, side, factors)
            for token in range(start, end):
                ahead = min(token + AHEAD, end - 1)
                fetch_row(word_topics, (offset + words[ahead]) * size, size)
                row, old = (offset + words[token]) * size, topics[token]
                weigh(
                    old, row, side, sizes[language], beta[language], word_topics, language_topics,
                    mixed, alpha, factors, sums,
                )  # fmt: skip
                new = draw(sums, size, k_most, uniform(key, token))
                if new != old:
                    topics[token] = new
                    move(
                        -1, old, row, side, sizes[language], word_topics, language_topics,
                        mixed, alpha, shares, factors,
                    )  # fmt: skip
                    move(
                        1, new, row, side, sizes[language], word_topics, language_topics,
                        mixed, alpha, shares, factors,
                    )  # fmt: skip


@compiled
def weigh_dense(
    d: int,
    token: int,
    languages: int,
    starts: I64,
    words: I32,
    topics: I32,
    rows: I64,
    word_topics: I32,
    language_topics: I32,
    alpha: F64,
    beta: F64,
    sizes: F64,
    mixed: I32,
    shares: F64,
    factors: F64,
    sums: F64,
) -> None:
    """Write the running sums that the topic of one token of tuple ``d`` is drawn by."""
    size = len(sums)
    count_topics(topics, starts[d * languages], starts[(d + 1) * languages], mixed)
    language = 0
    while starts[d * languages + language + 1] <= token:
        language += 1
    side, row = language * size, (rows[language] + words[token]) * size
    find_factors(mixed, alpha, shares, side, factors)
    weigh(
        topics[token], row, side, sizes[language], beta[language], word_topics, language_topics,
        mixed, alpha, factors, sums,
    )  # fmt: skip
