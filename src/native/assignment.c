/* One-to-one matching: tealeaves/metrics/topic_similarity/matching.py */

#include "native.h"

#include <math.h>

/* Find the shortest path from a row without a partner to a column without one; return the column.
 * The method is that of Crouse (2016), with the order of ties of scipy's implementation. */
INLINE Int shortest_path(Int row, Int columns, AssignmentWork work, Float *length)
{
    Int left = columns, sink = -1;
    Float lowest = 0;
    for (Int place = 0; place < columns; place++) {
        AT(work.remaining, place) = columns - place - 1;
        AT(work.distance, place) = INFINITY;
        AT(work.column_seen, place) = 0;
    }
    while (sink < 0) {
        Float before = lowest;
        Float base = AT(work.row_price, row);
        Int nearest = 0;
        AT(work.row_seen, row) = 1;
        lowest = INFINITY;
        for (Int place = 0; place < left; place++) {
            Int column = AT(work.remaining, place);
            Float cost = AT(work.cost, row * columns + column);
            Float distance = before + cost - base - AT(work.column_price, column);
            if (distance < AT(work.distance, column)) {
                AT(work.before, column) = row;
                AT(work.distance, column) = distance;
            }
            Float known = AT(work.distance, column);
            if (known < lowest || (known == lowest && AT(work.row_of, column) < 0)) {
                lowest = known;
                nearest = place;
            }
        }
        Int column = AT(work.remaining, nearest);
        if (AT(work.row_of, column) < 0)
            sink = column;
        else
            row = AT(work.row_of, column);
        AT(work.column_seen, column) = 1;
        AT(work.remaining, nearest) = AT(work.remaining, --left);
    }
    *length = lowest;
    return sink;
}

/* Give each row a column, so that the sum of costs is the least; there are enough columns. */
INLINE void assign(Int rows, Int columns, AssignmentWork work)
{
    for (Int row = 0; row < rows; row++) {
        AT(work.row_price, row) = 0;
        AT(work.column_of, row) = -1;
    }
    for (Int column = 0; column < columns; column++) {
        AT(work.column_price, column) = 0;
        AT(work.row_of, column) = -1;
    }
    for (Int first = 0; first < rows; first++) {
        Float length;
        for (Int row = 0; row < rows; row++)
            AT(work.row_seen, row) = 0;
        Int column = shortest_path(first, columns, work, &length);
        AT(work.row_price, first) += length;
        for (Int row = 0; row < rows; row++)
            if (AT(work.row_seen, row) && row != first)
                AT(work.row_price, row) += length - AT(work.distance, AT(work.column_of, row));
        for (Int other = 0; other < columns; other++)
            if (AT(work.column_seen, other))
                AT(work.column_price, other) -= length - AT(work.distance, other);
        for (Int row = -1; row != first;) {
            row = AT(work.before, column);
            AT(work.row_of, column) = row;
            Int next = AT(work.column_of, row);
            AT(work.column_of, row) = column;
            column = next;
        }
    }
}

KERNEL(void, match_rows, F64 similarity, Int width, I64 edges, I64 partners, AssignmentWork *work)
{
    Int rows = similarity.size / most(width, 1);
    for (Int block = 0; block + 1 < edges.size; block++) {
        Int start = AT(edges, block), columns = AT(edges, block + 1) - start;
        int turned = columns < rows;
        for (Int row = 0; row < rows; row++)
            for (Int column = 0; column < columns; column++)
                AT(work->cost, turned ? column * rows + row : row * columns + column) =
                    -AT(similarity, row * width + start + column);
        assign(least(rows, columns), most(rows, columns), *work);
        for (Int row = 0; row < rows; row++) {
            Int partner = turned ? AT(work->row_of, row) : AT(work->column_of, row);
            AT(partners, block * rows + row) = partner < 0 ? -1 : start + partner;
        }
    }
}
