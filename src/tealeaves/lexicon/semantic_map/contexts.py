"""Contexts: the words that stand in the passages of a group more often than in those of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from tealeaves.lexicon.markers.measures import log_likelihood

LEAST = 6.63  # G² at p = .01
_TWICE = 2


def typical_words(
    passages: Sequence[Sequence[str]],
    members: Sequence[int],
    number: int,
    *,
    most: int = 5,
    but: Collection[str] = (),
) -> list[list[str]]:
    """Return the words of each group that Dunning's G² tells from the other groups, best first.

    Parameters
    ----------
    passages
        The words of each token's passage; in whatever case, they are told in lower case.
    members, number
        The group of each token, -1 for none, and how many groups there are.
    most
        How many words a group has at most; those below p = .01 are not told, nor are those of
        fewer than two of its tokens.
    but
        Words to leave out: the tokens themselves, say.

    >>> texts = [["right", "the"]] * 9 + [["the", "left"]] * 9
    >>> typical_words(texts, [0] * 9 + [1] * 9, 2)
    [['right'], ['left']]
    """
    left_out = {word.lower() for word in but}
    within = [Counter[str]() for _ in range(number)]
    sizes = [0] * number
    for words, member in zip(passages, members, strict=True):
        if member >= 0:
            within[member].update({word.lower() for word in words} - left_out)
            sizes[member] += 1
    every = sum(within, Counter[str]())
    return [
        _best(counts, every, size, sum(sizes), most)
        for counts, size in zip(within, sizes, strict=True)
    ]


def _best(within: Counter[str], every: Counter[str], size: int, total: int, most: int) -> list[str]:
    words = sorted(word for word, count in within.items() if count >= _TWICE)
    if not words:
        return []
    both, all_ = (np.array([counts[word] for word in words]) for counts in (within, every))
    scores = log_likelihood(both, all_, size, total)
    order = np.argsort(-scores, kind="stable")[:most]
    return [words[row] for row in order if scores[row] >= LEAST]
