"""Forms of one word: those that look alike among the forms that express one seed.

Forms that express the same seed are few, and those of different words rarely look alike. So a
plain measure of likeness is enough to tell, where over a whole vocabulary it would not be: käsi,
käden and kätensä are forms of one word *among the words for hand*. It asks nothing of a language:
not whether it inflects at the beginning, at the end or within.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.stems.habits import Habits
from tealeaves.lexicon.stems.kernels import compare_words, link_groups
from tealeaves.lexicon.stems.letters import letters_of

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I64

#: so many forms are grouped with each other; rarer ones join the group that they are most alike to
MOST = 400


def likeness(forms: Sequence[str], columns: int | None = None) -> F64:
    """Return how alike forms are to the first of them: 1 - edit distance / length of the longer.

    >>> likeness(["käsi", "käden", "kansi"]).round(2).tolist()
    [[1.0, 0.4, 0.6], [0.4, 1.0, 0.2], [0.6, 0.2, 1.0]]
    """
    width = len(forms) if columns is None else columns
    alike = np.empty(len(forms) * width)
    starts, letters = letters_of(forms)
    costs = np.zeros(int(np.diff(starts).max(initial=0)) + 1, np.int32)
    compare_words(width, starts, letters, costs, alike)
    return alike.reshape(len(forms), width)


def group_forms(
    forms: Sequence[str],
    alike: float,
    habits: Habits | None = None,
    share: float = 0.0,
    counts: Sequence[int] | None = None,
    near: float = 0.0,
) -> list[int]:
    """Return the number of each form's group; forms come the most frequent first.

    The two groups that are most alike are joined, as long as they are at least so much alike: as
    their forms are on average. The number of a group is that of its first form.

    Parameters
    ----------
    forms
        Different forms.
    alike
        How much groups must be alike to be joined.
    habits
        How usual changes between forms are in the language.
    share
        The share of habits in how much forms are alike; the rest is likeness.
    counts
        How often each form occurs: it counts as often in averages. Else all count alike.
    near
        The share that the two forms which are most alike have in how much groups are: with many
        forms, those at either end of a word's range are far from each other.

    >>> group_forms(["käden", "käsi", "jalka", "kädet", "kätensä"], 0.4)
    [0, 0, 2, 0, 0]
    """
    if not forms:
        return []
    first = min(len(forms), MOST)
    table = likeness(forms, first)
    if habits is not None:
        table = (1 - share) * table + share * habits.usual(forms, first)
    groups, room = np.arange(first), np.zeros(first, np.int64)
    weights = np.ones(first) if counts is None else np.array(counts[:first], np.float64)
    means, closest, both = (table[:first].ravel().copy() for _ in range(3))
    link_groups(alike, near, means, closest, both, weights.copy(), room, groups)
    later = _to_groups(groups, weights, table[first:], near)
    best = later.argmax(axis=1)
    late = np.arange(first, len(forms))
    joined = np.where(later[np.arange(len(best)), best] >= alike, best, late)
    return [*groups.tolist(), *joined.tolist()]


def _to_groups(groups: I64, weights: F64, table: F64, near: float) -> F64:
    """Return how alike rows are to each group; -inf where there is none."""
    sums = np.zeros((len(table), len(groups)))
    np.add.at(sums.T, groups, (table * weights).T)
    closest = np.full_like(sums, -np.inf)
    np.maximum.at(closest.T, groups, table.T)
    sizes = np.bincount(groups, weights, minlength=len(groups))
    there = sizes > 0
    means = sums / np.maximum(sizes, 1)
    return np.where(there, (1 - near) * means + near * np.where(there, closest, 0), -np.inf)
