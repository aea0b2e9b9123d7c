"""Made-up judgments and scores, the same each time: 1,100 topics of 50 models, 20 metrics.

Five people answer 1, 2 or 3 to every topic, by a quality that nobody sees. The first metric knows
nothing of it, each next one more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

TOPICS, MODELS, METRICS, ANNOTATORS = 1100, 50, 20, 5
DRAWS = PERMUTATIONS = 2000
_WORDS, _VOCABULARY, _SEED = 10, 5000, 1


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
    quality = rng.normal(size=(TOPICS, 1))
    opinions = 2 + quality + rng.normal(size=(TOPICS, ANNOTATORS))
    answers = np.clip(np.round(opinions), 1, 3).astype(np.int64)
    known = np.linspace(0, 0.95, METRICS)
    noise = rng.normal(size=(TOPICS, METRICS))
    metrics = known * quality + np.sqrt(1 - known**2) * noise
    drawn = (rng.choice(_VOCABULARY, _WORDS, replace=False) for _ in range(TOPICS))
    return People(answers, metrics, [[f"word{number}" for number in row] for row in drawn])
