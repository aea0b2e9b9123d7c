"""Raw text to counts: windows of 10 words, the pairs of all topics.

Run in our environment: ``python -m benchmarks.speed.work.count TEXTS TOPICS THREADS``. Timed is the
call of ``count_corpus``: the library of kernels is loaded, the file is read, the counts are made.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import read_tokens
from tealeaves import Corpus, Counts, Pipeline
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.requests import CountRequest, Term
from tealeaves.evidence.units import Unit


def main(texts: str, topics: str, threads: str) -> None:
    """Count once; the results are the totals and sums that tell counts apart."""
    words = [[Term((word,)) for word in topic] for topic in read_tokens(Path(topics))]
    request = CountRequest.of(Unit("window", 10), words)
    pipeline = Pipeline.parse("words")
    clock = Clock()
    [counts] = clock(
        lambda: count_corpus(Corpus.open(texts), pipeline, [request], threads=int(threads))
    )
    clock.report(sums(counts))


def sums(counts: Counts) -> list[float]:
    """Return totals and weighted sums of counts: whole numbers, exact as floats."""
    totals = counts.totals
    numbers = [totals.documents, totals.tokens, totals.units]
    for column in (counts.singles, counts.pair_counts):
        weights = np.arange(len(column)) % 97 + 1
        numbers += [int(column.sum()), int((column * weights).sum())]
    return [float(number) for number in numbers]


if __name__ == "__main__":
    main(*sys.argv[1:])
