"""Sample the polylingual topic model; prints the seconds of sweeps, for a million tokens.

Run in our environment: ``python -m benchmarks.speed.work.pltm K LANGUAGES TEXTS``. The languages
are made of one: each takes every so manieth token of a document. That costs what true ones cost.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import (
    ALPHA,
    BETA,
    FREQUENT_WORDS,
    TIMED_SWEEPS,
    burn_in,
    frequent_words,
)
from tealeaves.models.polylingual.chain import GibbsChain
from tealeaves.models.texts import TrainingTexts


def made_texts(path: Path, languages: int) -> TrainingTexts:
    """Deal the tokens of documents out to languages."""
    documents = frequent_words(path)
    sides = [one[language::languages] for one in documents for language in range(languages)]
    return TrainingTexts(
        tuple(f"l{language}" for language in range(languages)),
        (tuple(map(str, range(FREQUENT_WORDS))),) * languages,
        np.cumsum([0, *map(len, sides)]),
        np.array([word for side in sides for word in side], dtype=np.int32),
    )


def main(k: str, languages: str, texts: str) -> None:
    """Let a chain burn in, then time sweeps of one thread."""
    tuples = made_texts(Path(texts), int(languages))
    state = GibbsChain.start(tuples, k=int(k), alpha=ALPHA, beta=BETA, seed=1, parts=1)
    for _ in range(burn_in(int(k))):
        state.advance()
    clock = Clock()
    for _ in range(TIMED_SWEEPS):
        clock(state.advance)
    # whole numbers, exact as floats, that tell states apart
    weights = np.arange(len(state.topics)) % 97 + 1
    clock.report_each(len(tuples.words) / 1e6, [float(state.topics @ weights)])


if __name__ == "__main__":
    main(*sys.argv[1:])
