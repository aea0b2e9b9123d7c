"""Masks: which words of a text are to be told, and what stands in their places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.evidence.relevance.classifier.batching import Numbers

# of the words that are to be told, as BERT was trained: masked, replaced, and the rest left
_MASKED, _REPLACED = 0.8, 0.1


class MaskedText(NamedTuple):
    """A text with masks: its pieces as they are shown, and which of them are to be told."""

    pieces: Numbers
    asked: NDArray[np.bool_]


class Masks:
    """Chooses whole words, and puts masks or other pieces in their places.

    Parameters
    ----------
    mask
        The number of the mask among pieces.
    others
        Numbers of the pieces that may stand in the place of others.
    share
        The share of words that are chosen in each text; at least one is.
    """

    def __init__(self, mask: int, others: Numbers, share: float) -> None:
        self._mask = mask
        self._others = others
        self._share = share

    def put(
        self, pieces: Numbers, words: Numbers, rng: np.random.Generator, *, always: bool = False
    ) -> MaskedText:
        """Choose words of a text, each wholly.

        Of the chosen words 80 % are masked, 10 % replaced by random pieces and 10 % left, unless
        they are ``always`` masked.

        >>> masks = Masks(4, np.array([7]), 0.5)
        >>> words = np.array([-1, 0, 0, 1, -1])
        >>> text = np.array([2, 10, 11, 12, 3])
        >>> masks.put(text, words, np.random.default_rng(1), always=True).pieces.tolist()
        [2, 4, 4, 12, 3]
        """
        present = np.unique(words[words >= 0])
        count = min(len(present), max(1, round(self._share * len(present))))
        chosen = rng.choice(present, count, replace=False)
        fate = np.zeros(count) if always else rng.random(count)
        shown = pieces.copy()
        masked = np.isin(words, chosen[fate < _MASKED])
        shown[masked] = self._mask
        replaced = np.isin(words, chosen[(fate >= _MASKED) & (fate < _MASKED + _REPLACED)])
        shown[replaced] = rng.choice(self._others, int(replaced.sum()))
        return MaskedText(shown, np.isin(words, chosen))
