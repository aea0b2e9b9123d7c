"""From the forms of a passage to the words that are counted: lower case, lemmas, tagged lemmas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol, runtime_checkable

from tealeaves.errors import InputError, did_you_mean
from tealeaves.text.languages import language_code
from tealeaves.text.tokenizers import normalize, without_marks


class Analyser(Protocol):
    """Makes a word of each form of a passage."""

    @property
    def signature(self) -> str:
        """Everything that decides the words."""
        ...

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        """Return a word for each form; the text that they stand in may help."""
        ...


@runtime_checkable
class OfForm(Protocol):
    """An analyser to which the neighbours of a form do not matter."""

    def word(self, form: str) -> str:
        """Return the word of a form."""
        ...


class Forms:
    """Words are the forms in lower case, without the vowel marks of Arabic and Hebrew.

    >>> Forms().words(["Straße", "كِتَابٌ"])
    ['straße', 'كتاب']
    >>> Forms(lower=False, marks=True).words(["H0430", "كِتَابٌ"])
    ['H0430', 'كِتَابٌ']
    """

    def __init__(self, *, lower: bool = True, marks: bool = False) -> None:
        self._lower, self._marks = lower, marks

    @property
    def signature(self) -> str:
        """Everything that decides the words."""
        return f"forms(lower={self._lower},marks={self._marks})".lower()

    def word(self, form: str) -> str:
        """Return the form as it is counted."""
        found = normalize(form, lower=True) if self._lower else form
        return found if self._marks else without_marks(found) or found

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        """Return a word for each form."""
        return [self.word(form) for form in forms]


class Simplemma:
    """Words are the lemmas that simplemma knows, in lower case; what it does not know, as forms.

    >>> Simplemma("en").words(["Hands", "were", "Uzziah"])
    ['hand', 'be', 'uzziah']
    """

    def __init__(self, language: str) -> None:
        from tealeaves.text.lemmas import lemmatizer, lemmatizer_version

        self._code = language_code(language) or language
        # the case tells nouns of German from verbs; it goes when the lemma is known
        self._lemma = lemmatizer(self._code, lower=True)
        self._forms = Forms()
        self._version = lemmatizer_version()

    @property
    def signature(self) -> str:
        """Everything that decides the words."""
        return f"simplemma({self._code}#{self._version})"

    def word(self, form: str) -> str:
        """Return the lemma of a form."""
        return self._forms.word(self._lemma(without_marks(form)) or form)

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        """Return a lemma for each form."""
        return [self.word(form) for form in forms]


def _hanta(language: str) -> Analyser:
    from tealeaves.lexicon.tagging import Hanta

    return Hanta(language)


#: The ways to make words of forms, each for a language.
ANALYSERS: dict[str, Callable[[str], Analyser]] = {
    "forms": lambda _: Forms(),
    "simplemma": Simplemma,
    "hanta": _hanta,
}


@lru_cache(maxsize=16)
def analyser(how: str, language: str) -> Analyser:
    """Return what makes words of forms.

    Parameters
    ----------
    how
        ``forms`` lower-cases them; ``simplemma`` makes lemmas (extra ``langs``); ``hanta`` makes
        lemmas with their part of speech, ``hand/N``, by the sentence (English, German, Dutch;
        extra ``tag``).
    language
        The language of the forms.
    """
    if how not in ANALYSERS:
        hint = did_you_mean(how, ANALYSERS)
        raise InputError(
            f"unknown way {how!r} to make words of forms{hint} (known: {', '.join(ANALYSERS)})"
        )
    return ANALYSERS[how](language)
