"""Lemmas of words, by simplemma."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from tealeaves.errors import InputError
from tealeaves.extras import require

_REASON = "the option lemmas"


@lru_cache(maxsize=16)
def lemmatizer(language: str, *, lower: bool) -> Callable[[str], str]:
    """Return the function from a token to its lemma, which caches its results.

    Lemmas may be capitalised (German nouns); ``lower`` makes them lower case, as the tokens are.
    """
    simplemma = require("simplemma", extra="langs", reason=_REASON)
    try:
        simplemma.lemmatize("a", lang=language)
    except ValueError as error:
        raise InputError(f"no lemmas for the language {language!r}: {error}") from error

    @lru_cache(maxsize=1 << 18)
    def lemma(token: str) -> str:
        word = str(simplemma.lemmatize(token, lang=language))
        return word.lower() if lower else word

    return lemma


def lemmatizer_version() -> str:
    """Return the version of simplemma, which decides the lemmas, for signatures."""
    return f"simplemma-{require('simplemma', extra='langs', reason=_REASON).__version__}"
