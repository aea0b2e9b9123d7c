/* Lines of files: tealeaves/text/blocks.py */

#include "bytes.h"

KERNEL(Int, find_bytes, U8 data, Int size, Int value, I64 places)
{
    Int count = 0, place = 0;
    uint64_t bits;
    for (; place + WIDTH <= size; place += WIDTH) {
        CHECK_WIDTH(data, place, WIDTH);
        bits = bits_of(in_range(load_bytes(data.at + place), (uint8_t)value, 0));
        for (; bits; bits &= bits - 1) {
            if (count < places.size)
                AT(places, count) = place + trailing_zeros(bits);
            count++;
        }
    }
    for (; place < size; place++)
        if (AT(data, place) == value) {
            if (count < places.size)
                AT(places, count) = place;
            count++;
        }
    return count;
}
