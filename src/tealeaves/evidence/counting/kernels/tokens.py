"""Hits: the requested tokens of texts, found in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.intrinsics import trailing_zeros
from tealeaves.compiling.kernel import called, compiled, inlined
from tealeaves.evidence.counting.kernels.masks import mark_ascii, mark_others
from tealeaves.evidence.counting.kernels.word_table import find_word, may_be_word
from tealeaves.text.digest import digest_bytes

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U8, U64

COUNTED, DROPPED, LEFT, SKIPPED = 0, 1, 2, 3  # what became of a text
LONGEST = (1 << 31) - 128  # bytes of a text: places in it are 32 bits

_NONE, _ONE, _REST = np.uint64(0), np.uint64(1), np.uint64(63)


@called
def find_edges(mask: U64, size: int, edges: I32) -> int:
    """List where tokens begin and end, by turns; return the number of tokens."""
    found = 0
    before = _NONE  # the last bit of the mask so far
    for group in range((size + 64) >> 6):
        bits = mask[group]
        changes = bits ^ ((bits << _ONE) | before)
        before = bits >> _REST
        while changes != _NONE:
            edges[found] = (group << 6) + trailing_zeros(changes)
            found += 1
            changes &= changes - _ONE
    return found >> 1


@inlined
def characters_in(text: U8, start: int, end: int) -> int:
    """Count the characters of a token: the bytes that do not continue one."""
    count = 0
    for place in range(start, end):
        count += (text[place] & 0xC0) != 0x80
    return count


@called
def keep_tokens(
    edges: I32,
    tokens: int,
    folded: U8,
    min_length: int,
    sieve: U64,
    sieve_bits: int,
    hashes: U64,
    words: I32,
    bits: int,
    word_start: I64,
    letters: U8,
) -> int:
    """Remove stop words and short tokens; return the number of tokens that are left."""
    kept = 0
    for token in range(tokens):
        start, end = edges[2 * token], edges[2 * token + 1]
        length = end - start
        if length < min_length or characters_in(folded, start, end) < min_length:
            continue
        if (
            bits
            and may_be_word(folded, start, length, sieve, sieve_bits)
            and find_word(folded, start, length, hashes, words, bits, word_start, letters) >= 0
        ):
            continue
        edges[2 * kept] = start
        edges[2 * kept + 1] = end
        kept += 1
    return kept


@called
def sift(
    edges: I32, tokens: int, text: U8, base: int, sieve: U64, sieve_bits: int, maybe: I32
) -> int:
    """List the tokens that may be in the table. No step depends on the one before."""
    found = 0
    for token in range(tokens):
        start = edges[2 * token]
        length = edges[2 * token + 1] - start
        maybe[found] = token
        found += may_be_word(text, base + start, length, sieve, sieve_bits)
    return found


@compiled
def find_hits(
    data: U8,
    starts: I64,
    ends: I64,
    wanted: U8,
    kind: int,
    lower: int,
    page: I32,
    traits: I32,
    lowered: I32,
    sieve: U64,
    sieve_bits: int,
    hashes: U64,
    words: I32,
    bits: int,
    word_start: I64,
    letters: U8,
    stop_sieve: U64,
    stop_sieve_bits: int,
    stop_hashes: U64,
    stop_words: I32,
    stop_bits: int,
    stop_start: I64,
    stop_letters: U8,
    fold: int,
    min_length: int,
    min_tokens: int,
    low: U8,
    mask: U64,
    edges: I32,
    maybe: I32,
    hit_token: I32,
    hit_place: I32,
    bounds: I64,
    lengths: I64,
    digests: U64,
    fates: U8,
) -> int:
    """Find the requested tokens of texts; return the number of texts that were counted.

    For each text: mask the bytes of tokens, list the tokens, select those that may be in the table,
    and look these up. ``low``, ``mask``, ``edges`` and ``maybe`` are work arrays for one text. The
    j-th counted text has the hits ``bounds[j]`` to ``bounds[j + 1]`` and ``lengths[j]`` tokens.
    ``fates`` says what became of each text.
    """
    counted, hits = 0, 0
    bounds[0] = 0
    for number in range(len(starts)):
        start, size = starts[number], ends[number] - starts[number]
        digests[number] = digest_bytes(data, start, ends[number])
        fates[number] = SKIPPED
        if not wanted[number]:
            continue
        fates[number] = LEFT
        if size > LONGEST:
            continue
        others = mark_ascii(data, start, size, kind, lower | fold, low, mask)
        if others and not mark_others(data, start, size, page, traits, lowered, low, mask):
            continue
        tokens = find_edges(mask, size, edges)
        if stop_bits or min_length > 1:
            tokens = keep_tokens(
                edges, tokens, low, min_length, stop_sieve, stop_sieve_bits, stop_hashes,
                stop_words, stop_bits, stop_start, stop_letters,
            )  # fmt: skip
        if tokens < min_tokens:
            fates[number] = DROPPED
            continue
        fates[number] = COUNTED
        text, base = (low, 0) if lower else (data, start)
        for k in range(sift(edges, tokens, text, base, sieve, sieve_bits, maybe)):
            token = maybe[k]
            place = edges[2 * token]
            length = edges[2 * token + 1] - place
            word = find_word(text, base + place, length, hashes, words, bits, word_start, letters)
            if word >= 0:
                hit_token[hits] = word
                hit_place[hits] = token
                hits += 1
        lengths[counted] = tokens
        counted += 1
        bounds[counted] = hits
    return counted
