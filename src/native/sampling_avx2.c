/* The loops of sampling.c for processors that have AVX2. */

#include "native.h"

#ifdef HAS_AVX2_LOOPS
#include <immintrin.h>

/* without FMA, which rounds a product and a sum at once: numbers would differ */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define WIDTH 4
#define VARIANT(NAME) NAME##_avx2
#define TO_DOUBLES(INTS) ((Doubles)_mm256_cvtepi32_pd((__m128i)(INTS)))
#include "sampling_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
