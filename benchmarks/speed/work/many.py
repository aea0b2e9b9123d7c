"""Score 100 models of 25 topics with every metric of word lists, or read the texts for one model.

Run in our environment: ``python -m benchmarks.speed.work.many TOPICS TEXTS HOW``, where HOW is
``pass`` (count for one model what these metrics need) or ``score`` (read, count and score all
models, and print the scores).
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import tealeaves
from benchmarks.speed.clock import Clock
from benchmarks.speed.work.models import make_models
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric
from tealeaves.metrics.planning import count_requests
from tealeaves.metrics.registry import METRICS

_TOPICS, _REPEATS, _TOP = 25, 5, 10
_SOURCES = ("counts of", "the topics' words")


def word_list_metrics() -> list[Metric]:
    """Return every metric of lists of words: by counts of the texts, or by the words alone.

    ``coherence`` is left out: by its parameters it is any of the others.
    """
    bare = tealeaves.Topics.of([["cat", "dog"]])
    return [
        one @ _TOP
        for one in METRICS.values()
        if not one.lacks(bare) and one.source.startswith(_SOURCES) and one.name != "coherence"
    ]


def main(topics: str, texts: str, how: str) -> None:
    """Time several rounds in one process, after a first that loads what is loaded lazily."""
    lines = Path(topics).read_text("utf-8").splitlines()
    models = make_models([line.split() for line in lines], _TOPICS)
    metrics, corpus = word_list_metrics(), tealeaves.Corpus.open(texts)
    pipeline = tealeaves.Pipeline.parse("words")
    first = [tealeaves.Topics.of(models["model 0"], model="model 0")]
    requests = count_requests(first, metrics, Wording(pipeline))

    def work() -> list[float]:
        if how == "pass":
            count_corpus(corpus, pipeline, requests)
            return []
        return [row.value for row in tealeaves.score(models, corpus, metrics).models]

    clock = Clock()
    values = work()
    for _ in range(_REPEATS):
        clock(work)
    clock.report([value for value in values if math.isfinite(value)])


if __name__ == "__main__":
    main(*sys.argv[1:])
