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

/* A filter of bits says which terms may be the partners of a term: few others pass. Each word of it
 * has a bucket of partners in the order of their bits, so that the number of bits before its own
 * says where a partner is, or where to begin, as few partners share a bit. */
typedef struct { const uint64_t *words; const int32_t *ends; uint64_t mask; Int start; } Filter;

INLINE Filter filter_of(Int term, const PartnerTable *table)
{
    Int first = AT(table->filter_start, term), words = AT(table->filter_start, term + 1) - first;
    CHECK_WIDTH(table->filter, first, words);
    CHECK_WIDTH(table->bucket_end, first, words);
    return (Filter){table->filter.at + first, table->bucket_end.at + first,
                    (uint64_t)words * 64 - 1, AT(table->start, term)};
}

INLINE int may_be_pair(Filter filter, Int other)
{
    uint64_t bit = (uint64_t)other & filter.mask;
    return (int)(filter.words[bit >> 6] >> (bit & 63) & 1);
}

/* The number of the pair with a term that may be a partner, or -1 if it was not requested. */
INLINE Int find_pair(Filter filter, Int other, const PartnerTable *table)
{
    uint64_t bit = (uint64_t)other & filter.mask, word = bit >> 6;
    uint64_t before = filter.words[word] & ((UINT64_C(1) << (bit & 63)) - 1);
    Int place = filter.start + (word ? filter.ends[word - 1] : 0) + count_bits(before);
    for (Int end = filter.start + filter.ends[word]; place < end; place++)
        if (AT(table->partner, place) == other)
            return AT(table->pair, place);
    return -1;
}

/* Put the partners of a bucket in the order of their bits. */
INLINE void sort_bucket(Int begin, Int end, const PartnerTable *table)
{
    for (Int k = begin + 1; k < end; k++) {
        int32_t partner = AT(table->partner, k), pair = AT(table->pair, k);
        Int place = k;
        for (; place > begin && (AT(table->partner, place - 1) & 63) > (partner & 63); place--) {
            AT(table->partner, place) = AT(table->partner, place - 1);
            AT(table->pair, place) = AT(table->pair, place - 1);
        }
        AT(table->partner, place) = partner;
        AT(table->pair, place) = pair;
    }
}

/* The bit of a term in the filter of another: counted from the first bit of all filters. */
INLINE Int filter_bit(Int term, Int other, const PartnerTable *table)
{
    Int first = AT(table->filter_start, term);
    return first * 64 + (other & ((AT(table->filter_start, term + 1) - first) * 64 - 1));
}

/* Set the filter, and list the partners of each term by buckets. */
KERNEL(void, fill_pairs, I32 rows, PartnerTable *pairs)
{
    const PartnerTable table = *pairs;
    for (Int k = 0; k < rows.size; k++) {
        Int bit = filter_bit(AT(rows, k), AT(rows, k ^ 1), &table);
        AT(table.filter, bit >> 6) |= UINT64_C(1) << (bit & 63);
        AT(table.bucket_end, bit >> 6) += 1;
    }
    for (Int term = 0; term < table.start.size - 1; term++) {
        int32_t begin = 0;
        for (Int w = AT(table.filter_start, term); w < AT(table.filter_start, term + 1); w++) {
            int32_t size = AT(table.bucket_end, w);
            AT(table.bucket_end, w) = begin;
            begin += size;
        }
    }
    for (Int k = 0; k < rows.size; k++) { /* where a bucket begins becomes where it ends */
        Int bit = filter_bit(AT(rows, k), AT(rows, k ^ 1), &table);
        Int place = AT(table.start, AT(rows, k)) + AT(table.bucket_end, bit >> 6);
        AT(table.bucket_end, bit >> 6) += 1;
        AT(table.partner, place) = AT(rows, k ^ 1);
        AT(table.pair, place) = (int32_t)(k >> 1);
    }
    for (Int term = 0; term < table.start.size - 1; term++) {
        Int begin = AT(table.start, term);
        for (Int w = AT(table.filter_start, term); w < AT(table.filter_start, term + 1); w++) {
            Int end = AT(table.start, term) + AT(table.bucket_end, w);
            sort_bucket(begin, end, &table);
            begin = end;
        }
    }
}

/* ------------------------------------------------------------------ windows */

/* Candidates are listed without a branch, up to so many at a time, and looked at afterwards. */
#define AT_ONCE 64

/* What all documents of a block share. The first ``few`` of ``sizes`` sizes are windows; if there is
 * one more, it is the size of whole documents. */
typedef struct {
    const TermEvents *event;
    const PartnerTable *partners;
    const WindowWork *work;
    const WindowSums *to;
    Int sizes, few;
} WindowCount;

/* The events of one document, and its tokens. */
typedef struct { Int begin, end, length; } Document;

/* The windows of each size in which an event is new: from ``low`` to ``high``, none if low is NEVER. */
#define MOST_SIZES 16
typedef struct { Int width[MOST_SIZES], low[MOST_SIZES], high[MOST_SIZES]; } Windows;

/* ------------------------------------------------------------------ pairs of a document */

/* Note that a document has a pair; ``found`` grows beyond the list where that is too short. */
INLINE void add_found(Int term, Int other, Int pair, const WindowCount *all, Int *found)
{
    const WindowWork *work = all->work;
    int32_t *counts = all->to->pairs.at + pair * all->sizes;
    CHECK_WIDTH(all->to->pairs, pair * all->sizes, all->sizes);
    if (3 * *found < work->found.size) {
        prefetch(counts);
        CHECK_WIDTH(work->found, 3 * *found, 3);
        work->found.at[3 * *found] = (int32_t)term;
        work->found.at[3 * *found + 1] = (int32_t)other;
        work->found.at[3 * *found + 2] = (int32_t)pair;
        AT(work->near_end, term) += 1;
        AT(work->near_end, other) += 1;
    } else if (all->few < all->sizes) {
        counts[all->few] += 1;
    }
    *found += 1;
}

/* Find the pairs of a term that is new in a document with the ``known`` terms before it. */
INLINE void find_pairs_of(Int term, Int known, const WindowCount *all, Int *found)
{
    const PartnerTable *partners = all->partners;
    const I32 distinct = all->work->distinct, last = all->to->last;
    int32_t listed[AT_ONCE];
    Int first = AT(partners->start, term), behind = AT(partners->start, term + 1);
    if (known > behind - first) {
        for (Int from = first; from < behind; from += AT_ONCE) {
            Int count = 0, end = least(from + AT_ONCE, behind);
            for (Int k = from; k < end; k++) {
                listed[count] = (int32_t)(k - from);
                count += AT(last, AT(partners->partner, k)) >= 0;
            }
            for (Int n = 0; n < count; n++) {
                Int k = from + listed[n];
                add_found(term, AT(partners->partner, k), AT(partners->pair, k), all, found);
            }
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
            Int pair = find_pair(filter, listed[n], partners);
            if (pair >= 0)
                add_found(term, listed[n], pair, all, found);
        }
    }
}

/* Find the pairs of a document, and count it for them and for its terms if documents are counted.
 * Return their number, and that of its terms. */
INLINE Int find_pairs(Document document, const WindowCount *all, Int *terms)
{
    const I32 last = all->to->last, distinct = all->work->distinct;
    Int known = 0, found = 0;
    for (Int e = document.begin; e < document.end; e++) {
        Int term = AT(all->event->term, e);
        if (AT(last, term) >= 0)
            continue;
        if (all->few < all->sizes)
            AT(all->to->singles, term * all->sizes + all->few) += 1;
        AT(all->work->near_end, term) = 0;
        find_pairs_of(term, known, all, &found);
        AT(last, term) = 0;
        AT(distinct, known) = (int32_t)term;
        known++;
    }
    for (Int n = 0; n < known; n++)
        AT(last, AT(distinct, n)) = -1;
    if (all->few < all->sizes) /* those of the list; the others were counted when they were found */
        for (Int n = 0; n < least(found, all->work->found.size / 3); n++)
            AT(all->to->pairs, AT(all->work->found, 3 * n + 2) * all->sizes + all->few) += 1;
    *terms = known;
    return found;
}

/* List for each term of a document the terms that it is paired with there, and the pairs. */
INLINE void list_near(Int found, Int terms, const WindowWork *work)
{
    Int end = 0;
    for (Int n = 0; n < terms; n++) {
        Int term = AT(work->distinct, n), size = AT(work->near_end, term);
        AT(work->near_start, term) = AT(work->near_end, term) = (int32_t)end;
        end += size;
    }
    for (Int n = 0; n < found; n++) {
        int32_t *entry = work->found.at + 3 * n;
        for (int side = 0; side < 2; side++) {
            Int place = AT(work->near_end, entry[side])++;
            CHECK_WIDTH(work->near, 2 * place, 2);
            work->near.at[2 * place] = entry[1 - side];
            work->near.at[2 * place + 1] = entry[2];
        }
    }
}

/* ------------------------------------------------------------------ windows of a document */

/* Set the windows in which an event is new, and add them to its term; return the first of them. */
INLINE Int new_windows(Int e, Int length, const WindowCount *all, Windows *windows, Int few)
{
    const TermEvents *event = all->event;
    Int term = AT(event->term, e), start = AT(event->start, e), lowest = NEVER;
    Int before = AT(all->to->last, term);
    for (Int size = 0; size < few; size++) {
        Int reach = AT(event->end, e) - windows->width[size] + 1;
        Int low = most(most(reach, before + 1), 0);
        Int high = least(start, length - windows->width[size]);
        if (start < reach || high < low) /* too long for the window, or not new */
            low = NEVER;
        windows->low[size] = low;
        windows->high[size] = high;
        AT(all->to->singles, term * all->sizes + size) += (int32_t)most(high - low + 1, 0);
        lowest = least(lowest, low);
    }
    AT(all->to->last, term) = (int32_t)start;
    return lowest;
}

/* Add the windows of each size with a pair; ``other`` is the other term's last start. */
INLINE void add_pair(Int pair, Int other, const Windows *windows, const WindowCount *all, Int few)
{
    CHECK_WIDTH(all->to->pairs, pair * all->sizes, all->sizes);
    int32_t *count = all->to->pairs.at + pair * all->sizes;
    for (Int size = 0; size < few; size++)
        count[size] += (int32_t)most(least(windows->high[size], other) - windows->low[size] + 1, 0);
}

/* Count windows by the pairs of a document, which are listed. */
INLINE void count_near(Document document, const WindowCount *all, Windows *windows, Int few)
{
    const WindowWork *work = all->work;
    for (Int e = document.begin; e < document.end; e++) {
        Int term = AT(all->event->term, e);
        if (new_windows(e, document.length, all, windows, few) == NEVER)
            continue;
        for (Int k = AT(work->near_start, term); k < AT(work->near_end, term); k++) {
            Int other = AT(all->to->last, AT(work->near, 2 * k));
            add_pair(AT(work->near, 2 * k + 1), other, windows, all, few);
        }
    }
}

/* Count windows by going back through the events in reach, or through the partners of a term. */
INLINE void count_back(Document document, const WindowCount *all, Windows *windows, Int few)
{
    const TermEvents *event = all->event;
    const PartnerTable *partners = all->partners;
    const I32 last = all->to->last;
    int32_t listed[AT_ONCE];
    Int nearest = document.begin; /* the first event that the widest window reaches back to */
    for (Int e = document.begin; e < document.end; e++) {
        Int term = AT(event->term, e), reach = AT(event->end, e) - windows->width[few - 1] + 1;
        Int lowest = new_windows(e, document.length, all, windows, few);
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
                    count += AT(last, AT(partners->partner, k)) >= lowest;
                }
                for (Int n = 0; n < count; n++) {
                    Int k = from + listed[n], other = AT(last, AT(partners->partner, k));
                    add_pair(AT(partners->pair, k), other, windows, all, few);
                }
            }
            continue;
        }
        const Filter filter = filter_of(term, partners);
        for (Int from = nearest; from < e; from += AT_ONCE) {
            Int count = 0, until = least(from + AT_ONCE, e);
            for (Int before = from; before < until; before++) {
                Int there = AT(event->term, before), other = AT(event->start, before);
                listed[count] = (int32_t)(before - from);
                /* a term that occurs again later is counted there */
                count += may_be_pair(filter, there) & (other >= lowest) & (AT(last, there) == other);
            }
            for (Int n = 0; n < count; n++) {
                Int before = from + listed[n], pair = find_pair(filter, AT(event->term, before), partners);
                if (pair >= 0)
                    add_pair(pair, AT(event->start, before), windows, all, few);
            }
        }
    }
}

/* Two events that may be a pair, and the first window in which the second is new. */
typedef struct { int32_t event, before, low; } Candidate;
#define CANDIDATES 256
#define ALWAYS 4 /* events before each one that are looked at, in reach or not */

INLINE void add_candidates(const Candidate *candidates, Int count, Int top, const WindowCount *all)
{
    const TermEvents *event = all->event;
    for (Int n = 0; n < count; n++) {
        const Candidate one = candidates[n];
        const Filter filter = filter_of(AT(event->term, one.event), all->partners);
        Int pair = find_pair(filter, AT(event->term, one.before), all->partners);
        if (pair < 0)
            continue;
        Int high = least(AT(event->start, one.event), top);
        AT(all->to->pairs, pair * all->sizes) +=
            (int32_t)most(least(high, AT(event->start, one.before)) - one.low + 1, 0);
    }
}

/* Count narrow windows of one size. A few events before each one are looked at without a branch,
 * because how many are in reach cannot be guessed. */
INLINE void count_narrow(Document document, const WindowCount *all, Windows *windows)
{
    const TermEvents *event = all->event;
    const I32 last = all->to->last;
    Candidate candidates[CANDIDATES + ALWAYS + 1];
    Int count = 0, top = document.length - windows->width[0];
    for (Int e = document.begin; e < document.end; e++) {
        Int low = new_windows(e, document.length, all, windows, 1), before = e - 1;
        const Filter filter = filter_of(AT(event->term, e), all->partners);
#define LOOK_AT(BEFORE)                                                                             \
    {                                                                                               \
        Int there = AT(event->term, BEFORE), other = AT(event->start, BEFORE);                      \
        candidates[count] = (Candidate){(int32_t)e, (int32_t)(BEFORE), (int32_t)low};               \
        /* a term that occurs again later is counted there */                                       \
        count += may_be_pair(filter, there) & (other >= low) & (AT(last, there) == other);          \
    }
        if (e - document.begin >= ALWAYS) {
            for (Int n = 1; n <= ALWAYS; n++)
                LOOK_AT(e - n)
            before = e - ALWAYS - 1;
        }
        for (; before >= document.begin && AT(event->end, before) >= low; before--) {
            LOOK_AT(before)
            if (count > CANDIDATES) {
                add_candidates(candidates, count, top, all);
                count = 0;
            }
        }
#undef LOOK_AT
        if (count > CANDIDATES - ALWAYS) {
            add_candidates(candidates, count, top, all);
            count = 0;
        }
    }
    add_candidates(candidates, count, top, all);
}

INLINE void count_document(Document document, const WindowCount *all, Windows *windows, Int few)
{
    Int length = document.length, events = document.end - document.begin;
    Int widest = few ? windows->width[few - 1] : 0;
    Int found = -1, terms = 0;
    if (few < all->sizes || 2 * widest >= length)
        found = find_pairs(document, all, &terms);
    if (!few)
        return;
    Int in_reach = events * widest / length + 1;
    if (found >= 0 && 3 * found <= all->work->found.size && found <= terms * in_reach) {
        list_near(found, terms, all->work);
        count_near(document, all, windows, few);
    } else if (few == 1 && in_reach <= ALWAYS) {
        count_narrow(document, all, windows);
    } else {
        count_back(document, all, windows, few);
    }
    for (Int e = document.begin; e < document.end; e++)
        AT(all->to->last, AT(all->event->term, e)) = -1;
}

INLINE void count_in_windows(const TermEvents *event, I64 lengths, I64 sizes,
                             const PartnerTable *partners, const WindowWork *work, const WindowSums *to,
                             Int all_sizes, Int few)
{
    const WindowCount all = {event, partners, work, to, all_sizes, few};
    Windows windows;
    for (Int number = 0; number < lengths.size; number++) {
        Int length = AT(lengths, number);
        if (length == 0)
            continue;
        for (Int size = 0; size < few; size++) {
            windows.width[size] = least(AT(sizes, size), length);
            AT(work->units, size) += length - windows.width[size] + 1;
        }
        if (few < all_sizes) /* the last size is 0: documents */
            AT(work->units, few) += 1;
        Document document = {AT(event->bounds, number), AT(event->bounds, number + 1), length};
        count_document(document, &all, &windows, few);
    }
}

KERNEL(void, count_windows, TermEvents *events, I64 lengths, I64 sizes, PartnerTable *table,
       WindowWork *windows, WindowSums *sums)
{
    const TermEvents event = *events;
    const PartnerTable partners = *table;
    const WindowWork work = *windows;
    const WindowSums to = *sums;
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
                Int pair = find_pair(filter, AT(event.term, f), &partners);
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
