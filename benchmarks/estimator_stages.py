"""The first two stages of the estimator's run: topics, and tables of their features."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import tealeaves
from estimator_texts import (
    ENGLISH,
    LANGUAGES,
    bible,
    dictionaries,
    halves,
    rich_reference,
    texts_of,
    tokens,
    tuples,
)
from tealeaves import MultilingualTopics
from tealeaves.estimator.building import TOPS, build
from tealeaves.estimator.table import FeatureTable
from tealeaves.evidence.contexts import gather_contexts
from tealeaves.evidence.drift import Drift
from tealeaves.evidence.requests import ContextRequest, Term
from tealeaves.evidence.years import WordYears
from tealeaves.files import atomic_write
from tealeaves.text.corpus import Corpus
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline

LINKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
TOPICS = 20
WORDS = max(TOPS)


def data_folder() -> Path:
    """Return the folder of the data."""
    return Path(os.environ["TEALEAVES_DATA"])


def in_parallel(work: Callable[..., Any], tasks: Iterable[Any], workers: int) -> Iterable[Any]:
    """Yield what processes return, as they do."""
    listed = list(tasks)
    # not forked: threads of the packages that read tables would be waited for forever
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(work, task): task for task in listed}
        for number, future in enumerate(as_completed(running), 1):
            yield future.result()
            print(f"{number} of {len(listed)}: {running[future]}", file=sys.stderr)


# ---------------------------------------------------------------------- topics


class Training(NamedTuple):
    """One training: a language beside English, a share of links, a round."""

    language: str
    links: float
    round: int
    iterations: int = 1000


def trained(task: Training) -> dict[str, Any]:
    """Train one model, and return the first words of its topics."""
    warnings.simplefilter("ignore")
    data = data_folder()
    training, _ = halves(data, task.round)
    texts = PairedCorpus.of(tuples(data, task.language, training))
    topics = tealeaves.train(
        "pltm",
        texts.unlink(task.links, seed=task.round),
        k=TOPICS,
        iterations=task.iterations,
        seed=task.round + 1,
    )
    assert isinstance(topics, MultilingualTopics)
    words = {
        name: [list(topic.words[:WORDS]) for topic in side.topics]
        for name, side in topics.by_language.items()
    }
    return {**task._asdict(), "topics": words}


def topics_in(path: Path) -> list[dict[str, Any]]:
    """Read the models so far; a last line that was cut off does not count."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]


def train_all(path: Path, rounds: int, iterations: int, workers: int) -> list[dict[str, Any]]:
    """Train what is not in the file yet."""
    done = {(r["language"], r["links"], r["round"]) for r in topics_in(path)}
    tasks = [
        Training(language, links, number, iterations)
        for number in range(rounds)
        for language in LANGUAGES
        for links in LINKS
        if (language, links, number) not in done
    ]
    _drop_cut_off_line(path)
    with path.open("a", encoding="utf-8") as stream:
        for row in in_parallel(trained, tasks, workers):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            stream.flush()
    return [row for row in topics_in(path) if row["round"] < rounds]


def _drop_cut_off_line(path: Path) -> None:
    """Let a run go on after a line that was not written to its end."""
    if path.exists():
        content = path.read_bytes()
        with path.open("r+b") as stream:
            stream.truncate(content.rfind(b"\n") + 1)


def models_of(rows: Iterable[dict[str, Any]]) -> list[MultilingualTopics]:
    """Make models of rows; a model is called by its round and its share of links."""
    return [
        MultilingualTopics.of_languages(row["topics"], model=f"{row['round']}/{row['links']}")
        for row in rows
    ]


# ---------------------------------------------------------------------- features


class Table(NamedTuple):
    """One table: a language, its models, and where it is kept."""

    language: str
    rows: list[dict[str, Any]]
    drift: Path
    output: Path

    def __repr__(self) -> str:
        return f"features of {self.language}"


def drift_of(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Compare the uses of all English words in the Bible and in Wikipedia, once for all."""
    if path.exists():
        return
    data = data_folder()
    words = {word for row in rows for topic in row["topics"]["en"] for word in topic}
    request = ContextRequest("en", frozenset(Term((word,), "en") for word in words))
    pipeline = Pipeline.parse("words")
    old = gather_contexts(
        Corpus.open(data / "bible" / f"{ENGLISH}.tsv.gz", reader="bible").group("chapter"),
        pipeline,
        request,
    )
    modern = Corpus.open(data / "wikipedia_en_2014_sample" / "articles.jsonl.gz")
    new = gather_contexts(
        modern, pipeline, request, vocabulary=frozenset(old.vocabulary), progress=True
    )
    found = Drift.between(old, new)
    cosines = {str(term): found.of(term) for term in request.terms}
    with atomic_write(path) as stream:
        stream.write(msgspec.json.encode([found.signature, sorted(found.words), cosines]))


def read_drift(path: Path) -> Drift:
    """Read what was compared."""
    signature, words, cosines = msgspec.json.decode(path.read_bytes())
    known = {
        Term((word,), "en"): float("nan") if value is None else value
        for word, value in cosines.items()
    }
    return Drift("en", known, tuple(words), signature)


def tabulated(task: Table) -> None:
    """Compute the features of all models of a language, and their targets round by round."""
    warnings.simplefilter("ignore")
    data = data_folder()
    given: dict[str, Any] = {
        "dictionary": dictionaries(data, task.language) or None,
        "years": WordYears.open(data / "word_era_en" / "word_era.tsv.gz"),
        "modern": read_drift(task.drift),
        "tokens": tokens(task.language),
        "threads": 1,
    }
    parts = []
    ordered = sorted(task.rows, key=lambda row: (row["round"], row["links"]))
    for number, rows in groupby(ordered, key=lambda row: row["round"]):
        rich = PairedCorpus.of(rich_reference(data, task.language, number))
        parts.append(build(models_of(rows), bible(data, task.language), rich=rich, **given))
    FeatureTable.joined(parts).save(task.output)


def tabulate_all(rows: list[dict[str, Any]], folder: Path, workers: int) -> None:
    """Make the tables that are not there yet."""
    drift = folder / "drift.json"
    drift_of(rows, drift)
    tasks = [
        Table(name, [r for r in rows if r["language"] == name], drift, folder / f"{name}.parquet")
        for name in LANGUAGES
    ]
    left = [task for task in tasks if not task.output.exists()]
    for _ in in_parallel(tabulated, left, workers):
        pass


def open_tables(folder: Path) -> FeatureTable:
    """Read all tables, with the texts that trained the topics of each round."""
    table = FeatureTable.open([folder / f"{name}.parquet" for name in LANGUAGES])
    numbers = [int(model.split("/")[0]) for model in table.models]
    named = {number: texts_of(number, max(numbers) + 1) for number in set(numbers)}
    return replace(table, texts=tuple(named[number] for number in numbers))
