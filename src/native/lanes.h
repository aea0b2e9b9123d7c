/* Weights in eight lanes: their running sums, and draws by them.
 *
 * WIDTH is the number of doubles in a vector: 1, 2 or 4. Numbers do not depend on it: each of the
 * eight lanes adds up its own weights.
 */

#include "native.h"

#define LANES 8    /* a row has a multiple of eight places */
#define STRIDE 8   /* blocks of lanes */
#define SHORT 48   /* places of a row that is compared as a whole */
#define STEP UINT64_C(0x9E3779B97F4A7C15)

/* ------------------------------------------------------------------ vectors
 *
 * EACH(value, type)                    a vector of one value
 * TO_DOUBLES(ints)                     the integers of a vector as doubles
 * SELECT(places, own, weight, others)  the weight where the place is the own, others elsewhere
 * ARE_OWN(places, own)                 -1 where the place is the own, 0 elsewhere
 * FIRST_PLACES                         the numbers 0, 1, 2 ...
 * GATHERED(from, places)               the numbers at some places
 * FOR_PARTS(DO, ...)                   writes out DO(part, ...) for each vector of the lanes
 */

#if WIDTH == 1
typedef double Doubles, DoublesAt;
typedef int32_t Ints, IntsAt;
#define EACH(VALUE, TYPE) (VALUE)
#define TO_DOUBLES(INTS) ((double)(INTS))
#define SELECT(PLACES, OWN, WEIGHT, OTHERS) ((PLACES) == (OWN) ? (WEIGHT) : (OTHERS))
#define ARE_OWN(PLACES, OWN) (-((PLACES) == (OWN)))
#define FIRST_PLACES 0.0
#define GATHERED(FROM, PLACES) ((FROM)[*(PLACES)])
#define FOR_PARTS(DO, ...)                                                       \
    DO(0, __VA_ARGS__) DO(1, __VA_ARGS__) DO(2, __VA_ARGS__) DO(3, __VA_ARGS__)  \
    DO(4, __VA_ARGS__) DO(5, __VA_ARGS__) DO(6, __VA_ARGS__) DO(7, __VA_ARGS__)
#else
typedef double Doubles __attribute__((vector_size(8 * WIDTH)));
typedef int64_t Longs __attribute__((vector_size(8 * WIDTH)));
typedef int32_t Ints __attribute__((vector_size(4 * WIDTH)));
typedef double DoublesAt __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef int32_t IntsAt __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));
#define EACH(VALUE, TYPE) ((VALUE) - (TYPE){0})
#ifndef TO_DOUBLES
#define TO_DOUBLES(INTS) __builtin_convertvector(INTS, Doubles)
#endif
#define SELECT(PLACES, OWN, WEIGHT, OTHERS)                      \
    ((Doubles)(((Longs)((PLACES) == (OWN)) & (Longs)(WEIGHT)) |  \
               (~(Longs)((PLACES) == (OWN)) & (Longs)(OTHERS))))
#define ARE_OWN(PLACES, OWN) ((PLACES) == (OWN))
#if WIDTH == 2
#define FIRST_PLACES ((Doubles){0, 1})
#define GATHERED(FROM, PLACES) ((Doubles){(FROM)[(PLACES)[0]], (FROM)[(PLACES)[1]]})
#define FOR_PARTS(DO, ...) \
    DO(0, __VA_ARGS__) DO(1, __VA_ARGS__) DO(2, __VA_ARGS__) DO(3, __VA_ARGS__)
#else
#define FIRST_PLACES ((Doubles){0, 1, 2, 3})
#define GATHERED(FROM, PLACES)                            \
    ((Doubles){(FROM)[(PLACES)[0]], (FROM)[(PLACES)[1]],  \
               (FROM)[(PLACES)[2]], (FROM)[(PLACES)[3]]})
#define FOR_PARTS(DO, ...) DO(0, __VA_ARGS__) DO(1, __VA_ARGS__)
#endif
#endif

INLINE Doubles load_doubles(const double *from) { return *(const DoublesAt *)from; }
INLINE Ints load_ints(const int32_t *from) { return *(const IntsAt *)from; }
INLINE void store_doubles(double *to, Doubles values) { *(DoublesAt *)to = values; }

/* ------------------------------------------------------------------ running sums in lanes */

#define BEGIN_TOTAL(PART, START) Doubles total##PART = EACH(START, Doubles);

/* Add the weights of a part of the lanes to its sums. */
#define ADD_WEIGHTS(PART, WEIGHTS)             \
    total##PART += WEIGHTS(k + PART * WIDTH);  \
    store_doubles(out + k + PART * WIDTH, total##PART);

/* The same, where the place own, which has another weight, may be among them. */
#define ADD_OWN_WEIGHT(PART, WEIGHTS)                                            \
    total##PART += SELECT(places, EACH((double)(own - PART * WIDTH), Doubles),   \
                          EACH(weight, Doubles), WEIGHTS(k + PART * WIDTH));     \
    store_doubles(out + k + PART * WIDTH, total##PART);

/* Add up the weights that WEIGHTS(k) makes for a vector of places from k on; that of place own is
 * weight. Only the block of own is compared; all blocks of a short row are, because guessing
 * where the block is takes longer. */
#define ADD_UP(WEIGHTS)                                             \
    double *out = sums.at;                                          \
    Int k = 0, first = 0, last = sums.size;                         \
    if (last > SHORT) {                                             \
        first = own < 0 ? last : own & -LANES;                      \
        last = least(first + LANES, last);                          \
    }                                                               \
    FOR_PARTS(BEGIN_TOTAL, 0.0)                                     \
    for (; k < first; k += LANES) {                                 \
        FOR_PARTS(ADD_WEIGHTS, WEIGHTS)                             \
    }                                                               \
    Doubles places = FIRST_PLACES + EACH((double)k, Doubles);       \
    for (; k < last; k += LANES, places += (double)LANES) {         \
        FOR_PARTS(ADD_OWN_WEIGHT, WEIGHTS)                          \
    }                                                               \
    for (; k < sums.size; k += LANES) {                             \
        FOR_PARTS(ADD_WEIGHTS, WEIGHTS)                             \
    }

/* Add up factors[k] * (counts[start + k] + more); that of place own is weight. */
INLINE void running_weights(F64 sums, F64 factors, I32 counts, Int start, double more, Int own,
                            double weight)
{
    CHECK_WIDTH(factors, 0, sums.size);
    CHECK_WIDTH(counts, start, sums.size);
    const double *factor = factors.at;
    const int32_t *count = counts.at + start;
#define WEIGHTS(K) \
    (load_doubles(factor + (K)) * (TO_DOUBLES(load_ints(count + (K))) + EACH(more, Doubles)))
    ADD_UP(WEIGHTS)
#undef WEIGHTS
}

/* Add up factors[k] * values[start + k]; that of place own is weight. */
INLINE void running_products(F64 sums, F64 factors, F64 values, Int start, Int own, double weight)
{
    CHECK_WIDTH(factors, 0, sums.size);
    CHECK_WIDTH(values, start, sums.size);
    const double *factor = factors.at, *value = values.at + start;
#define WEIGHTS(K) (load_doubles(factor + (K)) * load_doubles(value + (K)))
    ADD_UP(WEIGHTS)
#undef WEIGHTS
}

/* Add up factors[places[n]] * counts[n] for size places from begin on, one of own less. */
INLINE void running_weights_at(F64 sums, F64 factors, I32 places, I32 counts, Int begin, Int size,
                               Int own)
{
    CHECK_WIDTH(sums, 0, size);
    CHECK_WIDTH(places, begin, size);
    CHECK_WIDTH(counts, begin, size);
    for (Int n = begin; n < begin + size; n++)
        CHECK_WIDTH(factors, AT(places, n), 1);
    const double *factor = factors.at;
    const int32_t *place = places.at + begin, *count = counts.at + begin;
    Ints topic = EACH((int32_t)own, Ints);
    double *out = sums.at;
    FOR_PARTS(BEGIN_TOTAL, 0.0)
#define WEIGHTS(K)                   \
    (GATHERED(factor, place + (K)) * \
     TO_DOUBLES(load_ints(count + (K)) + ARE_OWN(load_ints(place + (K)), topic)))
    for (Int k = 0; k < size; k += LANES) {
        FOR_PARTS(ADD_WEIGHTS, WEIGHTS)
    }
#undef WEIGHTS
}

/* ------------------------------------------------------------------ random numbers and draws */

INLINE double uniform(uint64_t key, Int number)
{
    return (double)(int64_t)(mix(key + (uint64_t)number * STEP) >> 11) * 0x1p-53;
}

/* How many of some sums are at most the limit, without a branch to guess. */
INLINE Int count_up_to(const double *sums, Int place, Int step, Int number, double limit)
{
    Int found = 0;
    for (Int n = 0; n < number; n++, place += step)
        found += sums[place] <= limit;
    return found;
}

/* Draw one of eight lanes by the sums from last on; the rest of the drawn weight is within it. */
INLINE Int lane_of(const double *last, double random, double *rest)
{
    double a[LANES], b[LANES], before[LANES + 1];
    for (int k = 0; k < LANES; k++)
        a[k] = last[k] + (k >= 1 ? last[k - 1] : 0);
    for (int k = 0; k < LANES; k++)
        b[k] = a[k] + (k >= 2 ? a[k - 2] : 0);
    before[0] = 0;
    for (int k = 0; k < LANES; k++)
        before[k + 1] = b[k] + (k >= 4 ? b[k - 4] : 0);
    double target = random * before[LANES];
    Int lane = 0;
    for (int k = 1; k < LANES; k++)
        lane += before[k] <= target;
    *rest = target - before[lane];
    return lane;
}

/* Draw a place by running sums of weights in lanes; it is below most. */
INLINE Int draw(F64 sums, Int size, Int most_places, double random)
{
    CHECK_WIDTH(sums, 0, size);
    double rest;
    Int lane = lane_of(sums.at + size - LANES, random, &rest);
    Int block = 0, left = size / LANES - 1;
    if (left > STRIDE) { /* long rows in strides first */
        block = STRIDE * count_up_to(sums.at, (STRIDE - 1) * LANES + lane, STRIDE * LANES,
                                     left / STRIDE, rest);
        left = least(left - block, STRIDE - 1);
    }
    block += count_up_to(sums.at, block * LANES + lane, LANES, left, rest);
    Int place = block * LANES + lane;
    return most(place - LANES * (place >= most_places), 0); /* only by rounding */
}

/* The sum of all lanes, added as drawing adds them. */
INLINE double total_of_lanes(const double *last)
{
    double first = (last[0] + last[1]) + (last[2] + last[3]);
    return first + ((last[4] + last[5]) + (last[6] + last[7]));
}
