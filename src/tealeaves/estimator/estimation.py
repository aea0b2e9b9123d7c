"""Estimates of topics, and whether the CNPMI of the reference can be trusted."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tealeaves.estimator.building import read_multilingual_models
from tealeaves.estimator.estimators import Estimates, Estimator, Estimators, open_estimators
from tealeaves.estimator.features import FEATURES, TopicFeatures
from tealeaves.estimator.notes import notes_on_estimates, notes_on_intervals
from tealeaves.evidence.sources import Sources
from tealeaves.learners.results import LEVEL, check_level
from tealeaves.learners.shapley import MOST_PLAYERS
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import plan_requests
from tealeaves.tables.numbers import list_text

#: The number of first words that are judged unless another is asked for.
TOP = 10
#: The name of further features that contribute as one, because there are too many.
FURTHER = "further features"

#: Standard deviations beyond which a topic is unlike the training topics.
UNUSUAL = 1.0
#: The share of words below which the reference hardly knows a topic.
FEW_WORDS = 0.5
#: The coherence inside a language from which on its words belong together.
TOGETHER = 0.05
#: The share of it below which there is a gap to the coherence across languages.
GAP = 0.5
_SHOWN = 3


class EstimatedTopic(NamedTuple):
    """A topic in two languages: its features, its estimate, and what each feature added to it."""

    pair: tuple[str, str]
    values: Mapping[str, float]
    estimate: float
    contributions: Mapping[str, float]


class Verdict(NamedTuple):
    """Whether the reference's CNPMI can be trusted, and why not."""

    trusted: bool
    sentence: str


@dataclass(frozen=True)
class EstimatedTopics:
    """The topics of a model in two languages, and their estimates."""

    topics: TopicFeatures
    estimates: Estimates
    estimators: Estimators

    def estimator(self, row: int) -> Estimator | None:
        """Return the estimator of a topic; None if no estimator has all its features."""
        number = int(self.estimates.which[row])
        return None if number < 0 else self.estimators.estimators[number]

    @cached_property
    def contributions(self) -> list[dict[str, float]]:
        """What each feature added to the estimate of each topic; empty without an estimate.

        If there are too many features, the further ones contribute as one.
        """
        by_topic: list[dict[str, float]] = [{} for _ in self.estimates.which]
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
                by_topic[row] = dict(zip(players, values, strict=True))
        return by_topic

    def topic(self, row: int) -> EstimatedTopic:
        """Return one topic."""
        values = {name: float(column[row]) for name, column in self.topics.values.items()}
        estimate = float(self.estimates.values[row])
        return EstimatedTopic(self.topics.pair, values, estimate, self.contributions[row])


def players_of(features: Sequence[str]) -> dict[str, list[int]]:
    """Return the columns of each player: a feature, or all further features as one.

    >>> players_of(["cnpmi", "mta"])
    {'cnpmi': [0], 'mta': [1]}
    >>> players_of(["cnpmi", *(f"inpmi(never=-{number})" for number in range(16))])["cnpmi"]
    [0]
    """
    if len(features) <= MOST_PLAYERS:
        return {name: [column] for column, name in enumerate(features)}
    players: dict[str, list[int]] = {}
    for column, name in enumerate(features):
        players.setdefault(name if name in FEATURES else FURTHER, []).append(column)
    return players


@dataclass(frozen=True)
class Estimation:
    """All topics that were estimated, and notes."""

    parts: list[EstimatedTopics]
    notes: list[str]
    top: int | None
    level: float


def estimate_topics(
    models: Any,
    sources: Sources,
    *,
    estimator: Estimators | str | os.PathLike[str] | None = None,
    top: int | None = TOP,
    level: float = LEVEL,
    threads: int | None = None,
    progress: bool = False,
) -> Estimation:
    """Estimate topics in each pair of their languages; the arguments are those of ``predict``."""
    check_level(level)
    judged = read_multilingual_models(models)
    known = estimator if isinstance(estimator, Estimators) else open_estimators(estimator)
    features = known.features
    planned = plan_requests(judged, lambda wording: features.needs(judged, [top], wording), sources)
    evidence = gather(planned, threads=threads, progress=progress)
    parts = [
        EstimatedTopics(topics, known.estimate(topics, level), known)
        for model in judged
        for topics in features.of(model, top, evidence, evidence.wording)
    ]
    which = np.concatenate([part.estimates.which for part in parts])
    notes = [
        *evidence.notes,
        *notes_on_estimates(known, [part.topics for part in parts], evidence),
        *notes_on_intervals(known, level, which),
    ]
    return Estimation(parts, list(dict.fromkeys(notes)), top, level)


# ---------------------------------------------------------------------- reasons


def verdict_on(topic: EstimatedTopic, estimator: Estimator | None) -> Verdict:
    """Say in a sentence whether the CNPMI of the reference can be trusted."""
    if estimator is None:
        why = "it lacks features that each estimator needs"
        if math.isnan(topic.values["cnpmi"]):
            why = "the reference has no pair of its words"
        return Verdict(trusted=False, sentence=f"Cannot be judged: {why}.")
    apart = _apart(topic, estimator)
    doubts = [
        *(_displaced(topic, apart) if apart > 0 else []),
        *_few_words(topic),
        *_gap(topic),
        *_young(topic, estimator),
        *_used_otherwise(topic, estimator),
    ]
    # topics that the reference finds better than the estimate does are ranked well all the same
    aside = [*(_displaced(topic, apart) if apart < 0 else []), *_beyond(topic, estimator)]
    sentence = f"Not to be trusted: {_joined(doubts)}." if doubts else _no_doubts(apart)
    return Verdict(not doubts, f"{sentence} Mind that {_joined(aside)}." if aside else sentence)


def _no_doubts(apart: float) -> str:
    near = ", and CNPMI and estimate place the topic less than a standard deviation apart"
    return (
        "Nothing speaks against the reference: it has at least half of the words of each language"
        f"{near if abs(apart) < UNUSUAL else ''}."
    )


def _apart(topic: EstimatedTopic, estimator: Estimator) -> float:
    """Return how much higher the estimate places a topic than its CNPMI does.

    Both are in standard deviations of their own: estimates vary less than targets.
    """
    seen = estimator.nearest(topic.values["cardinality"])
    if not (seen.raw.sd > 0 and seen.estimate.sd > 0):
        return math.nan
    return seen.estimate.standing(topic.estimate) - seen.raw.standing(topic.values["cnpmi"])


def _displaced(topic: EstimatedTopic, apart: float) -> list[str]:
    """Say which features move a topic away from its place by CNPMI."""
    if not abs(apart) >= UNUSUAL:  # also if it is NaN
        return []
    pushing = {
        name: value
        for name, value in topic.contributions.items()
        if value * apart > 0 and not _is_cnpmi(name)
    }
    first = sorted(pushing, key=lambda name: -abs(pushing[name]))[:_SHOWN]
    way, moved = ("higher", "raised") if apart > 0 else ("lower", "lowered")
    because = f" ({moved} by {', '.join(map(_named, first))})" if first else ""
    return [f"the estimate places it {way} among topics than the reference's CNPMI does{because}"]


def _is_cnpmi(name: str) -> bool:
    """Tell whether a feature is the reference's CNPMI itself, with any parameters.

    >>> _is_cnpmi("cnpmi"), _is_cnpmi("cnpmi(never=-1)"), _is_cnpmi("inpmi")
    (True, True, False)
    """
    return name.partition("(")[0] == "cnpmi"


def _few_words(topic: EstimatedTopic) -> list[str]:
    shares = {
        language: topic.values[name]
        for language, name in zip(topic.pair, ("twc_pivot", "twc_other"), strict=True)
    }
    few = [
        f"{share:.0%} of its words in {name}" for name, share in shares.items() if share < FEW_WORDS
    ]
    return [f"the reference has only {' and '.join(few)}"] if few else []


def _gap(topic: EstimatedTopic) -> list[str]:
    """Say whether words belong together in a language, but not with those of the other.

    That is a low MC of a coherence clearly above zero: near zero, MC is arbitrary.
    """
    cnpmi = topic.values["cnpmi"]
    inside = {
        language: topic.values.get(name, math.nan)
        for language, name in zip(topic.pair, ("inpmi_pivot", "inpmi_other"), strict=True)
    }
    those = {n: inpmi for n, inpmi in inside.items() if inpmi >= TOGETHER and cnpmi < GAP * inpmi}
    if not those:
        return []
    values = " and ".join(f"{inpmi:.3f}" for inpmi in those.values())
    return [
        f"its words belong together in {' and '.join(those)} (INPMI {values}), but less than half "
        f"as much across languages (CNPMI {cnpmi:.3f})"
    ]


def _young(topic: EstimatedTopic, estimator: Estimator) -> list[str]:
    if _standing(topic, estimator, "era_mean") <= UNUSUAL or not _known(topic, "era_known"):
        return []
    usual = _usual(topic, estimator, "era_mean")
    return [
        f"its words are young (first attested in {topic.values['era_mean']:.0f} on average, those "
        f"of an average topic in {usual:.0f})"
    ]


def _used_otherwise(topic: EstimatedTopic, estimator: Estimator) -> list[str]:
    if _standing(topic, estimator, "drift_mean") >= -UNUSUAL or not _known(topic, "drift_known"):
        return []
    usual = _usual(topic, estimator, "drift_mean")
    return [
        "the reference uses its words rarely, or in other ways than modern texts (a similarity of "
        f"{topic.values['drift_mean']:.2f} on average, that of an average topic is {usual:.2f})"
    ]


def _known(topic: EstimatedTopic, share: str) -> bool:
    """Tell whether enough words are known."""
    return topic.values.get(share, math.nan) >= FEW_WORDS


def _usual(topic: EstimatedTopic, estimator: Estimator, name: str) -> float:
    """Return the mean of a feature in training topics of as many words."""
    seen = estimator.nearest(topic.values["cardinality"]).features
    return seen[estimator.features.index(name)].mean


def _beyond(topic: EstimatedTopic, estimator: Estimator) -> list[str]:
    names = estimator.beyond([topic.values[name] for name in estimator.features])
    if not names:
        return []
    what = list_text(map(_named, names), _SHOWN)
    return [f"the estimator has not learned from such topics (outside of their range: {what})"]


def _standing(topic: EstimatedTopic, estimator: Estimator, name: str) -> float:
    """Return how unusual a feature is; 0 for one that the estimator does not use."""
    value = topic.values.get(name, math.nan)
    if name not in estimator.features or math.isnan(value):
        return 0.0
    return estimator.standing(name, value, topic.values["cardinality"])


_NAMES = {
    "cardinality": "number of words",
    "cnpmi": "CNPMI of the reference",
    "inpmi": "INPMI of the reference",
    "mta": "translations among its words (MTA)",
    "twc_pivot": "share of words of the pivot language in the reference",
    "twc_other": "share of words of the other language in the reference",
    "mc_pivot": "coherence across languages relative to that within the pivot language (MC)",
    "mc_other": "coherence across languages relative to that within the other language (MC)",
    "icc": "coherence within one language relative to that within the other (ICC)",
    "era_mean": "age of its words",
    "era_sd": "spread of the ages of its words",
    "drift_mean": "use of its words, compared with modern texts",
    "drift_sd": "spread of the use of its words",
    "cnpmi(never=-1)": "CNPMI with -1 for words never together",
    "inpmi(never=-1)": "INPMI with -1 for words never together",
}


def _named(name: str) -> str:
    return _NAMES.get(name, name)


def _joined(parts: Sequence[str]) -> str:
    """Join parts of a sentence.

    >>> _joined(["a", "b", "c"])
    'a; b; and c'
    """
    return parts[0] if len(parts) == 1 else f"{'; '.join(parts[:-1])}; and {parts[-1]}"
