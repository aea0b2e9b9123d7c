"""Splitters: four ways to find the tokens of a text (tokens, words, characters, icu)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Any

from tealeaves.extras import require

# A letter, then letters and marks. Zero-width joiners (Persian, scripts of India) are inside words.
WORDS = r"\p{L}[\p{L}\p{M}]*(?:[\u200c\u200d]+[\p{L}\p{M}]+)*"
WORDS_AND_DIGITS = r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[\u200c\u200d]+[\p{L}\p{M}\p{N}]+)*"

# Scripts that are written without spaces, and the sign that lengthens vowels in Japanese.
_WITHOUT_SPACES = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

# Vowel and reading marks, which are optional in writing: of Arabic, with the tatweel, which
# lengthens words, and of Hebrew, without punctuation (U+05BE separates words).
MARKS = re.compile("[\u0640\u064b-\u0652\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]")

Splitter = Callable[[str], list[str]]


def splitter(
    kind: str, *, lower: bool, digits: bool, language: str | None, marks: bool = True
) -> Splitter:
    """Return the function that splits a text into tokens."""
    if kind == "tokens":
        split = _token_splitter(lower=lower, digits=digits)
    elif kind == "words":
        split = _word_splitter(lower=lower, digits=digits)
    elif kind == "characters":
        split = _character_splitter(lower=lower, digits=digits)
    else:
        split = _icu_splitter(lower=lower, digits=digits, language=language or "root")
    return split if marks else lambda text: split(without_marks(text, nfc=kind != "tokens"))


def _token_splitter(*, lower: bool, digits: bool) -> Splitter:
    split: Splitter = (lambda text: text.lower().split()) if lower else str.split
    if digits:
        return split
    return lambda text: [token for token in split(text) if not token.isdigit()]


def _word_splitter(*, lower: bool, digits: bool) -> Splitter:
    import regex

    find: Splitter = regex.compile(WORDS_AND_DIGITS if digits else WORDS).findall
    return lambda text: find(normalize(text, lower=lower))


def _character_splitter(*, lower: bool, digits: bool) -> Splitter:
    import regex

    letters = r"[\p{L}\p{N}]" if digits else r"\p{L}"  # 〇 is a number in Unicode
    single = rf"[{letters}&&[{_WITHOUT_SPACES}]]\p{{M}}*"
    others = WORDS_AND_DIGITS if digits else WORDS
    for kind in (r"\p{L}", r"\p{N}"):  # a word of other letters ends where such a script begins
        others = others.replace(kind, rf"[{kind}--[{_WITHOUT_SPACES}]]")
    find: Splitter = regex.compile(f"{single}|{others}", regex.V1).findall
    return lambda text: find(normalize(text, lower=lower))


def _icu_splitter(*, lower: bool, digits: bool, language: str) -> Splitter:
    import regex

    breakers = require("icu4py.breakers", extra="langs", reason="the pipeline icu")
    is_word = regex.compile(r"[\p{L}\p{N}]" if digits else r"\p{L}").search

    def split(text: str) -> list[str]:
        segments = breakers.WordBreaker(normalize(text, lower=lower), language)
        return [segment for segment in segments if is_word(segment)]

    return split


def icu_version() -> str:
    """Return the version of ICU, which decides the word boundaries, for signatures."""
    from importlib.metadata import version

    require("icu4py", extra="langs", reason="the pipeline icu")
    return f"icu4py-{version('icu4py')}"


def normalize(text: str, *, lower: bool) -> str:
    """Bring a text to Unicode normal form C, and to lower case if wanted."""
    return unicodedata.normalize("NFC", text.lower() if lower else text)


def without_marks(text: str, *, nfc: bool = True) -> str:
    """Remove the vowel marks of Arabic and Hebrew, after normalisation to form C if wanted.

    >>> without_marks("كِتَابٌ")
    'كتاب'
    """
    # form C splits the few characters that are a letter with its mark
    return MARKS.sub("", unicodedata.normalize("NFC", text) if nfc else text)


def is_character(word: str) -> bool:
    """Tell whether a word is one character of a script that is written without spaces.

    >>> [is_character(word) for word in ("神", "上帝", "a")]
    [True, False, False]
    """
    return _character_pattern().fullmatch(word) is not None


@cache
def _character_pattern() -> Any:
    import regex

    return regex.compile(rf"[{_WITHOUT_SPACES}]\p{{M}}*")
