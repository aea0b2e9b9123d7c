"""Where our time goes: one scoring with one thread, taken apart; prints CPU seconds of each step.

Run in our environment: ``python -m benchmarks.speed.work.steps TOPICS TEXTS METRIC TOKENS``. The
steps are those of ``tealeaves score``, each done once. Functions on the way are put under a
stopwatch; what a step spends in another one is taken off it.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    from tealeaves.files import Meter
    from tealeaves.text.files import SourceFile

IMPORTS = "imports"
TOPICS = "read topics, find metrics, list words and pairs"
KERNELS = "load the library of kernels"
TABLES = "lay out tables"
READ = "read the file"
LINES = "cut into lines"
BYTES = "tokenise and look up, in bytes"
STRINGS = "decode and tokenise, texts left to strings"
COUNT = "count"
SUMS = "fingerprint, totals, sums"
SCORE = "score"
WRITE = "write"


class Stopwatch:
    """CPU seconds by name; while an inner step runs, the outer one stands still."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._running: list[str] = []
        self._since = time.process_time()

    def _switch(self) -> None:
        now = time.process_time()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a piece of work."""
        self._switch()
        self._running.append(name)
        try:
            yield
        finally:
            self._switch()
            self._running.pop()

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function, timed at each call."""

        def watched(*given: Any, **named: Any) -> Any:
            with self.step(name):
                return work(*given, **named)

        return watched

    def stream(self, name: str, source: Callable[..., Iterator[Any]]) -> Callable[..., Any]:
        """Return the source of a stream, timed while it makes each item."""

        def watched(*given: Any, **named: Any) -> Iterator[Any]:
            items = source(*given, **named)
            while True:
                with self.step(name):
                    item = next(items, _END)
                if item is _END:
                    return
                yield item

        return watched

    def opened(self, source: Callable[..., Any]) -> Callable[..., Any]:
        """Return a way to open files, timed while they are read."""

        @contextmanager
        def watched(file: SourceFile, meter: Meter | None = None) -> Iterator[BinaryIO]:
            with source(file, meter) as stream:
                yield cast("BinaryIO", _TimedStream(stream, self))

        return watched


_END = object()


class _TimedStream(io.RawIOBase):
    """A stream whose reading is timed."""

    def __init__(self, stream: Any, watch: Stopwatch) -> None:
        self.readinto = watch.timed(READ, stream.readinto)  # type: ignore[method-assign]


def import_all() -> None:
    """Import what ``tealeaves score`` imports on its way."""
    import tealeaves.cli.main
    import tealeaves.cli.output
    import tealeaves.cli.score
    import tealeaves.evidence.counting.corpus
    import tealeaves.metrics.evaluation  # noqa: F401


@contextmanager
def watching(watch: Stopwatch) -> Iterator[None]:
    """Put the steps of counting under the stopwatch."""
    from unittest.mock import patch  # not above: the driver imports the names of the steps

    from tealeaves.evidence.counting import corpus
    from tealeaves.evidence.counting.counters import RequestCounter
    from tealeaves.evidence.counting.events import TermSearch, term_events
    from tealeaves.evidence.counting.hits import ByteFinder, StringFinder
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.files import SourceFile

    timed = watch.timed
    with ExitStack() as stack:
        for owner, name, watched in [
            (SourceFile, "open", watch.opened(SourceFile.open)),
            (Corpus, "blocks", watch.stream(LINES, Corpus.blocks)),
            (corpus.CountingPlan, "__init__", timed(TABLES, corpus.CountingPlan.__init__)),
            (TermSearch, "finder", timed(TABLES, TermSearch.finder)),
            (ByteFinder, "__call__", timed(BYTES, ByteFinder.__call__)),
            (StringFinder, "find", timed(STRINGS, StringFinder.find)),
            (RequestCounter, "add", timed(COUNT, RequestCounter.add)),
            (corpus, "term_events", timed(COUNT, term_events)),
        ]:
            stack.enter_context(patch.object(owner, name, watched))
        yield


def main(topics: str, texts: str, metric: str, tokens: str) -> None:
    """Print the seconds of each step as JSON, and all that were used before leaving."""
    watch = Stopwatch()
    with watch.step(IMPORTS):
        import_all()
    from tealeaves import Corpus, Pipeline, kernels, read_topics
    from tealeaves.evidence.counting.corpus import count_corpus
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.evaluation import evaluate
    from tealeaves.metrics.planning import count_requests
    from tealeaves.metrics.registry import parse_metrics

    with watch.step(TOPICS):
        model = read_topics(topics)
        metrics = parse_metrics(metric)
        pipeline = Pipeline.parse(tokens)
        wording = Wording(pipeline)
        requests = count_requests([model], metrics, wording)
    with watch.step(KERNELS):
        kernels.are_compiled()
    with watching(watch), watch.step(SUMS):
        counts = count_corpus(Corpus.open(texts), pipeline, requests, threads=1)
    with watch.step(SCORE):
        scores = evaluate([model], metrics, Evidence(counts, wording=wording))
    with watch.step(WRITE):
        scores.to_jsonl()
    print(json.dumps({"steps": watch.seconds, "all": time.process_time()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
