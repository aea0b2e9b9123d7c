"""The letters of words, one after the other."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64


def letters_of(words: Sequence[str]) -> tuple[I64, I32]:
    """Return where each word begins among all letters, and the letters.

    >>> starts, letters = letters_of(["ab", "a"])
    >>> starts.tolist(), letters.tolist()
    ([0, 2, 3], [97, 98, 97])
    """
    spelled = [spell(word) for word in words]
    starts = np.concatenate([[0], np.cumsum([len(word) for word in spelled])]).astype(np.int64)
    letters = np.frombuffer("".join(spelled).encode("utf-32-le", "surrogatepass"), np.int32)
    return starts, letters


def spell(word: str) -> str:
    """Return a word letter by letter: a syllable of Korean is one sign of two letters or three.

    >>> len(spell("왕")), len(spell("왕이")), spell("käsi")
    (3, 5, 'käsi')
    """
    if any("가" <= sign <= "힣" for sign in word):
        return unicodedata.normalize("NFD", word)
    return word
