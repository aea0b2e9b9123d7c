"""Walking through tuples: several languages are read side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tealeaves.text.document import Document

Keyed = Iterator[tuple[str, Document]]
Tuple = tuple[str, dict[str, Document]]


def walk(keys: Mapping[str, Sequence[str]], read: Callable[[str], Keyed]) -> Iterator[Tuple]:
    """Yield each tuple where the first of its languages has it.

    ``read`` reads a language. A document waits in memory only until its tuple comes: where the
    languages have the same order, that is never long.
    """
    languages = list(keys)
    owned: set[str] = set()
    for place, first in enumerate(languages):
        own = {key for key in keys[first] if key} - owned
        if own or "" in keys[first]:
            others = [
                _Side(language, keys[language], own, read) for language in languages[place + 1 :]
            ]
            for key, document in read(first):
                if not key:
                    yield "", {first: document}
                elif key in own:
                    found = {side.language: side.take(key) for side in others if key in side.has}
                    yield key, {first: document, **found}
        owned |= own


class _Side:
    """A language that is read as far as its documents are wanted."""

    def __init__(
        self, language: str, keys: Sequence[str], wanted: set[str], read: Callable[[str], Keyed]
    ) -> None:
        self.language = language
        self.has = wanted.intersection(keys)
        self._documents = read(language) if self.has else iter(())
        self._waiting: dict[str, Document] = {}

    def take(self, key: str) -> Document:
        """Read on until the document with that key comes; those on the way are to wait."""
        while key not in self._waiting:
            passed, document = next(self._documents)
            if passed in self.has:
                self._waiting[passed] = document
        return self._waiting.pop(key)
