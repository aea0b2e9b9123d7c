"""Vectors in text files, of word2vec, GloVe and fastText: a word and its numbers on each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.sources.vector_file import Scan, VectorFile
from tealeaves.evidence.embeddings.vectors import Vectors
from tealeaves.text.compression import Meter, open_bytes

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MOST = 100_000  # numbers of a word: more is no file of vectors
_DIGITS = 15


class Header(NamedTuple):
    """The first line of word2vec and fastText: how many words, of how many numbers each."""

    words: int
    dimensions: int

    @classmethod
    def of(cls, line: bytes) -> Header | None:
        """Read a first line; None if it is no header, as in files of GloVe.

        >>> Header.of(b"400000 50")
        Header(words=400000, dimensions=50)
        >>> Header.of(b"the 0.418 0.24968")
        """
        fields = line.split()
        if len(fields) != 2 or not all(map(_is_count, fields)):
            return None
        words, dimensions = map(int, fields)
        return cls(words, dimensions) if 0 < dimensions <= _MOST else None


class TextFile(VectorFile):
    """A text file of vectors.

    A word may have spaces in it (GloVe has such): its numbers are the last on the line.

    Parameters
    ----------
    path, name, compression
        As for any file of vectors.
    dimensions
        How many numbers each word has.
    words
        How many words the header promises; None where there is no header.
    """

    layout = "text"

    def __init__(
        self, path: Path, *, name: str, compression: str, dimensions: int, words: int | None
    ) -> None:
        super().__init__(path, name=name, compression=compression)
        self._dimensions = dimensions
        self._words = words

    def scan(self, wanted: set[bytes]) -> Scan:
        """Compare the start of each line with the wanted words; parse their numbers alone."""
        starts = {word.split()[0] for word in wanted if word.strip()}
        found: dict[bytes, Vectors] = {}
        blank = number = 0
        with open_bytes(self._path, self._file, self._compression, Meter()) as stream:
            first = stream.readline().removeprefix(BYTE_ORDER_MARK)
            lines = chain([b"" if self._has_header else first], stream)
            for number, line in enumerate(lines, start=1):
                start = line.split(None, 1)
                if not start:
                    blank += 1
                elif start[0] in starts:
                    self._take(line.strip(), number, wanted, found)
                    if len(found) == len(wanted):
                        return Scan(found)
        self._check_whole(number - blank)
        return Scan(found)

    @property
    def _has_header(self) -> bool:
        return self._words is not None

    def _take(
        self, line: bytes, number: int, wanted: set[bytes], found: dict[bytes, Vectors]
    ) -> None:
        """Keep the vector of a line, if its word is wanted and new."""
        word, *fields = line.rsplit(None, self._dimensions)
        if len(fields) == self._dimensions and word not in wanted:
            self._check_not_longer(word, number)
        elif word not in found:
            found[word] = self._parsed(word, fields, number)

    def _parsed(self, word: bytes, fields: Sequence[bytes], number: int) -> Vectors:
        if len(fields) != self._dimensions:
            raise self._miscounted(word, len(fields), number)
        try:
            if any(b"_" in field for field in fields):  # Python's own: 1_000
                raise ValueError
            row = np.array([float(field) for field in fields])
        except ValueError:
            wrong = next(field for field in fields if not is_number(field))
            raise InputError(
                f"{self._file}: line {number}: {_shown(wrong)} is no number "
                f"(in the vector of {_shown(word)})"
            ) from None
        with np.errstate(over="ignore"):  # what is too large is no vector
            return row.astype(np.float32)

    def _check_not_longer(self, text: bytes, number: int) -> None:
        """Tell a word with spaces from a line with too many numbers: those have a point."""
        word, *more = text.split()
        if more and all(b"." in field and is_number(field) for field in more):
            raise self._miscounted(word, self._dimensions + len(more), number)

    def _miscounted(self, word: bytes, count: int, number: int) -> InputError:
        return InputError(
            f"{self._file}: line {number}: {_shown(word)} has {count} numbers, "
            f"where {self._dimensions} belong"
        )

    def _check_whole(self, lines: int) -> None:
        if self._words is not None and lines < self._words:
            raise InputError(
                f"{self._file}: cut short: its first line promises {self._words} words, "
                f"but {lines} follow"
            )


def is_number(field: bytes) -> bool:
    """Tell whether a field is a number, as other programs write it.

    >>> is_number(b"-1.5e-3"), is_number(b"1_0"), is_number(b"0,5")
    (True, False, False)
    """
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field


def dimensions_of(lines: Iterable[bytes]) -> int:
    """Return how many numbers most lines end in; a word may be a number too.

    >>> dimensions_of([b"the 0.1 0.2", b"1984 0.3 0.4", b"at home 0.5 0.6"])
    2
    """
    counts = Counter(map(_numbers_at_end, lines))
    return max(counts, key=counts.__getitem__, default=0)


def _is_count(field: bytes) -> bool:
    return field.isdigit() and len(field) <= _DIGITS


def _numbers_at_end(line: bytes) -> int:
    fields = line.split()
    count = 0
    while count < len(fields) - 1 and is_number(fields[-1 - count]):
        count += 1
    return count


def _shown(text: bytes) -> str:
    return repr(text[:40].decode("utf-8", "replace"))
