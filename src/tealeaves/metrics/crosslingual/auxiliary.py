"""What may be given beside linked texts: dictionaries, years of words, texts of our time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries.request import DictionaryRequest
from tealeaves.text.corpus import Corpus
from tealeaves.text.languages import name_of, same_language

if TYPE_CHECKING:
    from tealeaves.evidence.contexts.drift import Drift
    from tealeaves.evidence.dictionaries.dictionaries import Dictionaries
    from tealeaves.evidence.eras.eras import Eras
    from tealeaves.metrics.base import Need
    from tealeaves.metrics.crosslingual.wordings import Wordings
    from tealeaves.text.paired.corpus import PairedCorpus

PIVOT = "en"


class Auxiliary(NamedTuple):
    """What was given, as it was given; ``languages`` are those of the topics."""

    languages: Sequence[str]
    dictionary: Any = None
    years: Any = None
    modern: Any = None

    def check(self, needs: Sequence[Need]) -> None:
        """Refuse years of words and modern texts that no metric asks for."""
        from tealeaves.evidence.contexts.request import ContextRequest

        if any(isinstance(need, ContextRequest) for need in needs):
            return
        for name in ("years", "modern"):
            if getattr(self, name) is not None:
                raise InputError(f"{name} (--{name}) is for metrics such as cnpmi_estimated")

    def dictionaries(self, needs: Iterable[Need]) -> Dictionaries | None:
        """Open the dictionaries that metrics ask for; a model needs one of two of its languages."""
        from tealeaves.evidence.dictionaries.dictionaries import Dictionaries

        asked = [need for need in needs if isinstance(need, DictionaryRequest)]
        request = reduce(or_, asked) if asked else None
        if request is None or (self.dictionary is None and request.optional):
            return None
        if self.dictionary is None:
            pair = "-".join(self.languages[:2])
            raise InputError(f"mta needs a dictionary: give --dictionary {pair}=PATH (dictionary=)")
        found = Dictionaries.open(self.dictionary, self.languages)
        found.check(request)
        return found

    def eras(self) -> Eras | None:
        """Open the years of words, which are of English unless they say otherwise."""
        from tealeaves.evidence.eras.eras import Eras

        if self.years is None:
            return None
        found = Eras.open(self.years, language=PIVOT)
        self._known(found.language, "years of words")
        return found

    def drift(
        self,
        needs: Sequence[Need],
        paired: PairedCorpus | None,
        wording: Wordings,
        *,
        progress: bool,
    ) -> Drift | None:
        """Compare the uses of words in the reference and in modern texts, which are read once."""
        from tealeaves.evidence.contexts.drift import Drift
        from tealeaves.evidence.contexts.gathering import gather_contexts
        from tealeaves.evidence.contexts.request import ContextRequest

        if self.modern is None or isinstance(self.modern, Drift):
            return self.modern
        named, modern = _modern(self.modern)
        language = self._known(named, "modern texts")
        if paired is None:
            raise InputError("modern texts are compared with those of the reference: give corpora")
        _check_not_empty(modern)  # before the reference is read, which takes long
        asked = [
            need
            for need in needs
            if isinstance(need, ContextRequest) and same_language(need.language, language)
        ]
        names = sorted({need.language for need in asked})
        if len(names) > 1:
            raise InputError(
                f"the topics call one language {' and '.join(names)}: give it one name"
            )
        request = reduce(or_, asked)
        pipeline = wording.pipelines[language]
        reference = gather_contexts(paired.side(language), pipeline, request, progress=progress)
        there = gather_contexts(
            modern,
            pipeline,
            request,
            vocabulary=frozenset(reference.vocabulary),
            progress=progress,
        )
        try:
            return Drift.between(reference, there)
        except InputError as error:
            raise InputError(f"{modern.name}, modern texts of {language}: {error}") from None

    def _known(self, language: str, what: str) -> str:
        """Return how the topics call a language, which must be one of theirs."""
        found = name_of(language, self.languages)
        if found is None:
            raise InputError(
                f"{what} of {language}, but the topics are in {', '.join(self.languages)}"
            )
        return found


def _check_not_empty(modern: Corpus) -> None:
    """Refuse modern texts without a word; reading ends at the first one."""
    found = False
    for document in modern:
        found = True
        if document.text.strip():
            return
    why = "all documents are blank" if found else "there are no documents"
    raise InputError(f"{modern.name}: no modern texts, {why}")


def _modern(given: Any) -> tuple[str, Corpus]:
    """Return the language of modern texts, English unless it is said, and the texts."""
    language = PIVOT
    if isinstance(given, Mapping):
        if len(given) != 1:
            raise InputError("modern texts are of one language: give {'en': path}")
        [(language, given)] = given.items()
    if isinstance(given, Corpus):
        return language, given
    if isinstance(given, str | os.PathLike):
        return language, Corpus.open(given)
    return language, Corpus.of(given)
