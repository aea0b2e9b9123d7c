r"""The overlap of ranked words by likeness: greedy one-to-one matching at every depth.

At depth d the first d words of two lists are matched: the most alike two first, then the most
alike two of those left, and so on; of equals, those that come first. The overlap is the sum of
what the matches are worth.

To begin anew at each depth would take :math:`d^3` steps. But the greedy matching is the one
matching in which no two words would both rather have each other, so a new word need only ask the
one it likes best of those that would rather have it; the word that is thereby left alone asks in
turn. All pairs of lists do so at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Floats, Integers

NO_WORD = -1.0  # the likeness where a list has ended
_ALONE = -0.5  # less than any likeness, more than none
_NOBODY = -1


def matched_overlaps(likeness: Floats) -> Floats:
    """Return the overlap of each pair of lists at each depth.

    Parameters
    ----------
    likeness
        For each pair of lists, that of each word of one (rows) with each of the other (columns),
        from 0 to 1, and ``NO_WORD`` beyond the end of a list.

    >>> matched_overlaps(np.array([[[0.5, 0.9], [0.8, 0.6]]]))  # at depth 2: 0.9 + 0.8
    array([[0.5, 1.7]])
    """
    count, _, longest = likeness.shape
    rows, columns = _Words.alone(count, longest), _Words.alone(count, longest)
    turned = likeness.transpose(0, 2, 1)
    found = np.empty((count, longest))
    for depth in range(1, longest + 1):
        _come_in(turned, columns, rows, depth - 1, depth - 1)
        _come_in(likeness, rows, columns, depth - 1, depth)
        found[:, depth - 1] = np.maximum(rows.worth[:, :depth], 0.0).sum(axis=1)
    return found


@dataclass(frozen=True, eq=False)
class _Words:
    """The words of one list of each pair: whom each is matched with, and how alike they are."""

    partner: Integers
    worth: Floats

    @classmethod
    def alone(cls, count: int, longest: int) -> _Words:
        shape = (count, longest)
        return cls(np.full(shape, _NOBODY), np.full(shape, _ALONE))


def _come_in(likeness: Floats, own: _Words, other: _Words, word: int, depth: int) -> None:
    """Let a word into all matchings with the first ``depth`` words of the other list."""
    if not depth:
        return
    pairs: Integers | slice = slice(None)  # all at first, which needs no copies
    numbers, words = np.arange(len(likeness)), np.full(len(likeness), word)
    offers = likeness[:, word, :depth]
    while numbers.size:
        held = other.worth[pairs, :depth]
        earlier = words[:, None] < other.partner[pairs, :depth]
        wanted = np.where((offers > held) | ((offers == held) & earlier), offers, NO_WORD)
        best = wanted.argmax(axis=1)
        worth = wanted[np.arange(len(best)), best]
        there = worth >= 0
        numbers, words, best, worth = numbers[there], words[there], best[there], worth[there]
        left = other.partner[numbers, best]
        own.partner[numbers, words], own.worth[numbers, words] = best, worth
        other.partner[numbers, best], other.worth[numbers, best] = words, worth
        alone = left != _NOBODY
        pairs = numbers = numbers[alone]
        words = left[alone]
        own.partner[numbers, words], own.worth[numbers, words] = _NOBODY, _ALONE
        offers = likeness[numbers, words, :depth]
