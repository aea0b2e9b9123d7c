"""CNPMI by share of links, number of words and reference; classification across languages.

    TEALEAVES_DATA=/path/to/data python -m benchmarks crosslingual --rounds 5
    python -m benchmarks crosslingual --tables

English is paired with six languages. The texts are NTREX-128's news in blocks of four sentences and
the labelled sentences of SIB-200. In each round two thirds of them, divided by document (of SIB-200
by twelve neighbouring sentences, because those of one article follow each other), train the
polylingual topic model at six shares of links; the other third is the modern reference, and its
sentences of SIB-200 are classified across languages. The Bible is a second reference. No document
is both trained on and counted in.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import tealeaves
from benchmarks.checkpoints import append_rows, in_parallel, read_rows
from benchmarks.crosslingual.tables import CARDINALITIES, LINKS, SIZES, page
from benchmarks.crosslingual.texts import LANGUAGES, Split, bible, part_of, split
from benchmarks.folders import data_folder
from benchmarks.options import output_of, study_parser
from tealeaves import MultilingualTopics
from tealeaves.text.paired.corpus import PairedCorpus

TOPICS = {"amh": 10, "tgl": 10}  # as in the released data; the others have 20


class TrainingTask(NamedTuple):
    """One training: a language beside English, a share of links, a round."""

    language: str
    links: float
    round: int


def train_and_measure(task: TrainingTask, iterations: int) -> list[dict[str, Any]]:
    """Train one model and return its measurements."""
    warnings.simplefilter("ignore")
    data = data_folder()
    texts = split(data, task.language, task.round)
    paired = PairedCorpus.of(texts.training).unlink(task.links, seed=task.round)
    topics = tealeaves.train(
        "pltm",
        paired,
        k=TOPICS.get(task.language, 20),
        iterations=iterations,
        seed=task.round + 1,
    )
    assert isinstance(topics, MultilingualTopics)
    return list(measured(topics, texts, task, data))


def measured(
    topics: MultilingualTopics, texts: Split, task: TrainingTask, data: Path
) -> Iterator[dict[str, Any]]:
    """Score a model with both references, and with labels."""
    sizes = " ".join(f"cnpmi@{c} inpmi@{c}" for c in CARDINALITIES)
    modern = PairedCorpus.of(texts.reference)
    for reference, corpus in (("modern", modern), ("bible", bible(data, task.language))):
        yield from scored(topics, corpus, f"{sizes} twc@10", task, reference=reference, size=1.0)
        for size in SIZES[:-1] if task.links == 1.0 else ():
            part = part_of(corpus, size, task.round)
            yield from scored(topics, part, "cnpmi@10", task, reference=reference, size=size)
    other = LANGUAGES[task.language]
    both = ((one, two) for one, two in (("en", other), (other, "en")))
    specs = " ".join(
        f"crosslingual_f1(train={one}, test={two}, average={how})"
        for one, two in both
        for how in ("micro", "macro")
    )
    labelled = PairedCorpus.of(texts.labelled)
    yield from scored(topics, labelled, specs, task, reference="labels", size=1.0)


def scored(
    topics: MultilingualTopics, corpus: PairedCorpus, specs: str, task: TrainingTask, **known: Any
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric of the whole model."""
    for row in tealeaves.score(topics, corpus, specs).models:
        yield {
            **task._asdict(),
            **known,
            "metric": row.metric,
            "value": row.value,
            "support": row.support,
        }


def run_missing(path: Path, rounds: int, iterations: int, workers: int) -> None:
    """Run the tasks that are not in the file yet."""
    done = {TrainingTask(row["language"], row["links"], row["round"]) for row in read_rows(path)}
    tasks = [
        TrainingTask(language, links, number)
        for number in range(rounds)
        for language in LANGUAGES
        for links in LINKS
    ]
    left = [task for task in tasks if task not in done]
    work = partial(train_and_measure, iterations=iterations)
    for _, rows in in_parallel(work, left, workers):
        append_rows(path, rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is not done yet, and write the page."""
    parser = study_parser("crosslingual", __doc__)
    parser.add_argument(
        "--rounds",
        type=int,
        default=5,
        metavar="N",
        help="how many times the texts are divided, and all models trained (5)",
    )
    parser.add_argument(
        "--iterations",
        type=int,
        default=1000,
        metavar="N",
        help="sweeps of the sampler in each training (1000); name a new --work for another number",
    )
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N", help="processes that train (2)"
    )
    parser.add_argument(
        "--tables", action="store_true", help="train nothing; write the page from what is kept"
    )
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    path = options.work / "runs.jsonl"
    if not options.tables:
        run_missing(path, options.rounds, options.iterations, options.workers)
    text = page(read_rows(path), options.iterations)
    output_of(parser, options, "rounds", "iterations").write_text(text, encoding="utf-8")
    print(text)
