"""``Habits``: how usual a change between two forms is in a language.

Words that express the same source word are often forms of one word. A change that is found between
many such pairs (si to den: käsi, käden; vesi, veden; uusi, uuden) is how the language inflects;
one that is found once is not. That is learned from the alignment of a bitext, for any language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.stems.changes import collect_changes, number_changes
from tealeaves.lexicon.stems.letters import letters_of

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64, I64

# links from which is learned
_SURE = 0.5
# of each source word so many forms, the most frequent
_MOST = 150
# words must share so much of the longer one to be learned from, and to be judged
_LEARNED, _JUDGED = 0.4, 0.2


@dataclass(frozen=True, eq=False)
class Habits:
    """Changes between forms, by number, in ascending order, and between how many pairs each is."""

    changes: I64
    counts: I64

    @classmethod
    def of(cls, bitext: Bitext, links: Links) -> Habits:
        """Learn the changes between forms that express the same source word."""
        starts, members = _forms_by_source(bitext, links)
        letters = letters_of(bitext.target.words.vocabulary)
        number = collect_changes(_LEARNED, starts, members, *letters, np.zeros(0, np.int64))
        found = np.zeros(number, np.int64)
        collect_changes(_LEARNED, starts, members, *letters, found)
        changes, counts = np.unique(found, return_counts=True)
        return cls(changes, counts.astype(np.int64))

    def usual(self, forms: Sequence[str], columns: int) -> F64:
        """Return how usual the changes are between forms and the first of them, from 0 to 1.

        It is the logarithm of how often a change is found, as a share of that of the commonest.
        """
        starts, letters = letters_of(forms)
        asked = np.zeros(len(forms) * columns, np.int64)
        number_changes(columns, _JUDGED, starts, letters, asked)
        usual = np.zeros(len(asked))
        if len(self.changes):
            at = np.minimum(np.searchsorted(self.changes, asked), len(self.changes) - 1)
            known = np.where(self.changes[at] == asked, self.counts[at], 0)
            usual = np.log1p(known) / np.log1p(self.counts.max())
        table: F64 = usual.reshape(len(forms), columns)
        return table


def _forms_by_source(bitext: Bitext, links: Links) -> tuple[I64, I64]:
    """Return the target words of each source word, one source word after the other."""
    sure = links.above(_SURE)
    words = bitext.target.words
    source = bitext.source.words.numbers[sure.tokens].astype(np.int64)
    places = words.starts[bitext.source.words.rows[sure.tokens]] + sure.places
    size = len(words.vocabulary)
    pairs, counts = np.unique(source * size + words.numbers[places], return_counts=True)
    order = np.lexsort((-counts, pairs // size))
    source, target = pairs[order] // size, pairs[order] % size
    rank = np.arange(len(source)) - np.searchsorted(source, source)
    source, target = source[rank < _MOST], target[rank < _MOST]
    starts = np.searchsorted(source, np.unique(source))
    return np.append(starts, len(source)).astype(np.int64), target
