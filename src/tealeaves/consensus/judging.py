"""Judging: from relations to predictions, their intervals, and what moved them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.consensus.judges import LEVEL, Judge, Judges
from tealeaves.consensus.relations import Relations
from tealeaves.consensus.signals import signals_of
from tealeaves.consensus.sources import ModelSources, by_sources, parts_of


@dataclass(frozen=True)
class Verdicts:
    """What is said of each topic: a value with its interval and support, and by which judge.

    ``parts`` is what each signal added, and ``signals`` what it was, by the names of the judge's
    signals. Where nothing could be said both are empty, and there is no judge. ``sources`` are
    those that were asked.
    """

    values: Floats
    low: Floats
    high: Floats
    support: Floats
    judges: list[Judge | None]
    parts: list[dict[str, float]]
    signals: list[dict[str, float]]
    sources: list[tuple[str, ...]]


def verdicts(sources: ModelSources, judges: Judges, level: float = LEVEL) -> Verdicts:
    """Judge all topics of a model."""
    size = len(sources.model)
    found = Verdicts(
        values=np.full(size, np.nan),
        low=np.full(size, np.nan),
        high=np.full(size, np.nan),
        support=np.zeros(size),
        judges=[None] * size,
        parts=[{} for _ in range(size)],
        signals=[{} for _ in range(size)],
        sources=[()] * size,
    )
    for rows, relations in sources.relations:
        for mine, seen in by_sources(relations):
            _judge(found, rows[mine], seen, judges, level)
            # what some sources do not know of a topic is missing evidence all the same
            found.support[rows[mine]] *= len(seen.logits) / len(sources.names)
    return found


def _judge(found: Verdicts, rows: Integers, seen: Relations, judges: Judges, level: float) -> None:
    judge = judges.judge(parts_of(seen))
    signals = signals_of(seen)
    values = np.stack([signals[name] for name in judge.model.signals], axis=1)
    parts = judge.model.parts(values)
    found.values[rows] = judge.model.predict(values)
    found.low[rows], found.high[rows] = judge.interval(found.values[rows], level)
    found.support[rows] = seen.support()
    names = judge.model.signals
    for place, row in enumerate(rows.tolist()):
        found.judges[row] = judge
        found.parts[row] = dict(zip(names, parts[place].tolist(), strict=True))
        found.signals[row] = dict(zip(names, values[place].tolist(), strict=True))
        found.sources[row] = tuple(seen.logits)
