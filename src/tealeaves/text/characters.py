"""Tables of characters: what the tokenizer of bytes has to know about each character.

The tables are computed with the functions that the tokenizers of strings use (``regex``,
``str.lower``, ``unicodedata``), so that both find the same tokens, whatever version of Unicode is
installed. That takes about 35 milliseconds; they are kept in the user's cache. A text with
a character that is ``HARD`` is left to the tokenizers of strings: its lower case depends on other
characters or has another length, or normal form C would change it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from tealeaves.cache import cached
from tealeaves.kernels import Arguments
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.arrays import Integers
    from tealeaves.kernels import I32

LETTER = 1  # begins and continues a token
MARK = 2  # continues a token
JOINER = 4  # continues a token if a letter or mark follows
HARD = 8  # the text is left to Python
MAYBE = 16  # normal form C may join it to the character before it
FIRST = 32  # normal form C may join the next character to it
SIGMA = 64  # the capital sigma, which has another lower case at the end of a word
CHANGES = 128  # its lower case is another character
CLASS = 1 << 8  # times the canonical combining class, which has 8 bits
LAST = 1 << 16  # times the class of the last character of its decomposition

_combining = unicodedata.combining
_PAGE = 256
_PLANE = 1 << 16
_PAGES = 0x110000 // _PAGE
_SURROGATES = slice(0xD800, 0xE000)
_HANGUL = range(0xAC00, 0xD7A4)
_PLANES = range(0x110000 // _PLANE)
# Up to this version of Unicode, no other plane has letters, marks, numbers, cases or compositions.
_KNOWN_VERSION = 17
_USED_PLANES = (0, 1, 2, 3, 14)
_UNUSED_PLANE = 4
_LAST_MARK = "\u0345"  # of the highest combining class: it follows all other marks
_LETTERS = {"words": (r"\p{L}+",), "words+digits": (r"\p{L}+", r"\p{N}+")}

Kind = Literal["tokens", "words", "words+digits"]
Case = Literal["lower", "fold", "keep"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CASES: tuple[Case, ...] = get_args(Case)


@dataclass(frozen=True)
class CharacterTables(Arguments):
    """The traits and the lower case of all characters.

    Those of character c are at the place ``page[c >> 8] * 256 + (c & 255)``: ``traits`` has the
    bits above, and ``lowered`` has the number to be added to c for its lower case.
    """

    page: I32
    traits: I32
    lowered: I32


@cache
def character_tables(kind: Kind, case: Case) -> CharacterTables:
    """Return the tables for a tokenizer.

    ``case`` is ``lower`` (the text is lower-cased first), ``fold`` (only copies of tokens are
    lower-cased, to compare them with stop words) or ``keep``.
    """
    module = Path(__file__).stat()  # whoever changes it gets new tables
    versions = f"tealeaves {__version__} {module.st_size} {module.st_mtime_ns}"
    versions += f", Unicode {unicodedata.unidata_version}"
    if kind != "tokens":
        import regex

        versions += f", regex {regex.__version__}"
    stored = cached(f"characters-{kind}-{case}", versions, lambda: _make_tables(kind, case))
    numbers = np.frombuffer(stored, dtype="<i4").astype(np.int32, copy=False)
    page, pages = numbers[:_PAGES], numbers[_PAGES:].reshape(2, -1)
    return CharacterTables(page, traits=pages[0], lowered=pages[1])


def _make_tables(kind: Kind, case: Case) -> bytes:
    """Compute the tables; return the numbers of all three, one after the other."""
    planes = _planes(kind)
    every = _every_character(planes)
    traits = np.zeros(len(every), dtype=np.int32)
    lowered = np.zeros(len(every), dtype=np.int32)
    if case != "keep":
        _add_lower_case(every, traits, lowered)
    form = np.zeros(len(every), dtype=np.int32)
    if kind == "tokens":
        _add_not_space(every, form)
    else:
        _add_words(every, form, _LETTERS[kind])
        _add_normal_form(every, form)
    if case == "lower":  # the splitter sees characters in lower case
        changed = np.flatnonzero(lowered)
        form[changed] = form[changed + lowered[changed]]
    traits |= form
    return _by_pages(traits, lowered, planes)


def _by_pages(traits: I32, lowered: I32, planes: tuple[int, ...]) -> bytes:
    """Keep each page once: most of them are like others."""
    numbers: dict[bytes, int] = {}
    both = traits.reshape(-1, _PAGE), lowered.reshape(-1, _PAGE)
    number = [
        numbers.setdefault(one.tobytes() + two.tobytes(), len(numbers))
        for one, two in zip(*both, strict=True)
    ]
    distinct = np.frombuffer(b"".join(numbers), dtype=np.int32).reshape(len(numbers), 2, _PAGE)
    places = [planes.index(plane if plane in planes else _UNUSED_PLANE) for plane in _PLANES]
    page = np.array(number, dtype=np.int32).reshape(len(planes), -1)[places]
    parts = page, distinct[:, 0], distinct[:, 1]
    return np.concatenate([part.reshape(-1) for part in parts]).astype("<i4").tobytes()


def _planes(kind: Kind) -> tuple[int, ...]:
    """Return the planes that are looked at, in order: those in use, and one of the others.

    All planes are looked at if a later version of Unicode may use more of them.
    """
    if int(unicodedata.unidata_version.partition(".")[0]) > _KNOWN_VERSION:
        return tuple(_PLANES)
    if kind != "tokens":
        import regex

        others = [plane for plane in _PLANES if plane not in _USED_PLANES]
        first_pages = np.concatenate([np.arange(_PAGE) + plane * _PLANE for plane in others])
        if regex.search(r"[\p{L}\p{M}\p{N}]", _characters(first_pages)):
            return tuple(_PLANES)
    return tuple(sorted([*_USED_PLANES, _UNUSED_PLANE]))


@cache
def _every_character(planes: tuple[int, ...]) -> str:
    """Return all characters of some planes, in order; spaces instead of surrogates.

    Those of the first planes are at the place of their number.
    """
    codes = np.concatenate([np.arange(_PLANE) + plane * _PLANE for plane in planes])
    codes[_SURROGATES] = ord(" ")
    return _characters(codes)


def _characters(codes: Integers) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le")


def _after_marks(text: str) -> str:
    """Return a text with the last mark before each character."""
    codes = np.full((len(text), 2), ord(_LAST_MARK), dtype="<u4")
    codes[:, 1] = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    return _characters(codes.reshape(-1))


def _pages(every: str) -> Iterator[tuple[int, str]]:
    """Yield the pages, and where they start."""
    for start in range(0, len(every), _PAGE):
        yield start, every[start : start + _PAGE]


def _add_lower_case(every: str, traits: I32, lowered: I32) -> None:
    for start, page in _pages(every):
        if page.lower() == page:
            continue
        for place, character in enumerate(page, start):
            lower = character.lower()
            if lower == character:
                continue
            if len(lower.encode()) != len(character.encode()) or len(lower) != 1:
                traits[place] |= HARD
            else:
                traits[place] |= CHANGES
                lowered[place] = ord(lower) - ord(character)
    traits[ord("Σ")] |= SIGMA


def _add_not_space(every: str, traits: I32) -> None:
    """Mark the characters at which ``str.split`` does not split."""
    traits[:] = LETTER
    start = 0
    for word in every.split():
        end = every.index(word[0], start)
        traits[start:end] = 0
        start = end + len(word)
    traits[start:] = 0
    traits[_SURROGATES] = LETTER


def _add_words(every: str, traits: I32, letters: tuple[str, ...]) -> None:
    """Mark the classes of characters that the patterns of :mod:`.tokenizers` are made of."""
    import regex

    for bit, patterns in ((LETTER, letters), (MARK, (r"\p{M}+",))):
        for pattern in patterns:
            for match in regex.finditer(pattern, every):
                traits[match.start() : match.end()] |= bit
    traits[[0x200C, 0x200D]] |= JOINER


def _add_normal_form(every: str, traits: I32) -> None:
    """Mark the characters that normal form C changes, may join, or puts into another order."""
    for start, page in _pages(every):
        # all other marks would have to stand before the last one
        if start in _HANGUL or unicodedata.is_normalized("NFD", _after_marks(page)):
            continue
        for character in page:
            if _combining(character) or not unicodedata.is_normalized("NFD", character):
                _add_form(character, traits)
    _add_hangul(traits)


def _add_form(character: str, traits: I32) -> None:
    code, pair = ord(character), unicodedata.decomposition(character)
    if not unicodedata.is_normalized("NFC", character):
        traits[code] |= HARD
    elif pair and not pair.startswith("<"):
        first, *second = (int(part, 16) for part in pair.split())
        traits[first] |= FIRST
        traits[second] |= MAYBE
    last = unicodedata.normalize("NFD", character)[-1]
    traits[code] |= _combining(character) * CLASS | _combining(last) * LAST


def _add_hangul(traits: I32) -> None:
    """Mark the parts of Korean syllables, whose decompositions ``unicodedata`` does not list."""
    traits[0x1100:0x1113] |= FIRST
    traits[0x1161:0x1176] |= MAYBE
    traits[0xAC00:0xD7A4:28] |= FIRST
    traits[0x11A8:0x11C3] |= MAYBE
