"""TMX (Translation Memory eXchange): the segments of one language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.languages import language_code
from tealeaves.text.sources import SourceFile
from tealeaves.text.xml import XmlEvent, parse_xml

_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})  # they hold what another program wrote


class _Unit(NamedTuple):
    """A translation unit: its id, and its segments with their languages in order."""

    id: str
    segments: list[tuple[str, str]]


def read_tmx(
    file: SourceFile,
    fields: Fields,  # noqa: ARG001
    meter: Meter,
    *,
    language: str,
) -> Iterator[Document]:
    """Read the segments of a language; a unit's ``tuid`` is the id, or else ``unit 3``.

    No ``tuid`` has a space, so the numbers of units are never those of others.

    Regions do not matter (``en-GB`` is ``en``), but where a unit has the language twice, that of
    the same region is taken, else the first.
    """
    position, others = 0, {}
    for unit in _units(file, meter):
        text = _segment(unit, language)
        if text is None:
            others.update(dict.fromkeys(name for name, _ in unit.segments))
            continue
        yield Document(text, unit.id, "", language, file.identity, position)
        position += 1
    if not position:
        listed = ", ".join(others) or "none"
        raise InputError(f"{file.name}: no segment in {language} (languages here: {listed})")


def _segment(unit: _Unit, language: str) -> str | None:
    same = [text for name, text in unit.segments if name.lower() == language.lower()]
    if same:
        return same[0]
    code = language_code(language)
    alike = [text for name, text in unit.segments if code and language_code(name) == code]
    return alike[0] if alike else None


def _units(file: SourceFile, meter: Meter) -> Iterator[_Unit]:
    parsing = _Parsing()
    with file.open(meter) as stream:
        units = filter(None, map(parsing.see, parse_xml(stream, file.name)))
        for number, unit in enumerate(units, 1):
            yield unit if unit.id else unit._replace(id=f"unit {number}")
    if not parsing.is_tmx:
        raise InputError(f"{file.name}: not a TMX file: it has no element <tmx>")


class _Parsing:
    """Puts units together of what an XML parser finds."""

    def __init__(self) -> None:
        self.is_tmx = False
        self._unit = _Unit("", [])
        self._language = ""
        self._text: list[str] | None = None  # while inside a segment
        self._codes = 0

    def see(self, event: XmlEvent) -> _Unit | None:
        """Take an event; return a unit where it ends."""
        if event.kind == "text":
            if self._text is not None and not self._codes:
                self._text.append(event.name)
        elif event.kind == "start":
            self._start(event)
        else:
            return self._end(event.name)
        return None

    def _start(self, event: XmlEvent) -> None:
        has = event.attributes
        if event.name == "tmx":
            self.is_tmx = True
        elif event.name == "tu":
            self._unit = _Unit(has.get("tuid", "").strip(), [])
        elif event.name == "tuv":
            self._language = has.get("xml:lang", has.get("lang", ""))
        elif event.name == "seg":
            self._text, self._codes = [], 0
        elif event.name in _CODES:
            self._codes += 1

    def _end(self, name: str) -> _Unit | None:
        if name == "tu":
            return self._unit
        if name == "seg" and self._text is not None:
            self._unit.segments.append((self._language, "".join(self._text)))
            self._text = None
        elif name in _CODES:
            self._codes -= 1
        return None
