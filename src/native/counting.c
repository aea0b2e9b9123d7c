/* Counts of terms, pairs and sets: tealeaves/evidence/counting/kernels, which says how. */

#include "native.h"

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)
#define WALK 6                    /* one event takes as long as so many partners */
#define NEVER ((Int)0x7FFFFFFF)   /* stands for the first window in which an event is new */

/* ------------------------------------------------------------------ events */

KERNEL(Int, count_events, I32 hit_token, I64 gram_start)
{
    Int count = 0;
    for (Int hit = 0; hit < hit_token.size; hit++) {
        Int token = AT(hit_token, hit);
        count += 1 + AT(gram_start, token + 1) - AT(gram_start, token);
    }
    return count;
}

/* Whether a sequence of tokens ends with this hit. */
INLINE int is_sequence(I32 token, I32 place, Int first, Int last, I64 tokens, Int start, Int length)
{
    Int begin = last - length + 1;
    if (begin < first || AT(place, begin) != AT(place, last) - length + 1)
        return 0;
    for (Int k = 0; k < length; k++)
        if (AT(token, begin + k) != AT(tokens, start + k))
            return 0;
    return 1;
}

KERNEL(Int, find_events, I32 hit_token, I32 hit_place, I64 bounds, TermTables *terms,
       TermEvents *events)
{
    const TermTables table = *terms;
    const TermEvents to = *events;
    Int found = 0;
    AT(to.bounds, 0) = 0;
    for (Int document = 0; document < bounds.size - 1; document++) {
        Int first = AT(bounds, document);
        for (Int hit = first; hit < AT(bounds, document + 1); hit++) {
            Int token = AT(hit_token, hit);
            int32_t place = AT(hit_place, hit);
            if (AT(table.term_of_token, token) >= 0) {
                AT(to.term, found) = (int32_t)AT(table.term_of_token, token);
                AT(to.start, found) = place;
                AT(to.end, found) = place;
                found++;
            }
            for (Int g = AT(table.gram_start, token); g < AT(table.gram_start, token + 1); g++) {
                Int term = AT(table.grams, g), start = AT(table.token_start, term);
                Int length = AT(table.token_start, term + 1) - start;
                if (is_sequence(hit_token, hit_place, first, hit, table.tokens, start, length)) {
                    AT(to.term, found) = (int32_t)term;
                    AT(to.start, found) = (int32_t)(place - length + 1);
                    AT(to.end, found) = place;
                    found++;
                }
            }
        }
        AT(to.bounds, document + 1) = found;
    }
    return found;
}

/* ------------------------------------------------------------------ pairs */

/* The number of a pair of terms, or -1 if it was not requested. */
INLINE Int pair_of(Int a, Int b, const PairTable *table)
{
    /* a filter of bits rules out most pairs */
    uint64_t bit = (uint64_t)((a + 1) * (b + 1)) * GOLDEN >> (64 - table->filter_bits);
    if (!(AT(table->filter, bit >> 6) >> (bit & 63) & 1))
        return -1;
    Int low = AT(table->start, a), end = AT(table->start, a + 1), high = end;
    while (low < high) {
        Int middle = (low + high) >> 1;
        if (AT(table->partner, middle) < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && AT(table->partner, low) == b ? AT(table->pair, low) : -1;
}

/* ------------------------------------------------------------------ windows */

KERNEL(Int, count_windows, TermEvents *events, I64 lengths, Int size, Int sequences,
       PairTable *table, CountSums *sums)
{
    const TermEvents event = *events;
    const PairTable partners = *table;
    const CountSums to = *sums;
    Int units = 0;
    for (Int document = 0; document < lengths.size; document++) {
        Int length = AT(lengths, document);
        if (length == 0)
            continue;
        Int width = size == 0 || size > length ? length : size;
        Int top = length - width;
        units += top + 1;
        Int begin = AT(event.bounds, document), end = AT(event.bounds, document + 1);
        Int nearest = begin; /* the first event that the window reaches back to */
        for (Int e = begin; e < end; e++) {
            Int term = AT(event.term, e), start = AT(event.start, e);
            Int reach = AT(event.end, e) - width + 1;
            if (start < reach)
                continue; /* a sequence that is longer than the window is in no window */
            Int low = most(most(reach, (Int)AT(to.last, term) + 1), 0), high = least(start, top);
            AT(to.last, term) = (int32_t)start;
            if (high < low)
                continue;
            AT(to.singles, term) += high - low + 1;
            while (AT(event.start, nearest) < start - width + 1)
                nearest++;
            Int first = AT(partners.start, term), behind = AT(partners.start, term + 1);
            if (sequences || (e - nearest) * WALK > behind - first) {
                for (Int k = first; k < behind; k++) {
                    Int other = AT(to.last, AT(partners.partner, k));
                    if (other >= low)
                        AT(to.pairs, AT(partners.pair, k)) += least(high, other) - low + 1;
                }
                continue;
            }
            for (Int before = e - 1; before >= nearest; before--) {
                Int other = AT(event.start, before), there = AT(event.term, before);
                if (other < low)
                    break;
                if (AT(to.last, there) != other)
                    continue; /* the term occurs again later, and was counted there */
                Int pair = pair_of(term, there, &partners);
                if (pair >= 0)
                    AT(to.pairs, pair) += least(high, other) - low + 1;
            }
        }
        for (Int e = begin; e < end; e++)
            AT(to.last, AT(event.term, e)) = -1;
    }
    return units;
}

/* Add the windows of each size with a pair; ``other`` is the other term's last start. */
INLINE void add_pair(Int pair, Int other, I64 lows, I64 highs, Int count, I64 pairs)
{
    for (Int size = 0; size < lows.size; size++) {
        Int low = AT(lows, size);
        if (other >= low)
            AT(pairs, size * count + pair) += least(AT(highs, size), other) - low + 1;
    }
}

KERNEL(void, count_several_windows, TermEvents *events, I64 lengths, I64 sizes, Int sequences,
       PairTable *table, SeveralWindows *windows, CountSums *sums)
{
    const TermEvents event = *events;
    const PairTable partners = *table;
    const SeveralWindows window = *windows;
    const CountSums to = *sums;
    Int terms = to.last.size, count = to.pairs.size / sizes.size, widest = sizes.size - 1;
    for (Int document = 0; document < lengths.size; document++) {
        Int length = AT(lengths, document);
        if (length == 0)
            continue;
        for (Int size = 0; size < sizes.size; size++) {
            Int width = AT(sizes, size) == 0 || AT(sizes, size) > length ? length : AT(sizes, size);
            AT(window.widths, size) = width;
            AT(window.units, size) += length - width + 1;
        }
        Int begin = AT(event.bounds, document), end = AT(event.bounds, document + 1);
        Int nearest = begin; /* the first event that the widest window reaches back to */
        for (Int e = begin; e < end; e++) {
            Int term = AT(event.term, e), start = AT(event.start, e), lowest = NEVER;
            for (Int size = 0; size < sizes.size; size++) {
                Int width = AT(window.widths, size), reach = AT(event.end, e) - width + 1;
                Int low = most(most(reach, (Int)AT(to.last, term) + 1), 0);
                Int high = least(start, length - width);
                AT(window.lows, size) = NEVER;
                if (start >= reach && high >= low) { /* else too long for the window, or not new */
                    AT(window.lows, size) = low;
                    AT(window.highs, size) = high;
                    AT(to.singles, size * terms + term) += high - low + 1;
                    lowest = least(lowest, low);
                }
            }
            AT(to.last, term) = (int32_t)start;
            if (lowest == NEVER)
                continue;
            while (AT(event.start, nearest) < start - AT(window.widths, widest) + 1)
                nearest++;
            Int first = AT(partners.start, term), behind = AT(partners.start, term + 1);
            if (sequences || (e - nearest) * WALK > behind - first) {
                for (Int k = first; k < behind; k++) {
                    Int other = AT(to.last, AT(partners.partner, k));
                    if (other >= lowest)
                        add_pair(AT(partners.pair, k), other, window.lows, window.highs, count,
                                 to.pairs);
                }
                continue;
            }
            for (Int before = e - 1; before >= nearest; before--) {
                Int other = AT(event.start, before), there = AT(event.term, before);
                if (other < lowest)
                    break;
                if (AT(to.last, there) != other)
                    continue; /* the term occurs again later, and was counted there */
                Int pair = pair_of(term, there, &partners);
                if (pair >= 0)
                    add_pair(pair, other, window.lows, window.highs, count, to.pairs);
            }
        }
        for (Int e = begin; e < end; e++)
            AT(to.last, AT(event.term, e)) = -1;
    }
}

/* ------------------------------------------------------------------ windows by gensim's rule */

/* Add the windows in which a term was present, up to ``window``, in which it no longer is. */
INLINE void leave(Int term, Int window, const PairTable *partners, const CountSums *to)
{
    Int since = AT(to->last, term);
    AT(to->singles, term) += window - since;
    for (Int k = AT(partners->start, term); k < AT(partners->start, term + 1); k++) {
        Int other = AT(to->last, AT(partners->partner, k));
        if (other >= 0)
            AT(to->pairs, AT(partners->pair, k)) += window - most(since, other);
    }
    AT(to->last, term) = -1;
}

KERNEL(Int, count_windows_like_gensim, TermEvents *events, I64 lengths, Int size, Int sequences,
       PairTable *table, CountSums *sums)
{
    const TermEvents event = *events;
    const PairTable partners = *table;
    const CountSums to = *sums; /* ``last``: the window in which a term last became present */
    Int units = 0;
    (void)sequences;
    for (Int document = 0; document < lengths.size; document++) {
        Int length = AT(lengths, document);
        Int width = size == 0 || size > length ? length : size;
        Int top = length - width;
        units += top + 1;
        Int begin = AT(event.bounds, document), end = AT(event.bounds, document + 1);
        Int leaving = begin, entering = begin;
        while (leaving < end || entering < end) {
            /* the windows in which the next two changes take effect; in one window, out is first */
            Int out = leaving < end ? AT(event.end, leaving) + 1 : top + 1;
            Int enter = entering < end ? most(AT(event.end, entering) - width + 1, 0) : top + 1;
            if (out > top && enter > top)
                break;
            if (out <= enter) {
                Int term = AT(event.term, leaving);
                if (AT(event.start, leaving) == AT(event.end, leaving) && AT(to.last, term) >= 0)
                    leave(term, out, &partners, &to);
                leaving++;
            } else {
                Int term = AT(event.term, entering);
                if (AT(event.start, entering) == AT(event.end, entering) && AT(to.last, term) < 0)
                    AT(to.last, term) = (int32_t)enter;
                entering++;
            }
        }
        for (Int e = begin; e < end; e++) {
            Int term = AT(event.term, e);
            if (AT(to.last, term) >= 0)
                leave(term, top + 1, &partners, &to);
        }
    }
    return units;
}

/* ------------------------------------------------------------------ contexts */

KERNEL(Int, count_contexts, TermEvents *events, I64 lengths, Int size, Int sequences,
       PairTable *table, CountSums *sums)
{
    const TermEvents event = *events;
    const PairTable partners = *table;
    const CountSums to = *sums;
    Int units = 0;
    (void)sequences;
    for (Int document = 0; document < lengths.size; document++) {
        units += AT(lengths, document);
        Int begin = AT(event.bounds, document), end = AT(event.bounds, document + 1);
        for (Int e = begin; e < end; e++) {
            Int term = AT(event.term, e);
            AT(to.singles, term) += 1;
            for (Int f = e - 1; f >= begin && AT(event.start, e) - AT(event.end, f) <= size; f--) {
                Int pair = pair_of(term, AT(event.term, f), &partners);
                if (pair >= 0)
                    AT(to.pairs, pair) += 1;
            }
        }
    }
    return units;
}

/* ------------------------------------------------------------------ sets */

/* List the sets whose members are all in a document; return their number. */
INLINE Int complete_sets(I32 term_of, Int begin, Int end, const SetTable *table, const SetSums *to)
{
    Int found = 0;
    for (Int e = begin; e < end; e++) {
        Int term = AT(term_of, e);
        if (AT(to->last, term) != -1)
            continue;
        AT(to->last, term) = 0;
        for (Int k = AT(table->set_start, term); k < AT(table->set_start, term + 1); k++) {
            Int number = AT(table->sets_of_term, k);
            AT(to->seen, number) += 1;
            if (AT(to->seen, number) ==
                AT(table->member_start, number + 1) - AT(table->member_start, number)) {
                AT(to->complete, found) = number;
                found++;
            }
        }
    }
    for (Int e = begin; e < end; e++) {
        Int term = AT(term_of, e);
        if (AT(to->last, term) != 0)
            continue;
        AT(to->last, term) = -1;
        for (Int k = AT(table->set_start, term); k < AT(table->set_start, term + 1); k++)
            AT(to->seen, AT(table->sets_of_term, k)) = 0;
    }
    return found;
}

/* The number of windows that contain all members of a set. */
INLINE Int windows_with_all(Int number, const TermEvents *event, Int begin, Int end, Int width,
                            Int top, const SetTable *table, const SetSums *to)
{
    Int first = AT(table->member_start, number), behind = AT(table->member_start, number + 1);
    for (Int m = first; m < behind; m++)
        AT(to->is_member, AT(table->member, m)) = 1;
    Int total = 0, covered = -1;
    for (Int e = begin; e < end; e++) {
        Int term = AT(event->term, e), reach = AT(event->end, e) - width + 1;
        if (!AT(to->is_member, term) || AT(event->start, e) < reach)
            continue;
        AT(to->last, term) = AT(event->start, e);
        Int high = top;
        for (Int m = first; m < behind; m++)
            high = least(high, AT(to->last, AT(table->member, m)));
        Int low = most(most(reach, covered + 1), 0);
        if (high >= low)
            total += high - low + 1;
        covered = most(covered, high);
    }
    for (Int m = first; m < behind; m++) {
        AT(to->is_member, AT(table->member, m)) = 0;
        AT(to->last, AT(table->member, m)) = -1;
    }
    return total;
}

KERNEL(void, count_sets, TermEvents *events, I64 lengths, Int size, SetTable *table, SetSums *sums)
{
    const TermEvents event = *events;
    const SetTable sets = *table;
    const SetSums to = *sums;
    for (Int document = 0; document < lengths.size; document++) {
        Int length = AT(lengths, document);
        Int width = size == 0 || size > length ? length : size;
        Int begin = AT(event.bounds, document), end = AT(event.bounds, document + 1);
        Int found = complete_sets(event.term, begin, end, &sets, &to);
        for (Int k = 0; k < found; k++) {
            Int number = AT(to.complete, k);
            AT(to.counts, number) +=
                windows_with_all(number, &event, begin, end, width, length - width, &sets, &to);
        }
    }
}
