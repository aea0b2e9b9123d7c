"""Names of models in several runs: two models of one name are told apart by their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from tealeaves.report.run.record import BesideRecord, JudgedModel, Run


def with_own_names(runs: Sequence[Run], names: Sequence[str]) -> list[Run]:
    """Give a model another name where runs before have other topics under the same."""
    known: dict[str, dict[str, list[JudgedModel]]] = {}
    found = []
    for run, name in zip(runs, names, strict=True):
        changed = {}
        for model in run.models:
            called = _name(model, known.setdefault(model.name, {}), name)
            known[model.name].setdefault(called, []).append(model)
            if called != model.name:
                changed[model.name] = called
        found.append(renamed(run, changed) if changed else run)
    return found


def _name(model: JudgedModel, known: Mapping[str, Sequence[JudgedModel]], run: str) -> str:
    """Return the name under which the same topics are known, or a new one."""
    for called, models in known.items():
        if all(same_topics(one, model) for one in models):
            return called
    return f"{model.name} ({run})" if known else model.name


def same_topics(one: JudgedModel, other: JudgedModel) -> bool:
    """Tell whether two runs speak of one model: one may have judged fewer topics, or words.

    >>> from tealeaves.report.run.record import JudgedTopic
    >>> long, short, bad = (JudgedModel("m", [JudgedTopic(1, list(w))]) for w in ("ab", "a", "b"))
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


def renamed(run: Run, names: Mapping[str, str]) -> Run:
    """Return a run with other names of models; a comparison that names them is made anew."""
    return msgspec.structs.replace(
        run,
        models=[_with(model, names, "name") for model in run.models],
        scores=_rows(run.scores, names),
        explanations=_rows(run.explanations, names),
        beside=_beside(run.beside, names),
        comparison=None if run.comparison and run.comparison.of == "metrics" else run.comparison,
    )


def _with(record: Any, names: Mapping[str, str], field: str = "model") -> Any:
    name = getattr(record, field)
    return msgspec.structs.replace(record, **{field: names[name]}) if name in names else record


def _beside(record: BesideRecord | None, names: Mapping[str, str]) -> BesideRecord | None:
    if record is None:
        return None
    rows = [replace(row, model=names.get(row.model, row.model)) for row in record.rows]
    return msgspec.structs.replace(record, rows=rows)


def _rows(record: Any, names: Mapping[str, str]) -> Any:
    """Rename the models of rows, and of words that are marked."""
    if record is None:
        return None
    changed: dict[str, Any] = {"rows": [_with(row, names) for row in record.rows]}
    if hasattr(record, "marked"):
        changed["marked"] = [(names.get(m, m), topic, odd) for m, topic, odd in record.marked]
    return msgspec.structs.replace(record, **changed)
