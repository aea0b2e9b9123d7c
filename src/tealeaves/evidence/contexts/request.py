"""``ContextRequest``: whose neighbours are wanted."""

from __future__ import annotations

from dataclasses import dataclass

from tealeaves.errors import InputError
from tealeaves.evidence.terms import Term


@dataclass(frozen=True)
class ContextRequest:
    """Asks which words stand at most ``window`` tokens before or after each of these terms.

    The terms are of one language, which each of them names. Requests join with ``|``.

    >>> king, sea = Term(("king",), "en"), Term(("sea",), "en")
    >>> both = ContextRequest("en", frozenset({king})) | ContextRequest("en", frozenset({sea}))
    >>> sorted(map(str, both.terms)), both.window
    (['king', 'sea'], 5)
    """

    language: str
    terms: frozenset[Term]
    window: int = 5

    def __post_init__(self) -> None:
        if self.window < 1:
            raise InputError(f"a window of {self.window} tokens has no neighbours: at least 1")
        for term in sorted(self.terms):
            if term.language != self.language:
                named = " and ".join(map(repr, (term.language, self.language)))
                raise InputError(f"contexts are of one language: {str(term)!r} makes it {named}")

    def __or__(self, other: ContextRequest) -> ContextRequest:
        mine, theirs = (self.language, self.window), (other.language, other.window)
        if mine != theirs:
            raise ValueError(f"requests for contexts of {mine} and {theirs} cannot be joined")
        return ContextRequest(self.language, self.terms | other.terms, self.window)
