"""Masks: one bit for each byte of a text, which is 1 if the byte belongs to a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tealeaves.compiling.intrinsics import load64, store64, trailing_zeros
from tealeaves.compiling.kernel import called, inlined
from tealeaves.text.characters import (
    CHANGES,
    CLASS,
    FIRST,
    HARD,
    JOINER,
    LAST,
    LETTER,
    MARK,
    MAYBE,
    SIGMA,
)

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, U8, U64


VISIBLE, LETTERS, LETTERS_AND_DIGITS = 0, 1, 2  # what tokens are made of

# Eight bytes are handled as one number. If the top bit of each byte is cleared, adding 0x80 - a to
# a byte sets its top bit if the byte is at least a.
_TOP = np.uint64(0x8080808080808080)
_REST = np.uint64(0x7F7F7F7F7F7F7F7F)
_CASE = np.uint64(0x2020202020202020)
_FROM_A = np.uint64(0x1F1F1F1F1F1F1F1F)
_AFTER_Z = np.uint64(0x0505050505050505)
_FROM_0 = np.uint64(0x5050505050505050)
_AFTER_9 = np.uint64(0x4646464646464646)
_FROM_TAB = np.uint64(0x7777777777777777)
_AFTER_RETURN = np.uint64(0x7272727272727272)
_FROM_FILE_SEPARATOR = np.uint64(0x6464646464646464)
_AFTER_SPACE = np.uint64(0x5F5F5F5F5F5F5F5F)
_GATHER = np.uint64(0x0102040810204080)  # brings the lowest bits of eight bytes together
_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)
_CASE_SHIFT, _TOP_SHIFT, _GATHER_SHIFT = np.uint64(2), np.uint64(7), np.uint64(56)
_CONTINUES = 0xC0


@inlined
def letters(word: int) -> int:
    """Set the top bit of each byte that is a letter of ASCII."""
    low = (word & _REST) | _CASE
    return (low + _FROM_A) & ~(low + _AFTER_Z) & ~word & _TOP


@inlined
def members(word: int, kind: int) -> int:
    """Set the top bit of each byte of ASCII that belongs to tokens."""
    rest = word & _REST
    if kind == VISIBLE:
        space = (rest + _FROM_TAB) & ~(rest + _AFTER_RETURN)
        space |= (rest + _FROM_FILE_SEPARATOR) & ~(rest + _AFTER_SPACE)
        return ~space & ~word & _TOP
    if kind == LETTERS_AND_DIGITS:
        return letters(word) | ((rest + _FROM_0) & ~(rest + _AFTER_9) & ~word & _TOP)
    return letters(word)


@called
def mark_ascii(data: U8, start: int, size: int, kind: int, lower: int, low: U8, mask: U64) -> int:
    """Mask the ASCII bytes of a text and copy it to ``low``; return whether it has others."""
    seen = _NONE
    whole = size >> 6
    for group in range(whole):
        bits = _NONE
        for k in range(8):
            word = load64(data, start + (group << 6) + (k << 3))
            seen |= word
            found = (members(word, kind) >> _TOP_SHIFT) * _GATHER >> _GATHER_SHIFT
            bits |= found << np.uint64(k << 3)
            if lower:
                word |= (letters(word) & ~(word << _CASE_SHIFT)) >> _CASE_SHIFT
            store64(low, (group << 6) + (k << 3), word)
        mask[group] = bits
    bits = _NONE
    for place in range(whole << 6, size, 8):
        word = load64(data, start + place)
        if place + 8 > size:  # leave out the bytes behind the text
            word &= _ALL >> np.uint64((place + 8 - size) << 3)
        seen |= word
        found = (members(word, kind) >> _TOP_SHIFT) * _GATHER >> _GATHER_SHIFT
        bits |= found << np.uint64(place & 63)
        if lower:
            word |= (letters(word) & ~(word << _CASE_SHIFT)) >> _CASE_SHIFT
        store64(low, place, word)
    if size & 63:
        bits &= (_ONE << np.uint64(size & 63)) - _ONE
    mask[whole] = bits
    mask[whole + 1] = _NONE
    return np.int64(seen & _TOP != _NONE)


@inlined
def is_member(mask: U64, place: int) -> int:
    """Return whether a byte belongs to a token."""
    return np.int64((mask[place >> 6] >> np.uint64(place & 63)) & _ONE)


@inlined
def add_members(mask: U64, start: int, end: int) -> None:
    """Mark bytes as belonging to a token."""
    for place in range(start, end):
        mask[place >> 6] |= _ONE << np.uint64(place & 63)


@called
def character_at(data: U8, place: int, end: int) -> int:
    """Return the code point of a character beyond ASCII, or -1 where UTF-8 is invalid."""
    first = np.int64(data[place])
    if first < 0xC2 or first > 0xF4:
        return -1
    width = 2 + (first >= 0xE0) + (first >= 0xF0)
    if place + width > end:
        return -1
    code = first & (0x7F >> width)
    for k in range(1, width):
        byte = np.int64(data[place + k])
        if byte & _CONTINUES != 0x80:
            return -1
        code = (code << 6) | (byte & 0x3F)
    if width == 3 and (code < 0x800 or 0xD800 <= code <= 0xDFFF):
        return -1
    if width == 4 and (code < 0x10000 or code > 0x10FFFF):
        return -1
    return code


@inlined
def width_of(code: int) -> int:
    """Return the number of bytes of a character beyond ASCII."""
    return 2 + (code >= 0x800) + (code >= 0x10000)


@inlined
def next_beyond_ascii(data: U8, place: int, end: int) -> int:
    """Return the place of the next byte beyond ASCII, or the end."""
    while place < end:
        found = load64(data, place) & _TOP
        if found != _NONE:
            return min(place + (trailing_zeros(found) >> 3), end)
        place += 8
    return end


@inlined
def put_character(low: U8, place: int, code: int) -> None:
    """Write a character beyond ASCII over another of the same width."""
    width = width_of(code)
    for k in range(width - 1, 0, -1):
        low[place + k] = np.uint8(0x80 | (code & 0x3F))
        code >>= 6
    low[place] = np.uint8(((0xF00 >> width) & 0xFF) | code)


@called
def joins(data: U8, start: int, place: int, size: int, page: I32, traits: I32, mask: U64) -> int:
    """Return where a run of joiners ends if it is between two parts of a token, else -1."""
    if place == 0 or not is_member(mask, place - 1):
        return -1
    while place + 3 <= size:
        code = character_at(data, start + place, start + size)
        if code < 0 or not traits[page[code >> 8] * 256 + (code & 255)] & JOINER:
            break
        place += 3
    if place >= size:
        return -1
    if data[start + place] < 0x80:
        return place if is_member(mask, place) else -1
    code = character_at(data, start + place, start + size)
    if code < 0 or not traits[page[code >> 8] * 256 + (code & 255)] & (LETTER | MARK):
        return -1
    return place


@inlined
def stays_normal(trait: int, before: int) -> int:
    """Return whether normal form C leaves a character unchanged behind another."""
    own = trait // CLASS & 255
    if own and before // LAST > own:
        return 0  # the two, or their parts, would change places
    return not (trait & MAYBE and (before // CLASS & 255 or before & FIRST))


@called
def mark_others(
    data: U8,
    start: int,
    size: int,
    page: I32,
    traits: I32,
    lowered: I32,
    low: U8,
    mask: U64,
) -> int:
    """Mask the characters beyond ASCII; return 0 if only Python can split the text."""
    here, before = 0, 0
    while True:
        place = next_beyond_ascii(data, start + here, start + size) - start
        if place >= size:
            return 1
        if place > here:
            before = np.int64(traits[page[0] * 256 + data[start + place - 1]])
        code = character_at(data, start + place, start + size)
        if code < 0:
            return 0
        entry = page[code >> 8] * 256 + (code & 255)
        trait = np.int64(traits[entry])
        if trait & HARD or not stays_normal(trait, before):
            return 0
        if trait & SIGMA and place > 0 and data[start + place - 1] > 0x20:
            return 0
        here = place + width_of(code)
        if trait & CHANGES:
            put_character(low, place, code + lowered[entry])
        if trait & LETTER or (trait & MARK and place > 0 and is_member(mask, place - 1)):
            add_members(mask, place, here)
        elif trait & JOINER:
            end = joins(data, start, place, size, page, traits, mask)
            if end >= 0:
                add_members(mask, place, end)
                here = end
        before = trait
