"""Overlap of word lists as sets: shared words, and the Jaccard coefficient."""

from __future__ import annotations

from tealeaves.arrays import Floats
from tealeaves.metrics.comparing.lists import WordLists


def shared_words(lists: WordLists, rows: range, columns: range) -> Floats:
    """Return how many words each pair of lists shares."""
    return lists.summed(rows, columns)


def jaccard(lists: WordLists, rows: range, columns: range) -> Floats:
    r"""Return :math:`|A \cap B| / |A \cup B|` of each pair of lists.

    >>> lists = WordLists.of([["cat", "dog", "horse"], ["horse", "cow"]])
    >>> jaccard(lists, range(1), range(1, 2))  # horse, of cat, dog, horse and cow
    array([[0.25]])
    """
    shared = shared_words(lists, rows, columns)
    left = lists.lengths[rows.start : rows.stop, None]
    right = lists.lengths[None, columns.start : columns.stop]
    found: Floats = shared / (left + right - shared)
    return found
