"""XML files as a stream of events; entities are errors."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from typing import BinaryIO, Literal, NamedTuple
from xml.parsers import expat

from tealeaves.errors import InputError
from tealeaves.limits import check, check_bytes

_CHUNK = 1 << 16
_NO_ATTRIBUTES: Mapping[str, str] = {}
_NO_ENTITIES = "but entities are not read: write the characters themselves"
_SPACE = b" \t\r\n"
_TAG = re.compile(rb"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);|#)")


class XmlEvent(NamedTuple):
    """A start tag, an end tag or a piece of text, and its line in the file.

    ``name`` is the name of the element without its prefix, or the text itself. Attributes keep
    their prefixes (``xml:lang``). A text may come in several pieces; its line is where it ends.
    """

    kind: Literal["start", "end", "text"]
    name: str
    attributes: Mapping[str, str]
    line: int


def parse_xml(stream: BinaryIO, name: str, size: int | None = None) -> Iterator[XmlEvent]:
    """Yield the events of an XML file, of which only a piece is in memory.

    Declared and used entities are errors, except for the five that XML defines. So no text is
    expanded without limit and no other file is read. Comments and processing instructions are
    skipped. Errors name the file and the line. ``size`` is that of the file on disk: a stream that
    is far longer is an error.

    >>> import io
    >>> [event[:2] for event in parse_xml(io.BytesIO(b"<a><b x='1'>R&amp;B</b></a>"), "a.xml")]
    [('start', 'a'), ('start', 'b'), ('text', 'R&B'), ('end', 'b'), ('end', 'a')]
    """
    return _XmlParser(name, size).events(stream)


class _XmlParser:
    """A parser of expat, and the events that it has found but not yielded yet."""

    def __init__(self, name: str, size: int | None) -> None:
        self._name = name
        self._size = size
        self._fed = 0
        self._depth = self._deepest = 0  # elements that are open, now and at most
        self._events: list[XmlEvent] = []
        self._skipped = 0  # blank lines before the start
        self._has_external_types = False  # if so, expat drops entities in attributes silently
        self._may_have_entities = False
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = _CHUNK
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity_declaration
        parser.SkippedEntityHandler = self._entity_use
        self._parser = parser

    def events(self, stream: BinaryIO) -> Iterator[XmlEvent]:
        chunk = self._read_start(stream)
        while True:
            self._may_have_entities |= _ENTITY.search(chunk.replace(b"\0", b"")) is not None
            self._feed(chunk)
            yield from self._events
            self._events.clear()
            if not chunk:
                return
            chunk = stream.read(_CHUNK)

    def _read_start(self, stream: BinaryIO) -> bytes:
        """Return the first bytes without the blank lines that some files wrongly begin with."""
        chunk = stream.read(_CHUNK)
        start = chunk.removeprefix(codecs.BOM_UTF8).lstrip(_SPACE)
        if not start.startswith(b"<"):  # perhaps another encoding, which expat knows
            return chunk
        self._skipped = chunk[: len(chunk) - len(start)].count(b"\n")
        return start

    def _feed(self, chunk: bytes) -> None:
        try:
            self._parser.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            where = f"{self._name}:{error.lineno + self._skipped}"
            if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
                raise InputError(f"{where}: an entity, {_NO_ENTITIES}") from error
            reason = expat.ErrorString(error.code)
            raise InputError(f"{where}: not well-formed XML: {reason}") from error
        except (LookupError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{self._where()}: unknown encoding: save the file as UTF-8"
            ) from error
        self._check_limits(len(chunk))

    def _check_limits(self, length: int) -> None:
        """Raise before expat or a reader holds too much of the file."""
        self._fed += length
        if length:
            unfinished = self._fed - self._parser.CurrentByteIndex
            check("tag", unfinished, f"{self._where()}: a tag or comment")
        if self._size is not None:
            check_bytes("text", self._fed, f"{self._where()}: decompressed XML", size=self._size)

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber + self._skipped

    def _where(self) -> str:
        return f"{self._name}:{self._line}"

    def _doctype(self, name: str, system: str | None, *_rest: object) -> None:
        self._has_external_types = system is not None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._has_external_types and self._may_have_entities and attributes:
            self._check_tag()
        self._depth += 1
        if self._depth > self._deepest:
            check("nesting", self._depth, f"{self._where()}: elements inside of each other")
            self._deepest = self._depth
        event = XmlEvent("start", tag.rpartition(":")[2], attributes, self._line)
        self._events.append(event)

    def _check_tag(self) -> None:
        rest = (self._parser.GetInputContext() or b"").replace(b"\0", b"")
        tag = _TAG.match(rest)
        if tag and _ENTITY.search(tag[0]):
            raise InputError(f"{self._where()}: an entity, {_NO_ENTITIES}")

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._events.append(XmlEvent("end", tag.rpartition(":")[2], _NO_ATTRIBUTES, self._line))

    def _text(self, text: str) -> None:
        self._events.append(XmlEvent("text", text, _NO_ATTRIBUTES, self._line))

    def _entity_declaration(self, entity: str, *_rest: object) -> None:
        raise InputError(f"{self._where()}: the entity {entity} is declared, {_NO_ENTITIES}")

    def _entity_use(self, entity: str, is_parameter: int) -> None:
        raise InputError(f"{self._where()}: the entity {entity}, {_NO_ENTITIES}")
