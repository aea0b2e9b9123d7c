"""Opening the sides of paired texts: which reader, which unit, which links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tealeaves.errors import InputError
from tealeaves.text.changes import OfLanguage
from tealeaves.text.compression import Meter
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Fields
from tealeaves.text.grouping import Grouped
from tealeaves.text.paired.links import (
    ByBlock,
    ByBlockNumber,
    ByField,
    ById,
    ByLine,
    ByName,
    ByUnit,
    Links,
)
from tealeaves.text.paired.tables import ByTable
from tealeaves.text.readers import parse_reader
from tealeaves.text.readers.bible import is_bible
from tealeaves.text.rows import SUFFIXES
from tealeaves.text.sources import (
    Folder,
    Source,
    SourceFile,
    check_each_once,
    find_sources,
    inner_suffix,
    is_beside,
)

Name = str | os.PathLike[str]
_START = 1 << 12  # bytes of a file that tell what it is
_FIELD = "field:"


class Opened(NamedTuple):
    """Sides, and their links where these do not depend on what is read."""

    sides: dict[str, Corpus]
    links: Links | None


def open_sides(
    paths: Mapping[str, Name | Sequence[Name]],
    *,
    unit: str | None,
    links: Name | None,
    reader: str | Mapping[str, str] | None,
    fields: Fields | Mapping[str, str] | None,
) -> Opened:
    """Open what :meth:`PairedCorpus.open` is given."""
    if not isinstance(paths, Mapping):
        raise InputError(f"paired texts are paths by language, not {paths!r:.60}")
    fields = fields if isinstance(fields, Fields) else Fields(**(fields or {}))
    how = None if links is None else os.fspath(links)
    if how is not None and how.startswith(_FIELD):
        fields = msgspec.structs.replace(fields, link=how.removeprefix(_FIELD))
    names = {language: _listed(given) for language, given in paths.items()}
    opening = _Opening(reader, fields, names)
    sides = {language: opening.side(language) for language in names}
    kinds = _kinds(source for side in sides.values() for source in side.sources)
    grouped = Grouped.parse(unit or ("chapter" if "bible" in kinds else "verse"))
    chosen = _links(how, kinds, sides)
    if grouped.unit == "block":
        chosen = _links_of_blocks(how, chosen)
    sides = {language: side.grouped(str(grouped)) for language, side in sides.items()}
    return Opened(sides, chosen)


def _listed(paths: Name | Sequence[Name]) -> tuple[str, ...]:
    if isinstance(paths, str | os.PathLike):
        return (os.fspath(paths),)
    return tuple(os.fspath(path) for path in paths)


class _Opening:
    """Finds the files of all sides, those that several of them name only once.

    So standard input can be read for several languages.
    """

    def __init__(
        self,
        reader: str | Mapping[str, str] | None,
        fields: Fields,
        names: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._readers = reader if isinstance(reader, Mapping) else dict.fromkeys(names, reader)
        self._fields = fields
        self._names = names
        self._found: dict[str, list[Source]] = {}

    def side(self, language: str) -> Corpus:
        """Open the corpus of a language."""
        names = self._names[language]
        sources = [source for name in names for source in self._sources(name, language)]
        check_each_once(sources)
        side = Corpus(sources, fields=self._fields, name=" ".join(names))
        others = {
            os.path.realpath(name)
            for other, listed in self._names.items()
            if other != language
            for name in listed
        }
        alone = others.isdisjoint(map(os.path.realpath, names)) or _kinds(sources) == {"tmx"}
        return side if alone else side.changed(OfLanguage(language))

    def _sources(self, name: str, language: str) -> list[Source]:
        """Return the sources of a name, as the language is read of them."""
        expression = self._expression(self._readers.get(language), language)
        if name not in self._found:
            self._found[name] = find_sources([name], expression, self._fields.text)
        found = self._found[name]
        told = expression or self._expression(_told(found), language)
        if told is None or all(source.reader == told for source in found):
            return found
        return [file.read_by(told, field=self._fields.text) for file in _texts(found)]

    @staticmethod
    def _expression(reader: str | None, language: str) -> str | None:
        return None if reader is None else parse_reader(reader, {"language": language})


def _files(sources: Sequence[Source]) -> Iterator[SourceFile]:
    for source in sources:
        if isinstance(source, Folder):
            yield from source.files
        else:
            yield source


def _texts(sources: Sequence[Source]) -> list[SourceFile]:
    """Return the files, but for those that lie beside others in a folder."""
    files = list(_files(sources))
    return [file for file in files if len(files) == 1 or not is_beside(file.path)] or files


def _told(sources: Sequence[Source]) -> str | None:
    """Return the reader that the content of the first file asks for, where its name does not."""
    first = _texts(sources)[0]
    if first.called[0] in ("jsonl", "csv", "parquet"):
        return None
    with first.open(Meter()) as stream:
        start = stream.read(_START).replace(b"\0", b"")  # so that UTF-16 shows its letters
    if b"<tmx" in start:
        return "tmx"
    return "bible" if is_bible(first) else None


def _kinds(sources: Iterable[Source]) -> set[str]:
    """Return the names of the readers."""
    return {"file" if isinstance(source, Folder) else source.called[0] for source in sources}


def _links_of_blocks(how: str | None, links: Links | None) -> Links:
    """Return the links of blocks, which may be shorter on one side than on the other."""
    if how == "line":
        return ByBlockNumber()
    return ByBlock() if links is None or type(links) is ById else links


def _links(how: str | None, kinds: set[str], sides: Mapping[str, Corpus]) -> Links | None:
    if how is None and not kinds <= {"file", "bible", "tmx"}:
        return None  # what is read will tell
    if how is None or how == "id":
        if kinds == {"tmx"}:
            return ByUnit(sides)
        return ByName() if kinds == {"file"} else ById()
    if how == "line":
        return ByLine()
    if how.startswith(_FIELD):
        return ByField(how.removeprefix(_FIELD))
    if inner_suffix(Path(how)) not in SUFFIXES:
        tables = ", ".join(SUFFIXES)
        raise InputError(f"{how}: links are id, line, field:NAME or a table ({tables})")
    return ByTable(how, list(sides))
