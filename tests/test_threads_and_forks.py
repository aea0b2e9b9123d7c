"""What is promised of threads and of processes (docs/reliability.md)."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import tealeaves
from tealeaves import Corpus, Pipeline, Topics, demo
from tealeaves.evidence import CountRequest, Counts, Term, Unit, count_corpus

from .systems import needs_fork

METRICS = "npmi@10 c_v@10 umass@5 diversity@10 irbo@10"
MODELS = demo.models()
CALLS = 24

# The beginning of programs that run in a process of their own.
PROGRAM = f"""
import os, sys, threading
import tealeaves
from tealeaves import demo

def scored():
    scores = tealeaves.score(demo.models(), demo.corpus(), {METRICS!r}, threads=2)
    return [repr(row) for row in scores.rows]
"""


def run_program(code: str) -> str:
    """Run a program after the common beginning; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM + code],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows_of(corpus: Corpus, threads: int) -> list[str]:
    scores = tealeaves.score(MODELS, corpus, METRICS, threads=threads)
    return [repr(row) for row in scores.rows]


def test_threads_share_models_and_texts() -> None:
    corpus = demo.corpus()
    alone = rows_of(corpus, 1)
    assert len(alone) > len(MODELS) * 5
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda call: rows_of(corpus, 1 + call % 3), range(CALLS)))
    assert together == [alone] * CALLS


def test_threads_may_all_make_the_first_call() -> None:
    printed = run_program(
        """
start = threading.Barrier(8)
results = []

def first():
    start.wait()
    results.append(scored())

workers = [threading.Thread(target=first) for _ in range(8)]
for worker in workers: worker.start()
for worker in workers: worker.join()
print(len(results), all(rows == scored() for rows in results))
"""
    )
    assert printed.split() == ["8", "True"]


@needs_fork
def test_a_forked_process_scores_as_its_parent_does() -> None:
    printed = run_program(
        """
before = scored()
child = os.fork()
if not child:
    os._exit(0 if scored() == before else 3)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), scored() == before)
"""
    )
    assert printed.split() == ["0", "True"]


def counted() -> Counts:
    cat, dog = Term(("cat",)), Term(("dog",))
    corpus = Corpus.of(["a cat, a dog", "dog cat dog", "no pets"])
    request = CountRequest.of(Unit("window", 2), [[cat, dog]])
    return count_corpus(corpus, Pipeline.parse("words"), [request])[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Topics.of([["cat", "dog"], ["bread", "soup"]]),
        lambda: tealeaves.metric("npmi(window=10)@10"),
        lambda: Pipeline.parse("words(stopwords=en)"),
        lambda: tealeaves.score({"one": [["cat", "dog"]]}, ["cat dog", "cat"], "npmi@2").rows,
    ],
    ids=["topics", "metric", "pipeline", "rows"],
)
def test_values_go_to_other_processes(make: Callable[[], object]) -> None:
    made = make()
    assert repr(pickle.loads(pickle.dumps(made))) == repr(made)


def test_counts_go_to_other_processes() -> None:
    counts = counted()
    sent = pickle.loads(pickle.dumps(counts))
    cat, dog = Term(("cat",)), Term(("dog",))
    assert (sent.pair(cat, dog), sent.totals) == (counts.pair(cat, dog), counts.totals)
    assert sent.pair(cat, dog) == 2
