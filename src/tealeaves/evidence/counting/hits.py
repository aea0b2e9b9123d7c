"""Hits: the requested tokens of a block of texts, found in its bytes or in strings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.evidence.counting.kernels.masks import LETTERS, LETTERS_AND_DIGITS, VISIBLE
from tealeaves.evidence.counting.kernels.tokens import COUNTED, DROPPED, LEFT, LONGEST, find_hits
from tealeaves.evidence.counting.kernels.word_table import SHORT, fill_table
from tealeaves.text.blocks import TextBlock
from tealeaves.text.characters import Kind, character_tables
from tealeaves.text.digest import digest_texts, text_digest
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import I32, I64, U8, U64

_SLOTS = 4  # per word: most look-ups end with the first slot
_SIEVE_BITS = 16  # per word: one of sixteen other tokens passes the sieve
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

    def __init__(
        self, pipeline: Pipeline, token_ids: Mapping[str, int], *, compiled: bool = True
    ) -> None:
        self._tokenize = pipeline.tokenizer()
        self._min_tokens = pipeline.min_tokens
        self._token_ids = token_ids
        self._compiled = compiled

    def __call__(self, block: TextBlock, wanted: U8) -> Hits:
        """Return the hits of the texts for which ``wanted`` is 1."""
        numbers = np.flatnonzero(wanted).tolist()
        return self.find(block, numbers, self._digests(block))

    def find(self, block: TextBlock, numbers: Iterable[int], digests: U64) -> Hits:
        """Return the hits of the texts with these numbers."""
        tokens: list[int] = []
        places: list[int] = []
        bounds, lengths, texts, dropped = [0], [], [], 0
        for number in numbers:
            words = self._tokenize(block.text(number))
            if len(words) < self._min_tokens:
                dropped += 1
                continue
            ids = map(self._token_ids.get, words)
            hits = [(place, token) for place, token in enumerate(ids) if token is not None]
            places += [place for place, _ in hits]
            tokens += [token for _, token in hits]
            bounds.append(len(tokens))
            lengths.append(len(words))
            texts.append(number)
        return Hits(
            np.array(tokens, dtype=np.int32),
            np.array(places, dtype=np.int32),
            np.array(bounds, dtype=np.int64),
            np.array(lengths, dtype=np.int64),
            np.array(texts, dtype=np.int64),
            dropped,
            digests,
        )

    def _digests(self, block: TextBlock) -> U64:
        if not self._compiled:
            texts = [text_digest(block.text(number)) for number in range(block.count)]
            return np.array(texts, dtype=np.uint64)
        digests = np.empty(block.count, dtype=np.uint64)
        digest_texts(block.data, block.starts, block.ends, digests)
        return digests


def can_find_in_bytes(pipeline: Pipeline) -> bool:
    """Return whether :class:`ByteFinder` can split texts as the pipeline does."""
    return (
        sys.byteorder == "little"
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
        table = character_tables(kind, "lower" if pipeline.lower else "fold" if fold else "keep")
        self._rules = (
            _CHARACTERS[kind],
            pipeline.lower,
            table.page,
            table.traits,
            table.lowered,
            *WordTable.of(list(token_ids)),
            *WordTable.of(sorted(stop)),
            fold,
            pipeline.min_length,
            pipeline.min_tokens,
        )
        self._buffers = _HitBuffers.of(0, 0, 0)

    def copy(self) -> ByteFinder:
        """Return a finder of the same tokens that another thread can use at the same time."""
        other = object.__new__(ByteFinder)
        other._strings, other._rules = self._strings, self._rules
        other._buffers = _HitBuffers.of(0, 0, 0)
        return other

    def __call__(self, block: TextBlock, wanted: U8) -> Hits:
        """Return the hits of the texts for which ``wanted`` is 1."""
        buffers = self._buffers = self._buffers.for_block(block)
        counted = find_hits(block.data, block.starts, block.ends, wanted, *self._rules, *buffers)
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


class _HitBuffers(NamedTuple):
    """The arrays that the kernel writes to, in its order; it uses the first four anew per text."""

    low: U8
    mask: U64
    edges: I32
    maybe: I32
    token: I32
    place: I32
    bounds: I64
    lengths: I64
    digests: U64
    fates: U8

    @classmethod
    def of(cls, longest: int, data: int, texts: int) -> _HitBuffers:
        """Make buffers for ``texts`` texts of ``data`` bytes, each of at most ``longest`` bytes."""
        return cls(
            np.empty(longest + 2 * 64, dtype=np.uint8),
            np.empty((longest >> 6) + 2, dtype=np.uint64),
            np.empty(longest + 2, dtype=np.int32),
            np.empty(longest // 2 + 2, dtype=np.int32),
            np.empty(data // 2 + 1, dtype=np.int32),
            np.empty(data // 2 + 1, dtype=np.int32),
            np.empty(texts + 1, dtype=np.int64),
            np.empty(texts, dtype=np.int64),
            np.empty(texts, dtype=np.uint64),
            np.empty(texts, dtype=np.uint8),
        )

    def for_block(self, block: TextBlock) -> _HitBuffers:
        """Return these buffers if a block fits into them, or else larger ones."""
        have = len(self.edges) - 2, 2 * len(self.token) - 2, len(self.fates)
        longest = min(int((block.ends - block.starts).max(initial=0)), LONGEST)
        need = longest, block.data.size, block.count
        if all(a >= b for a, b in zip(have, need, strict=True)):
            return self
        return _HitBuffers.of(*(max(a, b + b // 4) for a, b in zip(have, need, strict=True)))


class WordTable(NamedTuple):
    """A hash table of words, in which kernels look up tokens.

    Word i is ``letters[word_start[i]:word_start[i + 1]]``; ``words`` are the words of the slots.
    ``bits`` is the logarithm of the number of slots, or 0 if there are no words at all;
    ``sieve_bits`` is that of the number of bits in ``sieve``.
    """

    sieve: U64
    sieve_bits: int
    hashes: U64
    words: I32
    bits: int
    word_start: I64
    letters: U8

    @classmethod
    def of(cls, words: Sequence[str]) -> WordTable:
        """Make the table of some words; the number of a word is its position."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        bits = (_SLOTS * len(encoded)).bit_length()
        sieve_bits = max(_SIEVE_BITS * len(encoded), 64).bit_length()
        # collisions may push the last words on, and the last slot stays empty
        slots = (1 << bits) + len(encoded) + 1
        table = cls(
            np.zeros(1 << (sieve_bits - 6), dtype=np.uint64),
            sieve_bits,
            np.zeros(slots, dtype=np.uint64),
            np.full(slots, -1, dtype=np.int32),
            bits,
            offsets([len(word) for word in encoded]),
            np.frombuffer(b"".join([*encoded, bytes(SHORT)]), dtype=np.uint8),
        )
        if bits:
            fill_table(*table)
        return table
