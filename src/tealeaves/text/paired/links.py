"""Links: what says which documents belong together.

Documents with the same *key* are of one tuple, each of another language; no key, no link.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from tealeaves.errors import InputError
from tealeaves.text.columns import plain_id
from tealeaves.text.compression import MAGIC
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.identity import without_unit
from tealeaves.text.languages import same_language
from tealeaves.text.paired.checking import check_meeting
from tealeaves.text.paired.lengths import Blocks, check_files
from tealeaves.text.sources import SourceFile

Sides = Mapping[str, Corpus]
Keys = Mapping[str, Sequence[str]]

_LINES = re.compile(r"\d+-\d+")
_VERSES = re.compile(r"[A-Z0-9]{3} \d+:\d+-\d+")


class Links(Protocol):
    """Gives each document of a language its key."""

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the key of the document that is read as so many-th, from 0; "" has no link."""
        ...

    def check(self, sides: Sides, keys: Keys) -> None:
        """Refuse keys that cannot be meant, when those of all sides are known."""
        ...


class ById:
    """Documents with the same id belong together."""

    def key(self, language: str, document: Document, number: int) -> str:  # noqa: ARG002
        """Return the id."""
        return document.id

    def check(self, sides: Sides, keys: Keys) -> None:
        """Refuse sides that have no id in common with another."""
        check_meeting(sides, keys, lacking="has an id", what="ids")


class ByName:
    """Files with the same name belong together, whatever language they have as a suffix.

    >>> [ByName().key("en", Document("", id=f"a/news.{end}"), 0) for end in ("en.txt", "en", "txt")]
    ['a/news.txt', 'a/news', 'a/news.txt']
    """

    def key(self, language: str, document: Document, number: int) -> str:  # noqa: ARG002
        """Return the relative path without the language."""
        folder, slash, name = document.id.rpartition("/")
        parts = name.split(".")
        last = len(parts) - (1 if f".{parts[-1].lower()}" in MAGIC else 0)
        for place in range(max(last - 2, 1), last):
            if same_language(parts[place], language):
                del parts[place]
                break
        return f"{folder}{slash}{'.'.join(parts)}"

    def check(self, sides: Sides, keys: Keys) -> None:
        """Refuse sides that have no name in common with another."""
        check_meeting(sides, keys, lacking="has a name", what="names")


class ByLine:
    """The nth documents belong together.

    Parameters
    ----------
    labels
        What errors call the sides, where nobody has asked for lines: ids are then not passed over
        silently, and a side that has some must have them everywhere.
    """

    def __init__(self, labels: Mapping[str, str] | None = None) -> None:
        self._labels = labels
        self._has_ids: dict[str, bool] = {}
        self._files: dict[str, Counter[str]] = {}

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the number of the document, from 1."""
        if number == 0:  # perhaps of another reading
            self._files[language] = Counter()
            self._has_ids[language] = bool(document.id)
        if self._labels is not None and self._has_ids[language] != bool(document.id):
            raise self._id_here_and_there(self._labels[language], document, number)
        self._files[language][document.source] += 1
        return str(number + 1)

    @staticmethod
    def _id_here_and_there(label: str, document: Document, number: int) -> InputError:
        has, before = ("an id", "none") if document.id else ("no id", "one")
        return InputError(
            f"{label}: document {number + 1} has {has}, but the first has {before}: say whether "
            "ids or lines link the languages: --links id or --links line"
        )

    def check(self, sides: Sides, keys: Keys) -> None:
        """Refuse sides of other lengths: somewhere the lines would no longer fit."""
        check_files(sides, {language: self._files.get(language, Counter()) for language in sides})
        check_meeting(sides, keys, lacking="is there", what="numbers")


class ByBlockNumber:
    """The nth blocks of lines belong together."""

    def __init__(self) -> None:
        self._blocks = Blocks()

    def key(self, language: str, document: Document, number: int) -> str:
        """Return the number of the block, from 1."""
        key = str(number + 1)
        self._blocks.note(language, key, document)
        return key

    def check(self, sides: Sides, keys: Keys) -> None:
        """Refuse sides with other numbers of lines, though there may be as many blocks."""
        self._blocks.check_lines(sides)
        check_meeting(sides, keys, lacking="is there", what="numbers")


class ByBlock(ById):
    """Blocks of the same lines, of the same rows of a text, or of the same verses."""

    def __init__(self) -> None:
        self._blocks = Blocks()

    def key(self, language: str, document: Document, number: int) -> str:  # noqa: ARG002
        """Return the id, which says what lines, rows or verses these are."""
        of_verses = _VERSES.fullmatch(document.id)  # of which a translation may lack some
        text = "" if of_verses else document.id.rpartition(":")[0]
        self._blocks.note(language, document.id, document, text=text)
        return document.id

    def check(self, sides: Sides, keys: Keys) -> None:
        """Refuse sides with other numbers of lines or rows, though there may be as many blocks."""
        if all(_LINES.fullmatch(key) for language in sides for key in keys[language]):
            self._blocks.check_lines(sides)
        self._blocks.check_texts(sides)
        super().check(sides, keys)


class ByUnit(ById):
    """Units of TMX with the same id belong together, if they are of the same file.

    Other files may have the same ids. They are the same where all sides name the same files, else
    the nth files belong together; where their numbers differ, ids alone decide.
    """

    def __init__(self, sides: Sides) -> None:
        paths = {name: _paths(side) for name, side in sides.items()}
        first, *others = paths.values()
        shared = all(set(other) == set(first) for other in others)
        several = len(first) > 1 and all(len(other) == len(first) for other in others)
        self._files: dict[str, dict[str, int]] = {name: {} for name in sides}
        for name, side in sides.items() if several else ():
            for number, source in enumerate(side.sources):
                place = first.index(paths[name][number]) if shared else number
                self._files[name][source.identity] = place + 1

    def key(self, language: str, document: Document, number: int) -> str:  # noqa: ARG002
        """Return the id, before it the number of the file if there are several."""
        if not document.id or not self._files[language]:
            return document.id
        return f"{self._files[language][without_unit(document.source)]}: {document.id}"


def _paths(side: Corpus) -> list[str]:
    files = [source for source in side.sources if isinstance(source, SourceFile)]
    return [os.path.realpath(file.path) for file in files]


class ByField:
    """Documents with the same value of a field belong together."""

    def __init__(self, name: str) -> None:
        self._name = name

    def key(self, language: str, document: Document, number: int) -> str:  # noqa: ARG002
        """Return what the field holds; 1 and 1.0 are the same."""
        return plain_id(document.link)

    def check(self, sides: Sides, keys: Keys) -> None:
        """Refuse sides that have no value in common with another."""
        lacking = f"has something in the field {self._name!r}"
        check_meeting(sides, keys, lacking=lacking, what=f"fields {self._name!r}")
