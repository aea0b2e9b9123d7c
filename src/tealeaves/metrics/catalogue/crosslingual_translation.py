"""MTA, matching translation accuracy: how many words of a topic translate each other?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import DictionaryRequest
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.family import (
    CrosslingualMetric,
    LanguagePair,
    language_pairs,
    mean_result,
)
from tealeaves.metrics.crosslingual.matching import dictionary_words, match_words
from tealeaves.tables.numbers import list_text
from tealeaves.topics.multilingual import languages_of
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


class TranslationSettings(msgspec.Struct, frozen=True, kw_only=True):
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

    settings: TranslationSettings
    reads_dictionaries: ClassVar[bool] = True
    source: ClassVar[str] = "a dictionary"
    why_undefined: ClassVar[str] = "unjudgeable because the dictionary has no pair of their words"

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[DictionaryRequest]:
        """Ask for dictionaries of the languages of each model."""
        yield DictionaryRequest(frozenset(tuple(language_pairs(model)) for model in models))

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score each topic by the mean over pairs of languages."""
        self._refuse_foreign(models, evidence.dictionaries)
        return [self.score_model(model, evidence.dictionaries) for model in models]

    def score_model(self, model: Topics, dictionaries: Dictionaries) -> Result:
        """Score the topics of a model; the dictionaries may have no word of them."""
        results = [self._score_pair(model, pair, dictionaries) for pair in language_pairs(model)]
        return mean_result(*zip(*results, strict=True))

    def _score_pair(
        self, model: Topics, pair: LanguagePair, dictionaries: Dictionaries
    ) -> tuple[Floats, Floats]:
        """Judge each topic in two languages; the values are NaN if no dictionary has them."""
        if not dictionaries.covers(*pair):
            return np.full(len(model), np.nan), np.zeros(len(model))
        lists = [dictionary_words(model, language, self.top) for language in pair]
        results = [self._score_topic(a, b, pair, dictionaries) for a, b in zip(*lists, strict=True)]
        values, shares = np.array(results).reshape(-1, 2).T
        return values, shares

    def _score_topic(
        self,
        left: tuple[str, ...],
        right: tuple[str, ...],
        pair: LanguagePair,
        dictionaries: Dictionaries,
    ) -> tuple[float, float]:
        """Return matches / C, and the share of pairs of words that are in the dictionary."""
        size = max(len(left), len(right))
        matching = match_words(left, right, pair, dictionaries, identical=self.settings.identical)
        judgeable = math.prod(matching.known)
        if not judgeable:
            return math.nan, 0.0
        return len(matching.matches) / size, judgeable / size**2

    # ------------------------------------------------------------------ what the dictionary lacks

    def _refuse_foreign(self, models: Sequence[Topics], dictionaries: Dictionaries) -> None:
        """Refuse a dictionary that has no word of any topic: it is probably a wrong one."""
        for pair in _covered_pairs(models, dictionaries):
            entries = [
                self._entries(pair, name, _words_of(models, name, pair, self.top), dictionaries)
                for name in pair
            ]
            if any(side.translated for side in entries):
                continue
            dictionary = dictionaries.between(*pair)
            identical = list(dict.fromkeys(word for side in entries for word in side.identical))
            if identical:
                raise InputError(
                    f"{dictionary}: it translates words of the topics only by themselves "
                    f"({list_text(identical)}): {self.name}(identical=true) counts them"
                )
            raise InputError(
                f"{dictionary}: no word of any topic is in the dictionary: is it of {pair[0]} and "
                f"{pair[1]}, this way round?"
            )

    def _entries(
        self, pair: LanguagePair, language: str, words: Iterable[str], dictionaries: Dictionaries
    ) -> _DictionaryEntries:
        """Sort the words of a language by their entries in the dictionary of two languages."""
        entries = _DictionaryEntries([], [], [])
        for word in words:
            if dictionaries.knows(pair, language, word, identical=self.settings.identical):
                entries.translated.append(word)
            elif dictionaries.knows(pair, language, word):
                entries.identical.append(word)
            else:
                entries.absent.append(word)
        return entries

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Name pairs without a dictionary, words without a translation, reversed dictionaries."""
        dictionaries = evidence.dictionaries
        notes = []
        for model in models:
            notes += [
                f"{model.model}: no dictionary of {one} and {other}: {self.name} leaves the two out"
                for one, other in language_pairs(model)
                if not dictionaries.covers(one, other)
            ]
            for language in languages_of([model]):
                notes += self._word_notes(model, language, dictionaries)
        for pair in _covered_pairs(models, dictionaries):
            notes += self._direction_notes(models, pair, dictionaries)
        return notes

    def _word_notes(self, model: Topics, language: str, dictionaries: Dictionaries) -> list[str]:
        """Name the words of a language that no dictionary translates into any other."""
        pairs = [pair for pair in _covered_pairs([model], dictionaries) if language in pair]
        if not pairs:
            return []
        words = _words_of([model], language, pairs[0], self.top)
        entries = [self._entries(pair, language, words, dictionaries) for pair in pairs]
        translated = {word for pair_entries in entries for word in pair_entries.translated}
        identical = {word for pair_entries in entries for word in pair_entries.identical}
        identical -= translated
        lacks = {
            "no translation in the dictionary": [
                w for w in words if w not in translated | identical
            ],
            "translated only by itself": [w for w in words if w in identical],
        }
        return [
            f"{model.model}: {lack} ({language}): {list_text(lacking)}"
            for lack, lacking in lacks.items()
            if lacking
        ]

    def _direction_notes(
        self, models: Sequence[Topics], pair: LanguagePair, dictionaries: Dictionaries
    ) -> list[str]:
        """Warn if the dictionary would have more of the words with its languages exchanged."""
        words = {name: _words_of(models, name, pair, self.top) for name in pair}

        def translated(columns: LanguagePair) -> int:
            sides = zip(columns, pair, strict=True)
            entries = [self._entries(pair, to, words[of], dictionaries) for to, of in sides]
            return sum(len(side.translated) for side in entries)

        now, exchanged = translated(pair), translated((pair[1], pair[0]))
        if exchanged <= now:
            return []
        return [
            f"{dictionaries.between(*pair)}: it has {now} of the topics' words, and would have "
            f"{exchanged} with its languages exchanged: is it the other way round?"
        ]

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the dictionaries of this model's languages."""
        dictionaries = evidence.dictionaries
        return f"dictionary={dictionaries.signature_of(_covered_pairs([model], dictionaries))}"


class _DictionaryEntries(NamedTuple):
    """Words that the dictionary translates, translates only by themselves, or lacks."""

    translated: list[str]
    identical: list[str]
    absent: list[str]


def _covered_pairs(models: Sequence[Topics], dictionaries: Dictionaries) -> list[LanguagePair]:
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


mta = MatchingAccuracy(
    name="mta",
    summary="matching translation accuracy: share of the words that a dictionary matches",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Boyd-Graber & Blei 2009",
    settings=TranslationSettings(),
    formula=(
        r"\frac{1}{C} \max_{M} \lvert M \rvert, \quad M \subseteq D \cap (W_1 \times W_2), \quad "
        r"C = \max(\lvert W_1 \rvert, \lvert W_2 \rvert)"
    ),
    misleads=(
        "It judges the dictionary as much as the topic: most dictionaries lack inflected forms, "
        "names and new words. Related words that are not translations (doctor and hospital) do "
        "not count."
    ),
    details="""\
    The number of words of one language that are matched with a translation among the topic's words
    of the other, divided by the number of words C (@n, or the longer list if it is shorter). W_1
    and W_2 are the words of the two languages, D the pairs that the dictionary has; M is a
    matching, which has each word at most once, and is as large as possible. With more than two
    languages, it is the mean over pairs of languages; a pair without a dictionary is left out of
    the mean and lowers the support. It reads a dictionary (--dictionary en-sv=PATH) and no text.

    Defaults: all words of the topics (10 are usual: @10). Words are compared in lower case, as the
    topics write them. A word of plain ASCII that the dictionary translates by itself does not
    count, because some dictionaries leave foreign words untranslated (the-the); with
    identical=true it does.
    The support is the share of the C x C pairs of words of which the dictionary has both words; a
    topic without such a pair has no number, which is not the same as no match (0).
    """,
)
