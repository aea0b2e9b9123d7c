"""What is promised of threads and of processes (docs/reliability.md)."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tealeaves
from tealeaves import Corpus, Pipeline, Topics, demo
from tealeaves.evidence import CountRequest, Counts, Term, Unit, count_corpus
from tealeaves.judgments import score_judged_topics

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


def test_warnings_that_become_notes_leave_the_filters_of_other_threads_alone(
    tmp_path: Path,
) -> None:
    table = tmp_path / "judgments.csv"
    lines = [f"{n},{person},{n},sky moon sky" for n in range(3) for person in ("ann", "bob")]
    table.write_text("\n".join(["topic,annotator,score,words", *lines]), encoding="utf-8")
    judgments = tealeaves.read_judgments(table)
    texts = ["the sky", "the moon and the sky", "a moon"]
    filters, shown = list(warnings.filters), warnings.showwarning

    def notes(_: int) -> list[str]:
        return list(score_judged_topics(judgments, texts, "npmi@2").notes)

    alone = notes(0)
    assert any("lists a word more than once" in note for note in alone)
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(notes, range(CALLS))) == [alone] * CALLS
    assert (list(warnings.filters), warnings.showwarning) == (filters, shown)


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
