"""Grouping: verses, lines and rows are joined to larger documents (chapters, blocks)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression
from tealeaves.text.document import Document

UNITS = ("verse", "chapter", "document", "block")
_VERSE_ID = re.compile(r"([A-Z0-9]{3} \d+):(\d{1,9})(?:[a-z]|[-,–]\d++)*+")  # GEN 1:1
_SHORT_BLOCK = re.compile(r"\s*block\s*\(\s*(\d+)\s*\)\s*")
_UNIT_OF_SOURCE = re.compile(r":unit=\w+(?:\(size=\d+\))?")


@dataclass(frozen=True)
class Grouping:
    """A transform of documents: neighbouring documents of the same unit become one document."""

    unit: str
    size: int = 0

    @classmethod
    def parse(cls, text: str) -> Grouping:
        """Read ``chapter``, ``document`` or ``block(size=4)``, which may be written ``block(4)``.

        >>> str(Grouping.parse("block(4)"))
        'block(size=4)'
        """
        expression = Expression.parse(_SHORT_BLOCK.sub(r"block(size=\1)", text))
        unit, parameters = expression.name, dict(expression.parameters)
        if unit not in UNITS:
            known = "verse, chapter, document, block(size=4)"
            raise InputError(f"unknown unit {text}{did_you_mean(unit, UNITS)} (known: {known})")
        size = parameters.pop("size", 0) if unit == "block" else 0
        if parameters or expression.top is not None:
            raise InputError(f"{text}: only block has a parameter, its size: block(size=4)")
        if not isinstance(size, int) or isinstance(size, bool) or (unit == "block" and size < 1):
            raise InputError(f"{text}: say how many lines or verses make a block: block(size=4)")
        return cls(unit, size)

    def __str__(self) -> str:
        return str(Expression(self.unit, {"size": self.size} if self.size else {}))

    def source(self, source: str) -> str:
        """Return the source of the joined documents.

        It names the unit, because chapters are other documents than the verses they are made of.
        """
        return f"{source}:unit={self}"

    def __call__(
        self, documents: Iterator[Document], file_name: Callable[[str], str]
    ) -> Iterator[Document]:
        """Join the documents of each group."""
        find_group = self._group_finder(file_name)
        parts: list[Document] = []
        group, source = "", ""
        for document in documents:
            next_group = find_group(document)
            if parts and (not next_group or next_group != group or document.source != source):
                yield self._join(parts, group)
                parts = []
            parts.append(document)
            group, source = next_group, document.source
        if parts:
            yield self._join(parts, group)

    def _group_finder(self, file_name: Callable[[str], str]) -> Callable[[Document], str]:
        """Return a function from a document, in order of reading, to the id of its group.

        A document without a group is not joined to any other.
        """
        if self.unit == "chapter":
            return lambda document: _chapter(document, file_name)
        if self.unit == "block":
            return _BlockNumbering(self.size)
        return lambda document: document.id

    def _join(self, parts: list[Document], group: str) -> Document:
        """Join texts; a label, language or link is kept if all documents agree on it."""
        return Document(
            "\n".join(part.text for part in parts),
            id=group,
            label=_common_value([part.label for part in parts]),
            language=_common_value([part.language for part in parts]),
            source=self.source(parts[0].source),
            position=parts[0].position,  # so that groups of two slices never have the same position
            link=_common_value([part.link for part in parts]),
            parts=sum(part.parts for part in parts),
        )


def without_unit(source: str) -> str:
    """Return the source that documents had before they were joined.

    >>> without_unit(Grouping("block", 4).source("9a3f:bible"))
    '9a3f:bible'
    """
    return _UNIT_OF_SOURCE.sub("", source)


def _common_value(values: list[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def _chapter(document: Document, file_name: Callable[[str], str]) -> str:
    verse = _VERSE_ID.fullmatch(document.id)
    if verse is None:
        what = f"has the id {document.id!r:.60}" if document.id else "has no id"
        raise InputError(
            f"{file_name(document.source)}: document {document.position + 1} {what}, but chapters "
            "are made of verses with ids such as 'GEN 1:1' (the reader bible reads Bibles)"
        )
    return verse[1]


class _BlockNumbering:
    """Returns the block of each document.

    Verses are counted by their own numbers, so that a missing verse does not shift the others.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._source = self._id = ""
        self._row = 0

    def __call__(self, document: Document) -> str:
        verse = _VERSE_ID.fullmatch(document.id)
        if verse is not None:
            return f"{verse[1]}:{self._block(max(int(verse[2]) - 1, 0))}"
        if document.id != self._id:
            self._row = 0
        elif document.source != self._source:  # a block ends with its file
            self._row += -self._row % self._size
        self._id, self._source = document.id, document.source
        row, self._row = self._row, self._row + 1
        return f"{document.id}:{self._block(row)}" if document.id else self._block(row)

    def _block(self, row: int) -> str:
        first = row // self._size * self._size
        return f"{first + 1}-{first + self._size}"
