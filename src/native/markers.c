/* Counts of markers, and Fisher's exact test: tealeaves/lexicon/markers/kernels.py */

#include <math.h>

#include "native.h"

KERNEL(void, count_markers, I64 rows, MarkerPlaces *places, I32 last, I32 counts)
{
    MarkerPlaces at = *places;
    for (Int k = 0; k < rows.size; k++) {
        Int row = AT(rows, k), end = AT(at.row_starts, row + 1);
        for (Int place = AT(at.row_starts, row); place < end; place++) {
            Int word = AT(at.row_words, place), stop = AT(at.word_starts, word + 1);
            for (Int m = AT(at.word_starts, word); m < stop; m++) {
                Int marker = AT(at.word_markers, m);
                AT(counts, marker) += AT(last, marker) != k;
                AT(last, marker) = (int32_t)k;
            }
        }
    }
}

KERNEL(void, upper_tails, I64 both, I64 marker, Int seed, Int total, F64 logs, F64 tails)
{
    for (Int i = 0; i < both.size; i++) {
        Int a = AT(both, i), f = AT(marker, i);
        Int lowest = most(0, f + seed - total), highest = least(f, seed);
        int above = a * total > f * seed;
        Int k = above ? a : a - 1;
        if (a <= lowest) {
            AT(tails, i) = 0.0;
            continue;
        }
        double first = AT(logs, f) - AT(logs, k) - AT(logs, f - k) + AT(logs, total - f)
                       - AT(logs, seed - k) - AT(logs, total - f - seed + k) - AT(logs, total)
                       + AT(logs, seed) + AT(logs, total - seed);
        Int neither = total - f - seed + k, rounds = 0;
        if (lowest < k && k < highest)
            rounds = above ? highest - k : k - lowest;
        /* each term is the one before, times two factors, divided by two others */
        double x = (double)(above ? f - k : k), y = (double)(above ? seed - k : neither);
        double u = (double)(above ? k : f - k) + 1.0, v = (double)(above ? neither : seed - k) + 1.0;
        double term = 1.0, terms = 1.0;
        for (; rounds > 0 && term > terms * 1e-17; rounds--) {
            term *= x * y / (u * v);
            terms += term;
            x -= 1.0, y -= 1.0, u += 1.0, v += 1.0;
        }
        double tail = first + log(terms);
        /* below the middle, the lower tail was summed */
        if (!above) {
            double lower = exp(tail);
            tail = log1p(-(lower < 1.0 - 1e-16 ? lower : 1.0 - 1e-16));
        }
        AT(tails, i) = tail;
    }
}
