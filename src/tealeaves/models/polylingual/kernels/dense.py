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

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel
from tealeaves.models.polylingual.kernels.lanes import draw, running_weights
from tealeaves.models.polylingual.kernels.random import uniform

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I32, I64


@dataclass(frozen=True)
class TupleWords(Arguments):
    """The words of tuples, in each of some languages.

    ``starts`` says where the words of each side of each tuple begin, and ``rows`` where those of
    each language begin in tables that have a row for each word.
    """

    languages: int
    starts: I64
    words: I32
    rows: I64


@dataclass(frozen=True)
class TopicTotals(Arguments):
    """What a weight takes from its topic and its language, whatever the word.

    ``sizes`` are the V_l * beta_l. ``counts`` are the n_lk and ``shares`` the
    1 / (n_lk + V_l * beta_l), in padded rows; both change with each token.
    """

    k: int
    alpha: F64
    beta: F64
    sizes: F64
    counts: I32
    shares: F64


@dataclass(frozen=True)
class DenseBuffers(Arguments):
    """Memory to work in: the n_dk of a tuple, the factors of a side, the sums of a token."""

    mixed: I32
    factors: F64
    sums: F64


def count_topics(topics: I32, start: int, end: int, counts: I32) -> None:
    """Count the topics of the tokens of a tuple."""
    for k in range(len(counts)):
        counts[k] = 0
    for token in range(start, end):
        counts[topics[token]] += 1


def find_factors(mixed: I32, totals: TopicTotals, side: int, factors: F64) -> None:
    """Write the part of the weights that a side's words have in common."""
    for k in range(len(factors)):
        factors[k] = (mixed[k] + totals.alpha[k]) * totals.shares[side + k]


def weigh(
    old: int,
    row: int,
    language: int,
    word_topics: I32,
    totals: TopicTotals,
    buffers: DenseBuffers,
) -> None:
    """Write the running sums of the weights for a token that has topic ``old``.

    The token itself does not count. Nothing is taken out of the counts for that: a processor waits
    long for a vector of which a part was just written.
    """
    side, beta = language * len(buffers.sums), totals.beta[language]
    own = (buffers.mixed[old] - 1 + totals.alpha[old]) * (word_topics[row + old] - 1 + beta)
    own /= totals.counts[side + old] - 1 + totals.sizes[language]
    running_weights(buffers.sums, buffers.factors, word_topics, row, beta, old, own)


def move(
    by: int,
    k: int,
    row: int,
    language: int,
    word_topics: I32,
    totals: TopicTotals,
    buffers: DenseBuffers,
) -> None:
    """Add a token to a topic, or take it away."""
    cell = language * len(buffers.sums) + k
    buffers.mixed[k] += by
    word_topics[row + k] += by
    totals.counts[cell] += by
    totals.shares[cell] = 1.0 / (totals.counts[cell] + totals.sizes[language])
    buffers.factors[k] = (buffers.mixed[k] + totals.alpha[k]) * totals.shares[cell]


@kernel
def sample_dense(
    first: int,
    last: int,
    key: int,
    texts: TupleWords,
    topics: I32,
    word_topics: I32,
    totals: TopicTotals,
    buffers: DenseBuffers,
) -> None:
    """Sample the topic of each token of the tuples from ``first`` to before ``last``.

    ``word_topics`` are the n_lkw, a padded row for each word.
    """
    starts, languages, size = texts.starts, texts.languages, len(buffers.sums)
    for d in range(first, last):
        count_topics(topics, starts[d * languages], starts[(d + 1) * languages], buffers.mixed)
        for language in range(languages):
            start, end = starts[d * languages + language], starts[d * languages + language + 1]
            if start == end:
                continue
            find_factors(buffers.mixed, totals, language * size, buffers.factors)
            for token in range(start, end):
                row, old = (texts.rows[language] + texts.words[token]) * size, topics[token]
                weigh(old, row, language, word_topics, totals, buffers)
                new = draw(buffers.sums, size, totals.k, uniform(key, token))
                if new != old:
                    topics[token] = new
                    move(-1, old, row, language, word_topics, totals, buffers)
                    move(1, new, row, language, word_topics, totals, buffers)


@kernel
def weigh_dense(
    d: int,
    token: int,
    texts: TupleWords,
    topics: I32,
    word_topics: I32,
    totals: TopicTotals,
    buffers: DenseBuffers,
) -> None:
    """Write the running sums that the topic of one token of tuple ``d`` is drawn by."""
    starts, languages, size = texts.starts, texts.languages, len(buffers.sums)
    count_topics(topics, starts[d * languages], starts[(d + 1) * languages], buffers.mixed)
    language = 0
    while starts[d * languages + language + 1] <= token:
        language += 1
    row = (texts.rows[language] + texts.words[token]) * size
    find_factors(buffers.mixed, totals, language * size, buffers.factors)
    weigh(topics[token], row, language, word_topics, totals, buffers)
