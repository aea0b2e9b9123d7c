"""Where our time goes: one scoring taken apart; prints the CPU seconds of each step.

Run in our environment: ``python benchmarks/breakdown.py TOPICS TEXTS METRIC``. The steps are those
of ``tealeaves score``, each done once; only the kernels are called once before, on a tiny text, to
tell numba's own start from the counting.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from tealeaves import Corpus, Counts, Pipeline, Topics
    from tealeaves.evidence.request import Request


class Stopwatch:
    """CPU seconds by name; what is watched inside something watched is in both."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def __call__(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return the work, timed at each call."""

        def watched(*given: Any, **named: Any) -> Any:
            start = time.process_time()
            try:
                return work(*given, **named)
            finally:
                self.seconds[name] += time.process_time() - start

        return watched

    def stream(self, name: str, source: Callable[..., Iterator[Any]]) -> Callable[..., Any]:
        """Return the source of a stream, timed while it makes each item."""
        return lambda *given, **named: iter(self(name, source(*given, **named).__next__), _END)


_END = object()  # never comes: the stream ends by itself


def import_all() -> None:
    """Import what ``tealeaves score`` imports on its way."""
    import tealeaves.cli.main
    import tealeaves.cli.output
    import tealeaves.cli.score
    import tealeaves.evidence.gathering
    import tealeaves.metrics.evaluator  # noqa: F401


def first_call(pipeline: Pipeline, requests: list[Request]) -> None:
    """Let numba start and load the kernels from its cache on disk, on a text of two words."""
    from tealeaves import Corpus
    from tealeaves.evidence.gathering import gather
    from tealeaves.evidence.request import Request

    pair = sorted(requests[0].terms)[:2]
    text = " ".join(token for term in pair for token in term.tokens)
    gather(Corpus.of([text]), pipeline, [Request.of(requests[0].unit, [pair])])


def count(
    watch: Stopwatch, corpus: Corpus, pipeline: Pipeline, requests: list[Request]
) -> list[Counts]:
    """Count, and watch the streams that counting pulls: documents, tokens, blocks of ids."""
    from tealeaves import Corpus, Pipeline
    from tealeaves.evidence import gathering
    from tealeaves.evidence.blocks import read_blocks

    split = watch("split into tokens", pipeline.tokenizer())
    documents = watch.stream("read lines", Corpus.documents)
    blocks = watch.stream("blocks", read_blocks)
    with (
        patch.object(Corpus, "documents", documents),
        patch.object(Pipeline, "tokenizer", lambda _: split),
        patch.object(gathering, "read_blocks", blocks),
    ):
        counts: list[Counts] = watch("all", gathering.gather)(corpus, pipeline, requests)
    seconds = watch.seconds
    inner = seconds["read lines"] + seconds["split into tokens"]
    seconds["number tokens, fingerprint"] = seconds["blocks"] - inner
    seconds["count"] = seconds.pop("all") - seconds.pop("blocks")
    return counts


def score(watch: Stopwatch, model: Topics, texts: str, metric: str) -> None:
    """Do what ``tealeaves score`` does after reading the topics."""
    from tealeaves import Corpus, Pipeline
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.metrics.evaluator import requests_of, score_models
    from tealeaves.metrics.registry import parse_metrics
    from tealeaves.metrics.wording import Wording

    pipeline = Pipeline.parse("tokens")
    wording = Wording(pipeline)
    metrics = watch("find metrics", parse_metrics)(metric)
    requests = watch("list words and pairs", requests_of)([model], metrics, wording)
    watch("numba's first call", first_call)(pipeline, requests)
    corpus = watch("read lines", Corpus.open)(texts)
    evidence = Evidence(count(watch, corpus, pipeline, requests))
    scores = watch("score", score_models)([model], metrics, evidence, wording)
    watch("write", scores.to_jsonl)()


def main(topics: str, texts: str, metric: str) -> None:
    """Print the seconds of each step as JSON, and all that were used before leaving."""
    watch = Stopwatch()
    watch("imports", import_all)()
    from tealeaves import read_topics

    model = watch("read topics", read_topics)(topics)
    score(watch, model, texts, metric)
    print(json.dumps({"steps": watch.seconds, "all": time.process_time()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
