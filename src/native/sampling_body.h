/* The loops of the samplers, with vectors of WIDTH doubles: tealeaves/models/polylingual/kernels */

#include "lanes.h"

#define AHEAD 4  /* tokens between asking for a row and its use */
#define LINE 16  /* counts in a line of the processor's cache */

/* Ask for the row of a word that comes soon. */
INLINE void fetch_row(I32 counts, Int row, Int size)
{
    for (Int place = row; place < row + size; place += LINE)
        prefetch(&AT(counts, place));
}

/* ------------------------------------------------------------------ the dense sampler */

/* Count the topics of the tokens of a tuple. */
INLINE void count_topics(I32 topics, Int start, Int end, I32 counts)
{
    memset(counts.at, 0, (size_t)counts.size * sizeof *counts.at);
    for (Int token = start; token < end; token++)
        AT(counts, AT(topics, token)) += 1;
}

/* Write the part of the weights that a side's words have in common. */
INLINE void find_factors(I32 mixed, const TopicTotals *totals, Int side, F64 factors)
{
    CHECK_WIDTH(mixed, 0, factors.size);
    CHECK_WIDTH(totals->alpha, 0, factors.size);
    CHECK_WIDTH(totals->shares, side, factors.size);
    const int32_t *restrict count = mixed.at;
    const double *restrict alpha = totals->alpha.at, *restrict share = totals->shares.at + side;
    double *restrict out = factors.at;
    for (Int k = 0; k < factors.size; k++)
        out[k] = (count[k] + alpha[k]) * share[k];
}

/* Write the running sums of the weights for a token that has topic old and does not count. */
INLINE void weigh(Int old, Int row, Int language, I32 word_topics, const TopicTotals *totals,
                  const DenseBuffers *buffers)
{
    Int side = language * buffers->sums.size;
    double beta = AT(totals->beta, language);
    double own = (AT(buffers->mixed, old) - 1 + AT(totals->alpha, old)) *
                 (AT(word_topics, row + old) - 1 + beta);
    own /= AT(totals->counts, side + old) - 1 + AT(totals->sizes, language);
    running_weights(buffers->sums, buffers->factors, word_topics, row, beta, old, own);
}

/* Add a token to a topic, or take it away. */
INLINE void move(int32_t by, Int k, Int row, Int language, I32 word_topics,
                 const TopicTotals *totals, const DenseBuffers *buffers)
{
    Int cell = language * buffers->sums.size + k;
    int32_t mixed = AT(buffers->mixed, k) += by;
    AT(word_topics, row + k) += by;
    int32_t count = AT(totals->counts, cell) += by;
    double share = 1.0 / (count + AT(totals->sizes, language));
    AT(totals->shares, cell) = share;
    AT(buffers->factors, k) = (mixed + AT(totals->alpha, k)) * share;
}

void VARIANT(sample_dense)(Int first, Int last, Int key, TupleWords *given_texts, I32 topics,
                           I32 word_topics, TopicTotals *given_totals,
                           DenseBuffers *given_buffers)
{
    const TupleWords texts = *given_texts;
    const TopicTotals totals = *given_totals;
    const DenseBuffers buffers = *given_buffers;
    Int languages = texts.languages, size = buffers.sums.size;
    for (Int d = first; d < last; d++) {
        count_topics(topics, AT(texts.starts, d * languages),
                     AT(texts.starts, (d + 1) * languages), buffers.mixed);
        for (Int language = 0; language < languages; language++) {
            Int start = AT(texts.starts, d * languages + language);
            Int end = AT(texts.starts, d * languages + language + 1);
            if (start == end)
                continue;
            Int offset = AT(texts.rows, language);
            find_factors(buffers.mixed, &totals, language * size, buffers.factors);
            for (Int token = start; token < end; token++) {
                Int ahead = AT(texts.words, least(token + AHEAD, end - 1));
                fetch_row(word_topics, (offset + ahead) * size, size);
                Int row = (offset + AT(texts.words, token)) * size, old = AT(topics, token);
                weigh(old, row, language, word_topics, &totals, &buffers);
                Int new = draw(buffers.sums, size, totals.k, uniform((uint64_t)key, token));
                if (new != old) {
                    AT(topics, token) = (int32_t)new;
                    move(-1, old, row, language, word_topics, &totals, &buffers);
                    move(1, new, row, language, word_topics, &totals, &buffers);
                }
            }
        }
    }
}

void VARIANT(weigh_dense)(Int d, Int token, TupleWords *texts, I32 topics, I32 word_topics,
                          TopicTotals *totals, DenseBuffers *buffers)
{
    Int languages = texts->languages, size = buffers->sums.size, language = 0;
    count_topics(topics, AT(texts->starts, d * languages), AT(texts->starts, (d + 1) * languages),
                 buffers->mixed);
    while (AT(texts->starts, d * languages + language + 1) <= token)
        language++;
    Int row = (AT(texts->rows, language) + AT(texts->words, token)) * size;
    find_factors(buffers->mixed, totals, language * size, buffers->factors);
    weigh(AT(topics, token), row, language, word_topics, totals, buffers);
}

/* ------------------------------------------------------------------ the topics of a word */

/* The length of a row that is filled up to a multiple of eight. */
INLINE Int padded(Int length) { return (length + LANES - 1) & -LANES; }

/* Where a topic is in the row of a word; -1 if it is not. It compares the whole row with what fills
 * it up, in vectors: a loop that may end early would compare one by one. */
INLINE Int find_place(I32 places, Int begin, Int length, Int topic)
{
    CHECK_WIDTH(places, begin, padded(length));
    const int32_t *place = places.at + begin, wanted = (int32_t)topic;
    int32_t found = 0, size = (int32_t)padded(length);
    for (int32_t n = 0; n < size; n++)
        found |= place[n] == wanted ? n + 1 : 0;
    return found ? begin + found - 1 : -1;
}

/* Take the topic that is here from a word once; the last one fills the gap. */
INLINE void take_from_row(const WordRows *rows, Int row, Int here, Int none)
{
    if (--AT(rows->counts, here) == 0) {
        Int last = AT(rows->begins, row) + --AT(rows->lengths, row);
        AT(rows->places, here) = AT(rows->places, last);
        AT(rows->counts, here) = AT(rows->counts, last);
        AT(rows->places, last) = (int32_t)none;
        AT(rows->counts, last) = 0;
    }
}

/* Give a topic to a word once more. */
INLINE void add_to_row(const WordRows *rows, Int row, Int k)
{
    Int begin = AT(rows->begins, row);
    Int here = find_place(rows->places, begin, AT(rows->lengths, row), k);
    if (here < 0) {
        here = begin + AT(rows->lengths, row)++;
        AT(rows->places, here) = (int32_t)k;
    }
    AT(rows->counts, here) += 1;
}

void VARIANT(fill_rows)(I32 topics, I64 token_rows, WordRows *rows)
{
    for (Int token = 0; token < topics.size; token++)
        add_to_row(rows, AT(token_rows, token), AT(topics, token));
}

void VARIANT(move_tokens)(I32 before, I32 topics, I64 token_rows, WordRows *rows, Int none)
{
    for (Int token = 0; token < topics.size; token++) {
        if (AT(before, token) == AT(topics, token))
            continue;
        Int row = AT(token_rows, token);
        Int here = find_place(rows->places, AT(rows->begins, row), AT(rows->lengths, row),
                              AT(before, token));
        take_from_row(rows, row, here, none);
        add_to_row(rows, row, AT(topics, token));
    }
}

/* ------------------------------------------------------------------ the topics of a tuple */

/* Count the topics of a tuple's tokens, list those it has, and return how many. */
INLINE Int find_present(const SparseBuffers *buffers, I32 topics, Int start, Int end)
{
    I32 mixed = buffers->mixed;
    memset(mixed.at, 0, (size_t)mixed.size * sizeof *mixed.at);
    Int number = 0;
    for (Int token = start; token < end; token++) {
        Int k = AT(topics, token);
        if (AT(mixed, k)++ == 0) {
            AT(buffers->present, number) = (int32_t)k;
            AT(buffers->where, k) = (int32_t)number++;
        }
    }
    return number;
}

/* Add up n_dk * share_lk over the topics that the tuple has. */
INLINE double sum_shares(const SparseBuffers *buffers, F64 shares, Int side, Int number)
{
    double total = 0.0;
    for (Int n = 0; n < number; n++) {
        Int k = AT(buffers->present, n);
        total += AT(buffers->mixed, k) * AT(shares, side + k);
    }
    return total;
}

/* Draw one of the topics that the tuple has; -1 if by rounding there is none. */
INLINE Int draw_present(double target, const SparseBuffers *buffers, F64 shares, Int side,
                        Int number, Int own, double weight)
{
    for (Int n = 0; n < number; n++) {
        Int k = AT(buffers->present, n);
        target -= k == own ? weight : AT(buffers->mixed, k) * AT(shares, side + k);
        if (target < 0.0)
            return k;
    }
    return -1;
}

/* Take a token of a topic from the tuple; return how many topics it has then. */
INLINE Int drop_present(const SparseBuffers *buffers, Int k, Int number)
{
    if (--AT(buffers->mixed, k) == 0) {
        Int last = AT(buffers->present, --number), place = AT(buffers->where, k);
        AT(buffers->present, place) = (int32_t)last;
        AT(buffers->where, last) = (int32_t)place;
    }
    return number;
}

/* Give the tuple a token of a topic; return how many topics it has then. */
INLINE Int add_present(const SparseBuffers *buffers, Int k, Int number)
{
    if (AT(buffers->mixed, k)++ == 0) {
        AT(buffers->present, number) = (int32_t)k;
        AT(buffers->where, k) = (int32_t)number++;
    }
    return number;
}

/* ------------------------------------------------------------------ the sparse sampler */

/* The parts of the weights for a token that does not count: the share of its topic, and the sums
 * of the parts, of the first two without beta. */
typedef struct { double less, all_topics, of_tuple, of_word; } Buckets;

/* A number as one that draws: from 0 to below 1, which rounding may leave. */
INLINE double below_1(double number)
{
    const double most_of_1 = 1.0 - 0x1p-53;
    number = number > 0.0 ? number : 0.0;
    return number < most_of_1 ? number : most_of_1;
}

/* Write the running sums of alpha_k * share_lk, and return their total. */
INLINE double smooth(const TopicTotals *totals, Int side, F64 sums, Int own, double weight)
{
    running_products(sums, totals->alpha, totals->shares, side, own, weight);
    return total_of_lanes(sums.at + sums.size - LANES);
}

/* Weigh the three parts for a token that has topic old; all_topics and of_tuple are the sums with
 * it. The factor of old is then without it. */
INLINE Buckets weigh_buckets(Int old, Int language, Int row, const WordRows *rows,
                             const TopicTotals *totals, const SparseBuffers *buffers,
                             double all_topics, double of_tuple)
{
    Int cell = language * buffers->sums.size + old;
    Int n_old = AT(buffers->mixed, old);
    double alpha = AT(totals->alpha, old), share = AT(totals->shares, cell);
    Buckets found;
    found.less = 1.0 / (AT(totals->counts, cell) - 1 + AT(totals->sizes, language));
    found.all_topics = all_topics + alpha * (found.less - share);
    found.of_tuple = of_tuple + ((n_old - 1) * found.less - n_old * share);
    AT(buffers->factors, old) = (n_old - 1 + alpha) * found.less;
    Int size = padded(AT(rows->lengths, row));
    running_weights_at(buffers->row_sums, buffers->factors, rows->places, rows->counts,
                       AT(rows->begins, row), size, old);
    found.of_word = total_of_lanes(buffers->row_sums.at + size - LANES);
    return found;
}

void VARIANT(sample_sparse)(Int first, Int last, Int key, TupleWords *given_texts,
                            I32 topics, WordRows *given_rows,
                            TopicTotals *given_totals, SparseBuffers *given_buffers)
{
    const TupleWords texts = *given_texts;
    const WordRows rows = *given_rows;
    const TopicTotals totals = *given_totals;
    const SparseBuffers buffers = *given_buffers;
    Int languages = texts.languages, width = buffers.sums.size;
    for (Int d = first; d < last; d++) {
        Int number = find_present(&buffers, topics, AT(texts.starts, d * languages),
                                  AT(texts.starts, (d + 1) * languages));
        for (Int language = 0; language < languages; language++) {
            Int start = AT(texts.starts, d * languages + language);
            Int end = AT(texts.starts, d * languages + language + 1);
            if (start == end)
                continue;
            Int side = language * width, offset = AT(texts.rows, language);
            double beta = AT(totals.beta, language), size = AT(totals.sizes, language);
            find_factors(buffers.mixed, &totals, side, buffers.factors);
            double all_topics = smooth(&totals, side, buffers.sums, -1, 0.0);
            double of_tuple = sum_shares(&buffers, totals.shares, side, number);
            for (Int token = start; token < end; token++) {
                Int ahead = offset + AT(texts.words, least(token + AHEAD, end - 1));
                fetch_row(rows.places, AT(rows.begins, ahead), AT(rows.lengths, ahead));
                fetch_row(rows.counts, AT(rows.begins, ahead), AT(rows.lengths, ahead));
                Int old = AT(topics, token), new = -1;
                Int row = offset + AT(texts.words, token);
                Int begin = AT(rows.begins, row), length = AT(rows.lengths, row);
                Int n_old = AT(buffers.mixed, old);
                double factor = AT(buffers.factors, old);
                Buckets found = weigh_buckets(old, language, row, &rows, &totals, &buffers,
                                              all_topics, of_tuple);
                double q = found.of_word, s = found.all_topics, r = found.of_tuple;
                double target = uniform((uint64_t)key, token) * (q + beta * (s + r));
                if (target < q) {
                    new = draw(buffers.row_sums, padded(length), length, below_1(target / q));
                    new = AT(rows.places, begin + new);
                } else {
                    target = (target - q) / beta;
                    if (target < r)
                        new = draw_present(target, &buffers, totals.shares, side, number, old,
                                           (n_old - 1) * found.less);
                    if (new < 0) {
                        smooth(&totals, side, buffers.sums, old,
                               AT(totals.alpha, old) * found.less);
                        new = draw(buffers.sums, width, totals.k, below_1((target - r) / s));
                    }
                }
                if (new == old) {
                    AT(buffers.factors, old) = factor;
                    continue;
                }
                AT(topics, token) = (int32_t)new;
                take_from_row(&rows, row, find_place(rows.places, begin, length, old), totals.k);
                add_to_row(&rows, row, new);
                number = drop_present(&buffers, old, number);
                number = add_present(&buffers, new, number);
                AT(totals.counts, side + old) -= 1;
                Int count = AT(totals.counts, side + new) += 1, n_new = AT(buffers.mixed, new);
                double more = 1.0 / (count + size), before = AT(totals.shares, side + new);
                double alpha = AT(totals.alpha, new);
                all_topics = s + alpha * (more - before);
                of_tuple = r + (n_new * more - (n_new - 1) * before);
                AT(totals.shares, side + old) = found.less;
                AT(totals.shares, side + new) = more;
                AT(buffers.factors, new) = (n_new + alpha) * more;
            }
        }
    }
}

void VARIANT(weigh_sparse)(Int d, Int token, TupleWords *texts, I32 topics,
                           WordRows *rows, TopicTotals *totals,
                           SparseBuffers *buffers, F64 weights)
{
    Int languages = texts->languages, language = 0;
    Int number = find_present(buffers, topics, AT(texts->starts, d * languages),
                              AT(texts->starts, (d + 1) * languages));
    while (AT(texts->starts, d * languages + language + 1) <= token)
        language++;
    Int side = language * buffers->sums.size, old = AT(topics, token);
    Int row = AT(texts->rows, language) + AT(texts->words, token);
    double beta = AT(totals->beta, language);
    find_factors(buffers->mixed, totals, side, buffers->factors);
    Buckets found = weigh_buckets(old, language, row, rows, totals, buffers,
                                  smooth(totals, side, buffers->sums, -1, 0.0),
                                  sum_shares(buffers, totals->shares, side, number));
    smooth(totals, side, buffers->sums, old, AT(totals->alpha, old) * found.less);
    for (Int n = 0; n < number; n++) {
        Int k = AT(buffers->present, n);
        double share = k == old ? found.less : AT(totals->shares, side + k);
        AT(weights, k) += beta * (AT(buffers->mixed, k) - (k == old)) * share;
    }
    for (Int n = 0; n < AT(rows->lengths, row); n++) {
        double before = n >= LANES ? AT(buffers->row_sums, n - LANES) : 0.0;
        AT(weights, AT(rows->places, AT(rows->begins, row) + n)) +=
            AT(buffers->row_sums, n) - before;
    }
    AT(weights, weights.size - 1) =
        found.of_word + beta * (found.all_topics + found.of_tuple);
}

/* ------------------------------------------------------------------ new tuples */

/* The key of a tuple's random numbers: by its words alone, wherever it stands. */
INLINE uint64_t key_of_tuple(Int key, I64 rows, Int start, Int end)
{
    uint64_t own = (uint64_t)key;
    for (Int token = start; token < end; token++)
        own = mix((own ^ (uint64_t)AT(rows, token)) * STEP);
    return own;
}

void VARIANT(sample_tuples)(Int first, Int last, Int key, Int iterations,
                            NewTuples *given_tuples, KnownTopics *given_model,
                            DenseBuffers *given_buffers)
{
    const NewTuples tuples = *given_tuples;
    const KnownTopics model = *given_model;
    const DenseBuffers buffers = *given_buffers;
    I32 mixed = buffers.mixed, topics = tuples.topics;
    F64 alpha = model.alpha, factors = buffers.factors;
    Int size = buffers.sums.size, kept = (iterations + 1) / 2;
    for (Int d = first; d < last; d++) {
        Int start = AT(tuples.starts, d), end = AT(tuples.starts, d + 1), drawn = 0;
        uint64_t own = key_of_tuple(key, tuples.rows, start, end);
        for (Int k = 0; k < size; k++) {
            AT(factors, k) = AT(alpha, k);
            AT(mixed, k) = 0;
        }
        for (Int iteration = 0; iteration <= iterations; iteration++) {
            for (Int token = start; token < end; token++) {
                Int row = AT(tuples.rows, token) * size, old = -1;
                double weight = 0.0;
                if (iteration > 0) {
                    old = AT(topics, token);
                    weight = (--AT(mixed, old) + AT(alpha, old)) * AT(model.phi, row + old);
                }
                running_products(buffers.sums, factors, model.phi, row, old, weight);
                Int new = draw(buffers.sums, size, model.k, uniform(own, drawn++));
                AT(mixed, new) += 1;
                if (old >= 0)
                    AT(factors, old) = AT(mixed, old) + AT(alpha, old);
                AT(factors, new) = AT(mixed, new) + AT(alpha, new);
                AT(topics, token) = (int32_t)new;
            }
            if (iteration > iterations - kept)
                for (Int k = 0; k < model.k; k++)
                    AT(tuples.means, d * model.k + k) += AT(mixed, k) / (double)kept;
        }
    }
}
