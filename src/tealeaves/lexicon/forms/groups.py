"""Groups of forms of one word, among the forms that express one seed.

The forms that express a seed are few, and those of different words are rarely similar. So a simple
measure of similarity is enough here, though it would not be for a whole vocabulary: käsi, käden and
kätensä are forms of one word *among the words for hand*. Nothing must be known about a language:
not whether it inflects at the beginning, at the end or within.

``Habits`` helps: how usual is a change between two forms in the language? Words that express the
same source word are often forms of one word. A change between many such pairs (si to den: käsi,
käden; vesi, veden; uusi, uuden) is inflection; a change that occurs once is not. This is learned
from the alignment of a bitext, for any language.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.forms.kernels import (
    GroupTables,
    Spelling,
    collect_changes,
    compare_words,
    link_groups,
    number_changes,
)

if TYPE_CHECKING:
    from tealeaves.kernels import F64, I64

#: So many forms are grouped with each other; each rarer one joins the most similar group.
MOST_FORMS = 400

# Habits are learned from links of at least this probability,
_SURE = 0.5
# from the most frequent forms of each source word, so many,
_FORMS_OF_SOURCE = 150
# and from words that share so much of the longer one. Words that share less than the second share
# have no usual change.
_LEARNED, _JUDGED = 0.4, 0.2


def group_forms(
    forms: Sequence[str],
    alike: float,
    habits: Habits | None = None,
    share: float = 0.0,
    counts: Sequence[int] | None = None,
    near: float = 0.0,
) -> list[int]:
    """Return the number of each form's group; forms are ordered, the most frequent first.

    The two most similar groups are joined, as long as their similarity, the mean of that of their
    forms, is at least ``alike``. The number of a group is that of its first form.

    Parameters
    ----------
    forms
        Different forms.
    alike
        The least similarity of groups that are joined.
    habits
        How usual changes between forms are in the language.
    share
        The share of habits in the similarity of forms; the rest is :func:`likeness`.
    counts
        How often each form occurs, its weight in means. By default all weights are equal.
    near
        The share of the two most similar forms in the similarity of groups: if a word has many
        forms, some of them are far from each other.

    >>> group_forms(["käden", "käsi", "jalka", "kädet", "kätensä"], 0.4)
    [0, 0, 2, 0, 0]
    """
    if not forms:
        return []
    first = min(len(forms), MOST_FORMS)
    table = likeness(forms, first)
    if habits is not None:
        table = (1 - share) * table + share * habits.usual(forms, first)
    groups, nearest = np.arange(first, dtype=np.int64), np.zeros(first, np.int64)
    weights = np.ones(first) if counts is None else np.array(counts[:first], np.float64)
    means, closest, both = (table[:first].ravel().copy() for _ in range(3))
    link_groups(alike, near, GroupTables(means, closest, both, weights.copy(), nearest, groups))
    rarer = _similarity_to_groups(groups, weights, table[first:], near)
    best = rarer.argmax(axis=1)
    alone = np.arange(first, len(forms))
    joined = np.where(rarer[np.arange(len(best)), best] >= alike, best, alone)
    return [*groups.tolist(), *joined.tolist()]


def likeness(forms: Sequence[str], columns: int | None = None) -> F64:
    """Return how similar forms are to the first of them: 1 - edit distance / length of the longer.

    >>> likeness(["käsi", "käden", "kansi"]).round(2).tolist()
    [[1.0, 0.4, 0.6], [0.4, 1.0, 0.2], [0.6, 0.2, 1.0]]
    """
    width = len(forms) if columns is None else columns
    alike = np.empty(len(forms) * width)
    words = letters_of(forms)
    costs = np.zeros(int(np.diff(words.starts).max(initial=0)) + 1, np.int32)
    compare_words(width, words, costs, alike)
    return alike.reshape(len(forms), width)


def _similarity_to_groups(groups: I64, weights: F64, table: F64, near: float) -> F64:
    """Return how similar each row is to each group; -inf for numbers without a group."""
    sums = np.zeros((len(table), len(groups)))
    np.add.at(sums.T, groups, (table * weights).T)
    closest = np.full_like(sums, -np.inf)
    np.maximum.at(closest.T, groups, table.T)
    sizes = np.bincount(groups, weights, minlength=len(groups))
    exists = sizes > 0
    means = sums / np.maximum(sizes, 1)
    return np.where(exists, (1 - near) * means + near * np.where(exists, closest, 0), -np.inf)


@dataclass(frozen=True, eq=False)
class Habits:
    """The changes between forms of a language, in ascending order, and how many pairs have each."""

    changes: I64
    counts: I64

    @classmethod
    def of(cls, bitext: Bitext, links: Links) -> Habits:
        """Learn the changes between forms that express the same source word."""
        starts, members = _forms_by_source(bitext, links)
        words = letters_of(bitext.target.words.vocabulary)
        number = collect_changes(_LEARNED, starts, members, words, np.zeros(0, np.int64))
        collected = np.zeros(number, np.int64)
        collect_changes(_LEARNED, starts, members, words, collected)
        changes, counts = np.unique(collected, return_counts=True)
        return cls(changes, counts.astype(np.int64))

    def usual(self, forms: Sequence[str], columns: int) -> F64:
        """Return how usual the changes are between forms and the first of them, from 0 to 1.

        It is the logarithm of the count of a change, divided by that of the most frequent one.
        """
        changes = np.zeros(len(forms) * columns, np.int64)
        number_changes(columns, _JUDGED, letters_of(forms), changes)
        usual = np.zeros(len(changes))
        if len(self.changes):
            at = np.minimum(np.searchsorted(self.changes, changes), len(self.changes) - 1)
            known = np.where(self.changes[at] == changes, self.counts[at], 0)
            usual = np.log1p(known) / np.log1p(self.counts.max())
        table: F64 = usual.reshape(len(forms), columns)
        return table


def _forms_by_source(bitext: Bitext, links: Links) -> tuple[I64, I64]:
    """Return where the target words of each source word begin, and the target words."""
    sure = links.above(_SURE)
    words = bitext.target.words
    source = bitext.source.words.numbers[sure.tokens].astype(np.int64)
    places = words.starts[bitext.source.words.rows[sure.tokens]] + sure.places
    size = len(words.vocabulary)
    pairs, counts = np.unique(source * size + words.numbers[places], return_counts=True)
    order = np.lexsort((-counts, pairs // size))
    source, target = pairs[order] // size, pairs[order] % size
    is_frequent = np.arange(len(source)) - np.searchsorted(source, source) < _FORMS_OF_SOURCE
    source, target = source[is_frequent], target[is_frequent]
    starts = np.searchsorted(source, np.unique(source))
    return np.append(starts, len(source)).astype(np.int64), target


def letters_of(words: Sequence[str]) -> Spelling:
    """Return the letters of words.

    Syllables of Korean are split into their letters.

    >>> spelling = letters_of(["ab", "왕"])
    >>> spelling.starts.tolist(), spelling.letters.tolist()
    ([0, 2, 5], [97, 98, 4363, 4458, 4540])
    """
    spelled = [
        unicodedata.normalize("NFD", word) if any("가" <= sign <= "힣" for sign in word) else word
        for word in words
    ]
    starts = offsets([len(word) for word in spelled])
    letters = np.frombuffer("".join(spelled).encode("utf-32-le", "surrogatepass"), "<i4")
    return Spelling(starts, letters.astype(np.int32, copy=False))
