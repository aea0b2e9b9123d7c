"""Links: rules that say which documents of several languages belong together, and their checks.

A rule gives each document a *key*. Documents with the same key, each of another language, are a
tuple of linked documents. A document without a key is not linked.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol

from tealeaves.compression import COMPRESSION_SUFFIXES
from tealeaves.errors import InputError, warn_caller
from tealeaves.tables.columns import plain_id
from tealeaves.tables.rows import Row, read_rows
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.files import SourceFile
from tealeaves.text.grouping import without_unit
from tealeaves.text.languages import language_code, same_language

Sides = Mapping[str, Corpus]
Keys = Mapping[str, Sequence[str]]

_LINE_BLOCK = re.compile(r"\d+-\d+")
_VERSE_BLOCK = re.compile(r"[A-Z0-9]{3} \d+:\d+-\d+")
_BIBLE_KEY = re.compile(r"[A-Z0-9]{3} \d++(?::\d[-,\d]*+)?\Z")  # GEN 1, GEN 1:1-4


class LinkRule(Protocol):
    """Gives each document of a language its key."""

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the key of a document, given its number in order of reading, from 0.

        An empty key means that the document is not linked.
        """
        ...

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for keys that must be a mistake, once those of all languages are known."""
        ...


class LinkById:
    """Documents with the same id belong together."""

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the id."""
        return document.id

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for a language that shares no id with another."""
        check_shared_keys(sides, keys, lacking="has an id", what="ids")


class LinkByName:
    """Files with the same name belong together, apart from a language in the name.

    >>> names = ("a/news.en.txt", "a/news.en", "a/news.txt")
    >>> [LinkByName().key("en", Document("", id=name), 0) for name in names]
    ['a/news.txt', 'a/news', 'a/news.txt']
    """

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the relative path without the language."""
        folder, slash, name = document.id.rpartition("/")
        parts = name.split(".")
        last = len(parts) - (1 if f".{parts[-1].lower()}" in COMPRESSION_SUFFIXES else 0)
        for place in range(max(last - 2, 1), last):
            if same_language(parts[place], language):
                del parts[place]
                break
        return f"{folder}{slash}{'.'.join(parts)}"

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for a language that shares no name with another."""
        check_shared_keys(sides, keys, lacking="has a name", what="names")


class LinkByField:
    """Documents with the same value of a field belong together."""

    def __init__(self, name: str) -> None:
        self._name = name

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the value of the field; 1 and 1.0 are the same."""
        return plain_id(document.link)

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for a language that shares no value with another."""
        lacking = f"has a value in the field {self._name!r}"
        check_shared_keys(sides, keys, lacking=lacking, what=f"fields {self._name!r}")


class LinkByUnit(LinkById):
    """Translation units of TMX with the same id belong together, if they are of the same file.

    Several files may have the same ids. If all languages name the same files, units of the same
    file belong together; if they name equally many files, units of the nth files; else the ids
    alone decide.
    """

    def __init__(self, sides: Sides) -> None:
        paths = {name: _real_paths(side) for name, side in sides.items()}
        first, *others = paths.values()
        shared = all(set(other) == set(first) for other in others)
        several = len(first) > 1 and all(len(other) == len(first) for other in others)
        self._file_numbers: dict[str, dict[str, int]] = {name: {} for name in sides}
        for name, side in sides.items() if several else ():
            for number, file in enumerate(side.files):
                place = first.index(paths[name][number]) if shared else number
                self._file_numbers[name][file.identity] = place + 1

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the id; if there are several files, the number of the file is put before it."""
        if not document.id or not self._file_numbers[language]:
            return document.id
        return f"{self._file_numbers[language][without_unit(document.source)]}: {document.id}"


def _real_paths(side: Corpus) -> list[str]:
    return [os.path.realpath(file.path) for file in side.files if isinstance(file, SourceFile)]


class LinkByLine:
    """The nth documents of all languages belong together.

    Parameters
    ----------
    labels
        The names of the languages' files, if the user did not ask for links by line. Then ids are
        not ignored silently: a language that has ids must have them everywhere.
    """

    def __init__(self, labels: Mapping[str, str] | None = None) -> None:
        self._labels = labels
        self._has_ids: dict[str, bool] = {}
        self._lines: dict[str, Counter[str]] = {}

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the number of the document, from 1."""
        if number == 0:  # perhaps of a second reading
            self._lines[language] = Counter()
            self._has_ids[language] = bool(document.id)
        if self._labels is not None and self._has_ids[language] != bool(document.id):
            has, first = ("an id", "none") if document.id else ("no id", "one")
            raise InputError(
                f"{self._labels[language]}: document {number + 1} has {has}, but the first has "
                f"{first}: say whether ids or lines link the languages: --links id or --links line"
            )
        self._lines[language][document.source] += 1
        return str(number + 1)

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for languages with different numbers of lines, which would be linked wrongly."""
        check_line_counts(sides, {name: self._lines.get(name, Counter()) for name in sides})
        check_shared_keys(sides, keys, lacking="is there", what="numbers")


class LinkByBlockNumber:
    """The nth blocks of lines of all languages belong together."""

    def __init__(self) -> None:
        self._lengths = _BlockLengths()

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the number of the block, from 1."""
        key = str(number + 1)
        self._lengths.add(language, key, document)
        return key

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for languages with different numbers of lines."""
        self._lengths.check_lines(sides)
        check_shared_keys(sides, keys, lacking="is there", what="numbers")


class LinkByBlock(LinkById):
    """Blocks of the same lines, of the same rows of a text, or of the same verses."""

    def __init__(self) -> None:
        self._lengths = _BlockLengths()

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the id, which names the lines, rows or verses."""
        is_verses = _VERSE_BLOCK.fullmatch(document.id)  # a translation may lack some verses
        text = "" if is_verses else document.id.rpartition(":")[0]
        self._lengths.add(language, document.id, document, text=text)
        return document.id

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for languages with different numbers of lines or rows."""
        if all(_LINE_BLOCK.fullmatch(key) for language in sides for key in keys[language]):
            self._lengths.check_lines(sides)
        self._lengths.check_texts(sides)
        super().check(sides, keys)


class LinkByTable:
    """Documents whose ids are in the same row of a table belong together.

    The table has one column per language. The key of a row is its id in the first language that it
    has. If this is not the first language of all, its name is put before the id
    (``sv=Stockholm``).
    """

    def __init__(self, path: str | os.PathLike[str], languages: Sequence[str]) -> None:
        self._name = os.fspath(path)
        self._keys: dict[str, dict[str, str]] = {language: {} for language in languages}
        self._rows: list[tuple[str, dict[str, str]]] = []
        rows = list(self._read_ids(languages))
        used_keys = {ids.get(languages[0], "") for _, ids in rows}
        places: dict[str, str] = {}
        for where, ids in rows:
            for name in (f"{language}={document}" for language, document in ids.items()):
                if name in places:
                    raise InputError(
                        f"{where}: {name} is at {places[name]} too, but a document is in one row"
                    )
                places[name] = where
            first = next(iter(ids))
            key = ids[first]
            if first != languages[0]:
                key = f"{first}={key}"
                while key in used_keys:  # some document may have this id
                    key = f"{first}={key}"
                used_keys.add(key)
            self._rows.append((key, ids))
            for language, document in ids.items():
                self._keys[language][document] = key

    def _read_ids(self, languages: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the place of each row that names a document, and its ids by language."""
        rows = list(read_rows(self._name))
        columns = _language_columns(rows, languages, self._name)
        for row in rows:
            ids = {language: _document_id(row, column) for language, column in columns.items()}
            if any(ids.values()):
                yield (
                    row.where,
                    {language: document for language, document in ids.items() if document},
                )

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the key of the row that names the document."""
        return self._keys[language].get(document.id, "")

    def check(self, sides: Sides, keys: Keys) -> None:
        """Raise for a table of other documents; warn if it names some that are not there."""
        labels = side_labels(sides)
        for language, side in sides.items():
            if keys[language] and not any(keys[language]):
                raise self._no_document(labels[language], language, next(side.documents()).id)
        check_shared_keys(sides, keys, lacking=f"is in {self._name}", what=f"links in {self._name}")
        self._warn_of_unknown(keys)

    def _no_document(self, label: str, language: str, example: str) -> InputError:
        if not example:
            return InputError(
                f"{label}: documents have no ids, but {self._name} names documents by their ids"
            )
        of_table = next(iter(self._keys[language]), "")
        return InputError(
            f"{label}: no document is in {self._name}: its ids are like {example!r:.60}, "
            f"those of the table like {of_table!r:.60}"
        )

    def _warn_of_unknown(self, keys: Keys) -> None:
        key_sets = {language: set(keys_of_side) for language, keys_of_side in keys.items()}
        unknown = [
            f"{language}={document}"
            for key, ids in self._rows
            for language, document in ids.items()
            if key not in key_sets[language]
        ]
        rows = sum(any(key not in key_sets[name] for name in ids) for key, ids in self._rows)
        if rows:
            warn_caller(
                f"{rows} of {len(self._rows)} rows of {self._name} name documents that are not "
                f"there, the first {unknown[0]}"
            )


def _language_columns(rows: Sequence[Row], languages: Sequence[str], name: str) -> dict[str, str]:
    """Find the column of each language."""
    columns = list(dict.fromkeys(column for row in rows for column in row.values))
    if not columns:
        raise InputError(f"{name}: no rows: a table of links has one row per tuple")
    of_languages: dict[str, str] = {}
    for language in languages:
        same = [column for column in columns if same_language(column, language)]
        if language not in columns and len(same) != 1:
            listed = ", ".join(columns)
            raise InputError(
                f"{name}: no column for {language} (columns here: {listed}): name the columns like "
                "the languages"
            )
        of_languages[language] = language if language in columns else same[0]
    return of_languages


def _document_id(row: Row, column: str) -> str:
    value = row.values.get(column)
    if isinstance(value, list | dict):
        raise InputError(f"{row.where}: {column} is {value!r:.60}, not the id of one document")
    return value.strip() if isinstance(value, str) else plain_id(value)


# ---------------------------------------------------------------------- checks of keys


class NoDocumentsError(InputError):
    """A language without documents."""


def check_languages(languages: Iterable[str]) -> None:
    """Raise for two names of one language, such as en and eng; two regions are two languages."""
    names: dict[tuple[str, str], str] = {}
    for language in languages:
        first, _, region = language.strip().lower().replace("_", "-").partition("-")
        other = names.setdefault((language_code(language) or first, region), language)
        if other != language:
            raise InputError(f"{other} and {language} are the same language: give it only once")


def side_labels(sides: Sides) -> dict[str, str]:
    """Return the names of the languages in messages: the files, with the language if needed."""
    names = {language: side.name for language, side in sides.items()}
    if len(set(names.values())) == len(names):
        return names
    return {language: f"{language}={name}" for language, name in names.items()}


def duplicate_key(key: str, label: str, first: int, second: int) -> InputError:
    """Return the error that says which documents of a language have the same key."""
    hint = 'rows of one text are joined with --unit document, in Python unit="document"'
    if _BIBLE_KEY.match(key):
        hint = "a chapter must be in one file, and only once"
    return InputError(
        f"{label}: documents {first} and {second} both have {key!r:.60}, but a link has one "
        f"document of each language ({hint})"
    )


def check_shared_keys(sides: Sides, keys: Keys, *, lacking: str, what: str) -> None:
    """Raise for a language that shares no key with another.

    ``lacking`` says what its documents lack, and ``what`` what the keys are.
    """
    labels = side_labels(sides)
    for language, label in labels.items():
        if not keys[language]:
            raise NoDocumentsError(f"{label}: no documents")
        if len(sides) > 1 and not any(keys[language]):
            raise InputError(f"{label}: no document {lacking}, so none is linked")
    for language in labels if len(sides) > 1 else ():
        others = {key for other in sides if other != language for key in keys[other]}
        if others.isdisjoint(filter(None, keys[language])):
            other = next(name for name in sides if name != language)
            raise InputError(
                f"no document of {labels[language]} is linked to one of {labels[other]}"
                f"{' or others' if len(sides) > 2 else ''}: their {what} are like "
                f"{next(filter(None, keys[language]))!r:.60} and "
                f"{next(filter(None, keys[other]))!r:.60}"
            )


# ---------------------------------------------------------------------- checks of lengths


def check_line_counts(sides: Sides, counts: Mapping[str, Counter[str]]) -> None:
    """Raise for languages that do not have equally many lines, given the number of each source.

    If two languages have equally many files, the first files must have equally many lines, and so
    must the second ones, and so on.
    """
    labels = side_labels(sides)
    for one, other in combinations(sides, 2):
        first, second = counts[one], counts[other]
        if len(sides[one].files) == len(sides[other].files) and len(first) == len(second):
            for (a, lines_a), (b, lines_b) in zip(first.items(), second.items(), strict=True):
                if lines_a != lines_b and len(first) > 1:
                    label_a, label_b = _file_label(sides, one, a), _file_label(sides, other, b)
                    raise _unequal_lengths(label_a, lines_a, label_b, lines_b)
        if first.total() != second.total():
            raise _unequal_lengths(labels[one], first.total(), labels[other], second.total())


def _file_label(sides: Sides, language: str, source: str) -> str:
    message = f"source {source}"
    name = sides[language].name_sources(message)
    return side_labels(sides)[language] if name == message else name


def _unequal_lengths(one: str, length: int, other: str, other_length: int) -> InputError:
    return InputError(
        f"{one} has {length} documents, {other} {other_length}: to be linked line by line they "
        "must have equally many, else they need ids or a table of links"
    )


class _BlockLength(NamedTuple):
    """The source of a block, the text that its rows are of, and the number of its rows."""

    source: str
    text: str
    rows: int


class _BlockLengths:
    """The numbers of lines or rows in the blocks of each language.

    If they differ between languages, blocks would be linked wrongly.
    """

    def __init__(self) -> None:
        self._blocks: dict[str, dict[str, _BlockLength]] = {}

    def add(self, language: str, key: str, document: Document, *, text: str = "") -> None:
        """Add a block; to add it again, in a second reading, changes nothing."""
        block = _BlockLength(document.source, text, document.parts)
        self._blocks.setdefault(language, {})[key] = block

    def check_lines(self, sides: Sides) -> None:
        """Raise for languages with different numbers of lines, in total or in some block."""
        counts: dict[str, Counter[str]] = {language: Counter() for language in sides}
        for language in sides:
            for block in self._blocks.get(language, {}).values():
                counts[language][block.source] += block.rows
        check_line_counts(sides, counts)
        self._check_each_block(sides)

    def _check_each_block(self, sides: Sides) -> None:
        """Raise for linked blocks of different lengths, which happens where a file ends."""
        labels = side_labels(sides)
        for one, other in combinations(sides, 2):
            others = self._blocks.get(other, {})
            for key, block in self._blocks.get(one, {}).items():
                if key in others and others[key].rows != block.rows:
                    raise InputError(
                        f"block {key} has {block.rows} lines in {labels[one]}, {others[key].rows} "
                        f"in {labels[other]}: a block ends with its file, so each file needs its "
                        "translation"
                    )

    def check_texts(self, sides: Sides) -> None:
        """Raise for a text that does not have equally many rows in all languages that have it."""
        labels = side_labels(sides)
        for one, other in combinations(sides, 2):
            first, second = self._text_lengths(one), self._text_lengths(other)
            for text in first:
                if text in second and first[text] != second[text]:
                    raise InputError(
                        f"{text!r:.60} has {first[text]} rows in {labels[one]}, {second[text]} in "
                        f"{labels[other]}: to be linked in blocks they must have equally many"
                    )

    def _text_lengths(self, language: str) -> Counter[str]:
        lengths: Counter[str] = Counter()
        for block in self._blocks.get(language, {}).values():
            if block.text:
                lengths[block.text] += block.rows
        return lengths
