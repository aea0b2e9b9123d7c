"""MiniLM with a head of random weights, and texts of random words: the same each time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vectors import some_words

TEXTS, PIECES = 32, 128
_COMPARED = 4
_CLASSES = 20
_WORDS = 600
_SEED = 1


class Read(NamedTuple):
    """What all contenders are given: the encoder, the weights of its head, the word pieces.

    The head takes the mean of the last layer; ``weight`` is of classes by neurons, without bias.
    """

    model: Any
    weight: Any
    pieces: Any


def read(*, exact: bool = False) -> Read:
    """Load the encoder and cut the texts into word pieces.

    ``exact`` is for results that are compared: a few of the texts, in double precision. Improved
    LRP divides by numbers of either sign that may be near 0, so that in single precision rounding
    moves what it finds in a text by some hundredths, by a third at worst.
    """
    import torch

    from tealeaves.evidence.attention.classifiers.encoders import open_encoder

    encoder = open_encoder()
    size = (_CLASSES, encoder.model.config.hidden_size)
    weight = np.random.default_rng(_SEED).normal(size=size).astype(np.float32)
    given = Read(encoder.model, torch.from_numpy(weight), torch.from_numpy(_pieces(encoder)))
    if not exact:
        return given
    return Read(given.model.double(), given.weight.double(), given.pieces[:_COMPARED])


def _pieces(encoder: Any) -> NDArray[np.int64]:
    """Return the word pieces of texts that are all cut at the same length."""
    words, rng = some_words(_WORDS), np.random.default_rng(_SEED)
    # a word has at least one piece, so as many words as pieces are enough
    texts = [rng.choice(words, PIECES).tolist() for _ in range(TEXTS)]
    cut = {"is_split_into_words": True, "truncation": True, "max_length": PIECES}
    return np.array(encoder.tokenizer(texts, **cut)["input_ids"], dtype=np.int64)
