"""How often topics occur in tuples, without a table of all tuples and topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.kernels import kernel

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64


@kernel
def count_in_tuples(
    languages: int, starts: I64, topics: I32, mixed: I64, found: I32, counts: I32
) -> int:
    """Write each topic of each tuple and how many of its tokens have it; return how many pairs.

    ``mixed`` has a zero for each topic, before and afterwards.
    """
    pairs = 0
    for d in range((len(starts) - 1) // languages):
        first, last = starts[d * languages], starts[(d + 1) * languages]
        for token in range(first, last):
            mixed[topics[token]] += 1
        for token in range(first, last):
            topic = topics[token]
            if mixed[topic] > 0:
                found[pairs] = topic
                counts[pairs] = mixed[topic]
                pairs += 1
                mixed[topic] = 0
    return pairs
