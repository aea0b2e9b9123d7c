"""Score 100 models of 50 topics from counts that are loaded already; prints the seconds.

Run in our environment: ``python -m benchmarks.speed.work.models TOPICS TEXTS COUNTS``, where COUNTS
is the file in which the counts are kept.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import tealeaves
from benchmarks.speed.clock import Clock
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.counts import load_counts, save_counts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.planning import count_requests
from tealeaves.metrics.registry import parse_metrics

METRICS = "npmi@10 c_v@10"
_MODELS, _TOPICS, _STRANGERS, _REPEATS = 100, 50, 2, 5

Models = dict[str, list[list[str]]]


def make_models(topics: list[list[str]], size: int = _TOPICS) -> Models:
    """Draw models from the topics, with some words of each topic replaced.

    Without the replacing the models would share all their pairs of words, which those of real
    experiments do not.
    """
    draw = random.Random(1)
    words = sorted({word for topic in topics for word in topic})

    def varied(topic: list[str]) -> list[str]:
        kept = draw.sample(topic, len(topic) - _STRANGERS)
        others = [word for word in draw.sample(words, 2 * len(topic)) if word not in kept]
        return kept + others[:_STRANGERS]

    return {
        f"model {number}": [varied(topic) for topic in draw.sample(topics, size)]
        for number in range(_MODELS)
    }


def count(models: Models, texts: Path, target: Path) -> None:
    """Count once, as ``tealeaves count`` would."""
    pipeline = tealeaves.Pipeline.parse("tokens")
    judged = [tealeaves.Topics.of(topics, model=name) for name, topics in models.items()]
    requests = count_requests(judged, parse_metrics(METRICS), Wording(pipeline))
    save_counts(count_corpus(tealeaves.Corpus.open(texts), pipeline, requests), target)


def main(topics: Path, texts: Path, target: Path) -> None:
    """Time several scorings in one process, after a first that loads what is loaded lazily."""
    models = make_models([line.split() for line in topics.read_text("utf-8").splitlines()])
    count(models, texts, target)
    counts = load_counts(target)
    clock = Clock()
    _score(models, counts)
    for _ in range(_REPEATS):
        clock(lambda: _score(models, counts))
    clock.report([])


def _score(models: Models, counts: list[tealeaves.Counts]) -> None:
    tealeaves.score(models, counts=counts, metrics=METRICS)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
