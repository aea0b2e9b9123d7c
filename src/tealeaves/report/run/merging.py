"""Merging: several runs as one, where what contradicts itself is an error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from tealeaves.consensus.explanations import Explanation, Explanations
from tealeaves.errors import InputError
from tealeaves.judgments.comparison.comparison import Comparison
from tealeaves.judgments.correlation.result import Correlations
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.run.findings import Findings
from tealeaves.report.run.naming import with_own_names
from tealeaves.report.run.record import ExplanationsRecord, JudgedModel, Run
from tealeaves.report.run.restoring import (
    comparison_of,
    correlations_of,
    explanations_of,
    selection_of,
    side_by_side_of,
)
from tealeaves.report.run.soundness import sound_run


def findings_of(runs: Sequence[Run], names: Sequence[str] | None = None) -> Findings:
    """Put runs together; scores of the same that differ are an error, the same ones count once.

    ``names`` are those of the runs, for errors, and for models of one name with other topics.
    """
    if not runs:
        raise InputError("no runs to report on")
    called = names or [f"run {number}" for number in range(1, len(runs) + 1)]
    runs = with_own_names([sound_run(run) for run in runs], called)
    comparisons = [run.comparison for run in runs if run.comparison]
    models = _models(runs)
    return Findings(
        made=[run.made for run in runs],
        models=models,
        scores=_scores(runs, models, called),
        facts={k: v for run in runs if run.scores for k, v in run.scores.facts.items()},
        comparison=_whole(runs, models),
        by_people=[comparison_of(one) for one in comparisons if one.of == "people"],
        explanations=_explanations(runs),
        people=[correlations_of(run.people) for run in runs if run.people],
        selections=[selection_of(run.selection) for run in runs if run.selection],
        beside=[side_by_side_of(run.beside) for run in runs if run.beside],
        notes=_notes(runs),
    )


def with_people(found: Findings, people: Correlations) -> Findings:
    """Add how metrics agree with people."""
    return replace(found, people=[*found.people, people])


def _models(runs: Sequence[Run]) -> list[JudgedModel]:
    known: dict[str, JudgedModel] = {}
    for model in (model for run in runs for model in run.models):
        before = known.get(model.name)
        known[model.name] = model if before is None else _joined(before, model)
    return list(known.values())


def _joined(one: JudgedModel, other: JudgedModel) -> JudgedModel:
    """Return a model that two runs know: one may have judged fewer of its topics, or words."""
    topics = {str(topic.id): topic for topic in one.topics}
    for topic in other.topics:
        before = topics.setdefault(str(topic.id), topic)
        if (before.weights is None, -len(before.words)) > (
            topic.weights is None,
            -len(topic.words),
        ):
            topics[str(topic.id)] = topic
    return msgspec.structs.replace(one, topics=list(topics.values()))


def _scores(runs: Sequence[Run], models: Sequence[JudgedModel], names: Sequence[str]) -> Scores:
    known: dict[tuple[str, str | None, str], tuple[Score, str]] = {}
    records = [run.scores for run in runs if run.scores]
    for name, run in zip(names, runs, strict=True):
        for row in run.scores.rows if run.scores else ():
            topic = None if row.topic is None else str(row.topic)
            before, where = known.setdefault((row.model, topic, row.metric), (row, name))
            if not _same(before, row):
                raise InputError(_contradiction((where, before), (name, row)))
    return Scores(
        [row for row, _ in known.values()],
        better={k: v for record in records for k, v in record.better.items()},
        words={(m.name, topic.id): topic.words for m in models for topic in m.topics},
        marked={(m, t): tuple(odd) for record in records for m, t, odd in record.marked},
    )


def _same(one: Score, other: Score) -> bool:
    values = one.value, other.value
    both_undefined = math.isnan(values[0]) and math.isnan(values[1])
    # the mean of topics in another order may differ in its last digit
    return one.signature == other.signature and (
        both_undefined or math.isclose(*values, rel_tol=1e-9, abs_tol=1e-12)
    )


def _contradiction(one: tuple[str, Score], other: tuple[str, Score]) -> str:
    """Say what two runs have different scores of, and what makes them differ."""
    (first, a), (second, b) = one, other
    topic = "" if a.topic is None else f", topic {a.topic}"
    if a.signature == b.signature:
        told = f"{a.value:g} in {first}, {b.value:g} in {second}"
    else:
        ours, theirs = (x.signature.split("|") for x in (a, b))
        differ = [
            " and ".join(sorted(set(parts) - set(rest)) or ["nothing"])
            for parts, rest in ((ours, theirs), (theirs, ours))
        ]
        told = f"{a.value:g} with {differ[0]} in {first}, {b.value:g} with {differ[1]} in {second}"
    return (
        f"two runs have different scores of {a.metric} for {a.model}{topic}: {told}; score both "
        "alike, or report on the runs apart"
    )


def _whole(runs: Sequence[Run], models: Sequence[JudgedModel]) -> Comparison | None:
    """Return the comparison of metrics that was made of all models, if there is one."""
    names = {model.name for model in models}
    for run in runs:
        record = run.comparison
        if record and record.of == "metrics" and {model.name for model in run.models} == names:
            return comparison_of(record)
    return None


def _explanations(runs: Sequence[Run]) -> Explanations | None:
    records = [run.explanations for run in runs if run.explanations]
    if not records:
        return None
    first = records[0]
    rows: dict[tuple[str, str | None], Explanation] = {}
    for record in records:
        # of other numbers of words they could not be compared
        for row in record.rows if _alike(record, first) else ():
            rows.setdefault((row.model, None if row.topic is None else str(row.topic)), row)
    return explanations_of(msgspec.structs.replace(first, rows=list(rows.values())))


def _alike(one: ExplanationsRecord, other: ExplanationsRecord) -> bool:
    return (one.level, one.top) == (other.level, other.top)


def _notes(runs: Sequence[Run]) -> list[str]:
    """Return what every part of every run has to say, but of people, who have their own place."""
    notes: dict[str, None] = {}
    records = [run.explanations for run in runs if run.explanations]
    if not all(_alike(one, records[0]) for one in records):
        notes[
            "consensus judged other numbers of words in some runs: its reasons are of the first"
        ] = None
    for run in runs:
        for part in (run.scores, run.comparison, run.explanations, run.selection, run.beside):
            notes |= dict.fromkeys(part.notes if part else ())
    return list(notes)
