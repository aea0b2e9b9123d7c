"""Model precision: the share of answers that name the intruder (Chang et al. 2009)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.judgments.agreement.estimates import Estimate, Resampling, estimate
from tealeaves.judgments.judgments import Judgments
from tealeaves.statistics.intervals import wilson_interval

if TYPE_CHECKING:
    import polars as pl

# columns that say which words were shown, or how many
_SHOWN = ("options", "shown")


class Precision(NamedTuple):
    """Right answers of all answers, Wilson's interval, and the share that guessing would get."""

    dataset: str
    task: str
    model: str
    topic: str
    right: int
    answers: int
    value: float
    low: float
    high: float
    chance: float


def precision(
    judgments: Judgments, *, by: str = "model", confidence: float = 0.95
) -> list[Precision]:
    """Return the precision of each ``task``, each ``model`` or each ``topic``.

    Wilson's interval assumes that answers are independent of each other: it is of these topics.
    For other topics like these see :func:`over_topics`. ``chance`` is known if a column
    ``options`` or ``shown`` has the words that were shown, or their number.

    >>> rows = [{"topic": t, "task": "intrusion", "correct": c} for t, c in zip("aabb", "1110")]
    >>> [(one.topic, one.right, one.answers) for one in precision(Judgments.of(rows), by="topic")]
    [('a', 2, 2), ('b', 1, 2)]
    """
    names = ("dataset", "task", "model", "topic")
    if by not in names[1:]:
        raise InputError(f"precision is of each task, model or topic, not {by}")
    keys = list(names[: names.index(by) + 1])
    rows = judgments.counted
    if not rows.has_key:
        raise InputError("precision needs answers that are right or wrong: a column correct or key")
    groups = rows.frame.partition_by(keys, maintain_order=True, as_dict=True)
    return [
        _precision([str(name) for name in key], frame, confidence) for key, frame in groups.items()
    ]


def over_topics(topics: Sequence[Precision], resampling: Resampling) -> Estimate:
    """Return the precision of all answers to some topics, with an interval for topics like these.

    The bootstrap draws topics, each with all its answers.

    >>> rows = [{"topic": t, "task": "intrusion", "correct": c} for t, c in zip("aabb", "1110")]
    >>> topics = precision(Judgments.of(rows), by="topic")
    >>> over_topics(topics, Resampling(draws=0))[:1]
    (0.75,)
    """
    right = np.array([one.right for one in topics], dtype=np.float64)
    answers = np.array([one.answers for one in topics], dtype=np.float64)
    return estimate(lambda w: (w @ right) / (w @ answers), len(topics), resampling, "topics")


def _precision(key: Sequence[str], frame: pl.DataFrame, confidence: float) -> Precision:
    right, answers = int(frame["correct"].sum()), frame.height
    low, high = wilson_interval(right, answers, confidence)
    dataset, task, model, topic = [*key, "", "", ""][:4]
    return Precision(
        dataset, task, model, topic, right, answers, right / answers, low, high, _chance(frame)
    )


def _chance(frame: pl.DataFrame) -> float:
    """Return the mean of one divided by the number of shown words; NaN if that is unknown."""
    column = next((name for name in _SHOWN if name in frame.columns), None)
    if column is None:
        return math.nan
    sizes = [_size(value) for value in frame[column].to_list()]
    if not all(size >= 1 for size in sizes):
        return math.nan
    return math.fsum(1 / size for size in sizes) / len(sizes)


def _size(shown: Any) -> float:
    """Return how many words were shown, from a number, a list, or a text of words."""
    if shown is None:
        return math.nan
    if isinstance(shown, list | tuple):
        return len(shown)
    try:
        return float(shown)
    except (TypeError, ValueError):
        return len(str(shown).replace(",", " ").split())
