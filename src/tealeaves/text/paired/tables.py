"""Tables of links: a column a language, a row a tuple, in the cells ids of documents."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.text.columns import plain_id
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.languages import same_language
from tealeaves.text.paired.checking import check_meeting, labels_of
from tealeaves.text.rows import Row, read_rows


class ByTable:
    """Documents whose ids stand in the same row belong together.

    A row's key is the id in the first language that it has; where that is not the first of all,
    the language stands before it (``sv=Stockholm``).
    """

    def __init__(self, path: str | os.PathLike[str], languages: Sequence[str]) -> None:
        self._name = os.fspath(path)
        rows = list(read_rows(path))
        self._columns = _columns(rows, languages, self._name)
        self._keys: dict[str, dict[str, str]] = {language: {} for language in languages}
        self._rows: list[tuple[str, dict[str, str]]] = []
        places: dict[str, str] = {}
        filled = list(self._filled(rows))
        taken = {ids.get(languages[0], "") for _, ids in filled}
        for row, ids in filled:
            for name in (f"{language}={document}" for language, document in ids.items()):
                if name in places:
                    raise InputError(f"{row.where}: {name} stands at {places[name]} too")
                places[name] = row.where
            first = next(iter(ids))
            key = ids[first]
            if first != languages[0]:
                key = f"{first}={key}"
                while key in taken:  # a document may be called so
                    key = f"{first}={key}"
                taken.add(key)
            self._rows.append((key, ids))
            for language, document in ids.items():
                self._keys[language][document] = key

    def _filled(self, rows: Iterable[Row]) -> Iterator[tuple[Row, dict[str, str]]]:
        """Yield each row that names a document, and those it names."""
        for row in rows:
            found = {name: _id(row, column) for name, column in self._columns.items()}
            ids = {language: document for language, document in found.items() if document}
            if ids:
                yield row, ids

    def key(self, language: str, document: Document, number: int) -> str:  # noqa: ARG002
        """Return the key of the row that names the document."""
        return self._keys[language].get(document.id, "")

    def check(self, sides: Mapping[str, Corpus], keys: Mapping[str, Sequence[str]]) -> None:
        """Refuse a table of other documents; warn where it names some that are not there."""
        labels = labels_of(sides)
        for language, side in sides.items():
            if keys[language] and not any(keys[language]):
                self._refuse(labels[language], language, next(side.documents()).id)
        check_meeting(sides, keys, lacking=f"is in {self._name}", what=f"links in {self._name}")
        self._warn(keys)

    def _refuse(self, label: str, language: str, example: str) -> None:
        if not example:
            raise InputError(
                f"{label}: documents have no ids, but {self._name} names documents by their ids"
            )
        there = next(iter(self._keys[language]), "")
        raise InputError(
            f"{label}: no document is in {self._name}: its ids are like {example!r:.60}, "
            f"those of the table like {there!r:.60}"
        )

    def _warn(self, keys: Mapping[str, Sequence[str]]) -> None:
        there = {language: set(known) for language, known in keys.items()}
        strangers = [
            f"{language}={document}"
            for key, ids in self._rows
            for language, document in ids.items()
            if key not in there[language]
        ]
        rows = sum(any(key not in there[name] for name in ids) for key, ids in self._rows)
        if rows:
            warnings.warn(
                f"{rows} of {len(self._rows)} rows of {self._name} name documents that are not "
                f"there, the first {strangers[0]}",
                TealeavesWarning,
                stacklevel=2,
            )


def _columns(rows: Sequence[Row], languages: Sequence[str], name: str) -> dict[str, str]:
    """Find the column of each language."""
    there = list(dict.fromkeys(column for row in rows for column in row.values))
    if not there:
        raise InputError(f"{name}: no rows: a table of links has a row for each tuple")
    found: dict[str, str] = {}
    for language in languages:
        alike = [column for column in there if same_language(column, language)]
        if language not in there and len(alike) != 1:
            listed = ", ".join(there)
            raise InputError(f"{name}: no column for {language} (columns here: {listed})")
        found[language] = language if language in there else alike[0]
    return found


def _id(row: Row, column: str) -> str:
    value = row.values.get(column)
    if isinstance(value, list | dict):
        raise InputError(f"{row.where}: {column} is {value!r:.60}, not the id of one document")
    return value.strip() if isinstance(value, str) else plain_id(value)
