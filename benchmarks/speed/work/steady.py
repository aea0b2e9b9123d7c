"""Steady state: from texts in memory to scores, again and again in one process.

Run in our environment: ``python -m benchmarks.speed.work.steady START TOPICS TEXTS METRIC
REPEATS``, where START is ``bytes`` (those of the file are held in memory) or ``lists`` (of tokens,
a list for each text). Nothing is kept from one scoring to the next; one thread.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import tealeaves
from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import read_tokens
from tealeaves.files import Meter
from tealeaves.text.files import SourceFile


class HeldFile(SourceFile):
    """A file whose bytes are held in memory: cut into lines at each reading, as other files are."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        super().__init__(path, reader="lines", name="memory", compression="")

    @contextmanager
    def open(self, meter: Meter | None = None) -> Iterator[BinaryIO]:
        """Yield a stream of the bytes."""
        yield io.BytesIO(self._data)


def main(start: str, topics: str, texts: str, metric: str, repeats: str) -> None:
    """Time several scorings, after one that loads everything; results are those of topics."""
    words = read_tokens(Path(topics))
    lists = read_tokens(Path(texts)) if start == "lists" else None
    held = tealeaves.Corpus([HeldFile(Path(texts))])
    clock = Clock()

    def score() -> tealeaves.Scores:
        corpus = tealeaves.Corpus.of(lists) if lists else held
        return tealeaves.score({"model": words}, corpus, metric, tokens="tokens", threads=1)

    scores = score()
    for _ in range(int(repeats)):
        scores = clock(score)
    clock.report([row.value for row in scores if row.topic is not None])


if __name__ == "__main__":
    main(*sys.argv[1:])
