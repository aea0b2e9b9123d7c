/* Similarity, groups and changes of forms: tealeaves/lexicon/forms/kernels.py */

#include "native.h"

/* ---------------------------------------------------------------------- groups */

INLINE Int length_of(Int word, const Spelling *words)
{
    return AT(words->starts, word + 1) - AT(words->starts, word);
}

/* Return how many letters must be inserted, deleted or changed. */
INLINE Int edit_distance(Int a, Int b, const Spelling *words, I32 costs)
{
    Int rows = length_of(a, words), columns = length_of(b, words);
    CHECK_WIDTH(words->letters, AT(words->starts, a), rows);
    CHECK_WIDTH(words->letters, AT(words->starts, b), columns);
    CHECK_WIDTH(costs, 0, columns + 1);
    const int32_t *one = words->letters.at + AT(words->starts, a);
    const int32_t *other = words->letters.at + AT(words->starts, b);
    int32_t *restrict cost = costs.at;
    for (Int j = 0; j <= columns; j++)
        cost[j] = (int32_t)j;
    for (Int i = 0; i < rows; i++) {
        int32_t letter = one[i], diagonal = (int32_t)i, left = diagonal + 1;
        for (Int j = 0; j < columns; j++) {
            int32_t above = cost[j + 1], change = diagonal + (letter != other[j]);
            change = change < above + 1 ? change : above + 1;
            left = change < left + 1 ? change : left + 1;
            cost[j + 1] = left;
            diagonal = above;
        }
    }
    return rows && columns ? cost[columns] : rows + columns;
}

KERNEL(void, compare_words, Int columns, Spelling *words, I32 costs, F64 alike)
{
    const Spelling of = *words;
    for (Int a = 0; a + 1 < of.starts.size; a++)
        for (Int b = 0; b < columns; b++) {
            Int longer = most(most(length_of(a, &of), length_of(b, &of)), 1);
            Int edits = edit_distance(a, b, &of, costs);
            AT(alike, a * columns + b) = 1.0 - (double)edits / (double)longer;
        }
}

/* Return the group most similar to a group, the first of equals; -1 if it is the only one. */
static Int find_nearest(Int row, Int count, F64 sizes, F64 alike)
{
    Int best = -1;
    double highest = 0.0;
    for (Int other = 0; other < count; other++) {
        double value = AT(alike, row * count + other);
        if (other != row && AT(sizes, other) != 0 && (best < 0 || value > highest)) {
            best = other;
            highest = value;
        }
    }
    return best;
}

/* Return the group that is most similar to its nearest one; -1 if there is only one group. */
static Int find_closest(Int count, const GroupTables *tables)
{
    Int best = -1;
    double highest = 0.0;
    for (Int row = 0; row < count; row++) {
        Int near = AT(tables->nearest, row);
        if (AT(tables->sizes, row) == 0 || near < 0)
            continue;
        double value = AT(tables->alike, row * count + near);
        if (best < 0 || value > highest) {
            best = row;
            highest = value;
        }
    }
    return best;
}

/* Join two groups, and write how similar the new one is to others. */
static void join_groups(Int kept, Int gone, double near, const GroupTables *tables)
{
    F64 means = tables->means, closest = tables->closest, alike = tables->alike;
    I64 groups = tables->groups;
    Int count = tables->sizes.size;
    double first = AT(tables->sizes, kept), second = AT(tables->sizes, gone);
    double total = first + second;
    for (Int other = 0; other < count; other++) {
        Int one = kept * count + other, two = gone * count + other, back = other * count + kept;
        double mean = (first * AT(means, one) + second * AT(means, two)) / total;
        double most_alike = AT(closest, one), also = AT(closest, two);
        most_alike = also > most_alike ? also : most_alike;
        double both = (1.0 - near) * mean + near * most_alike;
        AT(means, one) = AT(means, back) = mean;
        AT(closest, one) = AT(closest, back) = most_alike;
        AT(alike, one) = AT(alike, back) = both;
        if (AT(groups, other) == gone)
            AT(groups, other) = kept;
    }
    AT(tables->sizes, kept) = total;
    AT(tables->sizes, gone) = 0.0;
}

KERNEL(void, link_groups, Float least_alike, Float near, GroupTables *tables)
{
    const GroupTables of = *tables;
    Int count = of.sizes.size;
    for (Int row = 0; row < count; row++)
        AT(of.nearest, row) = find_nearest(row, count, of.sizes, of.alike);
    for (;;) {
        Int best = find_closest(count, &of);
        if (best < 0)
            return;
        Int other = AT(of.nearest, best), kept = least(best, other), gone = most(best, other);
        if (AT(of.alike, best * count + other) < least_alike)
            return;
        join_groups(kept, gone, near, &of);
        for (Int row = 0; row < count; row++) {
            if (AT(of.sizes, row) == 0)
                continue;
            Int nearest = AT(of.nearest, row);
            if (row == kept || nearest == kept || nearest == gone)
                AT(of.nearest, row) = find_nearest(row, count, of.sizes, of.alike);
            else if (AT(of.alike, row * count + kept) > AT(of.alike, row * count + nearest))
                AT(of.nearest, row) = kept;
        }
    }
}

/* ---------------------------------------------------------------------- changes */

/* The hash FNV-1a of some letters; products wrap around. */
INLINE int64_t hash_letters(Int begin, Int end, I32 letters)
{
    uint64_t number = UINT64_C(1469598103934665603);
    for (Int k = begin; k < end; k++)
        number = (number ^ (uint64_t)(int64_t)AT(letters, k)) * UINT64_C(1099511628211);
    return (int64_t)number;
}

/* Return the number of the change between two words; 0 if they share less than a part. */
INLINE int64_t number_change(Int a, Int b, double least_shared, const Spelling *words)
{
    I32 letters = words->letters;
    Int one = AT(words->starts, a), end = AT(words->starts, a + 1);
    Int other = AT(words->starts, b), stop = AT(words->starts, b + 1);
    Int shorter = least(end - one, stop - other), longer = most(end - one, stop - other);
    Int first = 0, last = 0;
    while (first < shorter && AT(letters, one + first) == AT(letters, other + first))
        first++;
    while (last < shorter - first && AT(letters, end - 1 - last) == AT(letters, stop - 1 - last))
        last++;
    if ((double)(first + last) < least_shared * (double)longer)
        return 0;
    int64_t here = hash_letters(one + first, end - last, letters);
    int64_t there = hash_letters(other + first, stop - last, letters);
    uint64_t ends = (first == 0) + 2 * (uint64_t)(last == 0);
    return (int64_t)(((uint64_t)least(here, there) * 31 + (uint64_t)most(here, there)) * 4 + ends);
}

KERNEL(Int, collect_changes, Float least_shared, I64 group_starts, I64 members, Spelling *words,
       I64 changes)
{
    const Spelling of = *words;
    Int count = 0;
    for (Int group = 0; group + 1 < group_starts.size; group++) {
        Int begin = AT(group_starts, group), end = AT(group_starts, group + 1);
        for (Int x = begin; x < end; x++)
            for (Int y = begin; y < x; y++) {
                int64_t change = number_change(AT(members, x), AT(members, y), least_shared, &of);
                if (change == 0)
                    continue;
                if (count < changes.size)
                    AT(changes, count) = change;
                count++;
            }
    }
    return count;
}

KERNEL(void, number_changes, Int columns, Float least_shared, Spelling *words, I64 changes)
{
    const Spelling of = *words;
    for (Int a = 0; a + 1 < of.starts.size; a++)
        for (Int b = 0; b < columns; b++)
            AT(changes, a * columns + b) = number_change(a, b, least_shared, &of);
}
