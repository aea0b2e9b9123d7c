/* The samplers of the polylingual topic model: tealeaves/models/polylingual/kernels
 *
 * Vectors of AVX-512 were not faster than those of AVX2. -DNO_VECTORS compiles what compilers
 * without vectors compile.
 */

#include "processor.h"

#if (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9)) && !defined(NO_VECTORS)
#define WIDTH 2
#else
#define WIDTH 1
#endif
#define VARIANT(NAME) NAME##_baseline
#include "sampling_body.h"

/* Define a kernel that calls the loop of the same name. */
#if HAVE_AVX2
#define SAMPLER(NAME, VALUES, ...)     \
    void NAME##_avx2(__VA_ARGS__);     \
    KERNEL(void, NAME, __VA_ARGS__)    \
    {                                  \
        if (has_avx2())                \
            NAME##_avx2 VALUES;        \
        else                           \
            NAME##_baseline VALUES;    \
    }
#else
#define SAMPLER(NAME, VALUES, ...) \
    KERNEL(void, NAME, __VA_ARGS__) { NAME##_baseline VALUES; }
#endif

SAMPLER(sample_dense, (first, last, key, texts, topics, word_topics, totals, buffers),
        Int first, Int last, Int key, TupleWords *texts, I32 topics, I32 word_topics,
        TopicTotals *totals, DenseBuffers *buffers)

SAMPLER(weigh_dense, (d, token, texts, topics, word_topics, totals, buffers),
        Int d, Int token, TupleWords *texts, I32 topics, I32 word_topics, TopicTotals *totals,
        DenseBuffers *buffers)

SAMPLER(fill_rows, (topics, token_rows, rows), I32 topics, I64 token_rows, WordRows *rows)

SAMPLER(move_tokens, (before, topics, token_rows, rows, none),
        I32 before, I32 topics, I64 token_rows, WordRows *rows, Int none)

SAMPLER(sample_sparse, (first, last, key, texts, topics, rows, totals, buffers),
        Int first, Int last, Int key, TupleWords *texts, I32 topics, WordRows *rows,
        TopicTotals *totals, SparseBuffers *buffers)

SAMPLER(weigh_sparse, (d, token, texts, topics, rows, totals, buffers, weights),
        Int d, Int token, TupleWords *texts, I32 topics, WordRows *rows, TopicTotals *totals,
        SparseBuffers *buffers, F64 weights)

SAMPLER(sample_tuples, (first, last, key, iterations, tuples, model, buffers),
        Int first, Int last, Int key, Int iterations, NewTuples *tuples, KnownTopics *model,
        DenseBuffers *buffers)

KERNEL(Int, count_in_tuples, Int languages, I64 starts, I32 topics, I64 mixed, I32 found,
       I32 counts)
{
    Int pairs = 0, tuples = (starts.size - 1) / languages;
    for (Int d = 0; d < tuples; d++) {
        Int first = AT(starts, d * languages), last = AT(starts, (d + 1) * languages);
        for (Int token = first; token < last; token++)
            AT(mixed, AT(topics, token)) += 1;
        for (Int token = first; token < last; token++) {
            Int topic = AT(topics, token), count = AT(mixed, topic);
            if (count > 0) {
                AT(found, pairs) = (int32_t)topic;
                AT(counts, pairs++) = (int32_t)count;
                AT(mixed, topic) = 0;
            }
        }
    }
    return pairs;
}
