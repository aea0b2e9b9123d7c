"""Of which words a tokenizer of word pieces makes something to go by.

Such a tokenizer takes every word, and writes one that it has never seen letter by letter. The
vectors of letters say nothing of a word: MiniLM, which is English, would find all Russian words
alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

# which of the rules below chose words whose vectors are kept: count on when one changes
VERSION = "pieces 1"

# The parts of a word, as they are written; None is a part that the tokenizer does not know.
Pieces = Sequence[str | None]
Splitter = Callable[[list[str]], list[Pieces]]

# From this share of letters that stand alone, a word counts as written letter by letter. It must
# be below 1, since MiniLM has a few endings of Russian (р о с с ии), and above 3/5 (p y gm y).
_MOST = 2 / 3
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_MARKS = ("##", "▁", "Ġ")  # what tokenizers write before a piece
_WITHOUT_SPACES = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "HANGUL SYLLABLE",
    "BOPOMOFO",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
    "TIBETAN",
)


def supported(terms: Iterable[str], split: Splitter, *, characters: bool) -> NDArray[np.bool_]:
    """Tell for each term whether all of its words fall into pieces that say something.

    Parameters
    ----------
    terms
        Words, or several with spaces between them.
    split
        Gives the pieces of words.
    characters
        Whether a character of a script without spaces, such as Chinese, is a piece in its own
        right; it is not for an embedding that was made for English.
    """
    parts = [term.split() for term in terms]
    words = list(dict.fromkeys(word for part in parts for word in part if _is_text(word)))
    found = zip(words, split(words) if words else [], strict=True)
    fine = {word for word, pieces in found if says_something(pieces, characters=characters)}
    return np.array([bool(part) and fine.issuperset(part) for part in parts], dtype=bool)


def says_something(pieces: Pieces, *, characters: bool) -> bool:
    """Tell whether a word is known by its pieces, and is not written letter by letter.

    Letters that stand alone in the word itself, as in ``u.s.`` and ``3d``, are as they should be.

    >>> says_something(["m", "il", "k"], characters=False)
    True
    >>> says_something(["п", "р", "и"], characters=False)
    False
    >>> says_something(["u", ".", "s", "."], characters=False)
    True
    """
    known = [piece for piece in pieces if piece is not None]
    if not known or len(known) < len(pieces):
        return False
    letters = alone = 0
    for run in _runs_of_letters(known):
        letters += len(run)
        if len(run) > 1:
            alone += sum(single and not (characters and _needs_no_other(c)) for c, single in run)
    return not letters or alone < _MOST * letters


def _is_text(word: str) -> bool:
    """Tell whether a word can be written as UTF-8: half a surrogate pair cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in word)


def _runs_of_letters(pieces: Iterable[str]) -> Iterable[list[tuple[str, bool]]]:
    """Yield letters that stand together in a word, each with whether it is a piece alone."""
    marked = [
        (character, sum(map(str.isalpha, piece)) == 1)
        for piece in pieces
        for character in piece
        if not unicodedata.category(character).startswith("M")
    ]
    for is_run, run in groupby(marked, key=lambda one: one[0].isalpha()):
        if is_run:
            yield list(run)


def _needs_no_other(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_WITHOUT_SPACES)


def pieces_of(encoding: Any, word: str, unknown: frozenset[int]) -> Pieces:
    """Return the pieces of a word from an ``Encoding`` of tokenizers.

    They are cut from the word by the places that the encoding gives, since what tokens are called
    differs: there may be marks, stripped accents, or bytes.
    """
    pieces: list[str | None] = []
    before = (-1, -1)
    for number, token, place in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True):
        if number not in unknown and not _without_mark(token):
            continue  # the sign for a space alone
        start, end = place
        if number in unknown or _BYTE.fullmatch(token):
            pieces.append(None)
        elif place == before and end - start == 1:
            pieces.append(None)  # a part of a character
        else:
            pieces.append(word[start:end].strip())
        before = place
    return pieces


def _without_mark(token: str) -> str:
    for mark in _MARKS:
        token = token.removeprefix(mark)
    return token
