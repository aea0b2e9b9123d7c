/* What all kernels share: types of arguments, access to arrays, single instructions.
 *
 * A kernel is declared in Python (tealeaves/kernels.py says how) and defined here by KERNEL, whose
 * name, arguments and result must be the same. Python compares them when the library is loaded.
 * Kernels allocate nothing, raise nothing and keep no state, and run without the GIL.
 */
#ifndef TEALEAVES_NATIVE_H
#define TEALEAVES_NATIVE_H

#include <stdint.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#ifdef _MSC_VER
#include <intrin.h>
#define INLINE static __forceinline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

typedef int64_t Int;
typedef double Float;

/* arrays: where the elements are, and how many */
typedef struct { uint8_t *at; Int size; } U8;
typedef struct { int32_t *at; Int size; } I32;
typedef struct { int64_t *at; Int size; } I64;
typedef struct { uint64_t *at; Int size; } U64;
typedef struct { float *at; Int size; } F32;
typedef struct { double *at; Int size; } F64;

#define STRUCT(NAME, ...) typedef struct { __VA_ARGS__ } NAME;
#include "structs.h"
#undef STRUCT

/* Define a kernel, and the text of its declaration that Python compares with its own. */
#define KERNEL(RESULT, NAME, ...)                                            \
    EXPORT const char NAME##_signature[] = #RESULT " (" #__VA_ARGS__ ")";    \
    EXPORT RESULT NAME(__VA_ARGS__)

/* AT(array, place) is an element. A build with -DCHECKED ends the process if there is none. */
#ifdef CHECKED
#include <stdio.h>
#include <stdlib.h>
INLINE Int checked(Int place, Int size, Int width, const char *what, const char *file, int line)
{
    if (place < 0 || place + width > size) {
        fprintf(stderr, "%s:%d: %s has %lld elements, not %lld\n", file, line, what,
                (long long)size, (long long)(place + width));
        abort();
    }
    return place;
}
#define AT(ARRAY, PLACE) \
    ((ARRAY).at[checked((Int)(PLACE), (ARRAY).size, 1, #ARRAY, __FILE__, __LINE__)])
#define CHECK_WIDTH(ARRAY, PLACE, WIDTH) \
    ((void)checked((Int)(PLACE), (ARRAY).size, (WIDTH), #ARRAY, __FILE__, __LINE__))
#else
#define AT(ARRAY, PLACE) ((ARRAY).at[PLACE])
#define CHECK_WIDTH(ARRAY, PLACE, WIDTH) ((void)0)
#endif

INLINE Int least(Int a, Int b) { return a < b ? a : b; }
INLINE Int most(Int a, Int b) { return a > b ? a : b; }

/* Eight bytes as a number, the first byte the least. */
INLINE uint64_t load_number(const uint8_t *place)
{
    uint64_t value;
    memcpy(&value, place, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

INLINE void store_number(uint8_t *place, uint64_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    memcpy(place, &value, 8);
}

INLINE uint64_t load64(U8 data, Int place)
{
    CHECK_WIDTH(data, place, 8);
    return load_number(data.at + place);
}

/* The number of the lowest bit that is set; the value is not 0. */
INLINE Int trailing_zeros(uint64_t value)
{
#ifdef _MSC_VER
    unsigned long found;
    _BitScanForward64(&found, value);
    return (Int)found;
#else
    return (Int)__builtin_ctzll(value);
#endif
}

/* How many bits are set. */
INLINE Int count_bits(uint64_t value)
{
#ifdef __POPCNT__
    return (Int)__builtin_popcountll(value);
#else
    value -= value >> 1 & UINT64_C(0x5555555555555555);
    value = (value & UINT64_C(0x3333333333333333)) + (value >> 2 & UINT64_C(0x3333333333333333));
    value = (value + (value >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (Int)(value * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* Ask for memory that is soon read. */
INLINE void prefetch(const void *place)
{
#ifdef _MSC_VER
#if defined(_M_X64)
    _mm_prefetch((const char *)place, _MM_HINT_T0);
#else
    (void)place;
#endif
#else
    __builtin_prefetch(place);
#endif
}

/* Mix the bits of a number: the last steps of SplitMix64. */
INLINE uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

#endif
