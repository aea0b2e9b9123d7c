/* sampling.c for processors with AVX2: see processor.h */

#include "processor.h"

#if HAVE_AVX2
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define WIDTH 4
#define VARIANT(NAME) NAME##_avx2
#define TO_DOUBLES(INTS) ((Doubles)_mm256_cvtepi32_pd((__m128i)(INTS)))
#include "sampling_body.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int sampling_avx2_is_empty;
#endif
