"""A reference of ten linked documents in three languages, and estimators made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tealeaves import MultilingualTopics, PairedCorpus
from tealeaves.estimator.estimators import AtCardinality, Estimator, Estimators, Reached, Seen
from tealeaves.learners.adaboost import AdaBoostLinear
from tealeaves.learners.conformal import Conformal

Tuples = list[dict[str, str]]

REFERENCE: Tuples = [
    *[{"en": "king crown", "es": "rey corona", "sv": "kung krona"}] * 4,
    {"en": "king crown", "es": "mar corona", "sv": "kung krona"},
    *[{"en": "sea ship", "es": "mar barco", "sv": "hav skepp"}] * 3,
    *[{"en": "sea ship", "es": "rey barco", "sv": "hav krona"}] * 2,
]
RICH: Tuples = [
    *[{"en": "king crown castle", "es": "rey corona castillo", "sv": "kung krona slott"}] * 3,
    {"en": "king sea tower", "es": "rey mar torre", "sv": "kung hav torn"},
    *[{"en": "sea castle", "es": "mar torre", "sv": "hav torn"}] * 2,
    {"en": "ship tower", "es": "barco castillo", "sv": "skepp slott"},
]
# castle and tower, and what they are called elsewhere, are not in the reference
TOPICS = {
    "en": [["king", "crown"], ["king", "sea"], ["sea", "castle"], ["castle", "tower"]],
    "es": [["rey", "corona"], ["rey", "mar"], ["mar", "castillo"], ["castillo", "torre"]],
    "sv": [["kung", "krona"], ["kung", "hav"], ["hav", "slott"], ["slott", "torn"]],
}
DICTIONARY = {"en-es": [("king", "rey"), ("sea", "mar"), ("ship", "barco"), ("crown", "barco")]}
YEARS = {"king": 900, "crown": 1100, "sea": 1000}
MODERN = [*["king crown"] * 5, *["sea crown"] * 5, *["ship wind"] * 5]


def model(*languages: str, name: str = "m", words: Any = None) -> MultilingualTopics:
    """Return the topics in some languages, by default in English and Spanish."""
    sides = words or TOPICS
    chosen = languages or ("en", "es")
    return MultilingualTopics.of_languages({one: sides[one] for one in chosen}, model=name)


def paired(*languages: str, tuples: Tuples = REFERENCE) -> PairedCorpus:
    """Return linked texts in some languages, by default in English and Spanish."""
    chosen = languages or ("en", "es")
    return PairedCorpus.of([{one: each[one] for one in chosen} for each in tuples])


def linear(slopes: dict[str, float], intercept: float = 0.0, error: float = 0.1) -> Estimator:
    """Return an estimator that adds up features, each with its slope."""
    seen = Seen(mean=0.0, sd=1.0, low=-10.0, high=3000.0)
    each = (seen,) * len(slopes)
    return Estimator(
        features=tuple(slopes),
        fitted=AdaBoostLinear(
            coefficients=[list(slopes.values())], intercepts=[intercept], weights=[1.0]
        ),
        settings={},
        seen=each,
        cardinalities={2: AtCardinality(seen, seen, seen, (seen,) * len(slopes))},
        languages=("fi", "tr"),
        rows=40,
        conformal=Conformal.of([0.1, 0.2], ["fi", "tr"], [2, 2]),
        reached=Reached(
            raw=0.0, estimate=0.5, raw_models=0.5, estimate_models=0.6, error=error, covered=0.9
        ),
    )


def estimators(*each: Estimator, pivot: str = "en") -> Estimators:
    """Return estimators, the best first."""
    return Estimators(pivot=pivot, learner="adaboost", estimators=each)


def saved(path: Path, *each: Estimator, pivot: str = "en") -> Path:
    """Write estimators into a file."""
    estimators(*each, pivot=pivot).save(path)
    return path
