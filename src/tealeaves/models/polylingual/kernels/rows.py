"""The rows of the sparse sampler: the topics that a word has.

They lie together: their numbers in ``places``, how often in ``counts``, from ``begins[row]`` on,
``lengths[row]`` of them, in the order in which they came. Then comes topic K, which
has no weight, up to a multiple of eight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled, inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64


@inlined
def find_place(places: I32, begin: int, length: int, topic: int) -> int:
    """Return where a topic is in the row of a word; -1 if it is not.

    It looks at the whole row, in vectors: a loop that may end early is looked at one by one.
    """
    found = 0
    for n in range(length):
        found += (n + 1) * (places[begin + n] == topic)
    return begin + found - 1 if found else -1


@inlined
def take_from_row(
    places: I32, counts: I32, begin: int, lengths: I32, row: int, here: int, none: int
) -> None:
    """Take the topic that is ``here`` from a word once; the last one fills the gap."""
    counts[here] -= 1
    if counts[here] == 0:
        lengths[row] -= 1
        last = begin + lengths[row]
        places[here], counts[here] = places[last], counts[last]
        places[last], counts[last] = none, 0


@inlined
def add_to_row(places: I32, counts: I32, begin: int, lengths: I32, row: int, k: int) -> None:
    """Give a topic to a word once more."""
    here = find_place(places, begin, lengths[row], k)
    if here < 0:
        here = begin + lengths[row]
        places[here] = k
        lengths[row] += 1
    counts[here] += 1


@compiled
def fill_rows(topics: I32, rows: I64, begins: I64, lengths: I32, places: I32, counts: I32) -> None:
    """Add each token's topic to the row of its word."""
    for token in range(len(topics)):
        row = rows[token]
        add_to_row(places, counts, begins[row], lengths, row, topics[token])


@compiled
def move_tokens(
    before: I32,
    topics: I32,
    rows: I64,
    begins: I64,
    lengths: I32,
    places: I32,
    counts: I32,
    none: int,
) -> None:
    """Move the tokens whose topic has changed, in the rows of their words."""
    for token in range(len(topics)):
        if before[token] != topics[token]:
            row = rows[token]
            begin = begins[row]
            here = find_place(places, begin, lengths[row], before[token])
            take_from_row(places, counts, begin, lengths, row, here, none)
            add_to_row(places, counts, begin, lengths, row, topics[token])
