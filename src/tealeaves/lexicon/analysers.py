"""Analysers, which make words of forms: lower case, lemmas, lemmas with parts of speech."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, Protocol

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.text.languages import language_code
from tealeaves.text.tokenizers import normalize, without_marks


class Analyser(Protocol):
    """Makes a word of each form of a passage."""

    @property
    def signature(self) -> str:
        """Everything that changes the words."""
        ...

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        """Return a word for each form; ``text`` is the passage as it is written."""
        ...


class FormAnalyser(ABC):
    """An analyser whose word depends on the form alone, not on its neighbours."""

    @abstractmethod
    def word(self, form: str) -> str:
        """Return the word of a form."""

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        """Return a word for each form."""
        return [self.word(form) for form in forms]


class Forms(FormAnalyser):
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
        """Everything that changes the words."""
        return f"forms(lower={self._lower},marks={self._marks})".lower()

    def word(self, form: str) -> str:
        """Return the word of a form."""
        word = normalize(form, lower=True) if self._lower else form
        return word if self._marks else without_marks(word) or word


class Simplemma(FormAnalyser):
    """Words are the lemmas of simplemma, in lower case; forms that it does not know stay forms.

    >>> Simplemma("en").words(["Hands", "were", "Uzziah"])
    ['hand', 'be', 'uzziah']
    """

    def __init__(self, language: str) -> None:
        from tealeaves.text.lemmas import lemmatizer, lemmatizer_version

        self._code = language_code(language) or language
        # the lemma depends on the case, which distinguishes German nouns from verbs
        self._lemma = lemmatizer(self._code, lower=True)
        self._forms = Forms()
        self._version = lemmatizer_version()

    @property
    def signature(self) -> str:
        """Everything that changes the words."""
        return f"simplemma({self._code}#{self._version})"

    def word(self, form: str) -> str:
        """Return the lemma of a form."""
        return self._forms.word(self._lemma(without_marks(form)) or form)


# ---------------------------------------------------------------------- the tagger HanTa

_MODELS = {"en": "morphmodel_en.pgz", "de": "morphmodel_ger.pgz", "nl": "morphmodel_dutch.pgz"}

# The beginnings of tags. Ordinal numbers are adjectives. Names are no nouns, and auxiliaries are no
# verbs if they have tags of their own.
_TAGS = {
    "en": {"NN": "N", "AJ": "A", "ORD": "A", "VV": "V"},
    "de": {"NN": "N", "ADJ": "A", "VV": "V"},
    "nl": {"N(soort": "N", "ADJ": "A", "TW(rang": "A", "WW": "V"},
}
# English adjectives that are tagged as determiners or adverbs.
_ADJECTIVES = frozenset({"same", "other"})

_PUNCTUATION = re.compile(r"[.,;:?!]")
_END = re.compile(r"[.?!]")
_NOT = "n't"
_SHORT_VERBS = frozenset({"s", "ll", "ve", "re", "m", "d"})  # after an apostrophe
_APOSTROPHES = ("'", "’")


class Piece(NamedTuple):
    """A token of the tagger: a form or a punctuation mark; ``place`` is that of the form, or -1."""

    form: str
    place: int


class Hanta:
    """Words are lemmas with the part of speech of nouns, adjectives and verbs: ``hand/N``.

    The tagger HanTa reads sentence by sentence. Its model is part of its package; nothing else is
    loaded.
    """

    def __init__(self, language: str) -> None:
        self._code = language_code(language)
        if self._code not in _MODELS:
            known = ", ".join(_MODELS)
            raise InputError(f"hanta knows {known}, not {language!r}: try simplemma, or forms")
        module = require("HanTa.HanoverTagger", extra="tag", reason="tagging")
        folder = Path(str(module.__file__)).parent
        # with a bare name, a file in the current folder would be unpickled
        self._tagger = module.HanoverTagger(str(folder / _MODELS[self._code]))
        # both are called again and again for the same word, and take nearly all the time
        self._tagger._tag_word = lru_cache(1 << 18)(self._tagger._tag_word)
        self._lemma = lru_cache(1 << 18)(self._lemma_of)

    @property
    def signature(self) -> str:
        """Everything that changes the words."""
        return f"hanta({self._code}#HanTa-{version('HanTa')})"

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        """Return the lemma of each form, with its part of speech; ``text`` shows the sentences."""
        words = [""] * len(forms)
        for sentence in sentences(forms, text, contracted=self._code == "en"):
            for piece, tag in zip(sentence, self._tags(sentence), strict=True):
                if piece.place >= 0:
                    words[piece.place] = self._lemma(piece.form.lower(), tag)
        return words

    def _tags(self, sentence: Sequence[Piece]) -> list[int]:
        tokens = [piece.form for piece in sentence]
        try:
            return list(self._tagger.tag_sent_viterbi(tokens))
        except KeyError:  # the model knows no such sequence of tags: tag each word alone
            return [self._tagger._tag_word(token)[0][0] for token in tokens]

    def _lemma_of(self, token: str, tag: int) -> str:
        lemma, _ = self._tagger._analyze(token, tag, taglevel=1)
        lemma = (lemma or token).lower().replace("/", "-")  # a slash precedes the part of speech
        name = self._tagger.int2tag[tag]
        part = next((pos for start, pos in _TAGS[self._code].items() if name.startswith(start)), "")
        if self._code == "en" and lemma in _ADJECTIVES:
            part = "A"
        return f"{lemma}/{part}" if part else str(lemma)


def sentences(
    forms: Sequence[str], text: str, *, contracted: bool = False
) -> Iterator[list[Piece]]:
    """Yield the sentences of a passage, with the punctuation between the forms.

    ``contracted`` splits English contractions as taggers expect them.

    >>> parts = sentences(["I", "don", "t", "Go"], "I don't. Go!", contracted=True)
    >>> [[piece.form for piece in sentence] for sentence in parts]
    [['I', 'do', "n't", '.'], ['Go', '!']]
    """
    sentence: list[Piece] = []
    for piece in _pieces(forms, normalize(text, lower=False), contracted=contracted):
        sentence.append(piece)
        if piece.place < 0 and _END.match(piece.form):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _pieces(forms: Sequence[str], text: str, *, contracted: bool) -> Iterator[Piece]:
    at = 0
    before: Piece | None = None  # the last form, which may change with the next
    for place, form in enumerate(forms):
        begin = text.find(form, at)
        gap = text[at:begin] if begin >= 0 else " "
        at = begin + len(form) if begin >= 0 else at
        after = Piece(form, place)
        if contracted and before and gap in _APOSTROPHES:
            before, after = _contraction(before, after)
        if before:
            yield from _split(before, contracted=contracted)
        yield from _punctuation(gap)
        before = after
    if before:
        yield from _split(before, contracted=contracted)
    yield from _punctuation(text[at:])


def _split(piece: Piece, *, contracted: bool) -> Iterator[Piece]:
    """Split a form that contains an apostrophe, ``king's``; its word is the first part."""
    stem, sign, ending = piece.form.replace("’", "'").rpartition("'")
    if not (contracted and stem and sign) or piece.form == _NOT:
        yield piece
        return
    first, second = _contraction(Piece(stem, piece.place), Piece(ending, -1))
    yield first
    if second.form:
        yield second


def _punctuation(gap: str) -> Iterator[Piece]:
    for mark in _PUNCTUATION.findall(gap):
        yield Piece(mark, -1)


def _contraction(first: Piece, second: Piece) -> tuple[Piece, Piece]:
    """Return the two parts as taggers expect them: ``do`` and ``n't``, ``he`` and ``'ll``."""
    ending = second.form.lower()
    if ending == "t" and first.form.lower().endswith("n") and len(first.form) > 2:
        return first._replace(form=first.form[:-1]), second._replace(form=_NOT)
    if ending in _SHORT_VERBS:
        return first, second._replace(form=f"'{ending}")
    return first, second


#: The analysers by name: functions from a language.
ANALYSERS: dict[str, Callable[[str], Analyser]] = {
    "forms": lambda _: Forms(),
    "simplemma": Simplemma,
    "hanta": Hanta,
}


@lru_cache(maxsize=16)
def analyser(name: str, language: str) -> Analyser:
    """Return the analyser of a name.

    Parameters
    ----------
    name
        ``forms`` makes lower case; ``simplemma`` makes lemmas (extra ``langs``); ``hanta`` makes
        lemmas with their part of speech, ``hand/N`` (English, German, Dutch; extra ``tag``).
    language
        The language of the forms.
    """
    if name not in ANALYSERS:
        hint = did_you_mean(name, ANALYSERS)
        raise InputError(
            f"unknown way {name!r} to make words of forms{hint} (known: {', '.join(ANALYSERS)})"
        )
    return ANALYSERS[name](language)
