"""Lemmas with their part of speech, by the tagger HanTa."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.text.languages import language_code
from tealeaves.text.tokenizers import normalize

#: The parts of speech that words are marked with: nouns, adjectives, verbs.
PARTS_OF_SPEECH = ("N", "A", "V")

_MODELS = {"en": "morphmodel_en.pgz", "de": "morphmodel_ger.pgz", "nl": "morphmodel_dutch.pgz"}

# How the tags of each language begin. Ordinal numbers are adjectives; names are not nouns, nor
# are auxiliaries verbs where the tags tell them apart.
_TAGS = {
    "en": {"NN": "N", "AJ": "A", "ORD": "A", "VV": "V"},
    "de": {"NN": "N", "ADJ": "A", "VV": "V"},
    "nl": {"N(soort": "N", "ADJ": "A", "TW(rang": "A", "WW": "V"},
}
# Determiners or adverbs among the English tags, but adjectives to everybody else.
_ADJECTIVES = frozenset({"same", "other"})

_POINTS = re.compile(r"[.,;:?!]")
_END = re.compile(r"[.?!]")
_NOT = "n't"
_SHORT = frozenset({"s", "ll", "ve", "re", "m", "d"})  # what may follow an apostrophe
_APOSTROPHES = ("'", "’")


class Piece(NamedTuple):
    """What the tagger sees: a form, as it expects it, or a point; ``place`` is that of the form."""

    form: str
    place: int


class Hanta:
    """Words are lemmas with the part of speech, ``hand/N``; words of other classes are bare lemmas.

    The tagger looks at a sentence at a time. Its model is part of the package; nothing else is
    ever loaded.
    """

    def __init__(self, language: str) -> None:
        self._code = language_code(language)
        if self._code not in _MODELS:
            known = ", ".join(_MODELS)
            raise InputError(f"hanta knows {known}, not {language!r}: try simplemma, or forms")
        module = require("HanTa.HanoverTagger", extra="tag", reason="tagging")
        folder = Path(str(module.__file__)).parent
        # a bare name would be looked for in the current folder first, and unpickled
        self._tagger = module.HanoverTagger(str(folder / _MODELS[self._code]))
        # both are asked again and again for the same word, and take nearly all the time
        self._tagger._tag_word = lru_cache(1 << 18)(self._tagger._tag_word)
        self._lemma = lru_cache(1 << 18)(self._lemma_of)

    @property
    def signature(self) -> str:
        """Everything that decides the words."""
        return f"hanta({self._code}#HanTa-{version('HanTa')})"

    def words(self, forms: Sequence[str], text: str = "") -> list[str]:
        """Return the lemma of each form, with its part of speech; the text shows the sentences."""
        found = [""] * len(forms)
        for sentence in sentences(forms, text, contracted=self._code == "en"):
            for piece, tag in zip(sentence, self._tags(sentence), strict=True):
                if piece.place >= 0:
                    found[piece.place] = self._word(piece.form, tag)
        return found

    def _tags(self, sentence: Sequence[Piece]) -> list[int]:
        tokens = [piece.form for piece in sentence]
        try:
            return list(self._tagger.tag_sent_viterbi(tokens))
        except KeyError:  # no sequence of tags has ever been seen: each word by itself
            return [self._tagger._tag_word(token)[0][0] for token in tokens]

    def _word(self, token: str, tag: int) -> str:
        return self._lemma(token.lower(), tag)

    def _lemma_of(self, token: str, tag: int) -> str:
        lemma, _ = self._tagger._analyze(token, tag, taglevel=1)
        lemma = (lemma or token).lower().replace("/", "-")  # a stroke is before the part of speech
        name = self._tagger.int2tag[tag]
        part = next((pos for start, pos in _TAGS[self._code].items() if name.startswith(start)), "")
        if self._code == "en" and lemma in _ADJECTIVES:
            part = "A"
        return f"{lemma}/{part}" if part else str(lemma)


def sentences(
    forms: Sequence[str], text: str, *, contracted: bool = False
) -> Iterator[list[Piece]]:
    """Yield the sentences of a passage, with the points between the forms.

    ``contracted`` puts English contractions as taggers expect them.

    >>> found = sentences(["I", "don", "t", "Go"], "I don't. Go!", contracted=True)
    >>> [[piece.form for piece in sentence] for sentence in found]
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
    before: Piece | None = None  # the last form, held back until what follows is seen
    for place, form in enumerate(forms):
        found = text.find(form, at)
        gap = text[at:found] if found >= 0 else " "
        at = found + len(form) if found >= 0 else at
        after = Piece(form, place)
        if contracted and before and gap in _APOSTROPHES:
            before, after = _expanded(before, after)
        if before:
            yield from _parted(before, contracted=contracted)
        yield from _points(gap)
        before = after
    if before:
        yield from _parted(before, contracted=contracted)
    yield from _points(text[at:])


def _parted(piece: Piece, *, contracted: bool) -> Iterator[Piece]:
    """Part a form that has its apostrophe within, ``king's``; the first part is its word."""
    stem, sign, ending = piece.form.replace("’", "'").rpartition("'")
    if not (contracted and stem and sign) or piece.form == _NOT:
        yield piece
        return
    first, second = _expanded(Piece(stem, piece.place), Piece(ending, -1))
    yield first
    if second.form:
        yield second


def _points(gap: str) -> Iterator[Piece]:
    for point in _POINTS.findall(gap):
        yield Piece(point, -1)


def _expanded(first: Piece, second: Piece) -> tuple[Piece, Piece]:
    """Part ``do`` and ``n't``, ``he`` and ``'ll``."""
    ending = second.form.lower()
    if ending == "t" and first.form.lower().endswith("n") and len(first.form) > 2:
        return first._replace(form=first.form[:-1]), second._replace(form=_NOT)
    if ending in _SHORT:
        return first, second._replace(form=f"'{ending}")
    return first, second
