"""Grouping: verses, lines and rows joined to larger documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from tealeaves.errors import InputError, did_you_mean
from tealeaves.expressions import Expression
from tealeaves.text.document import Document
from tealeaves.text.identity import with_unit

UNITS = ("verse", "chapter", "document", "block")
_VERSE = re.compile(r"([A-Z0-9]{3} \d+):(\d+)(?:[a-z]|[-,–]\d+[a-z]?)*")  # GEN 1:1, of USFM's codes
_SHORT_BLOCK = re.compile(r"\s*block\s*\(\s*(\d+)\s*\)\s*")


class _Rule(Protocol):
    """Tells documents of one group by equal ids; those without are groups by themselves."""

    def __call__(self, document: Document) -> str:
        """Return the id of the group that a document belongs to, in order of reading."""
        ...


@dataclass(frozen=True)
class Grouped:
    """A change of documents: the neighbours of a unit become one document."""

    unit: str
    size: int = 0

    @classmethod
    def parse(cls, text: str) -> Grouped:
        """Read ``chapter``, ``document`` or ``block(size=4)``, which may be ``block(4)``.

        >>> str(Grouped.parse("block(4)"))
        'block(size=4)'
        """
        expression = Expression.parse(_SHORT_BLOCK.sub(r"block(size=\1)", text))
        unit, given = expression.name, dict(expression.parameters)
        if unit not in UNITS:
            known = "verse, chapter, document, block(size=4)"
            raise InputError(f"unknown unit {text}{did_you_mean(unit, UNITS)} (known: {known})")
        size = given.pop("size", 0) if unit == "block" else 0
        if given or expression.top is not None:
            raise InputError(f"{text}: only block takes a parameter, its size: block(size=4)")
        whole = isinstance(size, int) and not isinstance(size, bool)
        if unit == "block" and (not whole or size < 1):  # type: ignore[operator]
            raise InputError(f"{text}: say how many lines or verses make a block: block(size=4)")
        return cls(unit, int(size))  # type: ignore[arg-type]

    def __str__(self) -> str:
        return str(Expression(self.unit, {"size": self.size} if self.size else {}))

    def source(self, source: str) -> str:
        """Return the source of grouped documents: the unit makes them other ones."""
        return with_unit(source, str(self))

    def __call__(
        self, documents: Iterator[Document], named: Callable[[str], str]
    ) -> Iterator[Document]:
        """Join the texts of each group; labels and the like stay where all parts agree."""
        rule = self._rule(named)
        parts: list[Document] = []
        group, source = "", ""
        for document in documents:
            found = rule(document)
            if parts and (not found or found != group or document.source != source):
                yield self._joined(parts, group)
                parts = []
            parts.append(document)
            group, source = found, document.source
        if parts:
            yield self._joined(parts, group)

    def _rule(self, named: Callable[[str], str]) -> _Rule:
        if self.unit == "chapter":
            return lambda document: _chapter(document, named)
        if self.unit == "block":
            return _Blocks(self.size)
        return lambda document: document.id

    def _joined(self, parts: list[Document], group: str) -> Document:
        return Document(
            "\n".join(part.text for part in parts),
            id=group,
            label=_agreed([part.label for part in parts]),
            language=_agreed([part.language for part in parts]),
            source=self.source(parts[0].source),
            position=parts[0].position,  # so that the groups of two slices are never the same
            link=_agreed([part.link for part in parts]),
            parts=sum(part.parts for part in parts),
        )


def _agreed(values: list[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def _chapter(document: Document, named: Callable[[str], str]) -> str:
    verse = _VERSE.fullmatch(document.id)
    if verse is None:
        what = f"has the id {document.id!r:.60}" if document.id else "has no id"
        raise InputError(
            f"{named(document.source)}: document {document.position + 1} {what}, but chapters are "
            "made of verses with ids such as 'GEN 1:1' (the reader bible reads Bibles)"
        )
    return verse[1]


class _Blocks:
    """Numbers documents: verses by their own numbers, so that a missing one shifts nothing."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._source = self._id = ""
        self._row = 0

    def __call__(self, document: Document) -> str:
        verse = _VERSE.fullmatch(document.id)
        if verse is not None:
            return f"{verse[1]}:{self._span(max(int(verse[2]) - 1, 0))}"
        if document.id != self._id:
            self._row = 0
        elif document.source != self._source:  # no block goes on in the next file
            self._row += -self._row % self._size
        self._id, self._source = document.id, document.source
        row, self._row = self._row, self._row + 1
        return f"{document.id}:{self._span(row)}" if document.id else self._span(row)

    def _span(self, row: int) -> str:
        first = row // self._size * self._size
        return f"{first + 1}-{first + self._size}"
