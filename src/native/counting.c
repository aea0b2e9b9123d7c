/* Counts of terms, pairs and sets: tealeaves/evidence/counting/kernels, which says how. */

#include "native.h"

#define NEVER ((Int)0x7FFFFFFF) /* stands for the first window in which an event is new */

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

/* A filter of bits says which terms may be the partners of a term: few others pass. */
typedef struct { const uint64_t *words; uint64_t mask; } Filter;

INLINE Filter filter_of(Int term, const PartnerTable *table)
{
    Int first = AT(table->filter_start, term), behind = AT(table->filter_start, term + 1);
    CHECK_WIDTH(table->filter, first, behind - first);
    return (Filter){table->filter.at + first, (uint64_t)(behind - first) * 64 - 1};
}

INLINE int may_be_pair(Filter filter, Int other)
{
    uint64_t bit = (uint64_t)other & filter.mask;
    return (int)(filter.words[bit >> 6] >> (bit & 63) & 1);
}

INLINE Int partners_of(Int term, const PartnerTable *table)
{
    return AT(table->start, term + 1) - AT(table->start, term);
}

/* A pair is looked up among the partners of the term that has fewer, in a hash table of its own. */
INLINE int is_owner(Int a, Int b, const PartnerTable *table)
{
    Int of_a = partners_of(a, table), of_b = partners_of(b, table);
    return of_a < of_b || (of_a == of_b && a < b);
}

INLINE Int slot_of(Int partner, Int slots)
{
    return (Int)((uint64_t)((uint32_t)partner * UINT32_C(2654435769)) * (uint64_t)slots >> 32);
}

/* The number of a pair of terms, or -1 if it was not requested. */
INLINE Int pair_of(Int a, Int b, const PartnerTable *table)
{
    Int owner = is_owner(a, b, table) ? a : b;
    int32_t partner = (int32_t)(a + b - owner);
    Int first = AT(table->slot_start, owner), slots = AT(table->slot_start, owner + 1) - first;
    if (slots == 0)
        return -1;
    Int slot = slot_of(partner, slots);
    while (AT(table->slots, 2 * (first + slot)) != partner) {
        if (AT(table->slots, 2 * (first + slot)) < 0)
            return -1;
        slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return AT(table->slots, 2 * (first + slot) + 1);
}

/* Fill the filter and the hash tables; slots are -1 and bits 0 before. */
KERNEL(void, fill_pairs, PartnerTable *pairs)
{
    const PartnerTable table = *pairs;
    for (Int term = 0; term < table.start.size - 1; term++) {
        Int bits = (AT(table.filter_start, term + 1) - AT(table.filter_start, term)) * 64;
        for (Int k = AT(table.start, term); k < AT(table.start, term + 1); k++) {
            Int partner = AT(table.partner, k), bit = partner & (bits - 1);
            AT(table.filter, AT(table.filter_start, term) + (bit >> 6)) |= UINT64_C(1) << (bit & 63);
            if (!is_owner(term, partner, &table))
                continue;
            Int first = AT(table.slot_start, term), slots = AT(table.slot_start, term + 1) - first;
            Int slot = slot_of(partner, slots);
            while (AT(table.slots, 2 * (first + slot)) >= 0)
                slot = slot + 1 == slots ? 0 : slot + 1;
            AT(table.slots, 2 * (first + slot)) = (int32_t)partner;
            AT(table.slots, 2 * (first + slot) + 1) = AT(table.pair, k);
        }
    }
}

/* ------------------------------------------------------------------ windows */

/* Candidates are listed without a branch, up to so many at a time, and looked at afterwards. */
#define AT_ONCE 64
#define FEW_EVENTS 8 /* that are looked at one by one */

/* Add the pairs of a term that is new in a document with those that were there before. */
INLINE void add_to_document(Int term, const I32 distinct, Int known, const PartnerTable *partners,
                            I32 last, I64 pairs, Int sizes, Int size)
{
    int32_t listed[AT_ONCE];
    Int first = AT(partners->start, term), behind = AT(partners->start, term + 1);
    if (known > behind - first) {
        for (Int from = first; from < behind; from += AT_ONCE) {
            Int count = 0, end = least(from + AT_ONCE, behind);
            for (Int k = from; k < end; k++) {
                listed[count] = AT(partners->pair, k);
                count += AT(last, AT(partners->partner, k)) >= 0;
            }
            for (Int n = 0; n < count; n++)
                AT(pairs, listed[n] * sizes + size) += 1;
        }
        return;
    }
    const Filter filter = filter_of(term, partners);
    for (Int from = 0; from < known; from += AT_ONCE) {
        Int count = 0, end = least(from + AT_ONCE, known);
        for (Int n = from; n < end; n++) {
            listed[count] = AT(distinct, n);
            count += may_be_pair(filter, AT(distinct, n));
        }
        for (Int n = 0; n < count; n++) {
            Int pair = pair_of(term, listed[n], partners);
            if (pair >= 0)
                AT(pairs, pair * sizes + size) += 1;
        }
    }
}

INLINE void count_document(const TermEvents *event, Int begin, Int end, const PartnerTable *partners,
                           const WindowWork *work, const CountSums *to, Int sizes, Int size)
{
    Int known = 0;
    for (Int e = begin; e < end; e++) {
        Int term = AT(event->term, e);
        if (AT(to->last, term) >= 0)
            continue;
        AT(to->singles, term * sizes + size) += 1;
        add_to_document(term, work->distinct, known, partners, to->last, to->pairs, sizes, size);
        AT(to->last, term) = 0;
        AT(work->distinct, known) = (int32_t)term;
        known++;
    }
    for (Int n = 0; n < known; n++)
        AT(to->last, AT(work->distinct, n)) = -1;
}

/* The windows of each size in which an event is new: from ``low`` to ``high``, none if low is NEVER. */
#define MOST_SIZES 16
typedef struct { Int width[MOST_SIZES], low[MOST_SIZES], high[MOST_SIZES]; } Windows;

/* Add the windows of each size with a pair; ``other`` is the other term's last start. */
INLINE void add_pair(Int pair, Int other, const Windows *windows, I64 pairs, Int sizes, Int few)
{
    CHECK_WIDTH(pairs, pair * sizes, sizes);
    int64_t *count = pairs.at + pair * sizes;
    for (Int size = 0; size < few; size++)
        count[size] += most(least(windows->high[size], other) - windows->low[size] + 1, 0);
}

/* Count the windows of one document, of the first ``few`` of ``sizes`` sizes. */
INLINE void count_document_windows(const TermEvents *event, Int begin, Int end, Int length,
                                   const PartnerTable *partners, const CountSums *to, Windows *windows,
                                   Int sizes, Int few)
{
    int32_t listed[AT_ONCE];
    Int nearest = begin; /* the first event that the widest window reaches back to */
    for (Int e = begin; e < end; e++) {
        Int term = AT(event->term, e), start = AT(event->start, e), lowest = NEVER, reach = 0;
        for (Int size = 0; size < few; size++) {
            reach = AT(event->end, e) - windows->width[size] + 1;
            Int low = most(most(reach, (Int)AT(to->last, term) + 1), 0);
            Int high = least(start, length - windows->width[size]);
            if (start < reach || high < low) /* too long for the window, or not new */
                low = NEVER;
            windows->low[size] = low;
            windows->high[size] = high;
            AT(to->singles, term * sizes + size) += most(high - low + 1, 0);
            lowest = least(lowest, low);
        }
        AT(to->last, term) = (int32_t)start;
        if (lowest == NEVER)
            continue;
        while (AT(event->end, nearest) < reach)
            nearest++;
        Int first = AT(partners->start, term), behind = AT(partners->start, term + 1);
        if (e - nearest > behind - first) {
            for (Int from = first; from < behind; from += AT_ONCE) {
                Int count = 0, until = least(from + AT_ONCE, behind);
                for (Int k = from; k < until; k++) {
                    listed[count] = (int32_t)(k - from);
                    count += AT(to->last, AT(partners->partner, k)) >= lowest;
                }
                for (Int n = 0; n < count; n++) {
                    Int k = from + listed[n], other = AT(to->last, AT(partners->partner, k));
                    add_pair(AT(partners->pair, k), other, windows, to->pairs, sizes, few);
                }
            }
            continue;
        }
        const Filter filter = filter_of(term, partners);
        if (e - nearest <= FEW_EVENTS) {
            for (Int before = nearest; before < e; before++) {
                Int there = AT(event->term, before), other = AT(event->start, before);
                /* a term that occurs again later is counted there */
                if (!(may_be_pair(filter, there) & (other >= lowest) & (AT(to->last, there) == other)))
                    continue;
                Int pair = pair_of(term, there, partners);
                if (pair >= 0)
                    add_pair(pair, other, windows, to->pairs, sizes, few);
            }
            continue;
        }
        for (Int from = nearest; from < e; from += AT_ONCE) {
            Int count = 0, until = least(from + AT_ONCE, e);
            for (Int before = from; before < until; before++) {
                Int there = AT(event->term, before), other = AT(event->start, before);
                listed[count] = (int32_t)(before - from);
                count += may_be_pair(filter, there) & (other >= lowest) &
                         (AT(to->last, there) == other);
            }
            for (Int n = 0; n < count; n++) {
                Int before = from + listed[n], pair = pair_of(term, AT(event->term, before), partners);
                if (pair >= 0)
                    add_pair(pair, AT(event->start, before), windows, to->pairs, sizes, few);
            }
        }
    }
    for (Int e = begin; e < end; e++)
        AT(to->last, AT(event->term, e)) = -1;
}

INLINE void count_in_windows(const TermEvents *event, I64 lengths, I64 sizes,
                             const PartnerTable *partners, const WindowWork *work, const CountSums *to,
                             Int all, Int few)
{
    Windows windows;
    for (Int document = 0; document < lengths.size; document++) {
        Int length = AT(lengths, document);
        if (length == 0)
            continue;
        Int begin = AT(event->bounds, document), end = AT(event->bounds, document + 1);
        for (Int size = 0; size < few; size++) {
            windows.width[size] = least(AT(sizes, size), length);
            AT(work->units, size) += length - windows.width[size] + 1;
        }
        if (few < all) { /* the last size is 0: documents */
            AT(work->units, few) += 1;
            count_document(event, begin, end, partners, work, to, all, few);
        }
        if (few)
            count_document_windows(event, begin, end, length, partners, to, &windows, all, few);
    }
}

KERNEL(void, count_windows, TermEvents *events, I64 lengths, I64 sizes, PartnerTable *table,
       WindowWork *windows, CountSums *sums)
{
    const TermEvents event = *events;
    const PartnerTable partners = *table;
    const WindowWork work = *windows;
    const CountSums to = *sums;
    Int all = sizes.size, few = all - (AT(sizes, all - 1) == 0);
#define CASE(FEW)                                                                       \
    case FEW:                                                                           \
        if (all == FEW)                                                                 \
            count_in_windows(&event, lengths, sizes, &partners, &work, &to, FEW, FEW);  \
        else                                                                            \
            count_in_windows(&event, lengths, sizes, &partners, &work, &to, FEW + 1, FEW); \
        break;
    switch (few) { /* the usual cases, with loops over sizes that the compiler unrolls */
        CASE(0)
        CASE(1)
        CASE(2)
        CASE(3)
    default:
        count_in_windows(&event, lengths, sizes, &partners, &work, &to, all, few);
    }
#undef CASE
}

/* ------------------------------------------------------------------ windows by gensim's rule */

/* Add the windows in which a term was present, up to ``window``, in which it no longer is. */
INLINE void leave(Int term, Int window, const PartnerTable *partners, const CountSums *to)
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

KERNEL(Int, count_windows_like_gensim, TermEvents *events, I64 lengths, Int size, PartnerTable *table,
       CountSums *sums)
{
    const TermEvents event = *events;
    const PartnerTable partners = *table;
    const CountSums to = *sums; /* ``last``: the window in which a term last became present */
    Int units = 0;
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

KERNEL(Int, count_contexts, TermEvents *events, I64 lengths, Int size, PartnerTable *table,
       CountSums *sums)
{
    const TermEvents event = *events;
    const PartnerTable partners = *table;
    const CountSums to = *sums;
    Int units = 0;
    for (Int document = 0; document < lengths.size; document++) {
        units += AT(lengths, document);
        Int begin = AT(event.bounds, document), end = AT(event.bounds, document + 1);
        for (Int e = begin; e < end; e++) {
            Int term = AT(event.term, e);
            const Filter filter = filter_of(term, &partners);
            AT(to.singles, term) += 1;
            for (Int f = e - 1; f >= begin && AT(event.start, e) - AT(event.end, f) <= size; f--) {
                if (!may_be_pair(filter, AT(event.term, f)))
                    continue;
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
