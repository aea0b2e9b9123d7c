"""Which languages a dictionary is of, as its name or a label says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tealeaves.text.languages import language_code

#: Two languages, that of the first column and that of the second, as ``language_key`` writes them.
Pair = tuple[str, str]

# letters, and a region or script if there is one: zh_CN, zh-Hans
_LANGUAGE = r"([^\W\d_]{2,})(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}))?"
_TWO = [
    re.compile(rf"(?<![^\W\d_])(?={one}[-_+]([^\W\d_]{{2,}})(?![^\W\d_]))")
    for one in (r"([^\W\d_]{2,})", _LANGUAGE)
]


def language_key(language: str) -> str:
    """Return what stands for a language in dictionaries: its code, else its name.

    Regions and scripts are left out: a dictionary of Chinese serves all ways to write it.

    >>> language_key("swe"), language_key("zh-Hans"), language_key("Klingon")
    ('sv', 'zh', 'klingon')
    """
    return language_code(language) or language.lower()


def pair_in(text: str, languages: Sequence[str]) -> Pair | None:
    """Return the pair of languages that a text names, one of the topics' languages if it can be.

    >>> pair_in("muse.en-sv.txt", ["eng", "swe"]), pair_in("en_fi.tsv", ["en", "sv"])
    (('en', 'sv'), ('en', 'fi'))
    >>> pair_in("words.txt", ["en", "sv"]) is None
    True
    """
    wanted = {language_key(language) for language in languages}
    other = None
    for pair in (*_written_out(text.lower(), languages), *_named(text)):
        if wanted.issuperset(pair):
            return pair
        other = other or pair
    return other


def _written_out(text: str, languages: Sequence[str]) -> Iterator[Pair]:
    """Yield pairs of the topics' languages that stand in a text as the topics write them."""
    for one in languages:
        for another in languages:
            written = rf"(?<!\w){re.escape(one.lower())}[-_+]{re.escape(another.lower())}(?!\w)"
            if one != another and re.search(written, text):
                yield language_key(one), language_key(another)


def _named(text: str) -> Iterator[Pair]:
    """Yield two languages that stand side by side, ``en-sv`` or ``English_Swedish``."""
    for pattern in _TWO:
        for found in pattern.finditer(text):
            one, other = map(language_code, found.groups())
            if one and other and one != other:
                yield one, other
