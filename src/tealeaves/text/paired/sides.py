"""The sides of a paired corpus: the files of each language, their reader, unit and links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from tealeaves.compression import format_suffix
from tealeaves.errors import InputError
from tealeaves.tables.rows import TABLE_SUFFIXES
from tealeaves.text.corpus import Corpus, LanguageFilter
from tealeaves.text.document import Fields
from tealeaves.text.files import (
    FileOrFolder,
    SourceFile,
    SourceFolder,
    check_distinct,
    find_files,
    is_companion,
    single_files,
)
from tealeaves.text.grouping import Grouping
from tealeaves.text.paired.links import (
    LinkByBlock,
    LinkByBlockNumber,
    LinkByField,
    LinkById,
    LinkByLine,
    LinkByName,
    LinkByTable,
    LinkByUnit,
    LinkRule,
)
from tealeaves.text.readers import parse_reader
from tealeaves.text.readers.bible import is_bible

PathName = str | os.PathLike[str]
_START_BYTES = 1 << 12
_FIELD = "field:"


def open_sides(
    paths: Mapping[str, PathName | Sequence[PathName]],
    *,
    unit: str | None,
    links: PathName | None,
    reader: str | Mapping[str, str] | None,
    fields: Fields | Mapping[str, str] | None,
) -> tuple[dict[str, Corpus], LinkRule | None]:
    """Open the corpus of each language; see :meth:`PairedCorpus.open` for the parameters.

    The rule of links is None if it depends on the documents.
    """
    if not isinstance(paths, Mapping):
        raise InputError(
            f"give the paths by language, such as {{'en': 'a.txt'}}, not {paths!r:.60}"
        )
    fields = fields if isinstance(fields, Fields) else Fields(**(fields or {}))
    link_name = None if links is None else os.fspath(links)
    if link_name is not None and link_name.startswith(_FIELD):
        fields = msgspec.structs.replace(fields, link=link_name.removeprefix(_FIELD))
    opener = _SideOpener(paths, reader, fields)
    sides = {language: opener.open(language) for language in paths}
    readers = _reader_names(file for side in sides.values() for file in side.files)
    grouping = Grouping.parse(unit or ("chapter" if "bible" in readers else "verse"))
    rule = _link_rule(link_name, readers, sides)
    if grouping.unit == "block":
        rule = _link_rule_of_blocks(link_name, rule)
    return {language: side.group(str(grouping)) for language, side in sides.items()}, rule


class _SideOpener:
    """Finds the files of all languages; a name that several languages give is looked up once.

    So standard input can be read for several languages.
    """

    def __init__(
        self,
        paths: Mapping[str, PathName | Sequence[PathName]],
        reader: str | Mapping[str, str] | None,
        fields: Fields,
    ) -> None:
        self._names = {language: _as_list(names) for language, names in paths.items()}
        self._readers = reader if isinstance(reader, Mapping) else dict.fromkeys(paths, reader)
        self._fields = fields
        self._files: dict[str, list[FileOrFolder]] = {}

    def open(self, language: str) -> Corpus:
        """Open the corpus of a language."""
        names = self._names[language]
        files = [file for name in names for file in self._find_files(name, language)]
        check_distinct(files)
        side = Corpus(files, fields=self._fields, name=" ".join(names))
        of_others = {
            os.path.realpath(name)
            for other, other_names in self._names.items()
            if other != language
            for name in other_names
        }
        is_shared = not of_others.isdisjoint(map(os.path.realpath, names))
        if is_shared and _reader_names(files) != {"tmx"}:
            return side.transform(LanguageFilter(language))
        return side

    def _find_files(self, name: str, language: str) -> list[FileOrFolder]:
        """Return the files of a name, with the reader for the language."""
        reader = self._readers.get(language)
        expression = None if reader is None else parse_reader(reader, {"language": language})
        if name not in self._files:
            self._files[name] = find_files([name], expression, self._fields.text)
        files = self._files[name]
        if expression is None:
            guess = _guess_reader(files)
            expression = None if guess is None else parse_reader(guess, {"language": language})
        if expression is None or all(file.reader == expression for file in files):
            return files
        field = self._fields.text
        return [file.with_reader(expression, field=field) for file in _text_files(files)]


def _as_list(names: PathName | Sequence[PathName]) -> list[str]:
    names = [names] if isinstance(names, str | os.PathLike) else names
    return [os.fspath(name) for name in names]


def _text_files(files: Sequence[FileOrFolder]) -> list[SourceFile]:
    """Return the single files without read-mes and the like, unless there are no others."""
    single = list(single_files(files))
    return [file for file in single if len(single) == 1 or not is_companion(file.path)] or single


def _guess_reader(files: Sequence[FileOrFolder]) -> str | None:
    """Return the reader for the first file by its name, or else its content; None for the usual."""
    first = _text_files(files)[0]
    if first.reader_call[0] in ("jsonl", "csv", "parquet"):
        return None
    if format_suffix(first.path) == ".tmx":
        return "tmx"
    with first.open() as stream:
        start = stream.read(_START_BYTES).replace(b"\0", b"")  # so that <tmx is found in UTF-16
    if b"<tmx" in start:
        return "tmx"
    return "bible" if is_bible(first) else None


def _reader_names(files: Iterable[FileOrFolder]) -> set[str]:
    return {"file" if isinstance(file, SourceFolder) else file.reader_call[0] for file in files}


def _link_rule(name: str | None, readers: set[str], sides: Mapping[str, Corpus]) -> LinkRule | None:
    if name is None and not readers <= {"file", "bible", "tmx"}:
        return None  # the first documents decide
    if name is None or name == "id":
        if readers == {"tmx"}:
            return LinkByUnit(sides)
        return LinkByName() if readers == {"file"} else LinkById()
    if name == "line":
        return LinkByLine()
    if name.startswith(_FIELD):
        return LinkByField(name.removeprefix(_FIELD))
    if format_suffix(Path(name)) not in TABLE_SUFFIXES:
        tables = ", ".join(TABLE_SUFFIXES)
        raise InputError(f"{name}: links are id, line, field:NAME or a table ({tables})")
    return LinkByTable(name, list(sides))


def _link_rule_of_blocks(name: str | None, rule: LinkRule | None) -> LinkRule:
    """Return the rule for blocks, which may be shorter in one language than in another."""
    if name == "line":
        return LinkByBlockNumber()
    return LinkByBlock() if rule is None or type(rule) is LinkById else rule
