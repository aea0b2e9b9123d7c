/* Tokens in the bytes of texts. Included by tokens.c and tokens_avx2.c (see processor.h). */

#include "bytes.h"
#include "tokens.h"

/* ------------------------------------------------------------------ masks: a bit for each byte */

/* Set bits for the bytes of ASCII that belong to tokens, and write them in lower case. */
INLINE uint64_t mark_bytes(const uint8_t *from, uint8_t *to, int kind, int lower, uint64_t *others)
{
    Bytes x = load_bytes(from), upper = in_range(x, 'A', 25), found;
    *others = beyond_ascii(x);
    if (kind == VISIBLE) {
        Bytes space = either(in_range(x, '\t', 4), in_range(x, 0x1C, 4));
        store_bytes(to, lower ? lowered(x, upper) : x);
        return ~bits_of(space) & ~*others & (~UINT64_C(0) >> (64 - WIDTH));
    }
    found = either(upper, in_range(x, 'a', 25));
    if (kind == LETTERS_AND_DIGITS)
        found = either(found, in_range(x, '0', 9));
    store_bytes(to, lower ? lowered(x, upper) : x);
    return bits_of(found);
}

/* Mask the ASCII bytes of a text and copy it to ``low``; return whether it has others. */
INLINE int mark_ascii_as(U8 data, Int start, Int size, int kind, int lower, U8 low, U64 mask)
{
    const uint8_t *from = data.at + start;
    uint8_t *to = low.at;
    uint64_t seen = 0, others;
    Int whole = size >> 6;
    CHECK_WIDTH(data, start, size + 31);
    CHECK_WIDTH(low, 0, size + 31);
    for (Int group = 0; group < whole; group++) {
        uint64_t bits = 0;
        for (Int k = 0; k < 64; k += WIDTH) {
            bits |= mark_bytes(from, to, kind, lower, &others) << k;
            seen |= others;
            from += WIDTH;
            to += WIDTH;
        }
        AT(mask, group) = bits;
    }
    uint64_t bits = 0, beyond = 0;
    for (Int k = 0; k < (size & 63); k += WIDTH) {
        bits |= mark_bytes(from, to, kind, lower, &others) << k;
        beyond |= others << k;
        from += WIDTH;
        to += WIDTH;
    }
    uint64_t inside = size & 63 ? ~UINT64_C(0) >> (64 - (size & 63)) : 0; /* not behind the text */
    AT(mask, whole) = bits & inside;
    AT(mask, whole + 1) = 0;
    return (seen | (beyond & inside)) != 0;
}

static int VARIANT(mark_ascii)(U8 data, Int start, Int size, Int kind, Int lower, U8 low, U64 mask)
{
    if (kind == VISIBLE)
        return lower ? mark_ascii_as(data, start, size, VISIBLE, 1, low, mask)
                     : mark_ascii_as(data, start, size, VISIBLE, 0, low, mask);
    if (kind == LETTERS)
        return lower ? mark_ascii_as(data, start, size, LETTERS, 1, low, mask)
                     : mark_ascii_as(data, start, size, LETTERS, 0, low, mask);
    return lower ? mark_ascii_as(data, start, size, LETTERS_AND_DIGITS, 1, low, mask)
                 : mark_ascii_as(data, start, size, LETTERS_AND_DIGITS, 0, low, mask);
}

/* ------------------------------------------------------------------ tokens */

/* List where tokens begin and end, by turns; return the number of tokens. */
static Int VARIANT(find_edges)(U64 mask, Int size, I32 edges)
{
    Int found = 0;
    uint64_t before = 0; /* the last bit of the mask so far */
    for (Int group = 0; group < (size + 64) >> 6; group++) {
        uint64_t bits = AT(mask, group);
        uint64_t changes = bits ^ (bits << 1 | before);
        before = bits >> 63;
        while (changes) {
            AT(edges, found) = (int32_t)((group << 6) + trailing_zeros(changes));
            found++;
            changes &= changes - 1;
        }
    }
    return found >> 1;
}

/* Remove stop words and short tokens; return the number of tokens that are left. */
static Int VARIANT(keep_tokens)(I32 edges, Int tokens, U8 folded, Int min_length, const WordTable *stop)
{
    const WordTable words = *stop;
    Int kept = 0;
    for (Int token = 0; token < tokens; token++) {
        int32_t start = AT(edges, 2 * token), end = AT(edges, 2 * token + 1);
        Int length = end - start;
        if (length < min_length || characters_in(folded, start, end) < min_length)
            continue;
        if (words.bits && may_be_word(folded, start, length, words.sieve, words.sieve_bits) &&
            find_word(folded, start, length, &words) >= 0)
            continue;
        AT(edges, 2 * kept) = start;
        AT(edges, 2 * kept + 1) = end;
        kept++;
    }
    return kept;
}

/* List the tokens that may be in the table; no step depends on the one before. */
static Int VARIANT(sift)(I32 edges, Int tokens, U8 text, Int base, const WordTable *words, I32 maybe)
{
    const U64 sieve = words->sieve;
    const Int bits = words->sieve_bits;
    Int found = 0;
    for (Int token = 0; token < tokens; token++) {
        int32_t start = AT(edges, 2 * token), length = AT(edges, 2 * token + 1) - start;
        CHECK_WIDTH(maybe, 3 * found, 3);
        maybe.at[3 * found] = start;
        maybe.at[3 * found + 1] = length;
        maybe.at[3 * found + 2] = (int32_t)token;
        found += may_be_word(text, base + start, length, sieve, bits);
    }
    return found;
}

#ifdef USE_AVX2
#define USUAL 12 /* tokens in 64 bytes that are listed without a branch; a few more are rare */

/* The starts of tokens in one word of the mask. */
INLINE uint64_t starts_in(U64 mask, Int group)
{
    uint64_t bits = AT(mask, group), last = group ? AT(mask, group - 1) >> 63 : 0;
    return bits & ~(bits << 1 | last);
}

/* The same from the mask at once, where all tokens are kept. Tokens that are shorter than all words
 * are left out as bits; ``earlier`` are the tokens before each word of the mask. */
static Int VARIANT(sift_mask)(U64 mask, Int size, U8 text, Int base, const WordTable *words,
                              const HitBuffers *to, Int *tokens)
{
    const U64 sieve = words->sieve;
    const Int sieve_bits = words->sieve_bits, shortest = words->shortest;
    Int listed = 0, found = 0, before = 0;
    for (Int group = 0; group < (size + 63) >> 6; group++) {
        uint64_t bits = AT(mask, group), next = AT(mask, group + 1);
        uint64_t starts = starts_in(mask, group), rest = starts;
        if (shortest > 1)
            rest &= bits >> 1 | next << 63;
        if (shortest > 2)
            rest &= bits >> 2 | next << 62;
        Int count = __builtin_popcountll(rest);
        CHECK_WIDTH(to->edges, listed, most(count, USUAL));
        int32_t *list = to->edges.at + listed;
        for (Int n = 0; n < USUAL; n++, rest &= rest - 1)
            list[n] = (int32_t)((group << 6) + (Int)_tzcnt_u64(rest));
        for (Int n = USUAL; n < count; n++, rest &= rest - 1)
            list[n] = (int32_t)((group << 6) + (Int)_tzcnt_u64(rest));
        listed += count;
        AT(to->earlier, group) = (int32_t)before;
        before += __builtin_popcountll(starts);
    }
    *tokens = before;
    for (Int n = 0; n < listed; n++) {
        int32_t start = AT(to->edges, n);
        CHECK_WIDTH(mask, start >> 6, 2);
        uint64_t rest = load_number((const uint8_t *)mask.at + (start >> 3)) >> (start & 7);
        int32_t length = (int32_t)_tzcnt_u64(~rest);
        if (length > 56) /* a token that may go on */
            while (AT(mask, (start + length) >> 6) >> ((start + length) & 63) & 1)
                length++;
        CHECK_WIDTH(to->maybe, 3 * found, 3);
        to->maybe.at[3 * found] = start;
        to->maybe.at[3 * found + 1] = length;
        found += may_be_word(text, base + start, length, sieve, sieve_bits);
    }
    for (Int n = 0; n < found; n++) {
        Int start = AT(to->maybe, 3 * n), group = start >> 6;
        uint64_t here = _bzhi_u64(starts_in(mask, group), (unsigned)(start & 63));
        AT(to->maybe, 3 * n + 2) = AT(to->earlier, group) + (int32_t)__builtin_popcountll(here);
    }
    return found;
}
#endif

Int VARIANT(find_hits)(TextArrays *texts, CharacterTables *characters, WordTable *words,
                       WordTable *stop, TokenRules *rules, HitBuffers *buffers)
{
    const TextArrays given = *texts;
    const WordTable table = *words;
    const TokenRules rule = *rules;
    const HitBuffers to = *buffers;
    Int counted = 0, hits = 0;
    AT(to.bounds, 0) = 0;
    for (Int number = 0; number < given.starts.size; number++) {
        Int start = AT(given.starts, number), size = AT(given.ends, number) - start;
        AT(to.digests, number) = digest_bytes(given.data, start, start + size);
        AT(to.fates, number) = SKIPPED;
        if (!AT(given.wanted, number))
            continue;
        AT(to.fates, number) = LEFT;
        if (size > LONGEST)
            continue;
        Int lower = rule.lower | rule.fold;
        if (VARIANT(mark_ascii)(given.data, start, size, rule.kind, lower, to.low, to.mask) &&
            !mark_others(given.data, start, size, characters, to.low, to.mask))
            continue;
        U8 text = rule.lower ? to.low : given.data;
        Int base = rule.lower ? 0 : start, tokens, maybe;
#ifdef USE_AVX2
        if (!stop->bits && rule.min_length <= 1) {
            maybe = VARIANT(sift_mask)(to.mask, size, text, base, &table, &to, &tokens);
        } else
#endif
        {
            tokens = VARIANT(find_edges)(to.mask, size, to.edges);
            if (stop->bits || rule.min_length > 1)
                tokens = VARIANT(keep_tokens)(to.edges, tokens, to.low, rule.min_length, stop);
            maybe = VARIANT(sift)(to.edges, tokens, text, base, &table, to.maybe);
        }
        if (tokens < rule.min_tokens) {
            AT(to.fates, number) = DROPPED;
            continue;
        }
        AT(to.fates, number) = COUNTED;
        for (Int k = 0; k < maybe; k++) {
            Int word = find_word(text, base + AT(to.maybe, 3 * k), AT(to.maybe, 3 * k + 1), &table);
            AT(to.token, hits) = (int32_t)word;
            AT(to.place, hits) = AT(to.maybe, 3 * k + 2);
            hits += word >= 0;
        }
        AT(to.lengths, counted) = tokens;
        counted++;
        AT(to.bounds, counted) = hits;
    }
    return counted;
}
