"""Texts as numbers of word pieces, and the batches that a fit reads them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.evidence.relevance.batches import filled
from tealeaves.evidence.relevance.texts import TextReader
from tealeaves.extras import require

Numbers = NDArray[np.int64]
_WINDOW = 50  # batches whose texts are sorted by length: enough to waste little on padding


class PieceTexts(NamedTuple):
    """The pieces of each text, for each piece the number of its word, and how many were cut.

    The number is -1 for the ends.
    """

    pieces: list[Numbers]
    words: list[Numbers]
    cut: int = 0

    @property
    def lengths(self) -> Numbers:
        """How many pieces each text has."""
        return np.array([len(pieces) for pieces in self.pieces], dtype=np.int64)

    def only(self, rows: Sequence[int] | Numbers) -> PieceTexts:
        """Return some of the texts, without the number of those that were cut."""
        return PieceTexts([self.pieces[row] for row in rows], [self.words[row] for row in rows])


def split_texts(tokenizer: Any, texts: Sequence[Sequence[str]], longest: int) -> PieceTexts:
    """Split texts, which are words, into pieces, as they are read when relevance is gathered."""
    reader = TextReader(tokenizer, (), longest)
    found = [reader.read(text) for text in texts]
    cut = sum(text.cut for text in found)
    return PieceTexts([text.pieces for text in found], [text.words for text in found], cut)


def batches(lengths: Numbers, size: int, rng: np.random.Generator) -> list[Numbers]:
    """Put texts into batches at random, but beside texts of about their length.

    >>> found = batches(np.array([3, 9, 4, 8]), 2, np.random.default_rng(0))
    >>> sorted(sorted(batch.tolist()) for batch in found)
    [[0, 2], [1, 3]]
    """
    order = rng.permutation(len(lengths))
    window = size * _WINDOW
    windows = [order[start : start + window] for start in range(0, len(order), window)]
    nearly = [rows[np.argsort(lengths[rows], kind="stable")] for rows in windows]
    found = [batch for rows in nearly for batch in in_turn(rows, size)]
    return [found[number] for number in rng.permutation(len(found))]


def by_length(lengths: Sequence[int] | Numbers, size: int) -> list[Numbers]:
    """Put texts into batches of about one length, the longest first: they need most memory."""
    return list(in_turn(np.argsort(-np.asarray(lengths), kind="stable"), size))


def in_turn(rows: Numbers, size: int) -> Iterator[Numbers]:
    """Yield rows in their order, so many at a time."""
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def padded(rows: Sequence[Numbers], fill: int) -> Any:
    """Return a tensor of texts by pieces, filled up to the longest."""
    torch = require("torch", extra="relevance", reason="a classifier")
    return torch.from_numpy(filled(rows, fill))
