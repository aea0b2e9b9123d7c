"""Vectors in the binary models of fastText, for words that it never saw too."""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.sources.fasttext_ngrams import buckets_of
from tealeaves.evidence.embeddings.sources.vector_file import Scan, VectorFile, encoded
from tealeaves.evidence.embeddings.vectors import Vectors

MAGIC = struct.pack("<i", 793712314)
QUANTISED = (
    "a quantised model of fastText, which keeps its vectors only roughly: take the .bin that it "
    "was made of"
)
_VERSIONS = (11, 12)
_SUPERVISED = 3  # the kind of a model that classifies
_WORD = 0  # the type of an entry that is a word, not a label


@dataclass(frozen=True)
class Parameters:
    """What the start of a model says of it."""

    dimensions: int
    buckets: int
    smallest: int
    largest: int
    entries: int
    words: int

    FORMAT = struct.Struct("<14id3i2q")

    @classmethod
    def read(cls, block: bytes, name: str) -> Parameters:
        """Read the start of a file."""
        if len(block) < cls.FORMAT.size:
            raise _damaged(name, "it ends within its header")
        values = cls.FORMAT.unpack_from(block)
        version, dimensions, kind, (bucket, smallest, largest) = (
            values[1], values[2], values[9], values[10:13]
        )  # fmt: skip
        entries, words, _, _, pruned = values[15:]
        if version not in _VERSIONS:
            raise InputError(
                f"{name}: a model of fastText in version {version}: 11 and 12 are read"
            )
        if pruned > 0:
            raise InputError(f"{name}: {QUANTISED}")
        if min(dimensions, words, bucket + 1) < 1 or entries < words:
            raise _damaged(name, "its header has impossible numbers")
        if pruned == 0 or (version == 11 and kind == _SUPERVISED):  # as fastText has it
            largest = 0
        return cls(dimensions, bucket, smallest, largest, entries, words)


class FastTextBinary(VectorFile):
    """A model of fastText: a word is the mean of its own vector and of those of its n-grams.

    A word that the model does not have is the mean of its n-grams. The rows that are needed are
    read from where they are in the file.
    """

    layout = "fasttext"

    def scan(self, wanted: set[bytes]) -> Scan:
        """Find the wanted words in the dictionary, and read their rows."""
        found, end = self._dictionary(wanted)
        matrix = self._opened(end)

        def compose(word: str) -> Vectors | None:
            """Return the mean of the n-grams of a word that the model does not have."""
            rows = self._ngram_rows(encoded(word))
            return _mean(matrix, rows) if rows else None

        return Scan(
            {word: _mean(matrix, [row, *self._ngram_rows(word)]) for word, row in found.items()},
            compose,
        )

    @cached_property
    def _parameters(self) -> Parameters:
        with self._path.open("rb") as stream:
            return Parameters.read(stream.read(Parameters.FORMAT.size), self._file)

    def _dictionary(self, wanted: set[bytes]) -> tuple[dict[bytes, int], int]:
        """Return the rows of the wanted words, and where the dictionary ends.

        Rows are places among all words. Labels are entries too, but have no vector.
        """
        found: dict[bytes, int] = {}
        at = Parameters.FORMAT.size
        with self._path.open("rb") as stream, _mapped(stream.fileno()) as block:
            for row in range(self._parameters.entries):
                end = block.find(b"\0", at)
                if end < 0 or end + 10 > len(block):
                    raise _damaged(self._file, f"it ends at word {row + 1} of its dictionary")
                word = block[at:end]
                at = end + 10  # a zero, how often the word was seen (8 bytes), its type
                if word in wanted and block[at - 1] == _WORD and row < self._parameters.words:
                    found.setdefault(word, row)
        return found, at

    def _opened(self, at: int) -> NDArray[np.float32]:
        """Return the rows of words, then of buckets, as they are in the file."""
        with self._path.open("rb") as stream:
            stream.seek(at)
            block = stream.read(17)
        if block[:1] == b"\1":
            raise InputError(f"{self._file}: {QUANTISED}")
        rows, columns = struct.unpack("<2q", block[1:]) if len(block) == 17 else (0, 0)
        start = at + 17
        if columns != self._parameters.dimensions or rows < self._least_rows:
            raise _damaged(self._file, "its matrix has another size than its header says")
        if start + 4 * rows * columns > self._path.stat().st_size:
            raise _damaged(self._file, "it ends within its vectors")
        return np.memmap(self._path, "<f4", mode="r", offset=start, shape=(rows, columns))

    @property
    def _least_rows(self) -> int:
        has_ngrams = self._parameters.largest > 0
        return self._parameters.words + (self._parameters.buckets if has_ngrams else 0)

    def _ngram_rows(self, word: bytes) -> list[int]:
        if not word:
            return []
        ours = self._parameters
        buckets = buckets_of(
            word, smallest=ours.smallest, largest=ours.largest, buckets=ours.buckets
        )
        return [ours.words + bucket for bucket in buckets]


def _mean(matrix: Vectors, rows: list[int]) -> Vectors:
    return np.asarray(matrix[rows].mean(axis=0, dtype=np.float64), dtype=np.float32)


def _mapped(file: int) -> mmap.mmap:
    return mmap.mmap(file, 0, access=mmap.ACCESS_READ)


def _damaged(name: str, how: str) -> InputError:
    return InputError(f"{name}: a model of fastText, but damaged: {how}")
