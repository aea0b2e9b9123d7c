/* Classes of ASCII bytes, many at a time: 32 with AVX2, 16 with SSE2, else 8 as one number, as
 * with -DPORTABLE. */
#ifndef TEALEAVES_BYTES_H
#define TEALEAVES_BYTES_H

#include "native.h"

#if defined(USE_AVX2)

#include <immintrin.h>
#define WIDTH 32
typedef __m256i Bytes;
INLINE Bytes load_bytes(const uint8_t *place) { return _mm256_loadu_si256((const __m256i *)place); }
INLINE void store_bytes(uint8_t *place, Bytes x) { _mm256_storeu_si256((__m256i *)place, x); }
INLINE Bytes either(Bytes x, Bytes y) { return _mm256_or_si256(x, y); }
/* the bytes from ``first`` to ``first + more`` */
INLINE Bytes in_range(Bytes x, uint8_t first, uint8_t more)
{
    Bytes offset = _mm256_sub_epi8(x, _mm256_set1_epi8((char)first));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(offset, _mm256_set1_epi8((char)more)), offset);
}
INLINE Bytes lowered(Bytes x, Bytes upper)
{
    return _mm256_or_si256(x, _mm256_and_si256(upper, _mm256_set1_epi8(0x20)));
}
INLINE uint64_t bits_of(Bytes x) { return (uint32_t)_mm256_movemask_epi8(x); }
INLINE uint64_t beyond_ascii(Bytes x) { return bits_of(x); }

#elif (defined(__SSE2__) || defined(_M_X64)) && !defined(PORTABLE)

#include <emmintrin.h>
#define WIDTH 16
typedef __m128i Bytes;
INLINE Bytes load_bytes(const uint8_t *place) { return _mm_loadu_si128((const __m128i *)place); }
INLINE void store_bytes(uint8_t *place, Bytes x) { _mm_storeu_si128((__m128i *)place, x); }
INLINE Bytes either(Bytes x, Bytes y) { return _mm_or_si128(x, y); }
INLINE Bytes in_range(Bytes x, uint8_t first, uint8_t more)
{
    Bytes offset = _mm_sub_epi8(x, _mm_set1_epi8((char)first));
    return _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8((char)more)), offset);
}
INLINE Bytes lowered(Bytes x, Bytes upper)
{
    return _mm_or_si128(x, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
}
INLINE uint64_t bits_of(Bytes x) { return (uint32_t)_mm_movemask_epi8(x); }
INLINE uint64_t beyond_ascii(Bytes x) { return bits_of(x); }

#else

/* If the top bit of each byte is cleared, adding 0x80 - a sets it where the byte is at least a. */
#define WIDTH 8
#define EACH(BYTE) ((BYTE) * UINT64_C(0x0101010101010101))
typedef uint64_t Bytes;
INLINE Bytes load_bytes(const uint8_t *place) { return load_number(place); }
INLINE void store_bytes(uint8_t *place, Bytes x) { store_number(place, x); }
INLINE Bytes either(Bytes x, Bytes y) { return x | y; }
INLINE Bytes in_range(Bytes x, uint8_t first, uint8_t more)
{
    Bytes rest = x & EACH(0x7F);
    return (rest + EACH(0x80u - first)) & ~(rest + EACH(0x7Fu - first - more)) & ~x & EACH(0x80);
}
INLINE Bytes lowered(Bytes x, Bytes upper) { return x | upper >> 2; }
INLINE uint64_t bits_of(Bytes x)
{
    return ((x & EACH(0x80)) >> 7) * UINT64_C(0x0102040810204080) >> 56;
}
INLINE uint64_t beyond_ascii(Bytes x) { return bits_of(x); }

#endif

#endif
