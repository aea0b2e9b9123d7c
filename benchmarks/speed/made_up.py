"""Made-up data, the same each time: judgments, models of real words, and texts for MiniLM.

Judgments: 1,100 topics of 50 models and 20 metrics. Five people answer 1, 2 or 3 to every topic, by
a hidden quality. The first metric knows nothing of it, each next one more.

Models: 50 of 22 topics, with φ. The topics are drawn from those of 20 Newsgroups in
``topics/ng_k500.txt``. The probabilities are random, over a vocabulary of all the words.

MiniLM has a head of random weights, and reads texts of random words.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_SEED = 1

# ---------------------------------------------------------------------- judgments

JUDGED_TOPICS, JUDGED_MODELS, METRICS, ANNOTATORS = 1100, 50, 20, 5
DRAWS = PERMUTATIONS = 2000
_LISTED, _VOCABULARY = 10, 5000


class People(NamedTuple):
    """Answers (topics, annotators), metrics (topics, metrics), and the words of each topic."""

    answers: NDArray[np.int64]
    metrics: NDArray[np.float64]
    words: list[list[str]]


def make_people() -> People:
    """Draw everything.

    Hardly two topics have a word in common, so that none are nearly the same, and each is drawn
    and permuted by itself, as other programs do with all.
    """
    rng = np.random.default_rng(_SEED)
    quality = rng.normal(size=(JUDGED_TOPICS, 1))
    opinions = 2 + quality + rng.normal(size=(JUDGED_TOPICS, ANNOTATORS))
    answers = np.clip(np.round(opinions), 1, 3).astype(np.int64)
    known = np.linspace(0, 0.95, METRICS)
    noise = rng.normal(size=(JUDGED_TOPICS, METRICS))
    metrics = known * quality + np.sqrt(1 - known**2) * noise
    drawn = (rng.choice(_VOCABULARY, _LISTED, replace=False) for _ in range(JUDGED_TOPICS))
    return People(answers, metrics, [[f"word{number}" for number in row] for row in drawn])


# ---------------------------------------------------------------------- models

MODELS, TOPICS, WORDS = 50, 22, 10
_FILE = Path(__file__).parent / "topics" / "ng_k500.txt"
_SHORT = 3


class MadeUpModel(NamedTuple):
    """The words of each topic, and φ (topics, vocabulary)."""

    topics: list[list[str]]
    phi: NDArray[np.float64]


def make_models() -> tuple[list[MadeUpModel], list[str]]:
    """Return the models and their vocabulary."""
    lines = [line.split()[:WORDS] for line in _FILE.read_text(encoding="utf-8").splitlines()]
    # MiniLM knows no piece of some abbreviations: we leave these words out, STREAM does not
    lists = [words for words in lines if min(map(len, words)) > _SHORT]
    vocabulary = sorted({word for words in lists for word in words})
    rng = np.random.default_rng(_SEED)
    return [_made(lists, vocabulary, rng) for _ in range(MODELS)], vocabulary


def _made(lists: list[list[str]], vocabulary: list[str], rng: np.random.Generator) -> MadeUpModel:
    chosen = rng.choice(len(lists), TOPICS, replace=False)
    return MadeUpModel(
        [lists[k] for k in chosen], rng.dirichlet(np.full(len(vocabulary), 0.1), TOPICS)
    )


def some_words(count: int) -> list[str]:
    """Return distinct words of the topics."""
    _, vocabulary = make_models()
    chosen = np.random.default_rng(_SEED).choice(len(vocabulary), count, replace=False)
    return [vocabulary[number] for number in chosen]


# ---------------------------------------------------------------------- MiniLM

TEXTS, PIECES = 32, 128
_COMPARED = 4
_CLASSES = 20
_VOCABULARY_OF_TEXTS = 600


class EncoderWithHead(NamedTuple):
    """What all contenders are given: the encoder, the weights of its head, the word pieces.

    The head takes the mean of the last layer; ``weight`` is of classes by neurons, without bias.
    """

    model: Any
    weight: Any
    pieces: Any


def read_encoder(*, exact: bool = False) -> EncoderWithHead:
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
    given = EncoderWithHead(
        encoder.model, torch.from_numpy(weight), torch.from_numpy(_pieces(encoder))
    )
    if not exact:
        return given
    return EncoderWithHead(given.model.double(), given.weight.double(), given.pieces[:_COMPARED])


def _pieces(encoder: Any) -> NDArray[np.int64]:
    """Return the word pieces of texts that are all cut at the same length."""
    words, rng = some_words(_VOCABULARY_OF_TEXTS), np.random.default_rng(_SEED)
    # a word has at least one piece, so as many words as pieces are enough
    texts = [rng.choice(words, PIECES).tolist() for _ in range(TEXTS)]
    cut = {"is_split_into_words": True, "truncation": True, "max_length": PIECES}
    return np.array(encoder.tokenizer(texts, **cut)["input_ids"], dtype=np.int64)
