"""Changes: what happens to the documents of a corpus while they are read."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from tealeaves.text.document import Document
from tealeaves.text.languages import same_language


class Change(Protocol):
    """Documents in, documents out, one after the other."""

    def __call__(
        self, documents: Iterator[Document], named: Callable[[str], str]
    ) -> Iterator[Document]:
        """Change the documents; ``named`` returns the file that a source is."""
        ...

    def source(self, source: str) -> str:
        """Return the source that changed documents of a source have."""
        ...


class _Choice:
    """A change that leaves some documents out, and the others as they are."""

    def source(self, source: str) -> str:
        """Return the source itself."""
        return source


@dataclass(frozen=True)
class Part(_Choice):
    """Some consecutive documents."""

    start: int
    stop: int | None

    def __call__(
        self,
        documents: Iterator[Document],
        named: Callable[[str], str],  # noqa: ARG002
    ) -> Iterator[Document]:
        """Pass over those before and behind."""
        return itertools.islice(documents, self.start, self.stop)


@dataclass(frozen=True)
class Chosen(_Choice):
    """The documents for which the choice says so."""

    choice: Sequence[bool]

    def __call__(
        self,
        documents: Iterator[Document],
        named: Callable[[str], str],  # noqa: ARG002
    ) -> Iterator[Document]:
        """Leave out the others."""
        return itertools.compress(documents, self.choice)


@dataclass(frozen=True)
class OfLanguage:
    """The documents that are of a language, or do not say what they are of.

    The language becomes part of their source: whoever reads another one of the same file reads
    other documents, even where these do not say what they are of.
    """

    language: str

    def source(self, source: str) -> str:
        """Return the source with the language."""
        return f"{source}:{self.language}"

    def __call__(
        self,
        documents: Iterator[Document],
        named: Callable[[str], str],  # noqa: ARG002
    ) -> Iterator[Document]:
        """Leave out those of other languages."""
        for document in documents:
            if not document.language or same_language(document.language, self.language):
                yield msgspec.structs.replace(document, source=self.source(document.source))
