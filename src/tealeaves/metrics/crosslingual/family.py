"""``CrosslingualMetric``: base class of metrics of topics in several languages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from tealeaves.evidence.requests import Term
from tealeaves.evidence.wording import Wording, wordings_of
from tealeaves.metrics.base import Metric, Result
from tealeaves.text.languages import same_language
from tealeaves.topics.multilingual import MultilingualTopics, require_multilingual
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

LanguagePair = tuple[str, str]
Verdict = Literal["coherent", "incoherent", "unjudgeable"]


@dataclass(frozen=True, repr=False, eq=False)
class CrosslingualMetric(Metric):
    """A metric of models whose topics have words in several languages."""

    crosslingual: ClassVar[bool] = True
    #: whether it can use a dictionary
    reads_dictionaries: ClassVar[bool] = False
    #: whether it can use years of words and modern texts
    reads_auxiliary: ClassVar[bool] = False

    def lacks(self, model: Topics) -> str:
        """Require topics in several languages, among them the language that is named."""
        if not isinstance(model, MultilingualTopics):
            return "its topics are in one language, and this metric compares languages"
        if not any(map(self.judges, model.languages)):
            named = self.settings.language
            return f"no topics in {named}: its languages are {', '.join(model.languages)}"
        return ""

    def judges(self, language: str) -> bool:
        """Tell whether a language is judged: the named one, or each if none is named."""
        named = getattr(self.settings, "language", None)
        return named is None or same_language(named, language)


def language_pairs(
    model: Topics, judged: Callable[[str], bool] | None = None
) -> list[LanguagePair]:
    """Return all pairs of a model's languages, or those with a language that is judged.

    >>> topics = MultilingualTopics.of_languages({"en": [["a"]], "sv": [["b"]], "tr": [["c"]]})
    >>> language_pairs(topics, lambda language: language == "tr")
    [('en', 'tr'), ('sv', 'tr')]
    """
    pairs = combinations(require_multilingual(model).languages, 2)
    return [pair for pair in pairs if judged is None or any(map(judged, pair))]


def side_terms(
    model: Topics, language: str, top: int | None, wording: Wording
) -> list[tuple[Term, ...]]:
    """Return the first terms of each topic in one language."""
    side = require_multilingual(model).side(language)
    return [terms[:top] for terms in wordings_of(wording).of(language).terms(side)]


def side_words(
    model: Topics, language: str, top: int | None, wording: Wording
) -> list[tuple[str, ...]]:
    """Return these terms as the topics write them."""
    side = require_multilingual(model).side(language)
    return [words[:top] for words in wordings_of(wording).of(language).words(side)]


def mean_result(values: Sequence[Floats], shares: Sequence[Floats]) -> Result:
    """Return the mean over pairs of languages that have a value; support is averaged over all."""
    stacked, support = np.array(values), np.array(shares)
    known = ~np.isnan(stacked)
    number = known.sum(axis=0)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    mean = np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
    return Result(mean, np.where(number > 0, support.mean(axis=0), 0.0))


def coherence_verdict(value: float) -> Verdict:
    """Tell incoherent topics from those that the reference cannot judge.

    The words of an incoherent topic are in the reference, but together no more often than by
    chance. An unjudgeable topic has no pair of words that is in the reference.

    >>> coherence_verdict(0.2), coherence_verdict(0.0), coherence_verdict(float("nan"))
    ('coherent', 'incoherent', 'unjudgeable')
    """
    if math.isnan(value):
        return "unjudgeable"
    return "coherent" if value > 0 else "incoherent"
