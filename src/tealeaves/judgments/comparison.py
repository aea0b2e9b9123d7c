"""``compare_judgments``: do models differ in what people say of their topics?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.comparison.comparison import compare_groups
from tealeaves.comparison.design import ComparisonOptions, design_for
from tealeaves.comparison.groups import FIRST_WORDS, UnitGroup, mean_of
from tealeaves.comparison.result import Comparison
from tealeaves.errors import InputError
from tealeaves.judgments.reading import open_judgments

if TYPE_CHECKING:
    from tealeaves.judgments.judgments import Judgments, TopicKey

_Means = dict["TopicKey", float]


def compare_judgments(
    judgments: Any,
    *,
    scale: str | None = None,
    pairing: str = "auto",
    test: str = "permutation",
    correction: str = "holm",
    level: float = 0.05,
    draws: int | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare models by people's judgments, over the topics that were judged.

    Each task is a metric: the share of right answers of each topic if there is a key, else the mean
    answer on the scale. More is better. Judgments are of one data set; a file or a data frame will
    do. Topics can be matched if the judgments have their words.

    Parameters
    ----------
    judgments
        :class:`Judgments`, a file or a data frame.
    scale
        The numbers of answers, as for :func:`tealeaves.agreement`.
    pairing, test, correction, level, draws, seed
        As for :func:`tealeaves.compare`.

    >>> from tealeaves.judgments import Judgments
    >>> rows = [("lda", 3, 3), ("lda", 2, 3), ("nmf", 1, 2), ("nmf", 1, 1)]
    >>> people = Judgments.of([
    ...     {"model": model, "topic": topic, "task": "rating", "answer": answer}
    ...     for model, *answers in rows * 4 for topic, answer in enumerate(answers)
    ... ])
    >>> compare_judgments(people).pair("lda", "nmf", "rating").difference
    1.5
    """
    judgments = open_judgments(judgments, scale)
    datasets = list(dict.fromkeys(dataset for dataset, _ in judgments.parts))
    if len(datasets) > 1:
        raise InputError(
            f"judgments of several data sets ({', '.join(datasets)}), which are never mixed: "
            f"take one of them, as in --where dataset={datasets[0]}"
        )
    parts = {task or "answer": judgments.part(dataset, task) for dataset, task in judgments.parts}
    groups = _groups(judgments, {task: part.human() for task, part in parts.items()})
    options = ComparisonOptions(pairing, test, correction, level, draws, seed)
    design = design_for([len(group.keys) for group in groups], "topics", options)
    comparison = compare_groups(groups, dict.fromkeys(parts, "higher"), design)
    notes = [*judgments.notes, *(f"{task}: {_meaning(part)}" for task, part in parts.items())]
    notes += [f"{task}: {note}" for task, part in parts.items() for note in part.left_out]
    comparison.notes = list(dict.fromkeys([*notes, *design.notes, *comparison.notes]))
    return comparison


def _groups(judgments: Judgments, human: dict[str, _Means]) -> list[UnitGroup]:
    """Return the models with people's scores of their topics, NaN where a task has none."""
    models: dict[str, dict[TopicKey, None]] = {}
    for means in human.values():
        for key in means:
            models.setdefault(key.model, {})[key] = None
    if len(models) < 2:
        raise InputError(
            f"{next(iter(models), '') or 'the judgments'}: one model alone; compare people's "
            "judgments of at least two"
        )
    return [_group(judgments, name, list(keys), human) for name, keys in models.items()]


def _group(
    judgments: Judgments, name: str, keys: list[TopicKey], human: dict[str, _Means]
) -> UnitGroup:
    values = {
        task: np.array([means.get(key, math.nan) for key in keys]) for task, means in human.items()
    }
    topics = tuple(key.topic for key in keys)
    words = [tuple(judgments.words.get(key, ()))[:FIRST_WORDS] for key in keys]
    return UnitGroup(
        name or "model",
        topics,
        topics,
        values,
        {task: (mean_of(row), 1.0) for task, row in values.items()},
        tuple(words) if all(words) else (),
    )


def _meaning(part: Judgments) -> str:
    if part.has_key:
        return "the value of a topic is the share of right answers"
    return "the value of a topic is the mean of its answers, or what the scale makes of them"
