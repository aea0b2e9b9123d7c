"""Segments: stretches of a text in which the words of one topic follow each other closely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.metrics.following.token_topics import TokenTopics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers


@dataclass(frozen=True, eq=False)
class Segments:
    """The topic and the text of each segment, how many words of the topic it has, their weight."""

    topics: Integers
    texts: Integers
    lengths: Integers
    weights: Floats | None


def segments(found: TokenTopics, gap: int) -> Segments:
    """Cut the texts into segments, for each topic apart.

    A segment starts with a word of the topic and goes on while at most ``gap`` other words stand
    before the next word of it. Segments of different topics may overlap.

    >>> tokens = TokenTopics(np.array([0, 5]), np.array([0, 1, 0, 1, 1], dtype=np.int32))
    >>> [segments(tokens, gap).lengths.tolist() for gap in (0, 1)]
    [[1, 1, 1, 2], [2, 3]]
    """
    order = np.argsort(found.topics, kind="stable")
    order = order[found.topics[order] >= 0]
    topics, texts = found.topics[order].astype(np.int64), found.text_of_token[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(topics) != 0) | (np.diff(texts) != 0) | (np.diff(order) > gap + 1)
    starts = np.flatnonzero(first)
    lengths = np.diff(np.append(starts, len(order)))
    weights = None
    if found.weights is not None:
        number = np.cumsum(first) - 1
        weights = np.bincount(number, found.weights[order], len(starts)).astype(np.float64)
    return Segments(topics[starts], texts[starts], lengths, weights)


def means(values: Floats, groups: Integers, size: int) -> Floats:
    """Return the mean of the values of each group, NaN where it has none."""
    counts = np.bincount(groups, minlength=size)
    sums = np.bincount(groups, weights=values, minlength=size)
    mean: Floats = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    return mean
