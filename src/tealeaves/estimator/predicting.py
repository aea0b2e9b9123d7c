"""``predict`` and ``explain``: estimates of topics, how far they reach, and what moved them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.estimating import EstimatedTopics, estimate_topics
from tealeaves.estimator.estimator import Estimator
from tealeaves.estimator.estimators import Estimators
from tealeaves.estimator.explanations import Explanation, Explanations
from tealeaves.estimator.features.computing import TopicFeatures
from tealeaves.estimator.predictions import Prediction, Predictions
from tealeaves.estimator.reasons import Case, verdict_on
from tealeaves.tables.numbers import list_text

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


class Given(TypedDict, total=False):
    """What may be given beside topics and a reference."""

    estimator: Estimators | str | os.PathLike[str] | None
    dictionary: Any
    years: Any
    modern: Any
    counts: Any
    tokens: Any
    top: int | None
    level: float
    threads: int | None
    progress: bool


def predict(models: Any, reference: Any = None, **given: Unpack[Given]) -> Predictions:
    """Estimate the CNPMI that a rich reference would give topics, with intervals and reasons.

    Parameters
    ----------
    models
        Topics in several languages, as ``score`` takes them.
    reference
        The texts at hand, such as Bibles: a ``PairedCorpus`` or a mapping from languages to paths.
    given
        ``estimator``: a file of ``tealeaves estimator fit``, else those of tealeaves;
        ``dictionary``, ``years``, ``modern``, ``counts``, ``tokens``, ``threads``, ``progress`` as
        of ``score``; ``top``, how many first words are judged, by default 10; ``level`` of the
        intervals, by default 0.9.
    """
    found = estimate_topics(models, reference, **given)
    rows = [row for part in found.parts for row in _predicted(part)]
    return Predictions(rows, level=found.level, top=found.top, notes=found.notes)


def _predicted(part: EstimatedTopics) -> Iterator[Prediction]:
    """Yield a row for each topic, and one for the model."""
    pivot, language = part.topics.pair
    name = part.topics.model.model
    estimates, raw = part.estimates, part.topics.values["cnpmi"]
    for row, topic in enumerate(part.topics.model.topics):
        estimator = part.estimator(row)
        verdict = verdict_on(part.case(row), estimator)
        yield Prediction(
            model=name,
            pivot=pivot,
            language=language,
            topic=topic.id,
            cnpmi=float(raw[row]),
            support=float(part.topics.support[row]),
            estimate=float(estimates.values[row]),
            low=float(estimates.low[row]),
            high=float(estimates.high[row]),
            trusted=verdict.trusted,
            reason=verdict.sentence,
            features=" ".join(estimator.features) if estimator else "",
            words=_words(part.topics, row),
        )
    estimated = ~np.isnan(estimates.values)
    yield Prediction(
        model=name,
        pivot=pivot,
        language=language,
        topic=None,
        cnpmi=_mean(raw[estimated] if estimated.any() else raw),  # of the topics of the estimate
        support=float(part.topics.support.mean()),
        estimate=_mean(estimates.values),
    )


def explain(
    models: Any,
    reference: Any = None,
    *,
    topics: Sequence[int | str] | None = None,
    **given: Unpack[Given],
) -> Explanations:
    """Say what moved each estimate: the contribution of each feature, which add up to it.

    ``topics`` are the ids of those that are explained, by default all; the rest is as of
    ``predict``.
    """
    found = estimate_topics(models, reference, **given)
    asked = None if topics is None else {str(topic) for topic in topics}
    known = dict.fromkeys(str(one.id) for part in found.parts for one in part.topics.model.topics)
    if asked is not None and (unknown := sorted(asked - set(known))):
        raise InputError(f"no topic {unknown[0]} (there are {list_text(list(known))})")
    rows = [row for part in found.parts for row in _explained(part, asked)]
    return Explanations(rows, level=found.level, top=found.top, notes=found.notes)


def _explained(part: EstimatedTopics, asked: set[str] | None) -> Iterator[Explanation]:
    predictions = [row for row in _predicted(part) if row.topic is not None]
    for row, prediction in enumerate(predictions):
        if asked is not None and str(prediction.topic) not in asked:
            continue
        yield _explanation(prediction, part.case(row), part.estimator(row))


def _explanation(prediction: Prediction, case: Case, estimator: Estimator | None) -> Explanation:
    if estimator is None:
        return Explanation(
            prediction=prediction, usual=np.nan, values={}, means={}, contributions={}
        )
    size = case.values["cardinality"]
    seen = estimator.nearest(size).features
    return Explanation(
        prediction=prediction,
        usual=estimator.usual(size),
        values={name: case.values[name] for name in estimator.features},
        means={name: one.mean for name, one in zip(estimator.features, seen, strict=True)},
        contributions=dict(case.contributions),
    )


def _words(topics: TopicFeatures, row: int) -> list[str]:
    """Return the first words of a topic in both languages, in turn."""
    sides = [topics.model.side(name)[row].words[:_SHOWN] for name in topics.pair]
    return [" ".join(words) for words in sides]


_SHOWN = 5


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
