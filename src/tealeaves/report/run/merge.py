"""Several runs as one; runs that contradict each other are an error."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tealeaves.comparison.design import Design
from tealeaves.comparison.result import Comparison
from tealeaves.consensus.explanations import Explanation, Explanations
from tealeaves.errors import InputError
from tealeaves.judgments.correlation.correlation import correlate
from tealeaves.metrics.crosslingual.side_by_side import SideBySide
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.run.analysis import analysed
from tealeaves.report.run.files import is_run_file, open_run, result_json, with_valid_text
from tealeaves.report.run.run import JudgedModel, Run
from tealeaves.tables.numbers import list_text

_OTHER_WORDS = "consensus judged other numbers of words in some runs: its reasons are of the first"


_Result = TypeVar("_Result")

RunSource = Run | str | os.PathLike[str]


def open_runs(runs: RunSource | Sequence[RunSource], judgments: Any = None) -> Run:
    """Return one run or several as one; files are read, as by ``open_run``.

    A run is named after its file, for errors, and for models of one name with other topics.

    Parameters
    ----------
    runs
        A run, the path of a saved run (``.run``) or of a table of scores, or a list of these.
    judgments
        What people say of these topics, as :func:`tealeaves.correlate` takes it. The run then has
        their correlations with the scores too.
    """
    given: Any = runs
    is_list = isinstance(given, Iterable) and not isinstance(given, str | os.PathLike)
    several = list(given) if is_list else [given]
    for one in several:
        if not isinstance(one, Run | str | os.PathLike):
            raise InputError(f"a report is on runs, or on files of runs, not on {one!r:.40}")
    names = [
        f"run {number}" if isinstance(one, Run) else Path(one).stem
        for number, one in enumerate(several, 1)
    ]
    if len(set(names)) < len(names):  # files of one name in several folders
        names = [
            name if isinstance(one, Run) else str(one)
            for name, one in zip(names, several, strict=True)
        ]
    merged = merge_runs([one if isinstance(one, Run) else open_run(one) for one in several], names)
    if judgments is None:
        return merged
    # a table is read again: it may have several data sets, which a run does not tell apart
    is_table = len(several) == 1 and not isinstance(several[0], Run) and not is_run_file(several[0])
    scores = read_scores(several[0]) if is_table else merged.scores
    return merged.with_correlations(correlate(scores, judgments))


def merge_runs(runs: Sequence[Run], names: Sequence[str] | None = None) -> Run:
    """Return several runs as one, with its analysis; a single run keeps its own.

    The same result twice counts once; two scores of the same topic that differ are an error. All
    models are compared, by all metrics that they share. If runs have a comparison, the models are
    compared as in the first of these, and a note says so if others compared them otherwise.

    Parameters
    ----------
    runs
        The runs.
    names
        The names of the runs, for errors, and for models of one name with other topics. Default:
        run 1, run 2 and so on.
    """
    if not runs:
        raise InputError("no runs to report on")
    run_names = names or [f"run {number}" for number in range(1, len(runs) + 1)]
    design, notes = _design(runs, run_names)
    runs = _with_unique_models([with_valid_text(run) for run in runs], run_names)
    merged = Run(
        origins=[origin for run in runs for origin in run.origins],
        models=_models(runs),
        scores=_scores(runs, run_names, notes),
        facts={label: facts for run in runs for label, facts in run.facts.items()},
        people_comparisons=_distinct(one for run in runs for one in run.people_comparisons),
        explanations=_explanations(runs),
        correlations=_distinct(one for run in runs for one in run.correlations),
        selections=_distinct(one for run in runs for one in run.selections),
        side_by_side=_distinct(one for run in runs for one in run.side_by_side),
        analysis=runs[0].analysis if len(runs) == 1 else None,
    )
    if design is not None:
        comparison = _comparison_of_all(runs, merged, design)
        merged = msgspec.structs.replace(merged, comparison=comparison)
    return analysed(merged, design)


def _distinct(results: Iterable[_Result]) -> list[_Result]:
    """Return results without those that are equal to one before."""
    every = list(results)
    if len(every) < 2:
        return every
    known: dict[bytes, _Result] = {}
    for one in every:
        known.setdefault(result_json(one), one)
    return list(known.values())


# ---------------------------------------------------------------------- models


def _with_unique_models(runs: Sequence[Run], names: Sequence[str]) -> list[Run]:
    """Rename a model if a run before has other topics under the same name."""
    known: dict[str, dict[str, list[JudgedModel]]] = {}
    unique = []
    for run, run_name in zip(runs, names, strict=True):
        renamed = {}
        for model in run.models:
            name = _unique_name(model, known.setdefault(model.name, {}), run_name)
            known[model.name].setdefault(name, []).append(model)
            if name != model.name:
                renamed[model.name] = name
        unique.append(_renamed(run, renamed) if renamed else run)
    return unique


def _unique_name(model: JudgedModel, known: Mapping[str, Sequence[JudgedModel]], run: str) -> str:
    """Return the name under which the same topics are known, or a new one."""
    for name, models in known.items():
        if all(same_topics(one, model) for one in models):
            return name
    return f"{model.name} ({run})" if known else model.name


def same_topics(one: JudgedModel, other: JudgedModel) -> bool:
    """Tell whether two runs have the same model: one may have fewer topics, or fewer words.

    >>> from tealeaves.topics.topics import Topic
    >>> long, short, bad = (JudgedModel("m", [Topic(1, tuple(w))]) for w in ("ab", "a", "b"))
    >>> same_topics(long, short), same_topics(long, bad)
    (True, False)
    """
    words = {str(topic.id): topic.words for topic in one.topics}
    common = [topic for topic in other.topics if str(topic.id) in words]
    for topic in common:
        shorter, longer = sorted((words[str(topic.id)], topic.words), key=len)
        if longer[: len(shorter)] != shorter:
            return False
    return bool(common) or not (one.topics and other.topics)


def _renamed(run: Run, names: Mapping[str, str]) -> Run:
    """Return a run with other names of models; its comparison and analysis are made anew."""

    def renamed_rows(rows: Sequence[Any]) -> list[Any]:
        return [msgspec.structs.replace(row, model=names.get(row.model, row.model)) for row in rows]

    scores, explanations = run.scores, run.explanations
    return msgspec.structs.replace(
        run,
        models=[
            msgspec.structs.replace(model, name=names.get(model.name, model.name))
            for model in run.models
        ],
        scores=Scores(
            renamed_rows(scores.rows),
            better=scores.better,
            marked={(names.get(m, m), topic): odd for (m, topic), odd in scores.marked.items()},
            notes=scores.notes,
        ),
        explanations=None
        if explanations is None
        else Explanations(
            renamed_rows(explanations.rows),
            level=explanations.level,
            top=explanations.top,
            notes=explanations.notes,
        ),
        side_by_side=[_renamed_sides(one, names) for one in run.side_by_side],
        comparison=None,
        analysis=None,
    )


def _renamed_sides(sides: SideBySide, names: Mapping[str, str]) -> SideBySide:
    rows = [replace(row, model=names.get(row.model, row.model)) for row in sides.rows]
    return replace(sides, rows=rows)


def _models(runs: Sequence[Run]) -> list[JudgedModel]:
    known: dict[str, JudgedModel] = {}
    for model in (model for run in runs for model in run.models):
        before = known.get(model.name)
        known[model.name] = model if before is None else _joined(before, model)
    return list(known.values())


def _joined(one: JudgedModel, other: JudgedModel) -> JudgedModel:
    """Return a model of two runs, one of which may have fewer of its topics, or words."""
    topics = {str(topic.id): topic for topic in one.topics}
    for topic in other.topics:
        before = topics.setdefault(str(topic.id), topic)
        if (before.weights is None, -len(before.words)) > (
            topic.weights is None,
            -len(topic.words),
        ):
            topics[str(topic.id)] = topic
    return msgspec.structs.replace(one, topics=list(topics.values()))


# ---------------------------------------------------------------------- comparisons


def _design(runs: Sequence[Run], names: Sequence[str]) -> tuple[Design | None, list[str]]:
    """Return how models were compared in the first run with a comparison, and a note if another
    run compared them otherwise.
    """
    compared = [
        (name, run.comparison) for name, run in zip(names, runs, strict=True) if run.comparison
    ]
    if not compared:
        return None, []
    name, first = compared[0]
    others = [other for other, one in compared if one.design.options != first.design.options]
    if not others:
        return first.design, []
    return first.design, [
        f"{list_text(others)} compared models in another way than {name}: all models are compared "
        f"as in {name}"
    ]


def _comparison_of_all(runs: Sequence[Run], merged: Run, design: Design) -> Comparison | None:
    """Return the comparison of a run that has all models and all their shared scores."""
    shared = {key for key in merged.values if key[2] in merged.shared_metrics}
    for run in runs:
        is_whole = len(run.models) == len(merged.models) and run.values.keys() >= shared
        if is_whole and run.comparison and run.comparison.design.options == design.options:
            return run.comparison
    return None


# ---------------------------------------------------------------------- scores


def _scores(runs: Sequence[Run], names: Sequence[str], notes: Sequence[str]) -> Scores:
    known: dict[tuple[str, str | None, str], tuple[Score, str]] = {}
    for name, run in zip(names, runs, strict=True):
        for row in run.scores.rows:
            topic = None if row.topic is None else str(row.topic)
            before, where = known.setdefault((row.model, topic, row.metric), (row, name))
            if not _same_score(before, row):
                raise InputError(_contradiction((where, before), (name, row)))
    scores, rows = [run.scores for run in runs], [row for row, _ in known.values()]
    earlier = [note for one in scores for note in one.notes]
    return Scores(
        rows,
        better={metric: way for one in scores for metric, way in one.better.items()},
        marked={topic: words for one in scores for topic, words in one.marked.items()},
        notes=list(dict.fromkeys([*_different_sources(rows), *notes, *earlier])),
    )


def _different_sources(rows: Sequence[Score]) -> list[str]:
    """Note models that were scored by the same metric on different texts, or tokens."""
    notes = []
    for source in ("texts", "tokens"):
        models: dict[str, dict[str, list[str]]] = {}
        for row in rows:
            for part in row.signature.split("|"):
                name, _, value = part.partition("=")
                if row.topic is None and name == source:
                    models.setdefault(row.metric, {}).setdefault(value, []).append(row.model)
        metrics = [metric for metric, sources in models.items() if len(sources) > 1]
        if metrics:
            firsts = [names[0] for names in models[metrics[0]].values()]
            notes.append(
                f"models such as {list_text(firsts, 3)} were scored on different {source}, so that "
                f"their values of {list_text(metrics, 3)} cannot be compared: score all models on "
                f"the same {source}"
            )
    return notes


def _same_score(one: Score, other: Score) -> bool:
    values = one.value, other.value
    both_undefined = math.isnan(values[0]) and math.isnan(values[1])
    # the mean of topics in another order may differ in its last digit
    return one.signature == other.signature and (
        both_undefined or math.isclose(*values, rel_tol=1e-9, abs_tol=1e-12)
    )


def _contradiction(one: tuple[str, Score], other: tuple[str, Score]) -> str:
    """Say which scores of two runs differ, and what makes them differ."""
    (first, a), (second, b) = one, other
    topic = "" if a.topic is None else f", topic {a.topic}"
    if a.signature == b.signature:
        difference = f"{a.value:g} in {first}, {b.value:g} in {second}"
    else:
        ours, theirs = (x.signature.split("|") for x in (a, b))
        parts = [
            " and ".join(sorted(set(some) - set(others)) or ["nothing"])
            for some, others in ((ours, theirs), (theirs, ours))
        ]
        difference = (
            f"{a.value:g} with {parts[0]} in {first}, {b.value:g} with {parts[1]} in {second}"
        )
    return (
        f"two runs have different scores of {a.metric} for {a.model}{topic}: {difference}; score "
        "both with the same settings, or report on the runs separately"
    )


# ---------------------------------------------------------------------- explanations


def _explanations(runs: Sequence[Run]) -> Explanations | None:
    every = [run.explanations for run in runs if run.explanations is not None]
    if not every:
        return None
    first = every[0]
    rows: dict[tuple[str, str | None], Explanation] = {}
    notes: list[str] = []
    for one in every:
        notes += one.notes
        if (one.level, one.top) != (first.level, first.top):  # they cannot be compared
            notes.insert(0, _OTHER_WORDS)
            continue
        for row in one.rows:
            rows.setdefault((row.model, None if row.topic is None else str(row.topic)), row)
    return Explanations(list(rows.values()), level=first.level, top=first.top, notes=notes)
