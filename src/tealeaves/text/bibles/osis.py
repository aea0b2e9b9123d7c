"""Bibles in OSIS, the Open Scripture Information Standard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from tealeaves.text.bibles.reference import Verse, is_part, reference_at
from tealeaves.text.xml import XmlEvent, parse_xml

# what is said about the text, and not in it
_ASIDE = frozenset("header note title reference rdg figure".split())  # noqa: SIM905
# where one word ends and another begins, though no space may stand there
_BREAKS = frozenset("chapter div item l lb lg list milestone p row cell table".split())  # noqa: SIM905


def verses_of_osis(stream: BinaryIO, name: str) -> Iterator[Verse]:
    """Read the verses of an OSIS file, whether they are elements or lie between two milestones.

    Notes, titles and references are left out, as is what stands between verses.

    >>> import io
    >>> data = b'<osis><verse osisID="Gen.1.1">In<note>a</note> the</verse></osis>'
    >>> [(str(v.reference), v.text) for v in verses_of_osis(io.BytesIO(data), "a.xml")]
    [('GEN 1:1', 'In the')]
    """
    reading = _Reading(name)
    for event in parse_xml(stream, name):
        if event.kind == "text":
            reading.add(event.name)
        elif event.name in _ASIDE:
            reading.aside += 1 if event.kind == "start" else -1
        elif event.name in _BREAKS:
            reading.add(" ")
        elif event.name == "verse" and not reading.aside:
            verse = reading.turn(event)
            if verse is not None:
                yield verse
    if last := reading.close():
        yield last


class _Reading:
    """The verse that is being read, if there is one."""

    def __init__(self, name: str) -> None:
        self.aside = 0  # how many elements that are left out are open
        self._name = name
        self._verse: Verse | None = None
        self._pieces: list[str] = []
        self._open: list[Verse | None] = []  # of each verse tag: what it holds, if it holds text

    def add(self, text: str) -> None:
        if self._verse is not None and not self.aside:
            self._pieces.append(text)

    def turn(self, event: XmlEvent) -> Verse | None:
        """Take a tag of a verse; return the verse that it ends, if it ends one."""
        if event.kind == "end":
            return self._left()
        attributes = event.attributes
        is_element = "sID" not in attributes and "eID" not in attributes
        done = self.close()
        if is_element or "sID" in attributes:
            self._verse = _begun(attributes, self._name, event.line)
        self._open.append(self._verse if is_element else None)
        return done

    def _left(self) -> Verse | None:
        """End an element; what it stands in goes on as a further part."""
        if self._open.pop() is None:
            return None
        done = self.close()
        around = self._open[-1] if self._open else None
        self._verse = around and around._replace(is_part=True)
        return done

    def close(self) -> Verse | None:
        """End the verse that is open."""
        verse, pieces = self._verse, self._pieces
        self._verse, self._pieces = None, []
        return verse and verse._replace(text=" ".join("".join(pieces).split()))


def _begun(attributes: Mapping[str, str], name: str, line: int) -> Verse:
    """Return the first verse that a tag names, without its text; its work does not matter."""
    written = attributes.get("osisID") or attributes.get("sID", "")
    first = (written.split() or [""])[0]
    verse, part, _ = first.rpartition(":")[2].partition("!")
    reference = reference_at(verse, name, line, example="Gen.1.1")
    return Verse(reference, "", line, is_part=bool(part) or is_part(verse))
