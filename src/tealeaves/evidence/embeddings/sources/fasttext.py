"""Binary models of fastText, which give vectors to unseen words too, from character n-grams."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.sources.vector_files import FileScan, VectorFile, encode_word

_HEADER = struct.Struct("<14id3i2q")
_VERSIONS = (11, 12)
_SUPERVISED = 3  # the kind of a model that classifies
_WORD = 0  # the type of an entry that is a word and not a label
_END_OF_SENTENCE = b"</s>"  # a word of every model; it has no n-grams
_FNV_OFFSET = 2166136261
_FNV_PRIME = 16777619


def open_fasttext(path: Path, *, name: str, compression: str) -> FastTextBinary:
    """Return an embedder for a model; refuse compressed and quantised ones."""
    if compression:
        raise InputError(f"{name}: a compressed model of fastText; decompress it first")
    if path.suffix.lower() == ".ftz":
        raise _quantised_error(name)
    return FastTextBinary(path, name=name)


def _quantised_error(name: str) -> InputError:
    return InputError(
        f"{name}: a quantised model of fastText, whose vectors are only approximate; give the "
        ".bin that it was made from"
    )


def _damage_error(name: str, damage: str) -> InputError:
    return InputError(f"{name}: a model of fastText, but damaged: {damage}")


@dataclass(frozen=True)
class FastTextHeader:
    """What the start of a model says about it.

    An n-gram has from ``smallest`` to ``largest`` characters; ``largest`` is 0 if the model has no
    n-grams. ``entries`` are words and labels.
    """

    dimensions: int
    buckets: int
    smallest: int
    largest: int
    entries: int
    words: int

    @classmethod
    def read(cls, block: bytes, name: str) -> FastTextHeader:
        """Read the start of a file."""
        if len(block) < _HEADER.size:
            raise _damage_error(name, "it ends within its header")
        values = _HEADER.unpack_from(block)
        version, dimensions, kind, (buckets, smallest, largest) = (
            values[1], values[2], values[9], values[10:13]
        )  # fmt: skip
        entries, words, _, _, pruned = values[15:]
        if version not in _VERSIONS:
            raise InputError(
                f"{name}: a model of fastText in version {version}; only 11 and 12 can be read"
            )
        if pruned > 0:
            raise _quantised_error(name)
        if min(dimensions, words, buckets + 1) < 1 or entries < words:
            raise _damage_error(name, "its header has impossible numbers")
        if pruned == 0 or (version == 11 and kind == _SUPERVISED):  # as fastText does
            largest = 0
        return cls(dimensions, buckets, smallest, largest, entries, words)

    def ngram_rows(self, word: bytes) -> list[int]:
        """Return the rows of the matrix that belong to the n-grams of a word."""
        if not word:
            return []
        buckets = ngram_buckets(
            word, smallest=self.smallest, largest=self.largest, buckets=self.buckets
        )
        return [self.words + bucket for bucket in buckets]


class FastTextBinary(VectorFile):
    """A model of fastText: the vector of a word is the mean of its own row and its n-grams' rows.

    A word that the model does not have is the mean of its n-grams. Only the rows that are needed
    are read from the file.
    """

    layout = "fasttext"

    def scan(self, wanted: set[bytes]) -> FileScan:
        """Find the wanted words in the dictionary, and read their rows."""
        word_rows, end = self._read_dictionary(wanted)
        matrix = self._map_matrix(end)
        ngram_rows = self._header.ngram_rows

        def compose(word: str) -> Vectors | None:
            rows = ngram_rows(encode_word(word))
            return _mean_row(matrix, rows) if rows else None

        return FileScan(
            {word: _mean_row(matrix, [row, *ngram_rows(word)]) for word, row in word_rows.items()},
            compose,
        )

    @cached_property
    def _header(self) -> FastTextHeader:
        with self._path.open("rb") as stream:
            return FastTextHeader.read(stream.read(_HEADER.size), self._file)

    def _read_dictionary(self, wanted: set[bytes]) -> tuple[dict[bytes, int], int]:
        """Return the rows of the wanted words, and where the dictionary ends.

        The row of a word is its place among all entries. Labels are entries too, but have no row.
        """
        rows: dict[bytes, int] = {}
        at = _HEADER.size
        with (
            self._path.open("rb") as stream,
            mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as block,
        ):
            for row in range(self._header.entries):
                end = block.find(b"\0", at)
                if end < 0 or end + 10 > len(block):
                    raise _damage_error(self._file, f"it ends at word {row + 1} of its dictionary")
                word = block[at:end]
                at = end + 10  # a zero, the word's frequency (8 bytes), its type
                if word in wanted and block[at - 1] == _WORD and row < self._header.words:
                    rows.setdefault(word, row)
        return rows, at

    def _map_matrix(self, at: int) -> Vectors:
        """Return the rows of words and then of buckets, mapped from the file."""
        with self._path.open("rb") as stream:
            stream.seek(at)
            block = stream.read(17)
        if block[:1] == b"\1":
            raise _quantised_error(self._file)
        rows, columns = struct.unpack("<2q", block[1:]) if len(block) == 17 else (0, 0)
        start = at + 17
        header = self._header
        least_rows = header.words + (header.buckets if header.largest > 0 else 0)
        if columns != header.dimensions or rows < least_rows:
            raise _damage_error(self._file, "its matrix has another size than its header says")
        if start + 4 * rows * columns > self._path.stat().st_size:
            raise _damage_error(self._file, "it ends within its vectors")
        return np.memmap(self._path, "<f4", mode="r", offset=start, shape=(rows, columns))


def _mean_row(matrix: Vectors, rows: list[int]) -> Vectors:
    return np.asarray(matrix[rows].mean(axis=0, dtype=np.float64), dtype=np.float32)


def ngram_buckets(word: bytes, *, smallest: int, largest: int, buckets: int) -> list[int]:
    """Return the bucket of each n-gram of a word, as often as it occurs."""
    if word == _END_OF_SENTENCE or not buckets:
        return []
    return [ngram_hash(one) % buckets for one in ngrams(word, smallest=smallest, largest=largest)]


def ngrams(word: bytes, *, smallest: int, largest: int) -> Iterator[bytes]:
    """Yield the n-grams of a word between the marks ``<`` and ``>``; a mark alone is none.

    >>> [ngram.decode() for ngram in ngrams("été".encode(), smallest=3, largest=4)]
    ['<ét', '<été', 'été', 'été>', 'té>']
    """
    marked = b"<" + word + b">"
    # a character begins at each byte that does not continue one in UTF-8
    starts = [at for at, byte in enumerate(marked) if byte & 0xC0 != 0x80] + [len(marked)]
    characters = len(starts) - 1
    for first in range(characters):
        for last in range(first + max(smallest, 1), min(first + largest, characters) + 1):
            if last - first > 1 or 0 < first < characters - 1:
                yield marked[starts[first] : starts[last]]


def ngram_hash(text: bytes) -> int:
    """Return fastText's hash: FNV-1a of 32 bits, except that it widens bytes as signed numbers.

    >>> ngram_hash(b"<a"), ngram_hash("é".encode())
    (1761008750, 1023043777)
    """
    value = _FNV_OFFSET
    for byte in text:
        signed = byte | 0xFFFFFF00 if byte & 0x80 else byte
        value = (value ^ signed) * _FNV_PRIME & 0xFFFFFFFF
    return value
