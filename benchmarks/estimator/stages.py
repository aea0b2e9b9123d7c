"""The stages of the study: topics, tables of their features, and estimates of languages left out.

Each stage keeps its results in the folder of the work, and computes only what is missing there.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import tealeaves
from benchmarks.checkpoints import append_rows, in_parallel, read_rows
from benchmarks.estimator.texts import (
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
from benchmarks.folders import data_folder
from tealeaves import MultilingualTopics
from tealeaves.arrays import Floats
from tealeaves.estimator.building import TOPS, build
from tealeaves.estimator.cross_validation import leave_one_language_out
from tealeaves.estimator.features import FEATURES, GROUPS
from tealeaves.estimator.fitting import feature_sets
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


def train_all(path: Path, rounds: int, iterations: int, workers: int) -> list[dict[str, Any]]:
    """Train what is not in the file yet."""
    done = {(r["language"], r["links"], r["round"]) for r in read_rows(path)}
    tasks = [
        Training(language, links, number, iterations)
        for number in range(rounds)
        for language in LANGUAGES
        for links in LINKS
        if (language, links, number) not in done
    ]
    for _, row in in_parallel(trained, tasks, workers):
        append_rows(path, [row])
    return [row for row in read_rows(path) if row["round"] < rounds]


def models_of(rows: Iterable[dict[str, Any]]) -> list[MultilingualTopics]:
    """Make models of rows; a model is called by its round and its share of links."""
    return [
        MultilingualTopics.of_languages(row["topics"], model=f"{row['round']}/{row['links']}")
        for row in rows
    ]


# ---------------------------------------------------------------------- features


class TableTask(NamedTuple):
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
    drift = Drift.between(old, new)
    cosines = {str(term): drift.of(term) for term in request.terms}
    with atomic_write(path) as stream:
        stream.write(msgspec.json.encode([drift.signature, sorted(drift.words), cosines]))


def read_drift(path: Path) -> Drift:
    """Read what was compared."""
    signature, words, cosines = msgspec.json.decode(path.read_bytes())
    known = {
        Term((word,), "en"): float("nan") if value is None else value
        for word, value in cosines.items()
    }
    return Drift("en", known, tuple(words), signature)


def tabulated(task: TableTask) -> None:
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
        TableTask(
            name, [r for r in rows if r["language"] == name], drift, folder / f"{name}.parquet"
        )
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


# ---------------------------------------------------------------------- estimates

PAPER, BEST = "adaboost", "ridge"
OTHERS = ("ridge", "trees")
#: The groups of the paper, in the order in which it adds them.
FOUR = GROUPS[:4]


class Variant(NamedTuple):
    """A learner and its features; an open one also learns from topics of the same documents."""

    name: str
    learner: str
    features: tuple[str, ...]
    open: bool = False


def features_of(*groups: str) -> tuple[str, ...]:
    """Return the features of some groups."""
    return tuple(name for name, group in FEATURES.items() if group in groups)


def variants() -> list[Variant]:
    """Return all that is compared: groups added and left out, learners, nested estimators."""
    everything = features_of(*FOUR)
    listed = [
        Variant(f"nested {' '.join(resources(chosen))}".strip(), BEST, chosen)
        for chosen in feature_sets(everything)
    ]
    listed += [
        Variant(f"{BEST} +{group}", BEST, features_of(*FOUR[:last]))
        for last, group in enumerate(FOUR, 1)
    ]
    for group in FOUR:
        kept = features_of(*(one for one in FOUR if one != group))
        listed.append(Variant(f"{BEST} -{group}", BEST, kept))
    all_four = f"+{FOUR[-1]}"
    listed.append(Variant(f"{PAPER} +{FOUR[0]}", PAPER, features_of(FOUR[0])))
    listed += [Variant(f"{one} {all_four}", one, everything) for one in (PAPER, "trees")]
    for learner in (PAPER, *OTHERS):
        listed.append(Variant(f"{learner} {all_four} open", learner, everything, open=True))
    return listed


def resources(features: tuple[str, ...]) -> list[str]:
    """Return what some features need beside a reference."""
    needed = {"mta": "dictionary", "era_mean": "years", "drift_mean": "modern", "icc": "gap"}
    return [what for name, what in needed.items() if name in features]


class Estimating(NamedTuple):
    """One variant, and where its estimates are kept."""

    variant: Variant
    folder: Path
    output: Path

    def __repr__(self) -> str:
        return self.variant.name


def estimated(task: Estimating) -> None:
    """Estimate every language without it."""
    warnings.simplefilter("ignore")
    table = open_tables(task.folder)
    if task.variant.open:
        table = replace(table, texts=())
    estimates = leave_one_language_out(
        table, task.variant.features, learner=task.variant.learner, threads=1
    )
    with atomic_write(task.output) as stream:
        np.save(stream, estimates)


def estimate_all(folder: Path, listed: list[Variant], workers: int) -> dict[str, Floats]:
    """Estimate what is not there yet, and read all."""
    tasks = [
        Estimating(one, folder, folder / f"{one.name.replace(' ', '_')}.npy") for one in listed
    ]
    for _ in in_parallel(estimated, [t for t in tasks if not t.output.exists()], workers):
        pass
    return {task.variant.name: np.load(task.output, allow_pickle=False) for task in tasks}
