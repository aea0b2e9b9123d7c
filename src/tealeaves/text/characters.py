"""Tables of characters: what the tokenizer of bytes has to know about each character.

The tables are computed with the functions that the tokenizers of strings use (``regex``,
``str.lower``, ``unicodedata``), so that both find the same tokens, whatever version of Unicode is
installed. A text with a character that is ``HARD`` is left to the tokenizers of strings: its lower
case depends on other characters or has another length, or normal form C would change it.
"""

from __future__ import annotations

import io
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from tealeaves.compiling.cache import cached, file_digest
from tealeaves.kernels import Arguments

if TYPE_CHECKING:
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

_SOURCE = file_digest(__file__)  # computed when the module is loaded
_combining = unicodedata.combining
_PAGE = 256
_ALL = 0x110000
_SURROGATES = range(0xD800, 0xE000)
_PATTERNS = {"words": (r"\p{L}+", r"\p{M}+"), "words+digits": (r"[\p{L}\p{N}]+", r"\p{M}+")}

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
    key = f"{_SOURCE} {sys.version} regex-{version('regex')} {kind} {case}"
    data = cached(f"characters-{kind}-{case}", key, lambda: _compute_tables(kind, case))
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return CharacterTables(arrays["page"], arrays["traits"], arrays["lowered"])


def _compute_tables(kind: str, case: str) -> bytes:
    """Compute the tables and return them as an npz file."""
    traits = np.zeros(_ALL, dtype=np.int32)
    lowered = np.zeros(_ALL, dtype=np.int32)
    if case != "keep":
        _add_lower_case(traits, lowered)
    seen = np.arange(_ALL) + lowered if case == "lower" else np.arange(_ALL)
    form = np.zeros(_ALL, dtype=np.int32)
    if kind == "tokens":
        _add_not_space(form)
    else:
        _add_words(form, *_PATTERNS[kind])
        _add_normal_form(form)
    traits |= form[seen]  # of the character that the splitter sees, which may be in lower case
    place, pages = _number_distinct(np.stack([traits, lowered], axis=1).reshape(-1, 2 * _PAGE))
    file = io.BytesIO()
    np.savez(
        file,
        page=np.array(place, dtype=np.int32),
        traits=np.ascontiguousarray(pages[:, 0::2]).reshape(-1),
        lowered=np.ascontiguousarray(pages[:, 1::2]).reshape(-1),
    )
    return file.getvalue()


def _number_distinct(rows: I32) -> tuple[list[int], I32]:
    """Return the number of each row among the distinct rows, and these."""
    numbers: dict[bytes, int] = {}
    place = [numbers.setdefault(row.tobytes(), len(numbers)) for row in rows]
    return place, np.frombuffer(b"".join(numbers), dtype=np.int32).reshape(len(numbers), -1)


def _pages() -> Iterator[str]:
    """Yield all characters that UTF-8 can encode, page by page."""
    for start in range(0, _ALL, _PAGE):
        if start not in _SURROGATES:
            yield "".join(map(chr, range(start, start + _PAGE)))


def _add_lower_case(traits: I32, lowered: I32) -> None:
    for page in _pages():
        if page.lower() == page:
            continue
        for character in page:
            lower, code = character.lower(), ord(character)
            if lower == character:
                continue
            if len(lower.encode()) != len(character.encode()) or len(lower) != 1:
                traits[code] |= HARD
            else:
                traits[code] |= CHANGES
                lowered[code] = ord(lower) - code
    traits[ord("Σ")] |= SIGMA


def _add_not_space(traits: I32) -> None:
    """Mark the characters at which ``str.split`` does not split."""
    traits[:] = LETTER
    for page in _pages():
        if len(page.split()) != 1 or page.strip() != page:
            for character in page:
                if character.isspace():
                    traits[ord(character)] = 0


def _add_words(traits: I32, letters: str, marks: str) -> None:
    """Mark the classes of characters that the patterns of :mod:`.tokenizers` are made of."""
    import regex

    for page in _pages():
        start = ord(page[0])
        for bit, pattern in ((LETTER, letters), (MARK, marks), (JOINER, "[\u200c\u200d]+")):
            for match in regex.finditer(pattern, page):
                traits[start + match.start() : start + match.end()] |= bit


def _add_normal_form(traits: I32) -> None:
    """Mark the characters that normal form C changes, may join, or puts into another order."""
    for page in _pages():
        if unicodedata.normalize("NFD", page) == page and not any(map(_combining, page)):
            continue
        for character in page:
            code = ord(character)
            pair = unicodedata.decomposition(character)
            if not unicodedata.is_normalized("NFC", character):
                traits[code] |= HARD
            elif pair and not pair.startswith("<"):
                first, *second = (int(part, 16) for part in pair.split())
                traits[first] |= FIRST
                traits[second] |= MAYBE
            last = unicodedata.normalize("NFD", character)[-1]
            traits[code] |= _combining(character) * CLASS | _combining(last) * LAST
    _add_hangul(traits)


def _add_hangul(traits: I32) -> None:
    """Mark the parts of Korean syllables, whose decompositions ``unicodedata`` does not list."""
    traits[0x1100:0x1113] |= FIRST
    traits[0x1161:0x1176] |= MAYBE
    traits[0xAC00:0xD7A4:28] |= FIRST
    traits[0x11A8:0x11C3] |= MAYBE
