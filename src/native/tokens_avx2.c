/* tokens.c for processors with AVX2: see processor.h */

#include "processor.h"

#if HAVE_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif
#define USE_AVX2
#define VARIANT(NAME) NAME##_avx2
#include "tokens_body.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tokens_avx2_is_empty;
#endif
