"""Made-up models of real words, the same each time: 50 models of 22 topics, with φ.

The topics are drawn from those of 20 Newsgroups in ``topics/ng_k500.txt``. The probabilities are
random, over a vocabulary of all the words.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MODELS, TOPICS, WORDS = 50, 22, 10
_FILE = Path(__file__).parent / "topics" / "ng_k500.txt"
_SEED = 1
_SHORT = 3


class Made(NamedTuple):
    """The words of each topic, and φ (topics, vocabulary)."""

    topics: list[list[str]]
    phi: NDArray[np.float64]


def make_models() -> tuple[list[Made], list[str]]:
    """Return the models and their vocabulary."""
    lines = [line.split()[:WORDS] for line in _FILE.read_text(encoding="utf-8").splitlines()]
    # MiniLM knows no piece of some abbreviations: we leave these words out, STREAM does not
    lists = [words for words in lines if min(map(len, words)) > _SHORT]
    vocabulary = sorted({word for words in lists for word in words})
    rng = np.random.default_rng(_SEED)
    return [_made(lists, vocabulary, rng) for _ in range(MODELS)], vocabulary


def _made(lists: list[list[str]], vocabulary: list[str], rng: np.random.Generator) -> Made:
    chosen = rng.choice(len(lists), TOPICS, replace=False)
    return Made([lists[k] for k in chosen], rng.dirichlet(np.full(len(vocabulary), 0.1), TOPICS))


def some_words(count: int) -> list[str]:
    """Return distinct words of the topics."""
    _, vocabulary = make_models()
    chosen = np.random.default_rng(_SEED).choice(len(vocabulary), count, replace=False)
    return [vocabulary[number] for number in chosen]
