"""Computing: the features of topics in two languages, from evidence at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.features.gap import clipped, inner_coherence_contrast, matching_coherence
from tealeaves.estimator.features.names import FEATURES, in_order
from tealeaves.estimator.features.spread import spread
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import ContextRequest, DictionaryRequest
from tealeaves.evidence.sources import PIVOT
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.catalogue.crosslingual_translation import MatchingAccuracy
from tealeaves.metrics.crosslingual.family import (
    LanguagePair,
    language_pairs,
    side_terms,
    side_words,
)
from tealeaves.metrics.registry import metric
from tealeaves.text.languages import language_code, same_language
from tealeaves.topics.multilingual import MultilingualTopics, require_multilingual
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.metrics.base import AnyRequest, Metric, Result

WINDOW = 5


@dataclass(frozen=True, eq=False)
class TopicFeatures:
    """The features of each topic of a model, in one pair of its languages.

    ``support`` is that of the reference's CNPMI. A value of NaN is a feature of which the evidence
    says nothing. ``values`` also has what is told of topics beside their features (``BESIDE``).
    """

    pair: LanguagePair
    model: MultilingualTopics
    values: dict[str, Floats]
    support: Floats

    def matrix(self, names: Sequence[str]) -> Floats:
        """Return a row for each topic and a column for each of these features."""
        undefined = np.full(len(self.support), np.nan)
        return np.column_stack([self.values.get(name, undefined) for name in names])


@dataclass(frozen=True)
class Features:
    """What is computed of topics; ``more`` are metrics across languages, by their expressions."""

    more: tuple[str, ...] = ()
    pivot: str = PIVOT
    _metrics: dict[str, Metric] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in self.more:
            one = metric(name)
            fits = one.crosslingual and one.level == "topic" and one.top is None
            if name in FEATURES or not fits:
                raise InputError(
                    f"{name}: a further feature is a metric of topics across languages without @n, "
                    "such as cnpmi(never=-1)"
                )
            if getattr(one, "reads_auxiliary", False):  # it has features itself: no end of it
                raise InputError(f"{name}: an estimate is no feature to estimate from")
            if getattr(one.settings, "language", None):
                raise InputError(
                    f"{name}: it must be computed for any languages: leave out language="
                )
            self._metrics[name] = one

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all features."""
        return in_order([*FEATURES, *self.more])

    def needs(
        self, models: Sequence[Topics], tops: Sequence[int | None], wording: Wording
    ) -> Iterator[AnyRequest]:
        """Ask for all that the features of these models rest on.

        The first words are among the first of more, so the most of them are asked for.
        """
        longest = None if None in tops else max(top for top in tops if top is not None)
        for one in (*map(metric, ("cnpmi", "inpmi", "twc")), *self._metrics.values()):
            yield from _at(one, longest).needs(models, wording)
        yield DictionaryRequest(
            frozenset(tuple(language_pairs(model)) for model in models), optional=True
        )
        for model in models:
            for language in require_multilingual(model).languages:
                lists = side_terms(model, language, longest, wording)
                terms = frozenset(term for terms in lists for term in terms if term.tokens)
                yield ContextRequest(language, terms, WINDOW)

    def of(
        self, model: Topics, top: int | None, evidence: Evidence, wording: Wording
    ) -> list[TopicFeatures]:
        """Compute the features of a model's topics, for each pair of its languages."""
        return [
            self._of_pair(model, self.in_roles(pair), top, evidence, wording)
            for pair in language_pairs(model)
        ]

    def in_roles(self, pair: LanguagePair) -> LanguagePair:
        """Put the pivot first; of two other languages the first in the alphabet of codes.

        >>> Features().in_roles(("sv", "eng")), Features().in_roles(("sw", "fr"))
        (('eng', 'sv'), ('fr', 'sw'))
        """
        one, other = sorted(pair, key=lambda name: (language_code(name) or name, name))
        return (other, one) if same_language(other, self.pivot) else (one, other)

    def _of_pair(
        self,
        model: Topics,
        pair: LanguagePair,
        top: int | None,
        evidence: Evidence,
        wording: Wording,
    ) -> TopicFeatures:
        sides = require_multilingual(model).by_language
        both = MultilingualTopics.of_languages(
            {name: sides[name] for name in pair}, model=model.model
        )

        def result(one: Metric) -> Result:
            asked = _at(one, top)
            if isinstance(asked, MatchingAccuracy):  # other models may have words of the dictionary
                return asked.score_model(both, evidence.dictionaries)
            return asked.score([both], evidence, wording)[0]

        def of(name: str, language: str) -> Floats:
            return result(metric(name)(language=language)).values

        pivot, other = pair
        cnpmi = result(metric("cnpmi"))
        inner = [of("inpmi", name) for name in pair]
        values = {
            "cardinality": _cardinality(both, top, wording),
            "cnpmi": cnpmi.values,
            "inpmi": result(metric("inpmi")).values,
            "twc_pivot": of("twc", pivot),
            "twc_other": of("twc", other),
            "mc_pivot": clipped(matching_coherence(cnpmi.values, inner[0])),
            "mc_other": clipped(matching_coherence(cnpmi.values, inner[1])),
            "icc": clipped(inner_coherence_contrast(*inner)),
            "inpmi_pivot": inner[0],
            "inpmi_other": inner[1],
        }
        if evidence.translates(*pair):
            values["mta"] = result(metric("mta")).values
        values |= _years(both, pivot, top, evidence, wording)
        values |= _uses(both, pivot, top, evidence, wording)
        values |= {name: result(one).values for name, one in self._metrics.items()}
        return TopicFeatures(pair, both, values, cnpmi.support)


def _at(one: Metric, top: int | None) -> Metric:
    return one if top is None else one @ top


def _cardinality(model: MultilingualTopics, top: int | None, wording: Wording) -> Floats:
    """Return how many words each topic is judged by, in the language that has more of them."""
    lengths = [
        [len(terms) for terms in side_terms(model, language, top, wording)]
        for language in model.languages
    ]
    longest: Floats = np.array(lengths, dtype=np.float64).max(axis=0)
    return longest


def _years(
    model: MultilingualTopics, pivot: str, top: int | None, evidence: Evidence, wording: Wording
) -> dict[str, Floats]:
    """Return since when the words of the pivot language are used."""
    years = evidence.years
    if years is None or not same_language(years.language, pivot):
        return {}
    found = [spread(years.years(words)) for words in side_words(model, pivot, top, wording)]
    return {
        "era_mean": np.array([one.mean for one in found]),
        "era_sd": np.array([one.sd for one in found]),
        "era_known": np.array([one.share for one in found]),
    }


def _uses(
    model: MultilingualTopics, pivot: str, top: int | None, evidence: Evidence, wording: Wording
) -> dict[str, Floats]:
    """Return how far the reference uses the words of the pivot language as modern texts do."""
    drift = evidence.drift
    if drift is None or not same_language(drift.language, pivot):
        return {}
    found = [
        spread(np.array([drift.of(term) if term.tokens else np.nan for term in terms]))
        for terms in side_terms(model, pivot, top, wording)
    ]
    return {
        "drift_mean": np.array([one.mean for one in found]),
        "drift_sd": np.array([one.sd for one in found]),
        "drift_known": np.array([one.share for one in found]),
    }
