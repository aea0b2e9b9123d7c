"""``Embedder``: where the vectors of words come from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from tealeaves.evidence.embeddings.vectors import Vectors


class Embedder(ABC):
    """Turns words into vectors; nothing is loaded before the first word is asked for.

    Words come as topics write them, several words in one (``new york``, ``new_york``) too.
    """

    #: What it is called in expressions, such as ``isim(embedding=wordllama)``.
    name: str = "given"
    #: For which languages it was made, in words; nothing if that is not known.
    languages: str = ""
    #: The codes of these languages, such as ``en``.
    codes: frozenset[str] = frozenset()
    #: Words that are embedded at a time, and kept on disk before the next.
    batch: int = 1024

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """What identifies the weights, so that vectors can be kept on disk; "" where nothing can.

        It must be known without loading the weights.
        """

    @abstractmethod
    def embed(self, words: Sequence[str]) -> Vectors:
        """Return a row for each word; NaN where the embedding says nothing of it.

        The row of a word does not depend on the other words.
        """

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was loaded, when an embedder is copied or sent to another process."""
        kind = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }


def spoken(word: str) -> str:
    """Return a word as it stands in a sentence: terms are joined by underscores in many models.

    >>> spoken("new_york")
    'new york'
    """
    return " ".join(word.replace("_", " ").split())
