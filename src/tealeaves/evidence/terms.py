"""Terms: what is looked for in a text."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """A sequence of tokens in a language; a plain word is a sequence of one.

    ``language`` is empty where only one is in play. A term without tokens (a word of which the
    pipeline leaves nothing) is never found.
    """

    tokens: tuple[str, ...]
    language: str = ""

    def __str__(self) -> str:
        return " ".join(self.tokens)
