"""``Seed``: a lemma of the source language, and its tokens."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64


@dataclass(frozen=True, eq=False)
class Seed:
    """The tokens of a lemma of the source language.

    Parameters
    ----------
    lemma
        As the user wrote it: ``hand``, or ``hand/N`` in a tagged text.
    rows, places
        For each token the row of its passage, and its place in the passage.
    """

    lemma: str
    rows: I32
    places: I32

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def passages(self) -> I64:
        """The distinct rows of the seed."""
        return np.unique(self.rows).astype(np.int64)


def hint_for(lemma: str, vocabulary: Collection[str]) -> str:
    """Return a hint for the error that a word does not occur.

    >>> hint_for("hnad", ["hand/N", "the/DET"]), hint_for("hnad/N", ["hand/N", "the/DET"])
    ('; did you mean hand?', '; did you mean hand/N?')
    >>> hint_for("hand/N", ["hand", "the"])
    '; the text is not tagged (`tealeaves lexicon tag` does it): ask for hand'
    """
    bare = lemma.rpartition("/")[0]
    tagged = [word for word in vocabulary if word.rpartition("/")[0]]
    if bare and 2 * len(tagged) < len(vocabulary):  # words of plain texts may have a slash
        cure = f": ask for {bare}" if bare in vocabulary else did_you_mean(bare, vocabulary)
        return f"; the text is not tagged (`tealeaves lexicon tag` does it){cure}"
    if bare:
        same = sorted(word for word in tagged if word.rpartition("/")[0] == bare)
        return f"; did you mean {' or '.join(same)}?" if same else did_you_mean(lemma, vocabulary)
    return did_you_mean(lemma, {word.rpartition("/")[0] or word for word in vocabulary})


def find_seed(words: Words, lemma: str) -> Seed:
    """Find the tokens of a lemma; ``hand`` matches ``hand/N`` and ``hand/V`` too.

    >>> seed = find_seed(Words.of([["hand/N", "the"], ["hand/V", "hand/N"]]), "hand")
    >>> seed.rows.tolist(), seed.places.tolist()
    ([0, 1, 1], [0, 0, 1])
    >>> len(find_seed(Words.of([["hand/N", "the"], ["hand/V", "hand/N"]]), "hand/V"))
    1
    """
    numbers = [
        number
        for number, word in enumerate(words.vocabulary)
        if lemma in (word, word.rpartition("/")[0])
    ]
    tokens = np.flatnonzero(np.isin(words.numbers, numbers))
    if not len(tokens):
        raise InputError(
            f"{lemma!r} never occurs in the source text{hint_for(lemma, words.vocabulary)}"
        )
    rows = words.rows[tokens]
    return Seed(lemma, rows, (tokens - words.starts[rows]).astype(np.int32))
