"""Work that has no peer and must not become slow; prints the seconds.

Run in our environment: ``python -m benchmarks.speed.work.single WORK``, where WORK is a key of
``WORKS``. ``... make`` makes the run and the report that are timed, in the folder of the texts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from benchmarks.folders import data_folder
from benchmarks.speed.cases import REPORT
from benchmarks.speed.clock import Clock
from benchmarks.speed.linked import bible
from benchmarks.speed.texts import FILES, HERE, PREPARED

REPORT_RUN = FILES / "report.run"
_TOPICS = HERE / "topics" / "ng_k500.txt"
_MODELS = 10
_METRICS = "npmi@10 c_v@10 umass@10 c_uci@10 lcp@10 diversity@10"
_REPEATS = 3
Work = Callable[[], object]


def make_report() -> None:
    """Score 10 models of 50 topics, and save the run and its report."""
    from tealeaves import Corpus, Topics
    from tealeaves.report import make_run, save_report, save_run

    lines = [line.split() for line in _TOPICS.read_text("utf-8").splitlines()]
    models = [Topics.of(lines[n::_MODELS], model=f"model {n}") for n in range(_MODELS)]
    run = make_run(models, Corpus.open(PREPARED), _METRICS, tokens="tokens")
    save_run(run, REPORT_RUN)
    save_report(run, REPORT)


def report() -> Work:
    """Make the page of a run that is open."""
    from tealeaves.report import open_run, report_html

    run = open_run(REPORT_RUN)
    return lambda: report_html(run)


def html() -> Work:
    """Look for markup and links in a run of two million letters."""
    from tealeaves.text.html import strip_html

    return lambda: strip_html("acgt" * 500_000)


def bible_reader(reader: str) -> Callable[[], Work]:
    """Read the lines of a Bible."""

    def prepared() -> Work:
        from tealeaves import Corpus

        corpus = Corpus.open(bible("en"), reader=reader)
        return lambda: sum(1 for _ in corpus)

    return prepared


def dictionary() -> Work:
    """Read a dictionary of 100,000 lines."""
    from tealeaves.evidence.dictionaries import Dictionaries

    path = FILES / "en-sv.txt"
    lines = (f"word{number % 70_000} ord{number}\n" for number in range(100_000))
    path.write_text("".join(lines), encoding="utf-8")
    return lambda: Dictionaries.open(path, ("en", "sv")).knows(("en", "sv"), "sv", "ord99999")


def sources() -> Work:
    """Count 20,000 texts of as many sources."""
    from tealeaves import Corpus, score
    from tealeaves.text.document import Document

    corpus = Corpus.of([Document("a b", source=f"s{number}") for number in range(20_000)])
    return lambda: score({"one": [["a", "b"]]}, corpus, "npmi@2", tokens="tokens")


def agreement() -> Work:
    """Compute how far people agree on the topics of Khodorchenko et al."""
    from tealeaves.judgments import agreement, read_judgments

    people = read_judgments(data_folder() / "khodorchenko2022" / "topics.jsonl.gz")
    return lambda: agreement(people)


def ceiling() -> Work:
    """Compute what 160 people who judged a quarter of 150 topics each can reach."""
    from tealeaves.judgments.agreement.ceiling import ceiling
    from tealeaves.judgments.ratings import Ratings

    draw = np.random.default_rng(7)
    answers = np.round(draw.normal(size=(150, 1)) + draw.normal(size=(150, 160)))
    topics, people = np.nonzero(draw.random(answers.shape) >= 0.73)
    names = [f"t{topic}" for topic in topics], [f"p{who}" for who in people]
    ratings = Ratings.of(*names, answers[topics, people])
    return lambda: ceiling(ratings)


WORKS: dict[str, Callable[[], Work]] = {
    "report": report,
    "html": html,
    "verses": bible_reader("bible"),
    "lines": bible_reader("lines"),
    "dictionary": dictionary,
    "sources": sources,
    "agreement": agreement,
    "ceiling": ceiling,
}


def main(name: str) -> None:
    """Time some work, after a first time that loads what is loaded lazily."""
    if name == "make":
        make_report()
        return
    work, clock = WORKS[name](), Clock()
    work()
    for _ in range(_REPEATS):
        clock(work)
    clock.report([])


if __name__ == "__main__":
    main(sys.argv[1])
