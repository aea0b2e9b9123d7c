"""How many lines or rows the sides have: where the numbers differ, links would shift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.paired.checking import labels_of

Sides = Mapping[str, Corpus]


class _Seen(NamedTuple):
    """What was read under a key: its source, the text whose rows it has, and their number."""

    source: str
    text: str
    rows: int


def check_files(sides: Sides, files: Mapping[str, Counter[str]]) -> None:
    """Refuse sides that have not equally many lines, given how many each source has.

    Where they have equally many files, that holds for the first of each, for the second ...
    """
    labels = labels_of(sides)
    for one, other in combinations(sides, 2):
        first, second = files[one], files[other]
        if len(sides[one].sources) == len(sides[other].sources) and len(first) == len(second):
            for (a, here), (b, there) in zip(first.items(), second.items(), strict=True):
                if here != there and len(first) > 1:
                    raise _unequal(_file(sides, one, a), here, _file(sides, other, b), there)
        if first.total() != second.total():
            raise _unequal(labels[one], first.total(), labels[other], second.total())


class Blocks:
    """Counts the lines or rows of the blocks of each side."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, _Seen]] = {}

    def note(self, language: str, key: str, document: Document, *, text: str = "") -> None:
        """Take a block; to read it again changes nothing."""
        seen = _Seen(document.source, text, document.parts)
        self._seen.setdefault(language, {})[key] = seen

    def check_lines(self, sides: Sides) -> None:
        """Refuse sides with other numbers of lines, in all or in some block."""
        check_files(sides, {language: self._files(language) for language in sides})
        self._check_each(sides)

    def _files(self, language: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for seen in self._seen.get(language, {}).values():
            found[seen.source] += seen.rows
        return found

    def check_texts(self, sides: Sides) -> None:
        """Refuse a text that has not equally many rows on all sides that have it."""
        labels = labels_of(sides)
        for one, other in combinations(sides, 2):
            first, second = self._texts(one), self._texts(other)
            for text in first:
                if text in second and first[text] != second[text]:
                    raise InputError(
                        f"{text!r:.60} has {first[text]} rows in {labels[one]}, {second[text]} in "
                        f"{labels[other]}: to be linked in blocks they must have equally many"
                    )

    def _texts(self, language: str) -> Counter[str]:
        found: Counter[str] = Counter()
        for seen in self._seen.get(language, {}).values():
            if seen.text:
                found[seen.text] += seen.rows
        return found

    def _check_each(self, sides: Sides) -> None:
        """Refuse blocks that belong together and are not equally long: a file ends in one."""
        labels = labels_of(sides)
        for one, other in combinations(sides, 2):
            second = self._seen.get(other, {})
            for key, seen in self._seen.get(one, {}).items():
                if key in second and second[key].rows != seen.rows:
                    raise InputError(
                        f"block {key} has {seen.rows} lines in {labels[one]}, {second[key].rows} "
                        f"in {labels[other]}: a block ends with its file, so each file needs its "
                        "translation"
                    )


def _file(sides: Sides, language: str, source: str) -> str:
    """Return what errors call a file of a side."""
    found = f"source {source}"
    name = sides[language].named(found)
    return labels_of(sides)[language] if name == found else name


def _unequal(one: str, here: int, other: str, there: int) -> InputError:
    return InputError(
        f"{one} has {here} documents, {other} {there}: to be linked line by line they must have "
        "equally many, else they need ids or a table of links"
    )
