"""Events: where terms stand, which may be sequences of tokens.

Term ``event_term[e]`` occupies the tokens ``event_start[e]`` to ``event_end[e]`` of its document.
Events are in the order of their ends. If all terms are single tokens, the hits are the events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.compiling.kernel import compiled, inlined

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64


@inlined
def is_sequence(
    hit_token: I32, hit_place: I32, first: int, last: int, tokens: I64, start: int, length: int
) -> int:
    """Return whether a sequence of tokens ends with this hit."""
    if last - length + 1 < first or hit_place[last - length + 1] != hit_place[last] - length + 1:
        return 0
    for k in range(length):
        if hit_token[last - length + 1 + k] != tokens[start + k]:
            return 0
    return 1


@compiled
def count_events(hit_token: I32, gram_start: I64) -> int:
    """Return how many events there are at most."""
    most = 0
    for token in hit_token:
        most += 1 + gram_start[token + 1] - gram_start[token]
    return most


@compiled
def find_events(
    hit_token: I32,
    hit_place: I32,
    bounds: I64,
    term_of_token: I64,
    gram_start: I64,
    grams: I64,
    token_start: I64,
    tokens: I64,
    event_term: I32,
    event_start: I32,
    event_end: I32,
    event_bounds: I64,
) -> int:
    """Find all terms in documents; return the number of events."""
    found = 0
    event_bounds[0] = 0
    for document in range(len(bounds) - 1):
        for hit in range(bounds[document], bounds[document + 1]):
            token = hit_token[hit]
            if term_of_token[token] >= 0:
                event_term[found] = term_of_token[token]
                event_start[found] = hit_place[hit]
                event_end[found] = hit_place[hit]
                found += 1
            for g in range(gram_start[token], gram_start[token + 1]):
                term = grams[g]
                start, length = token_start[term], token_start[term + 1] - token_start[term]
                if is_sequence(hit_token, hit_place, bounds[document], hit, tokens, start, length):
                    event_term[found] = term
                    event_start[found] = hit_place[hit] - length + 1
                    event_end[found] = hit_place[hit]
                    found += 1
        event_bounds[document + 1] = found
    return found
