"""What is correlated together: a data set and task, the topics of a model, or all as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.judgments.correlation.index import ScoreIndex, named
from tealeaves.judgments.correlation.matching import Matched, match
from tealeaves.judgments.correlation.plan import Plan
from tealeaves.judgments.judgments import Judgments, TopicKey


def parts_of(
    people: Judgments, index: ScoreIndex, metrics: Sequence[str], plan: Plan
) -> tuple[list[Matched], list[str]]:
    """Match each data set and task; one without any score is left out, and said."""
    _refuse_ambiguous(people, index)
    found, notes, problems = [], [], []
    for dataset, task in people.parts:
        name = " ".join(filter(None, (dataset, task)))
        judged = people.part(dataset, task)
        try:
            part = match(judged, index, plan.by)
        except InputError as error:
            problems.append(str(error))
            notes.append(f"{name}: left out: {error}")
            continue
        notes += [f"{name}: {note}" for note in (*judged.left_out, *part.notes)]
        absent = [metric for metric in metrics if metric not in part.scores]
        if absent:
            notes.append(f"{name}: no {plan.by} has a score of {', '.join(absent)}")
        for needed in filter(None, (plan.control, plan.versus)):
            if needed in absent:
                raise InputError(f"{name}: {needed} has no score here")
        chosen = {metric: part.scores[metric] for metric in metrics if metric in part.scores}
        found.append(replace(part, scores=chosen))
    if not found:
        raise InputError(problems[0])
    notes += _unjudged(people, index, found)
    if plan.pool:
        found, more = _pooled(found)
        notes += more
    if plan.within:
        found = [
            part.of_model(model)
            for part in found
            for model in dict.fromkeys(key.model for key in part.keys)
        ]
    return found, notes


def _refuse_ambiguous(people: Judgments, index: ScoreIndex) -> None:
    """Refuse scores without a data set where the same topic is judged in several."""
    if index.datasets:
        return
    frame = people.frame.select("dataset", "model", "topic").unique()
    homes: dict[tuple[str, str], set[str]] = {}
    for dataset, model, topic in frame.iter_rows():
        homes.setdefault((model, topic), set()).add(dataset)
    for (model, topic), datasets in homes.items():
        if len(datasets) > 1:
            which = " and ".join(sorted(datasets))
            raise InputError(
                f"topic {topic} of {model or 'the model'} is judged in {which}, and the scores "
                f"name no data set: take one at a time with --where dataset={min(datasets)}"
            )


def _unjudged(people: Judgments, index: ScoreIndex, found: Sequence[Matched]) -> list[str]:
    """Count the scored topics that nobody judged."""
    if not found or found[0].by == "model":
        return []
    frame = people.frame.select("dataset", "model", "topic").unique()
    judged = {(index.dataset_of(d), model, topic) for d, model, topic in frame.iter_rows()}
    judged |= {(index.dataset_of(k.dataset), k.model, k.topic) for p in found for k in p.keys}
    extra = [
        TopicKey(dataset or "", model, topic)
        for dataset, model, topic in index.values
        if topic and (dataset, model, topic) not in judged
    ]
    return [f"{len(extra)} scored topics were not judged: {named(extra)}"] if extra else []


def _pooled(parts: Sequence[Matched]) -> tuple[list[Matched], list[str]]:
    """Join the data sets of each task, after each was standardised by itself."""
    tasks: dict[str, list[Matched]] = {}
    for part in parts:
        tasks.setdefault(part.task, []).append(part)
    found, notes = [], []
    for task, members in tasks.items():
        flat = [part.dataset for part in members if np.ptp(part.human) == 0]
        able = [part for part in members if part.dataset not in flat]
        if flat and len(able) > 1:
            notes.append(f"{task}: {', '.join(flat)} left out: people's scores are constant there")
        if len(able) < 2:
            notes.append(f"{task}: only one data set, nothing to pool")
            found += able or members
            continue
        names = " + ".join(part.dataset for part in able)
        notes.append(f"{task}: pooled over {names}, scores and people's standardised in each")
        found.append(_joined(able, names))
    return found, notes


def _joined(members: Sequence[Matched], names: str) -> Matched:
    metrics = list(dict.fromkeys(name for part in members for name in part.scores))
    absent = [np.full(len(part), np.nan) for part in members]
    return Matched(
        f"pooled: {names}",
        members[0].task,
        members[0].by,
        [key for part in members for key in part.keys],
        np.concatenate([_standardised(part.human) for part in members]),
        {
            name: np.concatenate(
                [
                    _standardised(part.scores.get(name, nothing))
                    for part, nothing in zip(members, absent, strict=True)
                ]
            )
            for name in metrics
        },
        [words for part in members for words in part.words],
    )


def _standardised(values: Floats) -> Floats:
    """Return z-scores; a constant column says nothing and has none."""
    known = values[np.isfinite(values)]
    deviation = known.std() if len(known) else 0.0
    if deviation == 0:
        return np.full(len(values), np.nan)
    return np.asarray((values - known.mean()) / deviation, dtype=np.float64)
