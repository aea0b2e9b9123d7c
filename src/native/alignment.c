/* Alignment of words: tealeaves/lexicon/alignment/kernels */

#include "native.h"

/* ---------------------------------------------------------------------- pairs of words */

/* so many tokens or cells ahead, memory is asked for */
enum { AHEAD = 8 };

KERNEL(Int, number_pairs, I64 order, TokenCells *tokens, I32 last_pairs, I32 cells)
{
    TokenCells of = *tokens;
    int32_t pairs = 0;
    for (Int k = 0; k < order.size; k++) {
        Int token = AT(order, k), row = AT(of.rows, token), cell = AT(of.firsts, token);
        Int begin = AT(of.target_starts, row), count = AT(of.target_starts, row + 1) - begin;
        Int later = AT(order, least(k + AHEAD, order.size - 1));
        prefetch(of.target.at + AT(of.target_starts, AT(of.rows, later)));
        prefetch(cells.at + AT(of.firsts, later));
        prefetch(cells.at + AT(of.firsts, later) + 16);
        int32_t word = AT(of.source, token);
        for (Int n = 0; n < count; n++) {
            Int other = 2 * (Int)AT(of.target, begin + n);
            if (AT(last_pairs, other) != word) {
                AT(last_pairs, other) = word;
                AT(last_pairs, other + 1) = pairs++;
            }
            AT(cells, cell + n) = AT(last_pairs, other + 1);
        }
    }
    return pairs;
}

KERNEL(void, name_pairs, TokenCells *tokens, I32 cells, I32 pair_source, I32 pair_target)
{
    TokenCells of = *tokens;
    Int last = cells.size - 1;
    for (Int token = 0; token < of.source.size; token++) {
        Int row = AT(of.rows, token), cell = AT(of.firsts, token);
        Int end = AT(of.target_starts, row + 1);
        int32_t word = AT(of.source, token);
        for (Int place = AT(of.target_starts, row); place < end; place++, cell++) {
            Int pair = AT(cells, cell), later = AT(cells, least(cell + AHEAD, last));
            prefetch(pair_source.at + later);
            prefetch(pair_target.at + later);
            AT(pair_source, pair) = word;
            AT(pair_target, pair) = AT(of.target, place);
        }
    }
}

KERNEL(void, add_cells, I32 cells, F32 values, F64 sums)
{
    for (Int cell = 0; cell < cells.size; cell++)
        AT(sums, AT(cells, cell)) += AT(values, cell);
}

/* Only arguments that are ``restrict`` let compilers add several values at once. */
static void spread_values(I32 cells, F32 values, float *restrict sums)
{
    for (Int cell = 0; cell < cells.size; cell++)
        sums[cell] += AT(values, AT(cells, cell));
}

KERNEL(void, spread_pairs, I32 cells, F32 values, F32 sums)
{
    CHECK_WIDTH(sums, 0, cells.size);
    spread_values(cells, values, sums.at);
}

KERNEL(void, add_margins, TokenCells *tokens, F32 forward, F32 backward, F64 targets, F64 sources)
{
    TokenCells of = *tokens;
    for (Int token = 0; token < of.rows.size; token++) {
        Int row = AT(of.rows, token), cell = AT(of.firsts, token);
        Int begin = AT(of.target_starts, row), count = AT(of.target_starts, row + 1) - begin;
        double sum = AT(sources, token);
        for (Int k = 0; k < count; k++) {
            AT(targets, begin + k) += AT(forward, cell + k);
            sum += AT(backward, cell + k);
        }
        AT(sources, token) = sum;
    }
}

/* ---------------------------------------------------------------------- symmetrization */

INLINE Int count_links(Int token, I64 starts, U8 grown)
{
    Int count = 0;
    for (Int k = AT(starts, token); k < AT(starts, token + 1); k++)
        count += AT(grown, k);
    return count;
}

/* Return how many links of these source tokens lead to a place or to its neighbours. */
INLINE Int count_beside(Int first, Int last, Int place, const Either *either, U8 grown)
{
    Int count = 0;
    for (Int k = AT(either->starts, first); k < AT(either->starts, last + 1); k++) {
        Int distance = AT(either->places, k) - place;
        if (-1 <= distance && distance <= 1)
            count += AT(grown, k);
    }
    return count;
}

/* Add links next to others if one of the words has none yet; return how many. */
static Int grow_once(Int begin, Int end, Int mark, const Either *either, I64 linked, U8 grown)
{
    Int added = 0;
    for (Int token = begin; token < end; token++)
        for (Int k = AT(either->starts, token); k < AT(either->starts, token + 1); k++) {
            Int place = AT(either->places, k);
            if (AT(grown, k) != 0)
                continue;
            if (AT(linked, place) == mark && count_links(token, either->starts, grown) > 0)
                continue;
            Int first = most(token - 1, begin), last = least(token + 1, end - 1);
            if (count_beside(first, last, place, either, grown) > 0) {
                AT(grown, k) = 1;
                AT(linked, place) = mark;
                added++;
            }
        }
    return added;
}

/* Add links of one direction if both words have none. */
static void add_final(Int begin, Int end, Int mark, const Either *either, F32 direction,
                      I64 linked, U8 grown)
{
    for (Int token = begin; token < end; token++)
        for (Int k = AT(either->starts, token); k < AT(either->starts, token + 1); k++) {
            Int place = AT(either->places, k);
            if (AT(direction, k) > 0 && AT(linked, place) != mark
                && count_links(token, either->starts, grown) == 0) {
                AT(grown, k) = 1;
                AT(linked, place) = mark;
            }
        }
}

KERNEL(void, grow_diag_final_and, I64 passages, Either *either, I64 linked, U8 grown)
{
    const Either of = *either;
    for (Int row = 0; row + 1 < passages.size; row++) {
        Int begin = AT(passages, row), end = AT(passages, row + 1), mark = row + 1;
        for (Int k = AT(of.starts, begin); k < AT(of.starts, end); k++)
            if (AT(of.forward, k) > 0 && AT(of.backward, k) > 0) {
                AT(grown, k) = 1;
                AT(linked, AT(of.places, k)) = mark;
            }
        while (grow_once(begin, end, mark, &of, linked, grown) > 0)
            ;
        add_final(begin, end, mark, &of, of.forward, linked, grown);
        add_final(begin, end, mark, &of, of.backward, linked, grown);
    }
}

/* ---------------------------------------------------------------------- posteriors */

/* Sizes of rows are multiples of BLOCK, and the number of counted jumps is one of COUNTED: several
 * vectors at once, of up to four numbers. */
enum { BLOCK = 8, COUNTED = 12 };

/* e to the power of x in single precision, by 2 to the power of x in steps of 1/32 and a
 * polynomial: as in Arm's optimized routines, from which glibc has it. */
static const double POWERS[32] = {
    0x1p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0,
    0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0,
    0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
    0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0,
    0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0,
    0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
    0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0,
    0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0,
};
static const double STEPS_OF_E = 0x1.71547652b82fep+5; /* 32 / ln 2 */
static const double ROUNDING = 0x1.8p+52;              /* added, it leaves a whole number */
static const double CUBE = 0x1.c6af84b912394p-20, SQUARE = 0x1.ebfce50fac4f3p-13,
                    LINE = 0x1.62e42ff0c52d6p-6;

/* The words of a passage. */
typedef struct { Int sources, targets; } Shape;

/* Where a passage is worked on. Matrices have rows of ``stride``, other arrays are single rows. */
typedef struct {
    Int stride;
    F64 emissions, alpha, arrivals;
    F64 line, shares, scales, masses, ahead, back, beta, weights, ones;
    F64 leaving, reached; /* with zeros before and after */
    F64 sums;
    F64 jumps, behind, counts; /* of the jumps within reach; behind has them in reverse */
} Room;

/* Some elements of an array, as an array. */
INLINE F64 part(F64 array, Int first, Int size)
{
    CHECK_WIDTH(array, first, size);
    return (F64){array.at + first, size};
}

INLINE F64 taken(F64 *work, Int size)
{
    F64 first = part(*work, 0, size);
    *work = part(*work, size, work->size - size);
    return first;
}

INLINE Int rounded_up(Int size, Int step) { return (size + step - 1) / step * step; }

/* Divide the array to work in; Python has its size (work_size). */
static Room divided(F64 work, Int states, Int words, Int jumps)
{
    Room room = {0};
    Int reach = jumps / 2, inner = rounded_up(2 * reach - 1, COUNTED);
    Int stride = rounded_up(jumps ? states + 1 : words, BLOCK);
    room.stride = stride;
    room.emissions = taken(&work, (jumps ? words : states) * stride);
    room.line = taken(&work, most(stride, most(states, words)));
    if (jumps == 0)
        return room;
    room.alpha = taken(&work, (words + 1) * stride);
    room.arrivals = taken(&work, words * stride);
    room.scales = taken(&work, words);
    room.shares = taken(&work, stride);
    room.masses = taken(&work, stride);
    room.ahead = taken(&work, stride);
    room.back = taken(&work, stride);
    room.beta = taken(&work, stride);
    room.ones = taken(&work, stride);
    room.weights = taken(&work, 2 * stride);
    room.leaving = taken(&work, stride + 2 * reach + COUNTED);
    room.reached = taken(&work, stride + 2 * reach + COUNTED);
    room.sums = taken(&work, stride + 2 * reach + 1);
    room.jumps = taken(&work, inner);
    room.counts = taken(&work, inner);
    room.behind = taken(&work, 2 * reach - 1);
    return room;
}

/* Vectors of two numbers: all processors of x86-64 and of ARM with 64 bits have them. */
#ifdef __GNUC__
#define LANES 2
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));
#define Lanes Pair
#else
#define LANES 1
#define Lanes double
#endif
#define VARIANT(NAME) NAME##_plain
#include "posteriors.h"
#undef VARIANT
#undef Lanes
#undef LANES

/* Vectors of four numbers: processors of x86-64 with AVX2. Products and sums are the same: none are
 * fused. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(PORTABLE)
#define WITH_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define LANES 4
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
#define Lanes Four
#define VARIANT(NAME) NAME##_avx2
#include "posteriors.h"
#undef VARIANT
#undef Lanes
#undef LANES
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

KERNEL(void, expect, Float alone, PassageStarts *passages, Direction *forward,
       Direction *backward, F64 work)
{
#ifdef WITH_AVX2
    if (__builtin_cpu_supports("avx2")) {
        expect_passages_avx2(alone, passages, forward, backward, work);
        return;
    }
#endif
    expect_passages_plain(alone, passages, forward, backward, work);
}
