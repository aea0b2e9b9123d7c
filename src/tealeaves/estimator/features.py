"""The features of topics in two languages: their names, groups and values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import InputError
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

_WINDOW = 5
ALPHA = 0.001
LIMIT = 10.0  # beyond it a ratio says only that its divisor is nearly zero
_FEWEST = 2  # words that a deviation needs

#: The group of each feature, in the order in which tables have them.
FEATURES = MappingProxyType(
    {
        "cardinality": "base",
        "cnpmi": "base",
        "inpmi": "base",
        "mta": "base",
        "twc_pivot": "base",
        "twc_other": "base",
        "mc_pivot": "gap",
        "mc_other": "gap",
        "icc": "gap",
        "era_mean": "era",
        "era_sd": "era",
        "drift_mean": "drift",
        "drift_sd": "drift",
    }
)

#: Values of a topic that are shown but not learned from: the coherence inside each language, and
#: the shares of its words whose year or use is known.
BESIDE = ("inpmi_pivot", "inpmi_other", "era_known", "drift_known")

#: The group of all other features: metrics, named by their expressions.
MORE = "more"

GROUPS = (*dict.fromkeys(FEATURES.values()), MORE)


def group_of(name: str) -> str:
    """Return the group of a feature.

    >>> group_of("icc"), group_of("cnpmi(never=-1)")
    ('gap', 'more')
    """
    return FEATURES.get(name, MORE)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of features in the order of tables: ours first, then the others.

    >>> in_order(["inpmi(never=-1)", "mta", "cnpmi"])
    ('cnpmi', 'mta', 'inpmi(never=-1)')
    """
    distinct = list(dict.fromkeys(names))
    return (
        *(name for name in FEATURES if name in distinct),
        *(name for name in distinct if name not in FEATURES),
    )


# ---------------------------------------------------------------------- values


@dataclass(frozen=True, eq=False)
class TopicFeatures:
    """The features of each topic of a model, in one pair of its languages.

    ``support`` is that of the reference's CNPMI. A feature that the evidence does not define is
    NaN. ``values`` also has the values that are only shown (``BESIDE``).
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
    """What is computed for topics; ``more`` are expressions of metrics across languages."""

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
            if getattr(one, "reads_auxiliary", False):  # an estimate would need its own features
                raise InputError(f"{name}: an estimate cannot be a feature of an estimator")
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
        """Return the requests of all features of these models, for the most words of ``tops``."""
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
                yield ContextRequest(language, terms, _WINDOW)

    def of(
        self, model: Topics, top: int | None, evidence: Evidence, wording: Wording
    ) -> list[TopicFeatures]:
        """Compute the features of a model's topics, for each pair of its languages."""
        return [
            self._of_pair(model, self.in_roles(pair), top, evidence, wording)
            for pair in language_pairs(model)
        ]

    def in_roles(self, pair: LanguagePair) -> LanguagePair:
        """Return a pair with the pivot first; other languages are ordered by their codes.

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
            cut = _at(one, top)
            if isinstance(cut, MatchingAccuracy):  # other models may have words of the dictionary
                return cut.score_model(both, evidence.dictionaries)
            return cut.score([both], evidence, wording)[0]

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
    """Return the number of words of each topic, in the language that has more of them."""
    lengths = [
        [len(terms) for terms in side_terms(model, language, top, wording)]
        for language in model.languages
    ]
    longest: Floats = np.array(lengths, dtype=np.float64).max(axis=0)
    return longest


def _years(
    model: MultilingualTopics, pivot: str, top: int | None, evidence: Evidence, wording: Wording
) -> dict[str, Floats]:
    """Return the years since which words of the pivot language are used."""
    years = evidence.years
    if years is None or not same_language(years.language, pivot):
        return {}
    topics = side_words(model, pivot, top, wording)
    return _spreads("era", [years.years(words) for words in topics])


def _uses(
    model: MultilingualTopics, pivot: str, top: int | None, evidence: Evidence, wording: Wording
) -> dict[str, Floats]:
    """Return how far the reference uses the words of the pivot language as modern texts do."""
    drift = evidence.drift
    if drift is None or not same_language(drift.language, pivot):
        return {}
    topics = side_terms(model, pivot, top, wording)
    return _spreads(
        "drift",
        [
            np.array([drift.of(term) if term.tokens else np.nan for term in terms])
            for terms in topics
        ],
    )


def _spreads(group: str, topics: Sequence[Floats]) -> dict[str, Floats]:
    """Return mean, deviation and known share of the words of each topic."""
    spreads = [spread(values) for values in topics]
    return {
        f"{group}_mean": np.array([one.mean for one in spreads]),
        f"{group}_sd": np.array([one.sd for one in spreads]),
        f"{group}_known": np.array([one.share for one in spreads]),
    }


class Spread(NamedTuple):
    """Mean and standard deviation over the words with a known value, and their share."""

    mean: float
    sd: float
    share: float


def spread(values: Floats) -> Spread:
    """Return mean and standard deviation of the words whose value is known (not NaN).

    Without a word there is no mean, with fewer than two no deviation.

    >>> spread(np.array([1800.0, 1900.0, np.nan, 2000.0]))
    Spread(mean=1900.0, sd=81.64..., share=0.75)
    >>> spread(np.array([1800.0, np.nan]))
    Spread(mean=1800.0, sd=nan, share=0.5)
    """
    known = values[~np.isnan(values)]
    share = len(known) / len(values) if len(values) else 0.0
    mean = float(known.mean()) if len(known) else np.nan
    return Spread(mean, float(known.std()) if len(known) >= _FEWEST else np.nan, share)


def matching_coherence(cnpmi: Floats, inpmi: Floats) -> Floats:
    """Return MC, the coherence across languages for that inside one: CNPMI / (INPMI + α).

    A low value marks a gap: words belong together in their language, but not with those of the
    other. (The paper's sentence says high; its formula says low.)

    >>> matching_coherence(np.array([0.081]), np.array([0.0332])).round(3).tolist()
    [2.368]
    """
    return _ratio(cnpmi, inpmi + ALPHA)


def inner_coherence_contrast(pivot: Floats, other: Floats) -> Floats:
    """Return ICC, how the coherence inside one language compares with that inside the other.

    It is (INPMI + α) / (INPMI' + α), and so MC' / MC exactly, where CNPMI is not 0.

    >>> inner_coherence_contrast(np.array([0.0332]), np.array([0.1743])).round(3).tolist()
    [0.195]
    """
    return _ratio(pivot + ALPHA, other + ALPHA)


def clipped(ratio: Floats) -> Floats:
    """Limit a ratio to ±10: near a divisor of zero it would hide all other topics.

    >>> clipped(np.array([0.5, -300.0, np.inf, np.nan])).tolist()
    [0.5, -10.0, 10.0, nan]
    """
    return np.clip(ratio, -LIMIT, LIMIT)


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return above / below
