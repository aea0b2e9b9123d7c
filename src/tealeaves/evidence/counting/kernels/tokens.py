"""Hits: the requested tokens of texts, found in bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.evidence.counting.kernels.word_table import WordTable
    from tealeaves.kernels import I32, I64, U8, U64
    from tealeaves.text.characters import CharacterTables

VISIBLE, LETTERS, LETTERS_AND_DIGITS = 0, 1, 2  # what tokens are made of
COUNTED, DROPPED, LEFT, SKIPPED = 0, 1, 2, 3  # what became of a text
LONGEST = (1 << 31) - 128  # bytes of a text: places in it are 32 bits


@dataclass(frozen=True)
class TextArrays(Arguments):
    """Texts: the bytes ``starts[i]`` to ``ends[i]`` of ``data``, and whether text i is wanted."""

    data: U8
    starts: I64
    ends: I64
    wanted: U8


@dataclass(frozen=True)
class TokenRules(Arguments):
    """What tokens are made of, and which are left out.

    ``lower`` says that texts are lower-cased, ``fold`` that only copies of tokens are, to compare
    them with stop words.
    """

    kind: int
    lower: int
    fold: int
    min_length: int
    min_tokens: int


@dataclass(frozen=True)
class HitBuffers(Arguments):
    """The arrays that are written to; the first five are used anew for each text.

    The j-th counted text has the hits ``bounds[j]`` to ``bounds[j + 1]`` and ``lengths[j]`` tokens.
    ``fates`` says what became of each text.
    """

    low: U8
    mask: U64
    earlier: I32
    edges: I32
    maybe: I32
    token: I32
    place: I32
    bounds: I64
    lengths: I64
    digests: U64
    fates: U8


@kernel
def find_hits(
    texts: TextArrays,
    characters: CharacterTables,
    words: WordTable,
    stop: WordTable,
    rules: TokenRules,
    buffers: HitBuffers,
) -> int:
    """Find the requested tokens of texts; return the number of texts that were counted.

    For each text: mask the bytes of tokens, list the tokens, select those that may be in the table,
    and look these up. Texts that only Python can split are left.
    """
    raise NotImplementedError  # without the library, tokens are found in strings
