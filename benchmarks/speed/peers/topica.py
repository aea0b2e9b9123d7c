"""Score topics with topica, in its own environment: coherence, window, eps, topics, texts, repeats.

Without repeats it scores once. With repeats it scores once untimed, and then so many times.
Timed is the call of ``coherence``: the texts are lists of tokens in memory. A window of 0 counts
documents.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import read_tokens


def main(coherence: str, window: str, eps: str, topics: str, texts: str, repeats: str) -> None:
    """Read, count and score; print the scores and the seconds without reading."""
    import topica  # type: ignore[import-not-found, unused-ignore]

    documents, words = read_tokens(Path(texts)), read_tokens(Path(topics))

    def score() -> list[float]:
        values = topica.coherence(
            words, documents, coherence_type=coherence, n=10, window_size=int(window),
            epsilon=float(eps),
        )  # fmt: skip
        return [float(value) for value in values]

    clock = Clock()
    if int(repeats):
        score()
    for _ in range(max(1, int(repeats))):
        values = clock(score)
    clock.report(values)


if __name__ == "__main__":
    main(*sys.argv[1:])
