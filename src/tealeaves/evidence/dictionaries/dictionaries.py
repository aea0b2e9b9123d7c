"""``Dictionaries``: which words translate which, between any of the topics' languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries.dictionary import Dictionary
from tealeaves.evidence.dictionaries.given import Given, given_dictionaries
from tealeaves.evidence.dictionaries.naming import Pair, language_key
from tealeaves.evidence.dictionaries.reading import folded
from tealeaves.evidence.dictionaries.request import DictionaryRequest


class Dictionaries:
    """Dictionaries of pairs of languages; words are compared in lower case, in normal form C.

    A dictionary has no direction: one of Swedish and English serves English and Swedish. Several
    of the same two languages are one. ``others`` are the languages of those that were given but are
    of no use to the topics.

    >>> pairs = [("king", "kung"), ("house", "hus"), ("house", "kammare")]
    >>> found = Dictionaries.open({"en-sv": pairs}, ["en", "sv"])
    >>> found.translations(("sv", "en"), "Kung")
    frozenset({'king'})
    >>> found.knows(("en", "sv"), "sv", "hus"), found.knows(("en", "sv"), "sv", "house")
    (True, False)
    """

    def __init__(self, dictionaries: Iterable[Dictionary] = (), others: Sequence[str] = ()) -> None:
        self._of: dict[Pair, Dictionary] = {}
        self.others = list(dict.fromkeys(others))
        for one in dictionaries:
            known = self._of.get(one.languages)
            self._of[one.languages] = known.joined(one) if known else one

    @classmethod
    def open(cls, given: Any, languages: Sequence[str]) -> Dictionaries:
        """Read the dictionaries of these languages; those of others are left unread.

        Parameters
        ----------
        given
            A file, several files, ``"en-sv=PATH"``, a folder of files, or a mapping from
            ``"en-sv"`` to files or to pairs of words. Without a label, the file's name says which
            languages its columns are of: ``en-sv.txt.gz``, ``muse.en_sv.tsv``.
        languages
            The languages of the topics.
        """
        if isinstance(given, Dictionaries):
            return given
        wanted = {language_key(language) for language in languages}
        found, others = [], []
        for one in given_dictionaries(given, languages):
            if wanted.issuperset(one.pair):
                found.append(_in_order(one))
            else:
                others.append("-".join(one.pair))
        return cls(found, others)

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def __iter__(self) -> Iterator[Dictionary]:
        return iter(self._of.values())

    def __repr__(self) -> str:
        held = ", ".join(f"{'-'.join(one.languages)}: {len(one)} pairs" for one in self)
        return f"Dictionaries({held})"

    def between(self, one: str, other: str) -> Dictionary:
        """Return the dictionary of two languages, whichever comes first in it."""
        if not self.covers(one, other):
            raise InputError(self._lacking((one, other)))
        return self._of[_key(one, other)]

    def covers(self, one: str, other: str) -> bool:
        """Tell whether there is a dictionary of two languages."""
        return _key(one, other) in self._of

    def check(self, request: DictionaryRequest) -> None:
        """Refuse a request for a model no two of whose languages have a dictionary."""
        for pairs in sorted(request.models):
            if pairs and not any(self.covers(*pair) for pair in pairs):
                raise InputError(self._lacking(*pairs))

    def _lacking(self, *pairs: tuple[str, str]) -> str:
        """Say what no dictionary is of, and what those that were given are of."""
        one, other = pairs[0]
        languages = dict.fromkeys(language for pair in pairs for language in pair)
        of = f"{one} and {other}" if len(pairs) == 1 else f"any two of {', '.join(languages)}"
        known = ["-".join(pair) for pair in self._of] + self.others
        there = f"those given are of {', '.join(known)}" if known else "none was given"
        return f"no dictionary of {of} ({there}): give --dictionary {one}-{other}=PATH"

    def translations(
        self, pair: tuple[str, str], word: str, *, identical: bool = True
    ) -> frozenset[str]:
        """Return the words of the pair's second language that translate a word of the first.

        Without ``identical``, a word of plain ASCII is no translation of itself.
        """
        dictionary = self.between(*pair)
        plain = folded(word)
        found = dictionary.translations(_column(pair[0], dictionary.languages), plain)
        return found if identical or not plain.isascii() else found - {plain}

    def knows(
        self, pair: tuple[str, str], language: str, word: str, *, identical: bool = True
    ) -> bool:
        """Tell whether a word of one of two languages has a translation into the other."""
        if language not in pair:
            raise InputError(f"{language} is neither {pair[0]} nor {pair[1]}")
        way = pair if language == pair[0] else (pair[1], pair[0])
        return bool(self.translations(way, word, identical=identical))

    def signature_of(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Return the signatures of the dictionaries of these languages."""
        found = sorted({self.between(*pair).signature for pair in pairs})
        return "+".join(found)

    @property
    def signature(self) -> str:
        """What all translations depend on: languages, numbers of pairs, and their digests."""
        return self.signature_of(self._of)


@cache
def _key(one: str, other: str) -> Pair:
    return _ordered(language_key(one), language_key(other))


def _ordered(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)


@cache
def _column(language: str, languages: Pair) -> int:
    return languages.index(language_key(language))


def _in_order(given: Given) -> Dictionary:
    """Read a dictionary; its first language is the first in the alphabet."""
    words, translations = given.read()
    one, other = given.pair
    if one == other:  # two ways to write one language: either may stand first
        words, translations = words + translations, translations + words
    elif one > other:
        words, translations = translations, words
    return Dictionary(_ordered(one, other), words, translations, [given.name])
