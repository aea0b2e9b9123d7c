"""Hits: the requested tokens of a block of texts, found in its bytes or in strings."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tealeaves.evidence.counting.kernels.tokens import (
    COUNTED,
    DROPPED,
    LEFT,
    LETTERS,
    LETTERS_AND_DIGITS,
    LONGEST,
    VISIBLE,
    HitBuffers,
    TextArrays,
    TokenRules,
    find_hits,
)
from tealeaves.evidence.counting.kernels.word_table import WordTable
from tealeaves.kernels import are_compiled
from tealeaves.text.blocks import TextBlock
from tealeaves.text.characters import Kind, character_tables
from tealeaves.text.digest import digest_texts
from tealeaves.text.pieces import PIECE_SIZE, piece_splitter
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.kernels import I32, I64, U8, U64

_SPARE_EDGES = 16  # the kernel writes a few at a time, needed or not
_CHARACTERS = {"tokens": VISIBLE, "words": LETTERS, "words+digits": LETTERS_AND_DIGITS}


@dataclass(frozen=True)
class Hits:
    """Where requested tokens stand: token id ``token[h]`` is the ``place[h]``-th of its text.

    The i-th counted text has the hits ``bounds[i]`` to ``bounds[i + 1]`` and ``lengths[i]`` tokens,
    and is text ``texts[i]`` of the block. ``dropped`` is the number of texts that have too few
    tokens to count. ``digests`` are those of all texts of the block, wanted or not.
    """

    token: I32
    place: I32
    bounds: I64
    lengths: I64
    texts: I64
    dropped: int
    digests: U64


class HitFinder(Protocol):
    """Finds the hits of a block."""

    def __call__(self, block: TextBlock, wanted: U8) -> Hits:
        """Return the hits of the texts for which ``wanted`` is 1."""
        ...


class StringFinder:
    """Finds hits in strings, for any pipeline."""

    def __init__(self, pipeline: Pipeline, token_ids: Mapping[str, int]) -> None:
        self._tokenize = pipeline.tokenizer()
        self._split_pieces = piece_splitter(pipeline)
        self._min_tokens = pipeline.min_tokens
        self._token_ids = token_ids

    def __call__(self, block: TextBlock, wanted: U8) -> Hits:
        """Return the hits of the texts for which ``wanted`` is 1."""
        digests = np.empty(block.count, dtype=np.uint64)
        digest_texts(block.data, block.starts, block.ends, digests)
        return self.find(block, np.flatnonzero(wanted).tolist(), digests)

    def find(self, block: TextBlock, numbers: Iterable[int], digests: U64) -> Hits:
        """Return the hits of the texts with these numbers."""
        tokens, places = array("i"), array("i")
        bounds, lengths, texts, dropped = [0], [], [], 0
        for number in numbers:
            length = 0
            for words in self._split(block, number):
                ids = map(self._token_ids.get, words)
                hits = [
                    (place, token) for place, token in enumerate(ids, length) if token is not None
                ]
                places.extend([place for place, _ in hits])
                tokens.extend([token for _, token in hits])
                length += len(words)
            if length < self._min_tokens:
                dropped += 1
                del places[bounds[-1] :], tokens[bounds[-1] :]
                continue
            bounds.append(len(tokens))
            lengths.append(length)
            texts.append(number)
        return Hits(
            np.frombuffer(tokens, dtype=np.int32),
            np.frombuffer(places, dtype=np.int32),
            np.array(bounds, dtype=np.int64),
            np.array(lengths, dtype=np.int64),
            np.array(texts, dtype=np.int64),
            dropped,
            digests,
        )

    def _split(self, block: TextBlock, number: int) -> Iterable[list[str]]:
        """Return the tokens of a text, those of a long one in pieces, which takes less memory."""
        if block.ends[number] - block.starts[number] <= PIECE_SIZE:
            return [self._tokenize(block.text(number))]
        return self._split_pieces(block.slices(number, PIECE_SIZE))


def can_find_in_bytes(pipeline: Pipeline) -> bool:
    """Return whether :class:`ByteFinder` can split texts as the pipeline does."""
    return (
        are_compiled()
        and sys.byteorder == "little"
        and pipeline.kind in ("tokens", "words")
        and not (pipeline.kind == "tokens" and not pipeline.digits)
        and not pipeline.lemmas
        and not pipeline.html
        and pipeline.marks
    )


class ByteFinder:
    """Finds hits in bytes. Texts that need more than the kernel can do are split as strings.

    It has buffers of its own, so it serves one thread at a time; each thread has its ``copy``.
    """

    def __init__(self, pipeline: Pipeline, token_ids: Mapping[str, int]) -> None:
        self._strings = StringFinder(pipeline, token_ids)
        stop = pipeline.stop_set()
        kind: Kind = "tokens"
        if pipeline.kind == "words":
            kind = "words+digits" if pipeline.digits else "words"
        fold = bool(stop) and not pipeline.lower
        self._characters = character_tables(
            kind, "lower" if pipeline.lower else "fold" if fold else "keep"
        )
        self._words, self._stop = WordTable.of(list(token_ids)), WordTable.of(sorted(stop))
        self._rules = TokenRules(
            _CHARACTERS[kind], pipeline.lower, fold, pipeline.min_length, pipeline.min_tokens
        )
        self._buffers = _make_buffers(0, 0, 0)

    def copy(self) -> ByteFinder:
        """Return a finder of the same tokens that another thread can use at the same time."""
        other = copy(self)
        other._buffers = _make_buffers(0, 0, 0)
        return other

    def __call__(self, block: TextBlock, wanted: U8) -> Hits:
        """Return the hits of the texts for which ``wanted`` is 1."""
        buffers = self._buffers = _buffers_for(block, self._buffers)
        texts = TextArrays(block.data, block.starts, block.ends, wanted)
        counted = find_hits(texts, self._characters, self._words, self._stop, self._rules, buffers)
        fates, digests = buffers.fates[: block.count], buffers.digests[: block.count]
        count = int(buffers.bounds[counted])
        hits = Hits(
            buffers.token[:count],
            buffers.place[:count],
            buffers.bounds[: counted + 1],
            buffers.lengths[:counted],
            np.flatnonzero(fates == COUNTED),
            int((fates == DROPPED).sum()),
            digests,
        )
        left = np.flatnonzero(fates == LEFT).tolist()
        return _concatenated(hits, self._strings.find(block, left, digests)) if left else hits


def _concatenated(one: Hits, two: Hits) -> Hits:
    return Hits(
        np.concatenate([one.token, two.token]),
        np.concatenate([one.place, two.place]),
        np.concatenate([one.bounds, two.bounds[1:] + one.bounds[-1]]),
        np.concatenate([one.lengths, two.lengths]),
        np.concatenate([one.texts, two.texts]),
        one.dropped + two.dropped,
        one.digests,
    )


def _make_buffers(longest: int, data: int, texts: int) -> HitBuffers:
    """Make buffers for ``texts`` texts of ``data`` bytes, each of at most ``longest`` bytes."""
    return HitBuffers(
        low=np.empty(longest + 2 * 64, dtype=np.uint8),
        mask=np.empty((longest >> 6) + 2, dtype=np.uint64),
        earlier=np.empty((longest >> 6) + 1, dtype=np.int32),
        edges=np.empty(longest + _SPARE_EDGES, dtype=np.int32),
        maybe=np.empty(3 * (longest // 2 + 2), dtype=np.int32),
        token=np.empty(data // 2 + 2, dtype=np.int32),
        place=np.empty(data // 2 + 2, dtype=np.int32),
        bounds=np.empty(texts + 1, dtype=np.int64),
        lengths=np.empty(texts, dtype=np.int64),
        digests=np.empty(texts, dtype=np.uint64),
        fates=np.empty(texts, dtype=np.uint8),
    )


def _buffers_for(block: TextBlock, buffers: HitBuffers) -> HitBuffers:
    """Return these buffers if a block fits into them, or else larger ones."""
    have = len(buffers.edges) - _SPARE_EDGES, 2 * len(buffers.token) - 4, len(buffers.fates)
    longest = min(int((block.ends - block.starts).max(initial=0)), LONGEST)
    need = longest, block.data.size, block.count
    if all(a >= b for a, b in zip(have, need, strict=True)):
        return buffers
    return _make_buffers(*(max(a, b + b // 4) for a, b in zip(have, need, strict=True)))
