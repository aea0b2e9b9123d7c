"""TMX (Translation Memory eXchange): the segments of one language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.files import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import SourceFile
from tealeaves.text.languages import language_code
from tealeaves.text.xml import XmlEvent, parse_xml

_SEGMENT = 100  # bytes that a segment takes even if it is empty
_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})  # elements with codes of another program


class _TranslationUnit(NamedTuple):
    """A translation unit: its id, and the language and text of each segment."""

    id: str
    segments: list[tuple[str, str]]


def read_tmx(
    file: SourceFile,
    fields: Fields,  # noqa: ARG001
    meter: Meter,
    *,
    language: str,
) -> Iterator[Document]:
    """Read the segments of a language.

    The id of a document is the ``tuid`` of its unit, or ``unit 3``, which is never the ``tuid`` of
    another unit, because that has no spaces. Regions do not matter (``en-GB`` is ``en``). If a unit
    has the language twice, the segment of the same region is read, or else the first one.
    """
    position = 0
    other_languages: dict[str, None] = {}
    for unit in _read_units(file, meter):
        text = _find_segment(unit, language)
        if text is None:
            other_languages |= dict.fromkeys(name for name, _ in unit.segments)
            continue
        yield Document(text, unit.id, "", language, file.identity, position)
        position += 1
    if not position:
        known = ", ".join(other_languages) or "none"
        raise InputError(f"{file.name}: no segment in {language} (languages here: {known})")


def _find_segment(unit: _TranslationUnit, language: str) -> str | None:
    same_region = [text for name, text in unit.segments if name.lower() == language.lower()]
    if same_region:
        return same_region[0]
    code = language_code(language)
    return next(
        (text for name, text in unit.segments if code and language_code(name) == code), None
    )


def _read_units(file: SourceFile, meter: Meter) -> Iterator[_TranslationUnit]:
    builder = _UnitBuilder(file)
    with file.open(meter) as stream:
        units = filter(None, map(builder.add, parse_xml(stream, file.name)))
        for number, unit in enumerate(units, 1):
            yield unit if unit.id else unit._replace(id=f"unit {number}")
    if not builder.is_tmx:
        raise InputError(f"{file.name}: not a TMX file: it has no element <tmx>")


class _UnitBuilder:
    """Builds translation units from the events of an XML parser."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._size = 0  # of the unit, about in bytes
        self.is_tmx = False
        self._unit = _TranslationUnit("", [])
        self._language = ""
        self._text: list[str] | None = None  # of the segment that is open
        self._codes = 0

    def add(self, event: XmlEvent) -> _TranslationUnit | None:
        """Add an event; return the unit that it ends, if it ends one."""
        if event.kind == "text":
            if self._text is not None and not self._codes:
                self._text.append(event.name)
                self._grow(len(event.name))
        elif event.kind == "start":
            self._start(event)
        else:
            return self._end(event.name)
        return None

    def _grow(self, size: int) -> None:
        self._size += size
        self._file.check_text(self._size, f"{self._file.name}: a translation unit")

    def _start(self, event: XmlEvent) -> None:
        attributes = event.attributes
        if event.name == "tmx":
            self.is_tmx = True
        elif event.name == "tu":
            self._size = 0
            self._unit = _TranslationUnit(attributes.get("tuid", "").strip(), [])
        elif event.name == "tuv":
            self._language = attributes.get("xml:lang", attributes.get("lang", ""))
        elif event.name == "seg":
            self._text, self._codes = [], 0
        elif event.name in _CODES:
            self._codes += 1

    def _end(self, name: str) -> _TranslationUnit | None:
        if name == "tu":
            return self._unit
        if name == "seg" and self._text is not None:
            text = "".join(self._text)
            self._unit.segments.append((self._language, text))
            self._grow(_SEGMENT)
            self._text = None
        elif name in _CODES:
            self._codes -= 1
        return None
