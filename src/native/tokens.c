/* Hits: the requested tokens of texts, found in bytes: tealeaves/evidence/counting/hits.py */

#include "processor.h"
#define VARIANT(NAME) NAME##_baseline
#include "tokens_body.h"

/* ------------------------------------------------------------------ characters beyond ASCII */

INLINE int is_member(U64 mask, Int place)
{
    return (int)(AT(mask, place >> 6) >> (place & 63) & 1);
}

INLINE void add_members(U64 mask, Int start, Int end)
{
    for (Int place = start; place < end; place++)
        AT(mask, place >> 6) |= UINT64_C(1) << (place & 63);
}

/* The code point of a character beyond ASCII, or -1 where UTF-8 is invalid. */
INLINE Int character_at(U8 data, Int place, Int end)
{
    Int first = AT(data, place);
    if (first < 0xC2 || first > 0xF4)
        return -1;
    Int width = 2 + (first >= 0xE0) + (first >= 0xF0);
    if (place + width > end)
        return -1;
    Int code = first & (0x7F >> width);
    for (Int k = 1; k < width; k++) {
        Int byte = AT(data, place + k);
        if ((byte & 0xC0) != 0x80)
            return -1;
        code = code << 6 | (byte & 0x3F);
    }
    if (width == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF)))
        return -1;
    if (width == 4 && (code < 0x10000 || code > 0x10FFFF))
        return -1;
    return code;
}

INLINE Int width_of(Int code) { return 2 + (code >= 0x800) + (code >= 0x10000); }

INLINE Int entry_of(const CharacterTables *characters, Int code)
{
    return (Int)AT(characters->page, code >> 8) * 256 + (code & 255);
}

/* The place of the next byte beyond ASCII, or the end. */
INLINE Int next_beyond_ascii(U8 data, Int place, Int end)
{
    for (; place < end; place += 8) {
        uint64_t found = load64(data, place) & UINT64_C(0x8080808080808080);
        if (found)
            return least(place + (trailing_zeros(found) >> 3), end);
    }
    return end;
}

/* Write a character beyond ASCII over another of the same width. */
INLINE void put_character(U8 low, Int place, Int code)
{
    Int width = width_of(code);
    for (Int k = width - 1; k > 0; k--) {
        AT(low, place + k) = (uint8_t)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    AT(low, place) = (uint8_t)(((0xF00 >> width) & 0xFF) | code);
}

/* Where a run of joiners ends if it is between two parts of a token, else -1. */
static Int joins(U8 data, Int start, Int place, Int size, const CharacterTables *characters, U64 mask)
{
    if (place == 0 || !is_member(mask, place - 1))
        return -1;
    while (place + 3 <= size) {
        Int code = character_at(data, start + place, start + size);
        if (code < 0 || !(AT(characters->traits, entry_of(characters, code)) & JOINER))
            break;
        place += 3;
    }
    if (place >= size)
        return -1;
    if (AT(data, start + place) < 0x80)
        return is_member(mask, place) ? place : -1;
    Int code = character_at(data, start + place, start + size);
    if (code < 0 || !(AT(characters->traits, entry_of(characters, code)) & (LETTER | MARK)))
        return -1;
    return place;
}

/* Whether normal form C leaves a character unchanged behind another. */
INLINE int stays_normal(Int trait, Int before)
{
    Int own = trait / CLASS & 255;
    if (own && before / LAST > own)
        return 0; /* the two, or their parts, would change places */
    return !(trait & MAYBE && (before / CLASS & 255 || before & FIRST));
}

int mark_others(U8 data, Int start, Int size, const CharacterTables *tables, U8 low, U64 mask)
{
    const CharacterTables characters = *tables;
    Int here = 0, before = 0;
    for (;;) {
        Int place = next_beyond_ascii(data, start + here, start + size) - start;
        if (place >= size)
            return 1;
        if (place > here)
            before = AT(characters.traits, entry_of(&characters, AT(data, start + place - 1)));
        Int code = character_at(data, start + place, start + size);
        if (code < 0)
            return 0;
        Int entry = entry_of(&characters, code), trait = AT(characters.traits, entry);
        if (trait & HARD || !stays_normal(trait, before))
            return 0;
        if (trait & SIGMA && place > 0 && AT(data, start + place - 1) > 0x20)
            return 0;
        here = place + width_of(code);
        if (trait & CHANGES)
            put_character(low, place, code + AT(characters.lowered, entry));
        if (trait & LETTER || (trait & MARK && place > 0 && is_member(mask, place - 1))) {
            add_members(mask, place, here);
        } else if (trait & JOINER) {
            Int end = joins(data, start, place, size, &characters, mask);
            if (end >= 0) {
                add_members(mask, place, end);
                here = end;
            }
        }
        before = trait;
    }
}

/* ------------------------------------------------------------------ kernels */

#if HAVE_AVX2
Int find_hits_avx2(TextArrays *texts, CharacterTables *characters, WordTable *words,
                   WordTable *stop, TokenRules *rules, HitBuffers *buffers);
#endif

KERNEL(Int, find_hits, TextArrays *texts, CharacterTables *characters, WordTable *words,
       WordTable *stop, TokenRules *rules, HitBuffers *buffers)
{
#if HAVE_AVX2
    if (has_avx2())
        return find_hits_avx2(texts, characters, words, stop, rules, buffers);
#endif
    return find_hits_baseline(texts, characters, words, stop, rules, buffers);
}

KERNEL(void, digest_texts, U8 data, I64 starts, I64 ends, U64 digests)
{
    for (Int number = 0; number < starts.size; number++)
        AT(digests, number) = digest_bytes(data, AT(starts, number), AT(ends, number));
}

/* Put each word into the first free slot from its own one on. */
KERNEL(void, fill_table, WordTable *words)
{
    const WordTable table = *words;
    for (Int word = 0; word < table.word_start.size - 1; word++) {
        Int start = AT(table.word_start, word), length = AT(table.word_start, word + 1) - start;
        if (length == 0)
            continue;
        uint64_t place = sieve_place(table.letters, start, length, table.sieve_bits);
        AT(table.sieve, place >> 6) |= UINT64_C(1) << (place & 63);
        Key key = key_of(table.letters, start, length, table.bits);
        while (AT(table.slots, SLOT_WORDS * (Int)key.slot + 2))
            key.slot++;
        AT(table.slots, SLOT_WORDS * (Int)key.slot) = key.first;
        AT(table.slots, SLOT_WORDS * (Int)key.slot + 1) = key.second;
        AT(table.slots, SLOT_WORDS * (Int)key.slot + 2) = (uint64_t)length << 32 | (uint64_t)(word + 1);
    }
}
