"""Four ways to find the tokens of a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib.metadata import version

from tealeaves.extras import require

# A letter, then letters and marks. The zero-width joiners of Persian and the scripts of India
# stand inside words.
WORDS = r"\p{L}[\p{L}\p{M}]*(?:[\u200c\u200d]+[\p{L}\p{M}]+)*"
WORDS_AND_DIGITS = r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[\u200c\u200d]+[\p{L}\p{M}\p{N}]+)*"

# Scripts that are written without spaces, whose characters can stand for words, with the sign that
# lengthens vowels in Japanese.
_UNPARTED = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

# Vowels and reading marks that may be written or not: of Arabic, with the stroke that lengthens
# words, and of Hebrew, without the signs of punctuation among them (U+05BE parts words).
MARKS = re.compile("[\u0640\u064b-\u0652\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]")

Splitter = Callable[[str], list[str]]


def splitter(
    kind: str, *, lower: bool, digits: bool, language: str | None, marks: bool = True
) -> Splitter:
    """Return the function that splits a text."""
    if kind == "tokens":
        split = _tokens(lower=lower, digits=digits)
    elif kind == "words":
        split = _words(lower=lower, digits=digits)
    elif kind == "characters":
        split = _characters(lower=lower, digits=digits)
    else:
        split = _icu(lower=lower, digits=digits, language=language or "root")
    return split if marks else lambda text: split(without_marks(text, normal=kind != "tokens"))


def _tokens(*, lower: bool, digits: bool) -> Splitter:
    split: Splitter = (lambda text: text.lower().split()) if lower else str.split
    if digits:
        return split
    return lambda text: [token for token in split(text) if not token.isdigit()]


def _words(*, lower: bool, digits: bool) -> Splitter:
    import regex

    find: Splitter = regex.compile(WORDS_AND_DIGITS if digits else WORDS).findall
    return lambda text: find(normal(text, lower=lower))


def _characters(*, lower: bool, digits: bool) -> Splitter:
    import regex

    letters = r"[\p{L}\p{N}]" if digits else r"\p{L}"  # 〇 is a number
    single = rf"[{letters}&&[{_UNPARTED}]]\p{{M}}*"
    others = WORDS_AND_DIGITS if digits else WORDS
    for kind in (r"\p{L}", r"\p{N}"):  # the runs of other letters end where such a script begins
        others = others.replace(kind, rf"[{kind}--[{_UNPARTED}]]")
    find: Splitter = regex.compile(f"{single}|{others}", regex.V1).findall
    return lambda text: find(normal(text, lower=lower))


@cache
def _character() -> Callable[[str], object]:
    import regex

    found: Callable[[str], object] = regex.compile(rf"[{_UNPARTED}]\p{{M}}*").fullmatch
    return found


def is_character(word: str) -> bool:
    """Tell whether a word is one character of a script that is written without spaces.

    >>> [is_character(word) for word in ("神", "上帝", "a")]
    [True, False, False]
    """
    return _character()(word) is not None


def _icu(*, lower: bool, digits: bool, language: str) -> Splitter:
    import regex

    breakers = require("icu4py.breakers", extra="langs", reason="the pipeline icu")
    is_word = regex.compile(r"[\p{L}\p{N}]" if digits else r"\p{L}").search

    def split(text: str) -> list[str]:
        segments = breakers.WordBreaker(normal(text, lower=lower), language)
        return [segment for segment in segments if is_word(segment)]

    return split


def icu_version() -> str:
    """Return what decides ICU's word boundaries, for signatures."""
    require("icu4py", extra="langs", reason="the pipeline icu")
    return f"icu4py-{version('icu4py')}"


def normal(text: str, *, lower: bool) -> str:
    """Bring a text to Unicode normal form C, lower case if asked."""
    return unicodedata.normalize("NFC", text.lower() if lower else text)


def without_marks(text: str, *, normal: bool = True) -> str:
    """Leave out the vowel marks of Arabic and Hebrew, in normal form C or as they stand.

    >>> without_marks("كِتَابٌ")
    'كتاب'
    """
    # letters that are one character with their marks come apart in the normal form
    return MARKS.sub("", unicodedata.normalize("NFC", text) if normal else text)
