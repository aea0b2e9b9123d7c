"""Score topics with tomotopy, in its own environment: coherence, topics, texts.

Its numbers are others than ours and gensim's, by known defects, so its times are shown apart.
Timed inside is counting and scoring, with the texts in tomotopy's own corpus.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import read_tokens


def main(coherence: str, topics: str, texts: str) -> None:
    """Read, count and score; print the scores and the seconds without reading."""
    from tomotopy.coherence import Coherence  # type: ignore[import-not-found, unused-ignore]
    from tomotopy.utils import Corpus  # type: ignore[import-not-found, unused-ignore]

    corpus = Corpus()
    for document in read_tokens(Path(texts)):
        corpus.add_doc(document)
    words = read_tokens(Path(topics))
    targets = sorted({word for topic in words for word in topic})

    def score() -> list[float]:
        model = Coherence(corpus, coherence=coherence, targets=targets)
        return [model.get_score(words=topic) for topic in words]

    clock = Clock()
    clock.report(clock(score))


if __name__ == "__main__":
    main(*sys.argv[1:])
