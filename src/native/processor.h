/* Loops that are compiled twice: for every processor, and for those with AVX2.
 *
 * A file such as tokens.c includes the body of such loops with VARIANT(name) as name_baseline, and
 * tokens_avx2.c includes it again with name_avx2. The kernel calls one of the two. No fused product
 * and sum (FMA) is allowed: numbers are the same on all processors.
 */
#ifndef TEALEAVES_PROCESSOR_H
#define TEALEAVES_PROCESSOR_H

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(PORTABLE)
#define HAVE_AVX2 1
#define has_avx2() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
#else
#define HAVE_AVX2 0
#endif

#endif
