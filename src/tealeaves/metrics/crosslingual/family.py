"""``CrosslingualMetric``: metrics of topics in several languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from tealeaves.errors import InputError
from tealeaves.evidence.terms import Term
from tealeaves.evidence.wording import Wording, wordings_of
from tealeaves.metrics.base import Metric
from tealeaves.text.languages import same_language
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

LanguagePair = tuple[str, str]


@dataclass(frozen=True, repr=False, eq=False)
class CrosslingualMetric(Metric):
    """A metric of models whose topics have words in several languages."""

    across: ClassVar[bool] = True
    #: whether a dictionary is of use to it
    reads_dictionaries: ClassVar[bool] = False
    #: whether years of words and modern texts are
    reads_auxiliary: ClassVar[bool] = False

    def lacks(self, model: Topics) -> str:
        """Ask for topics in two languages or more, and for the one that is named."""
        if not isinstance(model, MultilingualTopics):
            return "its topics are in one language, and this metric compares languages"
        if not any(map(self.judges, model.languages)):
            named = self.settings.language
            return f"no topics in {named}: its languages are {', '.join(model.languages)}"
        return ""

    def judges(self, language: str) -> bool:
        """Tell whether a language is judged: the one that is named, or each if none is."""
        named = getattr(self.settings, "language", None)
        return named is None or same_language(named, language)


def multilingual(model: Topics) -> MultilingualTopics:
    """Return a model that is known to be in several languages."""
    if not isinstance(model, MultilingualTopics):
        raise InputError(f"{model.model}: its topics are in one language")
    return model


def language_pairs(
    model: Topics, judged: Callable[[str], bool] | None = None
) -> list[LanguagePair]:
    """Return all pairs of a model's languages, or those with one that is judged.

    >>> topics = MultilingualTopics.of_languages({"en": [["a"]], "sv": [["b"]], "tr": [["c"]]})
    >>> language_pairs(topics, lambda language: language == "tr")
    [('en', 'tr'), ('sv', 'tr')]
    """
    pairs = combinations(multilingual(model).languages, 2)
    return [pair for pair in pairs if judged is None or any(map(judged, pair))]


def side_terms(
    model: Topics, language: str, top: int | None, wording: Wording
) -> list[tuple[Term, ...]]:
    """Return the first terms of each topic in one language."""
    side = multilingual(model).side(language)
    return [terms[:top] for terms in wordings_of(wording).of(language).terms(side)]


def side_words(
    model: Topics, language: str, top: int | None, wording: Wording
) -> list[tuple[str, ...]]:
    """Return how the topics write these terms."""
    side = multilingual(model).side(language)
    return [words[:top] for words in wordings_of(wording).of(language).words(side)]


def names_of(models: Sequence[Topics]) -> list[str]:
    """Return the languages of all models, each once, in their order."""
    return list(dict.fromkeys(name for model in models for name in multilingual(model).languages))
