"""Bibles in OSIS, the Open Scripture Information Standard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from tealeaves.text.bible.verses import Verse, is_part, require_reference
from tealeaves.text.xml import XmlEvent, parse_xml

# elements that are not part of the text
_NOT_TEXT = frozenset("header note title reference rdg figure".split())  # noqa: SIM905
# elements that separate words, even without a space
_BREAKS = frozenset("chapter div item l lb lg list milestone p row cell table".split())  # noqa: SIM905


def read_osis(stream: BinaryIO, name: str, size: int | None = None) -> Iterator[Verse]:
    """Read the verses of an OSIS file, be they elements or between two milestones.

    Notes, titles and references are left out, and so is any text between verses.

    >>> import io
    >>> data = b'<osis><verse osisID="Gen.1.1">In<note>a</note> the</verse></osis>'
    >>> [(str(v.reference), v.text) for v in read_osis(io.BytesIO(data), "a.xml")]
    [('GEN 1:1', 'In the')]
    """
    builder = _VerseBuilder(name)
    for event in parse_xml(stream, name, size):
        if event.kind == "text":
            builder.add_text(event.name)
        elif event.name in _NOT_TEXT:
            builder.skip_depth += 1 if event.kind == "start" else -1
        elif event.name in _BREAKS:
            builder.add_text(" ")
        elif event.name == "verse" and not builder.skip_depth:
            verse = builder.add_tag(event)
            if verse is not None:
                yield verse
    if last := builder.close():
        yield last


class _VerseBuilder:
    """Builds the verse that is being read, if there is one."""

    def __init__(self, name: str) -> None:
        self.skip_depth = 0  # how many elements that are not text are open
        self._name = name
        self._verse: Verse | None = None
        self._pieces: list[str] = []
        self._open: list[Verse | None] = []  # the verse of each open tag; None for a milestone

    def add_text(self, text: str) -> None:
        if self._verse is not None and not self.skip_depth:
            self._pieces.append(text)

    def add_tag(self, event: XmlEvent) -> Verse | None:
        """Add a tag of a verse; return the verse that it ends, if it ends one."""
        if event.kind == "end":
            return self._end_tag()
        attributes = event.attributes
        is_element = "sID" not in attributes and "eID" not in attributes
        last = self.close()
        if is_element or "sID" in attributes:
            self._verse = _begin_verse(attributes, self._name, event.line)
        self._open.append(self._verse if is_element else None)
        return last

    def _end_tag(self) -> Verse | None:
        """End an element; the verse around it, if there is one, goes on as a further part."""
        if self._open.pop() is None:
            return None
        last = self.close()
        outer = self._open[-1] if self._open else None
        self._verse = outer and outer._replace(is_part=True)
        return last

    def close(self) -> Verse | None:
        """End the open verse and return it, if there is one."""
        verse, pieces = self._verse, self._pieces
        self._verse, self._pieces = None, []
        return verse and verse._replace(text=" ".join("".join(pieces).split()))


def _begin_verse(attributes: Mapping[str, str], name: str, line: int) -> Verse:
    """Return the first verse that a tag names, without its text."""
    reference_text = attributes.get("osisID") or attributes.get("sID", "")
    first = (reference_text.split() or [""])[0]
    verse, part, _ = first.rpartition(":")[2].partition("!")  # WORK:Gen.1.1!part
    reference = require_reference(verse, name, line, example="Gen.1.1")
    return Verse(reference, "", line, is_part=bool(part) or is_part(verse))
