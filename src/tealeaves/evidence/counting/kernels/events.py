"""Events: where terms stand, which may be sequences of tokens.

Term ``term[e]`` occupies the tokens ``start[e]`` to ``end[e]`` of its document. Events are in the
order of their ends. If all terms are single tokens, the hits are the events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.kernels import Arguments, kernel

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64


@dataclass(frozen=True)
class TermTables(Arguments):
    """Which terms each token belongs to.

    ``term_of_token`` is the one-token term of each token id, or -1. Longer terms are filed under
    their last token: those of token t are ``grams[gram_start[t]:gram_start[t + 1]]``, and the
    token ids of term g are ``tokens[token_start[g]:token_start[g + 1]]``.
    """

    term_of_token: I64
    gram_start: I64
    grams: I64
    token_start: I64
    tokens: I64


@dataclass(frozen=True)
class TermEvents(Arguments):
    """Events of documents; document d has the events ``bounds[d]`` to ``bounds[d + 1]``."""

    term: I32
    start: I32
    end: I32
    bounds: I64


@kernel
def count_events(hit_token: I32, gram_start: I64) -> int:
    """Return how many events there are at most."""
    most = 0
    for token in hit_token:
        most += 1 + gram_start[token + 1] - gram_start[token]
    return most


def is_sequence(
    hit_token: I32, hit_place: I32, first: int, last: int, tokens: I64, start: int, length: int
) -> bool:
    """Return whether a sequence of tokens ends with this hit."""
    begin = last - length + 1
    if begin < first or hit_place[begin] != hit_place[last] - length + 1:
        return False
    return all(hit_token[begin + k] == tokens[start + k] for k in range(length))


@kernel
def find_events(
    hit_token: I32, hit_place: I32, bounds: I64, terms: TermTables, events: TermEvents
) -> int:
    """Find all terms in documents; return the number of events."""
    found = 0
    events.bounds[0] = 0
    for document in range(len(bounds) - 1):
        for hit in range(bounds[document], bounds[document + 1]):
            token = hit_token[hit]
            if terms.term_of_token[token] >= 0:
                events.term[found] = terms.term_of_token[token]
                events.start[found] = hit_place[hit]
                events.end[found] = hit_place[hit]
                found += 1
            for g in range(terms.gram_start[token], terms.gram_start[token + 1]):
                term = terms.grams[g]
                start = terms.token_start[term]
                length = terms.token_start[term + 1] - start
                first = bounds[document]
                if is_sequence(hit_token, hit_place, first, hit, terms.tokens, start, length):
                    events.term[found] = term
                    events.start[found] = hit_place[hit] - length + 1
                    events.end[found] = hit_place[hit]
                    found += 1
        events.bounds[document + 1] = found
    return found
