"""``estimate_topics``: the features of topics, and the estimates that rest on them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.building import models_of
from tealeaves.estimator.estimator import Estimator
from tealeaves.estimator.estimators import LEVEL, Estimates, Estimators, open_estimators
from tealeaves.estimator.features.computing import TopicFeatures
from tealeaves.estimator.features.names import FEATURES
from tealeaves.estimator.reasons import Case
from tealeaves.estimator.remarks import remarks_on, without_end
from tealeaves.estimator.shapley import MOST
from tealeaves.evidence.sources import Sources
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import plan_requests

TOP = 10
#: What further features are called where they are too many to be told apart.
FURTHER = "further features"


@dataclass(frozen=True)
class EstimatedTopics:
    """The topics of a model in two languages, and their estimates."""

    topics: TopicFeatures
    estimates: Estimates
    estimators: Estimators

    def estimator(self, row: int) -> Estimator | None:
        """Return what estimated a topic."""
        number = int(self.estimates.which[row])
        return None if number < 0 else self.estimators.estimators[number]

    @cached_property
    def contributions(self) -> list[dict[str, float]]:
        """What each feature added to the estimate of each topic; of a topic without one nothing.

        Where features are too many to be told apart, the further ones are as one.
        """
        found: list[dict[str, float]] = [{} for _ in self.estimates.which]
        sizes = self.topics.values["cardinality"]
        for number, size in set(zip(self.estimates.which.tolist(), sizes.tolist(), strict=True)):
            if number < 0:
                continue
            one = self.estimators.estimators[number]
            rows = np.flatnonzero((self.estimates.which == number) & (sizes == size))
            players = players_of(one.features)
            matrix = self.topics.matrix(one.features)[rows]
            added = one.contributions(matrix, size, list(players.values()))
            for row, values in zip(rows.tolist(), added.tolist(), strict=True):
                found[row] = dict(zip(players, values, strict=True))
        return found

    def case(self, row: int) -> Case:
        """Return a topic as reasons look at it."""
        values = {name: float(column[row]) for name, column in self.topics.values.items()}
        estimate = float(self.estimates.values[row])
        return Case(self.topics.pair, values, estimate, self.contributions[row])


def players_of(features: Sequence[str]) -> dict[str, list[int]]:
    """Return who contributes, and the columns of each: features, or all further ones as one.

    >>> players_of(["cnpmi", "mta"])
    {'cnpmi': [0], 'mta': [1]}
    >>> players_of(["cnpmi", *(f"inpmi(never=-{number})" for number in range(16))])["cnpmi"]
    [0]
    """
    if len(features) <= MOST:
        return {name: [column] for column, name in enumerate(features)}
    found: dict[str, list[int]] = {}
    for column, name in enumerate(features):
        found.setdefault(name if name in FEATURES else FURTHER, []).append(column)
    return found


@dataclass(frozen=True)
class Estimation:
    """All topics that were estimated, and what should be known of it."""

    parts: list[EstimatedTopics]
    notes: list[str]
    top: int | None
    level: float


def estimate_topics(
    models: Any,
    reference: Any = None,
    *,
    estimator: Estimators | str | os.PathLike[str] | None = None,
    dictionary: Any = None,
    years: Any = None,
    modern: Any = None,
    counts: Any = None,
    tokens: Any = None,
    top: int | None = TOP,
    level: float = LEVEL,
    threads: int | None = None,
    progress: bool = False,
) -> Estimation:
    """Estimate topics in each pair of their languages; what is taken is as for ``predict``."""
    if not 0 < level < 1:
        raise InputError(f"level={level}: must be between 0 and 1")
    judged = models_of(models)
    known = estimator if isinstance(estimator, Estimators) else open_estimators(estimator)
    sources = Sources(reference, counts, tokens, dictionary=dictionary, years=years, modern=modern)
    features = known.features
    planned = plan_requests(judged, lambda wording: features.needs(judged, [top], wording), sources)
    evidence = gather(planned, threads=threads, progress=progress)
    parts = [
        EstimatedTopics(found, known.estimate(found, level), known)
        for model in judged
        for found in features.of(model, top, evidence, evidence.wording)
    ]
    topics = [part.topics for part in parts]
    notes = [*evidence.notes, *remarks_on(known, topics, evidence)]
    which = np.concatenate([part.estimates.which for part in parts])
    notes += without_end(known, level, which)
    return Estimation(parts, list(dict.fromkeys(notes)), top, level)
