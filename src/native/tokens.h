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

#define SHORT 16 /* bytes of a token that are read at once */

/* which bits of the first and the second eight bytes belong to a token of so many bytes */
INLINE uint64_t first_bytes(Int length) { return length >= 8 ? ~UINT64_C(0) : ~(~UINT64_C(0) << (8 * length)); }
INLINE uint64_t second_bytes(Int length) { return length <= 8 ? 0 : ~UINT64_C(0) >> (8 * (16 - length)); }

INLINE uint64_t long_hash(U8 text, Int start, Int length)
{
    uint64_t mixed = (uint64_t)length;
    for (Int place = start; place < start + length - 8; place += 8)
        mixed = ((mixed ^ (mixed >> 32)) * UINT64_C(0xFF51AFD7ED558CCD)) ^ load64(text, place);
    mixed = ((mixed ^ (mixed >> 32)) * UINT64_C(0xFF51AFD7ED558CCD)) ^
            load64(text, start + length - 8);
    return ((mixed ^ (mixed >> 32)) * GOLDEN) | 1;
}

/* A hash of the token at these bytes, never 0; up to fifteen more bytes are read. */
INLINE uint64_t hash_of(U8 text, Int start, Int length)
{
    if (length > SHORT)
        return long_hash(text, start, length);
    uint64_t one = load64(text, start) & first_bytes(length);
    uint64_t two = load64(text, start + 8) & second_bytes(length);
    return ((one ^ (two * UINT64_C(0xFF51AFD7ED558CCD))) + (uint64_t)length) * GOLDEN | 1;
}

/* The bit of the sieve for a token, by its length and its first eight bytes. */
INLINE uint64_t sieve_place(U8 text, Int start, Int length, Int bits)
{
    return ((load64(text, start) & first_bytes(length)) + (uint64_t)length) * GOLDEN >> (64 - bits);
}

/* 0 for most tokens that are not in the table. */
INLINE int may_be_word(U8 text, Int start, Int length, U64 sieve, Int bits)
{
    uint64_t place = sieve_place(text, start, length, bits);
    return (int)(AT(sieve, place >> 6) >> (place & 63) & 1);
}

INLINE int same_bytes(U8 text, Int start, U8 letters, Int first, Int length)
{
    if (length <= SHORT) {
        uint64_t one = (load64(text, start) ^ load64(letters, first)) & first_bytes(length);
        uint64_t two = (load64(text, start + 8) ^ load64(letters, first + 8)) & second_bytes(length);
        return (one | two) == 0;
    }
    return memcmp(text.at + start, letters.at + first, (size_t)length) == 0;
}

/* The number of the word at these bytes, or -1 if it is not in the table. */
INLINE Int find_word(U8 text, Int start, Int length, const WordTable *table)
{
    uint64_t hashed = hash_of(text, start, length);
    /* the table ends with empty slots; without words it has nothing but these */
    uint64_t slot = table->bits ? hashed >> (64 - table->bits) : 0;
    while (AT(table->hashes, slot)) {
        if (AT(table->hashes, slot) == hashed) {
            Int word = AT(table->words, slot), first = AT(table->word_start, word);
            if (AT(table->word_start, word + 1) - first == length &&
                same_bytes(text, start, table->letters, first, length))
                return word;
        }
        slot++;
    }
    return -1;
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
