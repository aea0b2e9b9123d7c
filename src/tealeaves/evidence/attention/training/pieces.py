"""Texts as word pieces, the batches that a fit reads, and what an encoder makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tealeaves.evidence.attention.batches import padded
from tealeaves.evidence.attention.texts import TextReader
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
    """Split the words of texts into pieces, as gathering does."""
    reader = TextReader(tokenizer, (), longest)
    read = [reader.read(text) for text in texts]
    cut = sum(text.cut for text in read)
    return PieceTexts([text.pieces for text in read], [text.words for text in read], cut)


def random_batches(lengths: Numbers, size: int, rng: np.random.Generator) -> list[Numbers]:
    """Put texts into random batches, but together with texts of about their length.

    >>> made = random_batches(np.array([3, 9, 4, 8]), 2, np.random.default_rng(0))
    >>> sorted(sorted(batch.tolist()) for batch in made)
    [[0, 2], [1, 3]]
    """
    order = rng.permutation(len(lengths))
    window = size * _WINDOW
    windows = [order[start : start + window] for start in range(0, len(order), window)]
    nearly = [rows[np.argsort(lengths[rows], kind="stable")] for rows in windows]
    made = [batch for rows in nearly for batch in in_turn(rows, size)]
    return [made[number] for number in rng.permutation(len(made))]


def by_length(lengths: Sequence[int] | Numbers, size: int) -> list[Numbers]:
    """Put texts into batches of about one length, the longest first: they need most memory."""
    return list(in_turn(np.argsort(-np.asarray(lengths), kind="stable"), size))


def in_turn(rows: Numbers, size: int) -> Iterator[Numbers]:
    """Yield rows in their order, so many at a time."""
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


class EncodedBatch(NamedTuple):
    """What an encoder makes of texts: the last layer, the pooled first token, and the padding.

    ``pooled`` is None for encoders without a layer for it; ``mask`` is 0 for padding.
    """

    last: Any
    pooled: Any
    mask: Any

    @property
    def first(self) -> Any:
        """The first token of each text."""
        return self.last[:, 0]

    @property
    def mean(self) -> Any:
        """The mean over all tokens of each text."""
        shown = self.mask[:, :, None].to(self.last.dtype)
        return (self.last * shown).sum(dim=1) / shown.sum(dim=1)


def encode_texts(model: Any, texts: Sequence[Numbers]) -> EncodedBatch:
    """Run the pieces of texts through an encoder, on its device."""
    torch = require("torch", extra="relevance", reason="a classifier")
    pieces, mask = (
        torch.from_numpy(padded(rows, filling)).to(model.device)
        for rows, filling in (
            (texts, model.config.pad_token_id or 0),
            ([np.ones_like(text) for text in texts], 0),
        )
    )
    output = model(input_ids=pieces, attention_mask=mask)
    return EncodedBatch(output.last_hidden_state, getattr(output, "pooler_output", None), mask)
