"""Batches: texts that a network reads together, and where their pairs of words are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.evidence.attention.network.network import Batch
from tealeaves.evidence.attention.sample import SampledText, random_number

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.attention.classifiers.classifier import Classifier
    from tealeaves.evidence.attention.frame import Target

#: The share of the words of a text that is masked, as in the training of models of masked words.
MASKED = 0.15


def in_batches(texts: Sequence[SampledText], pieces: int) -> Iterator[list[SampledText]]:
    """Yield texts of about one length together, about so many pieces at a time; longest first.

    The same texts make the same batches, and too little memory shows at once.
    """
    ordered = sorted(texts, key=lambda sampled: -len(sampled.text))
    start = 0
    while start < len(ordered):
        size = max(1, pieces // len(ordered[start].text))
        yield ordered[start : start + size]
        start += size


def padded(rows: Sequence[Integers], filling: int) -> Integers:
    """Put rows into a matrix, padded to the longest.

    >>> padded([np.array([1, 2, 3]), np.array([4])], 0).tolist()
    [[1, 2, 3], [4, 0, 0]]
    """
    matrix = np.full((len(rows), max(map(len, rows))), filling, dtype=np.int64)
    for place, row in zip(matrix, rows, strict=True):
        place[: len(row)] = row
    return matrix


class BatchMaker:
    """Makes batches of texts for a classifier, with what is explained in each text.

    ``target`` is the ``predicted`` class, or the ``true`` one, for texts with a label that the
    classifier knows; ``masked`` for a classifier of masked words. ``seed`` decides which words are
    masked.
    """

    def __init__(self, classifier: Classifier, target: Target, *, seed: int, device: Any) -> None:
        self._tokenizer = classifier.tokenizer
        self._classes = {label: number for number, label in enumerate(classifier.labels)}
        self.target = target
        self._seed = seed
        self._device = device

    @property
    def seed(self) -> int | None:
        """What decides which words are masked; None if none are."""
        return self._seed if self.target == "masked" else None

    def batch(self, texts: Sequence[SampledText]) -> Batch:
        """Put texts into tensors, padded to the longest."""
        ids = padded([sampled.text.pieces for sampled in texts], self._tokenizer.pad_token_id or 0)
        shown = padded([np.ones(len(sampled.text), np.int64) for sampled in texts], 0)
        if self.target != "masked":
            pieces, seen = self._tensors(ids, shown)
            return Batch(pieces, seen, targets=self._true_classes(texts))
        masked = [self._masked_pieces(sampled) for sampled in texts]
        positions = padded(masked, 0)
        present = padded([np.ones_like(pieces) for pieces in masked], 0)
        rows = np.repeat(np.arange(len(texts)), [len(pieces) for pieces in masked])
        targets = np.take_along_axis(ids, positions, axis=1)
        ids[rows, np.concatenate(masked)] = self._tokenizer.mask_token_id
        return Batch(*self._tensors(ids, shown, positions, present, targets))

    def _true_classes(self, texts: Sequence[SampledText]) -> Any:
        """Return the classes of texts; None if the predicted ones are explained."""
        if self.target != "true":
            return None
        classes = [[self._classes[sampled.document.label]] for sampled in texts]
        [targets] = self._tensors(np.array(classes))
        return targets

    def _masked_pieces(self, sampled: SampledText) -> Integers:
        """Return the pieces of the words that are masked, whatever words are requested."""
        words = np.unique(sampled.text.words[sampled.text.words >= 0])
        number = max(1, round(MASKED * len(words)))
        generator = np.random.default_rng(random_number(sampled.document, self._seed))
        masked = generator.choice(words, number, replace=False)
        return np.flatnonzero(np.isin(sampled.text.words, masked))

    def _tensors(self, *arrays: Integers) -> list[Any]:
        import torch

        return [torch.from_numpy(array).to(self._device) for array in arrays]


class Entries(NamedTuple):
    """The pieces of all pairs of occurrences of a batch.

    Pair ``k`` of occurrences is of text ``text[k]`` and of the words ``key[k]``. Piece ``i`` of
    one and ``j`` of the other are an entry, of the pair ``pair``, in the text ``b``; ``share`` is
    1 divided by the number of pieces of the word that attends.
    """

    text: Integers
    key: Integers
    b: Integers
    i: Integers
    j: Integers
    pair: Integers
    share: Floats

    @classmethod
    def of(cls, texts: Sequence[SampledText]) -> Entries:
        """Return the entries of the pairs of some texts."""
        text = np.repeat(np.arange(len(texts)), [len(sampled.pairs) for sampled in texts])
        starts, sizes = [], []
        for side in ("left", "right"):
            which = [(sampled.text, getattr(sampled.pairs, side)) for sampled in texts]
            starts.append(np.concatenate([read.starts[rows] for read, rows in which]))
            stops = np.concatenate([read.stops[rows] for read, rows in which])
            sizes.append(stops - starts[-1])
        number = sizes[0] * sizes[1]
        pair = np.repeat(np.arange(len(text)), number)
        within = np.arange(len(pair)) - np.repeat(np.cumsum(number) - number, number)
        return cls(
            text,
            np.concatenate([sampled.pairs.keys for sampled in texts]),
            text[pair],
            starts[0][pair] + within // sizes[1][pair],
            starts[1][pair] + within % sizes[1][pair],
            pair,
            1.0 / sizes[0][pair],
        )

    @property
    def is_plain(self) -> bool:
        """Whether each pair is one entry."""
        return len(self.pair) == len(self.key)
