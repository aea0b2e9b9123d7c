"""XML as a stream of events, without entities."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO, Literal, NamedTuple
from xml.parsers import expat

from tealeaves.errors import InputError

_CHUNK = 1 << 16
_NONE: Mapping[str, str] = {}
_SPACE = b" \t\r\n"
_TAG = re.compile(rb"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);|#)")


class XmlEvent(NamedTuple):
    """A start tag, an end tag or a piece of text, and the line of the file where it stands.

    ``name`` is that of the element without its prefix, or the text itself. Attributes keep their
    prefixes (``xml:lang``). A text may come in several pieces, its line is that of its end.
    """

    kind: Literal["start", "end", "text"]
    name: str
    attributes: Mapping[str, str]
    line: int


def parse_xml(stream: BinaryIO, name: str) -> Iterator[XmlEvent]:
    """Yield what an XML file holds, piece by piece; only one piece of it is in memory.

    Entities are refused where they are declared and where they are used, but for the five that
    XML has by itself: so nothing unfolds and no other file is read. Comments and processing
    instructions are passed over. Errors name file and line.

    >>> import io
    >>> [event[:2] for event in parse_xml(io.BytesIO(b"<a><b x='1'>R&amp;B</b></a>"), "a.xml")]
    [('start', 'a'), ('start', 'b'), ('text', 'R&B'), ('end', 'b'), ('end', 'a')]
    """
    return _Parsing(name).events(stream)


class _Parsing:
    """A parser, and the events that it has found and nobody has taken yet."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: list[XmlEvent] = []
        self._skipped = 0  # lines before the beginning
        self._has_outer_types = False  # then the parser drops entities of attributes silently
        self._has_entities = False  # perhaps
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = _CHUNK
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._typed
        parser.EntityDeclHandler = self._declared
        parser.SkippedEntityHandler = self._used
        self._parser = parser

    def events(self, stream: BinaryIO) -> Iterator[XmlEvent]:
        chunk = self._beginning(stream)
        while True:
            self._has_entities |= _ENTITY.search(chunk.replace(b"\0", b"")) is not None
            self._feed(chunk)
            yield from self._found
            self._found.clear()
            if not chunk:
                return
            chunk = stream.read(_CHUNK)

    def _beginning(self, stream: BinaryIO) -> bytes:
        """Return the first bytes; blank lines may stand before them, though they should not."""
        chunk = stream.read(_CHUNK)
        start = chunk.removeprefix(codecs.BOM_UTF8).lstrip(_SPACE)
        if not start.startswith(b"<"):  # another encoding perhaps, which the parser knows
            return chunk
        self._skipped = chunk[: len(chunk) - len(start)].count(b"\n")
        return start

    def _feed(self, chunk: bytes) -> None:
        try:
            self._parser.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            where = f"{self._name}:{error.lineno + self._skipped}"
            if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
                raise InputError(f"{where}: an entity, {_REFUSED}") from error
            reason = expat.ErrorString(error.code)
            raise InputError(f"{where}: not well-formed XML: {reason}") from error
        except (LookupError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{self._where()}: an encoding that is not known: save the file as UTF-8"
            ) from error

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber + self._skipped

    def _where(self) -> str:
        return f"{self._name}:{self._line}"

    def _typed(self, name: str, system: str | None, *_rest: object) -> None:  # noqa: ARG002
        self._has_outer_types = system is not None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._has_outer_types and self._has_entities and attributes:
            self._check_tag()
        event = XmlEvent("start", tag.rpartition(":")[2], attributes, self._line)
        self._found.append(event)

    def _check_tag(self) -> None:
        rest = (self._parser.GetInputContext() or b"").replace(b"\0", b"")
        tag = _TAG.match(rest)
        if tag and _ENTITY.search(tag[0]):
            raise InputError(f"{self._where()}: an entity, {_REFUSED}")

    def _end(self, tag: str) -> None:
        self._found.append(XmlEvent("end", tag.rpartition(":")[2], _NONE, self._line))

    def _text(self, text: str) -> None:
        self._found.append(XmlEvent("text", text, _NONE, self._line))

    def _declared(self, entity: str, *_rest: object) -> None:
        raise InputError(f"{self._where()}: the entity {entity} is declared, {_REFUSED}")

    def _used(self, entity: str, is_parameter: int) -> None:  # noqa: ARG002
        raise InputError(f"{self._where()}: the entity {entity}, {_REFUSED}")


_REFUSED = "but entities are not read: write the characters themselves"
