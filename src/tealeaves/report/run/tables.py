"""Runs of tables: scores that were saved as rows, here or by another program."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from tealeaves.errors import InputError
from tealeaves.metrics.reading import SavedScores, read_scores
from tealeaves.metrics.scores import Scores
from tealeaves.report.run.making import scores_record
from tealeaves.report.run.record import JudgedModel, JudgedTopic, Made, Run
from tealeaves.report.run.saving import SUFFIX, read_run

_PAGES = (".html", ".htm")
_MODEL = ".topics"


def open_run(path: str | os.PathLike[str]) -> Run:
    """Read a run, or make one of a table of scores."""
    suffix = Path(path).suffix.lower()
    if suffix == SUFFIX:
        return read_run(path)
    if suffix == _MODEL:
        raise InputError(
            f"{path}: a model, not scores of it: tealeaves score {path} -c TEXTS --report FILE.html"
        )
    if suffix in _PAGES:
        raise InputError(
            f"{path}: a report is not read back: save the run beside it (--run FILE{SUFFIX})"
        )
    return run_of_table(read_scores(path))


def run_of_table(scores: Scores) -> Run:
    """Make a run of scores and the words that they hold."""
    named = by_dataset(scores) if isinstance(scores, SavedScores) else scores
    topics: dict[str, list[JudgedTopic]] = {row.model: [] for row in named.rows}
    seen: set[tuple[str, str]] = set()
    for row in named.rows:
        if row.topic is None or (row.model, str(row.topic)) in seen:
            continue
        seen.add((row.model, str(row.topic)))
        words = named.words.get((row.model, row.topic), ())
        topics[row.model].append(JudgedTopic(row.topic, list(words)))
    models = [JudgedModel(name, found) for name, found in topics.items()]
    return Run(made=Made(), models=models, scores=scores_record(named))


def by_dataset(scores: SavedScores) -> Scores:
    """Name models by their data set too, where there are several: each has its own topics."""
    if len(set(scores.datasets)) < 2:
        return scores
    rows, words = [], {}
    for row, dataset in zip(scores.rows, scores.datasets, strict=True):
        name = f"{row.model} of {dataset}" if dataset else row.model
        rows.append(msgspec.structs.replace(row, model=name))
        topic = "" if row.topic is None else str(row.topic)
        if listed := scores.topic_words.get((dataset, row.model, topic)):
            words[name, row.topic] = listed
    return Scores(rows, better=scores.better, words=words, notes=scores.notes)
