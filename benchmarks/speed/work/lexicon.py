"""Align two Bibles, or extract words from them, with one thread; prints sums and the seconds.

Run in our environment: ``python -m benchmarks.speed.work.lexicon HOW``, where HOW is ``align`` (our
aligner in both directions, joined), ``markers`` (the L-model with Fisher's exact test) or ``forms``
(the hybrid model, once the words are aligned). A few verses are worked on first, untimed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from benchmarks.speed.clock import Clock
from benchmarks.speed.linked import FILES, bible
from tealeaves.lexicon import Bitext, align, extractor, read_passages
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.seeds import find_seed

_VERSES, _FEW = 6_000, 200
_SEEDS, _RAREST = 300, 20  # the words of so many tokens, the most frequent first
_REPEATS = 3
Work = Callable[[], list[float]]


def first_verses(count: int) -> Bitext:
    """Return the first verses that both languages have."""
    bitext = Bitext.of(*(read_passages(str(bible(name)), name) for name in FILES))
    rows = list(range(count))
    return Bitext(bitext.source.taken(rows), bitext.target.taken(rows))


def aligning(verses: Bitext) -> Work:
    """Return the alignment; its results tell links and their probabilities apart."""

    def work() -> list[float]:
        both = align(verses, "hmm", threads=1)
        joined = both.joined("gdfa")
        sums = [float(one.probabilities.sum(dtype=np.float64)) for one in (both.forward, joined)]
        return [*sums, float(len(joined)), float(joined.places.sum())]

    return work


def extracting(verses: Bitext, model: str) -> Work:
    """Return the extraction of the most frequent words; what is aligned is aligned before."""
    words = verses.source.words
    counts = np.bincount(words.numbers, minlength=len(words.vocabulary))
    order = np.argsort(-counts, kind="stable")[:_SEEDS]
    seeds = [find_seed(words, words.vocabulary[k]) for k in order if counts[k] >= _RAREST]
    materials, chosen = Materials(verses), extractor(model)
    chosen.prepare(materials)

    def work() -> list[float]:
        tokens = [token for seed in seeds for token in chosen.extract(materials, seed)]
        places = sum(sum(token.words) for token in tokens)
        return [float(len(tokens)), float(places), float(sum(len(one.words) for one in tokens))]

    return work


WORK: dict[str, Callable[[Bitext], Work]] = {
    "align": aligning,
    "markers": lambda verses: extracting(verses, "l(measure=fisher)"),
    "forms": lambda verses: extracting(verses, "hybrid"),
}


def main(how: str) -> None:
    """Time it several times in one process."""
    WORK[how](first_verses(_FEW))()
    work, clock = WORK[how](first_verses(_VERSES)), Clock()
    for _ in range(_REPEATS):
        values = clock(work)
    clock.report(values)


if __name__ == "__main__":
    main(*sys.argv[1:])
