/* What the tokenizer of bytes shares: digests, the table of words, characters beyond ASCII. */
#ifndef TEALEAVES_TOKENS_H
#define TEALEAVES_TOKENS_H

#include "native.h"

enum { VISIBLE, LETTERS, LETTERS_AND_DIGITS };   /* what tokens are made of */
enum { COUNTED, DROPPED, LEFT, SKIPPED };        /* what became of a text */
#define LONGEST ((INT64_C(1) << 31) - 128)       /* bytes of a text: places in it are 32 bits */

/* traits of characters: tealeaves/text/characters.py */
enum {
    LETTER = 1, MARK = 2, JOINER = 4, HARD = 8, MAYBE = 16, FIRST = 32, SIGMA = 64, CHANGES = 128,
    CLASS = 1 << 8, LAST = 1 << 16,
};

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

/* ------------------------------------------------------------------ digests */

/* The digest of the text at these bytes (tealeaves/text/digest.py); seven more bytes are read. */
INLINE uint64_t digest_bytes(U8 data, Int start, Int end)
{
    uint64_t total = 0, place = 0;
    Int whole = start + ((end - start) & ~INT64_C(7));
    for (Int here = start; here < whole; here += 8) {
        place += GOLDEN;
        total += mix(load64(data, here) ^ place);
    }
    if (whole < end) {
        uint64_t rest = load64(data, whole) & (~UINT64_C(0) >> (64 - ((end - whole) << 3)));
        total += mix(rest ^ (place + GOLDEN));
    }
    return mix(total ^ ((uint64_t)(end - start + 1) * GOLDEN));
}

/* ------------------------------------------------------------------ the table of words */

#define SHORT 16      /* bytes of a token that are read at once */
#define SLOT_WORDS 4  /* of a slot: the bytes of a short word, or its hash; its number and length */

/* The first and the second eight bytes of a token; up to fifteen bytes behind it are read. */
INLINE uint64_t first_bytes(U8 text, Int start, Int length)
{
    uint64_t bytes = load64(text, start);
#ifdef USE_AVX2 /* without a branch, which could not be guessed */
    return _bzhi_u64(bytes, (unsigned)(8 * least(length, 8)));
#else
    return length >= 8 ? bytes : bytes & ~(~UINT64_C(0) << (8 * length));
#endif
}

INLINE uint64_t second_bytes(U8 text, Int start, Int length)
{
    return length <= 8 ? 0 : load64(text, start + 8) & (~UINT64_C(0) >> (8 * (16 - length)));
}

INLINE uint64_t long_hash(U8 text, Int start, Int length)
{
    uint64_t mixed = (uint64_t)length;
    for (Int place = start; place < start + length - 8; place += 8)
        mixed = ((mixed ^ (mixed >> 32)) * UINT64_C(0xFF51AFD7ED558CCD)) ^ load64(text, place);
    mixed = ((mixed ^ (mixed >> 32)) * UINT64_C(0xFF51AFD7ED558CCD)) ^
            load64(text, start + length - 8);
    return (mixed ^ (mixed >> 32)) * GOLDEN;
}

/* The bit of the sieve for a token, by its length and its first eight bytes. */
INLINE uint64_t sieve_place(U8 text, Int start, Int length, Int bits)
{
    return (first_bytes(text, start, length) + (uint64_t)length) * GOLDEN >> (64 - bits);
}

/* 0 for most tokens that are not in the table. */
INLINE int may_be_word(U8 text, Int start, Int length, U64 sieve, Int bits)
{
    uint64_t place = sieve_place(text, start, length, bits);
    return (int)(AT(sieve, place >> 6) >> (place & 63) & 1);
}

/* What a slot holds of a token, and the slot that is its own. */
typedef struct { uint64_t first, second, slot; } Key;

INLINE Key key_of(U8 text, Int start, Int length, Int bits)
{
    Key key;
    if (length <= SHORT) {
        key.first = first_bytes(text, start, length);
        key.second = second_bytes(text, start, length);
    } else {
        key.first = long_hash(text, start, length);
        key.second = 0;
    }
    key.slot = ((key.first ^ (key.second * UINT64_C(0xFF51AFD7ED558CCD))) + (uint64_t)length) *
                   GOLDEN >> (64 - bits);
    return key;
}

/* The number of the word at these bytes, or -1 if it is not in the table, which is not empty. */
INLINE Int find_word(U8 text, Int start, Int length, const WordTable *table)
{
    Key key = key_of(text, start, length, table->bits);
    for (;; key.slot++) { /* the table ends with an empty slot */
        Int place = SLOT_WORDS * (Int)key.slot;
        uint64_t entry = AT(table->slots, place + 2);
        if (entry == 0)
            return -1;
        if (AT(table->slots, place) != key.first || AT(table->slots, place + 1) != key.second ||
            (Int)(entry >> 32) != length)
            continue;
        Int word = (Int)(entry & 0xFFFFFFFF) - 1;
        if (length <= SHORT)
            return word;
        CHECK_WIDTH(text, start, length);
        CHECK_WIDTH(table->letters, AT(table->word_start, word), length);
        if (!memcmp(text.at + start, table->letters.at + AT(table->word_start, word), (size_t)length))
            return word;
    }
}

/* ------------------------------------------------------------------ characters */

/* The characters of a token: the bytes that do not continue one. */
INLINE Int characters_in(U8 text, Int start, Int end)
{
    Int count = 0;
    for (Int place = start; place < end; place++)
        count += (AT(text, place) & 0xC0) != 0x80;
    return count;
}

/* Mask the characters beyond ASCII; return 0 if only Python can split the text. */
int mark_others(U8 data, Int start, Int size, const CharacterTables *characters, U8 low, U64 mask);

#endif
