"""Sample LDA with tomotopy, one worker, in its own environment: K, texts.

Prints the seconds of sweeps, for a million tokens.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import ALPHA, BETA, TIMED_SWEEPS, burn_in, frequent_words


def main(k: str, texts: str) -> None:
    """Let a chain burn in, then time sweeps."""
    import tomotopy  # type: ignore[import-not-found, unused-ignore]

    model = tomotopy.LDAModel(k=int(k), alpha=ALPHA, eta=BETA, seed=1)
    model.optim_interval = 0
    for document in frequent_words(Path(texts)):
        if document:
            model.add_doc(list(map(str, document)))
    model.train(burn_in(int(k)), workers=1)
    clock = Clock()
    for _ in range(TIMED_SWEEPS):
        clock(lambda: model.train(1, workers=1))
    clock.report_each(model.num_words / 1e6)


if __name__ == "__main__":
    main(*sys.argv[1:])
