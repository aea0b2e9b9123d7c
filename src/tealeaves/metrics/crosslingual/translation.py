"""``MatchingAccuracy``: metrics of words that translate each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries import Dictionaries, DictionaryRequest
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.sources import languages_of
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.family import CrosslingualMetric, LanguagePair, language_pairs
from tealeaves.metrics.crosslingual.linked import mean_result
from tealeaves.metrics.crosslingual.matching import dictionary_words, match_words
from tealeaves.metrics.notes import listed
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


class Translations(msgspec.Struct, frozen=True, kw_only=True):
    """What counts as a translation.

    Parameters
    ----------
    identical
        Whether a word of plain ASCII may be its own translation.
    """

    identical: bool = False


@dataclass(frozen=True, repr=False, eq=False)
class MatchingAccuracy(CrosslingualMetric):
    """The share of a topic's words that a dictionary matches across languages."""

    settings: Translations
    reads_dictionaries: ClassVar[bool] = True

    @property
    def source(self) -> str:
        """What it is read from."""
        return "a dictionary"

    @property
    def why_undefined(self) -> str:
        """Why a topic has no score."""
        return "unjudgeable as the dictionary has no pair of their words"

    def needs(
        self,
        models: Sequence[Topics],
        wording: Wording,  # noqa: ARG002
    ) -> Iterable[DictionaryRequest]:
        """Ask for dictionaries of the languages of each model."""
        yield DictionaryRequest(frozenset(tuple(language_pairs(model)) for model in models))

    def score(
        self,
        models: Sequence[Topics],
        evidence: Evidence,
        wording: Wording,  # noqa: ARG002
    ) -> list[Result]:
        """Score each topic by the mean over pairs of languages."""
        self._refuse_strange(models, evidence.dictionaries)
        return [self.of_model(model, evidence.dictionaries) for model in models]

    def of_model(self, model: Topics, dictionaries: Dictionaries) -> Result:
        """Score the topics of a model, of which a dictionary may have no word."""
        found = [self._of_pair(model, pair, dictionaries) for pair in language_pairs(model)]
        return mean_result([values for values, _ in found], [share for _, share in found])

    def _of_pair(
        self, model: Topics, pair: LanguagePair, dictionaries: Dictionaries
    ) -> tuple[Floats, Floats]:
        """Judge each topic in two languages; without a dictionary of them nothing is known."""
        if not dictionaries.covers(*pair):
            return np.full(len(model), np.nan), np.zeros(len(model))
        lists = [dictionary_words(model, language, self.top) for language in pair]
        judged = [self._judged(a, b, pair, dictionaries) for a, b in zip(*lists, strict=True)]
        values, shares = np.array(judged).reshape(-1, 2).T
        return values, shares

    def _judged(
        self,
        left: tuple[str, ...],
        right: tuple[str, ...],
        pair: LanguagePair,
        dictionaries: Dictionaries,
    ) -> tuple[float, float]:
        """Return matches / C, and the share of pairs that the dictionary can say anything of."""
        size = max(len(left), len(right))
        found = match_words(left, right, pair, dictionaries, identical=self.settings.identical)
        judgeable = math.prod(found.known)
        if not judgeable:
            return math.nan, 0.0
        return len(found.matches) / size, judgeable / size**2

    # ------------------------------------------------------------------ what the dictionary lacks

    def _refuse_strange(self, models: Sequence[Topics], dictionaries: Dictionaries) -> None:
        """Refuse a dictionary that has no word of any topic: it is of something else."""
        for pair in _covered(models, dictionaries):
            words = {name: _words_of(models, name, pair, self.top) for name in pair}
            found = [self._split(pair, name, words[name], dictionaries) for name in pair]
            if any(one.translated for one in found):
                continue
            dictionary = dictionaries.between(*pair)
            alike = list(dict.fromkeys(word for one in found for word in one.alike))
            if alike:
                raise InputError(
                    f"{dictionary}: it translates words of the topics only by themselves "
                    f"({listed(alike)}): {self.name}(identical=true) counts them"
                )
            raise InputError(
                f"{dictionary}: no word of any topic is in the dictionary: is it of {pair[0]} and "
                f"{pair[1]}, this way round?"
            )

    def _split(
        self, pair: LanguagePair, language: str, words: Iterable[str], dictionaries: Dictionaries
    ) -> _Words:
        """Part the words of a language by what the dictionary of two languages has of them."""
        found = _Words([], [], [])
        for word in words:
            if dictionaries.knows(pair, language, word, identical=self.settings.identical):
                found.translated.append(word)
            elif dictionaries.knows(pair, language, word):
                found.alike.append(word)
            else:
                found.absent.append(word)
        return found

    def caveats(
        self,
        models: Sequence[Topics],
        evidence: Evidence,
        wording: Wording,  # noqa: ARG002
    ) -> list[str]:
        """Name the words without a translation; ask if it is the wrong way round."""
        dictionaries = evidence.dictionaries
        notes = []
        for model in models:
            notes += [
                f"{model.model}: no dictionary of {one} and {other}: {self.name} leaves the two out"
                for one, other in language_pairs(model)
                if not dictionaries.covers(one, other)
            ]
            for language in languages_of([model]):
                notes += self._lacking(model, language, dictionaries)
        for pair in _covered(models, dictionaries):
            notes += self._reversed(models, pair, dictionaries)
        return notes

    def _lacking(self, model: Topics, language: str, dictionaries: Dictionaries) -> list[str]:
        """Name the words of a language that no dictionary translates into any other."""
        pairs = [pair for pair in _covered([model], dictionaries) if language in pair]
        if not pairs:
            return []
        words = _words_of([model], language, pairs[0], self.top)
        found = [self._split(pair, language, words, dictionaries) for pair in pairs]
        known = {word for one in found for word in one.translated}
        itself = {word for one in found for word in one.alike} - known
        absent = [word for word in words if word not in known | itself]
        alike = [word for word in words if word in itself]
        said = {"no translation in the dictionary": absent, "translated only by itself": alike}
        return [
            f"{model.model}: {what} ({language}): {listed(those)}"
            for what, those in said.items()
            if those
        ]

    def _reversed(
        self, models: Sequence[Topics], pair: LanguagePair, dictionaries: Dictionaries
    ) -> list[str]:
        """Say so where the dictionary would have more of the words with its columns exchanged."""
        words = {name: _words_of(models, name, pair, self.top) for name in pair}
        found = []
        for names in (pair, pair[::-1]):
            sides = zip(names, pair, strict=True)
            known = [self._split(pair, as_, words[of], dictionaries) for as_, of in sides]
            found.append(sum(len(one.translated) for one in known))
        if found[1] <= found[0]:
            return []
        return [
            f"{dictionaries.between(*pair)}: it has {found[0]} of the topics' words, and would "
            f"have {found[1]} with its languages exchanged: is it the other way round?"
        ]

    def provenance_of(
        self,
        model: Topics,
        beside: Sequence[Topics],  # noqa: ARG002
        evidence: Evidence,
    ) -> str:
        """Return the dictionaries of this model's languages."""
        if self.why_not(model):
            return ""
        dictionaries = evidence.dictionaries
        return f"dictionary={dictionaries.signature_of(_covered([model], dictionaries))}"


class _Words(NamedTuple):
    """Words that the dictionary translates, has only as their own translation, or lacks."""

    translated: list[str]
    alike: list[str]
    absent: list[str]


def _covered(models: Sequence[Topics], dictionaries: Dictionaries) -> list[LanguagePair]:
    """Return the pairs of languages of all models that have a dictionary, each once."""
    pairs = dict.fromkeys(chain.from_iterable(map(language_pairs, models)))
    return [pair for pair in pairs if dictionaries.covers(*pair)]


def _words_of(
    models: Sequence[Topics], language: str, pair: LanguagePair, top: int | None
) -> list[str]:
    """Return the words of a language in all topics of models in these two languages, each once."""
    chosen = [model for model in models if pair in language_pairs(model)]
    lists = chain.from_iterable(dictionary_words(model, language, top) for model in chosen)
    return list(dict.fromkeys(chain.from_iterable(lists)))
