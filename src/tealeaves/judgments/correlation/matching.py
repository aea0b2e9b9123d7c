"""Scores beside people's: which topic of the scores is which of the judgments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.judgments.correlation.index import ScoreIndex, named
from tealeaves.judgments.correlation.models import models_of
from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.statistics.regression import FittedLine, fitted_line


@dataclass(frozen=True)
class Matched:
    """What metrics and people say of the same topics or models, of one data set and task.

    ``human`` has no NaN; a metric's column has, where it has no value. ``model`` is set where
    these are the topics of one model alone. ``lines`` has the line through the points of each
    metric and people, with its band.
    """

    dataset: str
    task: str
    by: str
    keys: list[TopicKey]
    human: Floats
    scores: dict[str, Floats]
    words: list[tuple[str, ...]]
    classes: bool = False
    model: str = ""
    notes: list[str] = field(default_factory=list)
    lines: dict[str, FittedLine | None] = field(default_factory=dict)

    def with_lines(self, level: float) -> Matched:
        """Return the same with the line of each metric; its band is of this level."""
        lines = {}
        for metric, column in self.scores.items():
            known = np.isfinite(column) & np.isfinite(self.human)
            lines[metric] = fitted_line(column[known], self.human[known], level)
        return replace(self, lines=lines)

    def __len__(self) -> int:
        return len(self.keys)

    def of_model(self, model: str) -> Matched:
        """Return the topics of one model."""
        rows = [row for row, key in enumerate(self.keys) if key.model == model]
        return replace(
            self,
            keys=[self.keys[row] for row in rows],
            human=self.human[rows],
            scores={name: column[rows] for name, column in self.scores.items()},
            words=[self.words[row] for row in rows],
            model=model,
        )


def match(part: Judgments, index: ScoreIndex, by: str) -> Matched:
    """Put the scores of topics or models beside people's; what has no partner is counted."""
    [(dataset, task)] = part.parts
    renamed, notes = _renaming(part, index)
    human = part.human()
    people = {renamed(key): value for key, value in human.items()}
    words = {renamed(key): tuple(part.words[key]) for key in human if key in part.words}
    words |= {key: brought for key in people if (brought := index.words(key))}
    scored = {key: scores for key in people if (scores := index.find(key)) is not None}
    mute = [key for key, value in people.items() if math.isnan(value)]
    if mute:
        notes.append(f"{len(mute)} topics have no answer that counts: {named(mute)}")
    if by == "model":
        answered = {key: value for key, value in people.items() if not math.isnan(value)}
        # as they are told elsewhere, to the last bit: equal means are ties
        people = {renamed(key): value for key, value in part.human("model").items()}
        found, more = models_of(answered, scored, index)
    else:
        found, more = scored, _without_score(people, scored)
    keys = [key for key in people if key in found and not math.isnan(people[key])]
    if not keys:
        raise InputError(_nothing(part, index, by))
    unknown = [key for key in keys if by == "topic" and not words.get(key)]
    if unknown:
        more.append(
            f"the words of {len(unknown)} of {len(keys)} topics are not known: near-identical ones "
            "cannot be told, and intervals may be too narrow (give a column words)"
        )
    columns = {
        name: np.array([found[key].get(name, math.nan) for key in keys])
        for name in index.metrics
        if any(name in found[key] for key in keys)
    }
    values = np.array([people[key] for key in keys])
    shown = [words.get(key, ()) for key in keys]
    classes = part.scale.classes and by == "topic"
    return Matched(dataset, task, by, keys, values, columns, shown, classes, notes=[*notes, *more])


def _without_score(people: Mapping[TopicKey, float], scored: Mapping[TopicKey, Any]) -> list[str]:
    missing = [key for key in people if key not in scored]
    if not missing:
        return []
    return [f"{len(missing)} of {len(people)} judged topics have no score: {named(missing)}"]


# ---------------------------------------------------------------------- names


def _renaming(part: Judgments, index: ScoreIndex) -> tuple[_Renaming, list[str]]:
    """Take the only model on both sides for the same, whatever it is called."""
    theirs = {key.model for key in part.human()}
    if len(theirs) == 1 and len(index.models) == 1 and theirs != index.models:
        [ours], [named] = index.models, theirs
        notes = [f"{named} of the judgments is taken for {ours} of the scores"] if named else []
        return _Renaming(ours), notes
    return _Renaming(None), []


@dataclass(frozen=True)
class _Renaming:
    model: str | None

    def __call__(self, key: TopicKey) -> TopicKey:
        return key if self.model is None else key._replace(model=self.model)


def _nothing(part: Judgments, index: ScoreIndex, by: str) -> str:
    """Say what both sides hold, where nothing fits."""
    theirs = named(list(part.human(by)))
    ours = [TopicKey("", m, t) for _, m, t in index.values if bool(t) == (by == "topic")]
    if not ours:
        return f"the scores have no {by}s: " + (
            "save them with `tealeaves score -o FILE`" if by == "topic" else "take --by topic"
        )
    [(dataset, _)] = part.parts
    if index.datasets and index.dataset_of(dataset) not in index.datasets:
        known = ", ".join(sorted(index.datasets))
        named_there = f"of {dataset}" if dataset else "of no named data set"
        return f"the judgments are {named_there}, the scores of {known}: name the same data set"
    return (
        f"no {by} of the judgments ({theirs}) is among the scores ({named(ours)}): "
        "models and topics must bear the same names"
    )
