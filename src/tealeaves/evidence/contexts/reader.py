"""Reading blocks of texts for contexts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.evidence.contexts.contexts import Contexts
from tealeaves.evidence.contexts.request import ContextRequest
from tealeaves.evidence.contexts.tally import Tally
from tealeaves.evidence.counting import events_of
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.hits import ByteFinder, Finder, Hits, StringFinder, can_find_in_bytes
from tealeaves.evidence.lane import SMALL
from tealeaves.evidence.vocabulary import Vocabulary
from tealeaves.text.blocks import TextBlock
from tealeaves.text.digest import DIGESTS
from tealeaves.text.fingerprint import Fingerprint, merge_spans
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I64, U64


class EveryToken(dict[str, int]):
    """Numbers of tokens, in which a token that is new gets the next number.

    >>> numbers = EveryToken({"cat": 0})
    >>> [numbers.get(token) for token in ("dog", "cat", "dog")]
    [1, 0, 1]
    """

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number

    def get(self, token: str, default: Any = None) -> int:  # noqa: ARG002
        """Return the number of a token, new or not."""
        return self[token]


class ContextReader:
    """Adds up the neighbours of terms, block by block."""

    def __init__(
        self,
        request: ContextRequest,
        pipeline: Pipeline,
        vocabulary: frozenset[str] | None = None,
        unit: str = "",
    ) -> None:
        self._request, self._pipeline, self._unit = request, pipeline, unit
        self._terms = tuple(sorted(request.terms))
        rows = [row for row, term in enumerate(self._terms) if term.tokens]
        self._rows = np.array(rows, dtype=np.int64)
        self._asked = Vocabulary.of([self._terms[row] for row in rows])
        self._given = vocabulary
        self._token_ids = self._numbered()
        self._size = 0
        self._finder: Finder | None = None
        self._tally = Tally()
        self._singles = np.zeros(len(self._terms), dtype=np.int64)
        self._frequencies = self._marginals = np.zeros(0, dtype=np.int64)
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self._digests: dict[str, int] = {}

    def _numbered(self) -> dict[str, int]:
        """Number the tokens of terms as the terms' tables do, then those of context words."""
        asked = self._asked.token_ids
        if self._given is None:
            return EveryToken(asked)
        more = sorted(self._given - asked.keys())
        return {**asked, **{word: number for number, word in enumerate(more, len(asked))}}

    # ------------------------------------------------------------------ reading

    def add(self, block: TextBlock) -> None:
        """Read one block."""
        hits = self._find(block)
        line = _Line(hits, self._request.window)
        self._add_words(hits, line)
        self._add_neighbours(hits, line)
        self._note(block, hits.digests)

    def _find(self, block: TextBlock) -> Hits:
        """Find the tokens; compiled loops are loaded only once there is enough text for them."""
        before = self._size
        self._size += block.size
        compiled = self._size > SMALL
        if self._finder is None or (compiled and before <= SMALL):
            self._run = attrgetter("__call__" if compiled else "interpreted")
            in_bytes = compiled and self._given is not None and can_find_in_bytes(self._pipeline)
            self._finder = (
                ByteFinder(self._pipeline, self._token_ids)
                if in_bytes
                else StringFinder(self._pipeline, self._token_ids, compiled=compiled)
            )
        return self._finder(block, np.ones(block.count, dtype=np.uint8))

    def _add_words(self, hits: Hits, line: _Line) -> None:
        """Add how often tokens occur, and how many neighbours they have."""
        last = np.repeat(hits.lengths, np.diff(hits.bounds)) - 1 - hits.place
        window = self._request.window
        around = np.minimum(hits.place, window) + np.minimum(last, window)
        size = len(self._token_ids)
        here = np.bincount(hits.token, minlength=size)
        # sums of a block are far below 2^53, so they are exact
        near = np.bincount(hits.token, around, minlength=size).astype(np.int64)
        self._frequencies = _longer(self._frequencies, size) + here
        self._marginals = _longer(self._marginals, size) + near
        line.token[line.base[line.row] + hits.place] = hits.token

    def _add_neighbours(self, hits: Hits, line: _Line) -> None:
        """Add the tokens near each occurrence of a term."""
        events = events_of(_known(hits, len(self._asked.token_ids)), self._asked, self._run)
        rows = self._rows[events.term]
        self._singles += np.bincount(rows, minlength=len(self._terms))
        base: I64 = np.repeat(line.base, np.diff(events.bounds))
        for places in line.around(base + events.start, base + events.end):
            near = line.token[places]
            seen = near >= 0
            self._tally.add(rows[seen], near[seen])

    def _note(self, block: TextBlock, digests: U64) -> None:
        here = 0
        for source, position, count in block.runs:
            self._spans.setdefault(source, []).append((position, position + count))
            digest = int(digests[here : here + count].sum())
            self._digests[source] = (self._digests.get(source, 0) + digest) % DIGESTS
            here += count

    # ------------------------------------------------------------------ what was read

    def contexts(self) -> Contexts:
        """Return the contexts in all texts so far."""
        from scipy.sparse import csr_array

        size = len(self._token_ids)
        frequencies, marginals = (
            _longer(values, size) for values in (self._frequencies, self._marginals)
        )
        words = self._words(frequencies)
        tokens = np.array([self._token_ids[word] for word in words], dtype=np.int64)
        column = np.full(size, -1, dtype=np.int64)
        column[tokens] = np.arange(len(words))
        rows, near, counts = self._tally.sums()
        kept = column[near] >= 0
        cells = rows[kept], column[near[kept]]
        matrix = csr_array((counts[kept], cells), shape=(len(self._terms), len(words)))
        matrix.sort_indices()
        spans = {source: merge_spans(source, self._spans[source]) for source in sorted(self._spans)}
        return Contexts(
            self._request.language,
            self._request.window,
            self._given is None,
            PipelineStamp(repr(self._pipeline), self._pipeline.signature, self._unit),
            Fingerprint(spans, {source: self._digests[source] for source in spans}),
            self._terms,
            words,
            matrix,
            self._singles.copy(),
            frequencies[tokens],
            marginals[tokens],
        )

    def _words(self, frequencies: I64) -> tuple[str, ...]:
        """Return the context words: those given, or all that occur."""
        if self._given is not None:
            return tuple(sorted(self._given))
        seen = (frequencies > 0).tolist()
        return tuple(sorted(word for word, number in self._token_ids.items() if seen[number]))


class _Line:
    """The texts of a block on one line of tokens, with gaps between them as wide as the window.

    ``base`` is where each text begins, ``row`` the text of each hit; -1 stands where no token is
    that anybody asked for.
    """

    def __init__(self, hits: Hits, window: int) -> None:
        self.window = min(window, int(hits.lengths.max(initial=0)))  # no text has more neighbours
        ends = np.cumsum(hits.lengths + self.window)
        self.base: I64 = ends - hits.lengths
        self.row = np.repeat(np.arange(len(hits.lengths)), np.diff(hits.bounds))
        size = int(ends[-1]) + self.window if len(ends) else 0
        self.token = np.full(size, -1, dtype=np.int64)

    def around(self, start: I64, end: I64) -> Iterator[I64]:
        """Yield the places of all neighbours of what stands from ``start`` to ``end``."""
        for distance in range(1, self.window + 1):
            yield start - distance
            yield end + distance


def _known(hits: Hits, tokens: int) -> Hits:
    """Return the hits of the first tokens alone, those that terms are made of."""
    known = hits.token < tokens
    before = np.concatenate([[0], np.cumsum(known)])
    token, place = hits.token[known], hits.place[known]
    return replace(hits, token=token, place=place, bounds=before[hits.bounds])


def _longer(values: I64, size: int) -> I64:
    return np.concatenate([values, np.zeros(size - len(values), dtype=np.int64)])
