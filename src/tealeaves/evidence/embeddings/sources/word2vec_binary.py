"""Vectors in the binary files of word2vec."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.sources.text_file import Header
from tealeaves.evidence.embeddings.sources.vector_file import Scan, VectorFile
from tealeaves.evidence.embeddings.vectors import Vectors
from tealeaves.text.compression import Meter, open_bytes

_CHUNK = 1 << 24
_LONGEST = 1 << 16  # bytes of a word: more is damage


class Word2VecBinary(VectorFile):
    """A binary file of word2vec: a header, then for each word its bytes, a space and its floats.

    Parameters
    ----------
    path, name, compression
        As for any file of vectors.
    header
        Its first line.
    """

    layout = "word2vec"

    def __init__(self, path: Path, *, name: str, compression: str, header: Header) -> None:
        super().__init__(path, name=name, compression=compression)
        self._header = header

    def scan(self, wanted: set[bytes]) -> Scan:
        """Go from word to word; there is no other way to know where they are."""
        found: dict[bytes, Vectors] = {}
        with open_bytes(self._path, self._file, self._compression, Meter()) as stream:
            stream.readline()
            for word, row in self._entries(stream, wanted):
                if word not in found:
                    found[word] = np.frombuffer(row, dtype="<f4").astype(np.float32)
                    if len(found) == len(wanted):
                        break
        return Scan(found)

    def _entries(self, stream: BinaryIO, wanted: set[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the wanted words and the bytes of their floats."""
        size = 4 * self._header.dimensions
        block, at = b"", 0
        for number in range(1, self._header.words + 1):
            space = block.find(b" ", at)
            if space < 0 or space + 1 + size > len(block):
                block, at = self._more(stream, block[at:], number), 0
                space = block.find(b" ")
            word = block[at:space].lstrip(b"\n")  # some programs end each vector with a new line
            at = space + 1 + size
            if word in wanted:
                yield word, block[space + 1 : at]

    def _more(self, stream: BinaryIO, block: bytes, number: int) -> bytes:
        """Read on until a whole entry is there."""
        size = 4 * self._header.dimensions
        while True:
            new = stream.read(max(_CHUNK, size))
            block += new
            space = block.find(b" ")
            if not 0 <= space <= _LONGEST and len(block) > _LONGEST:
                raise self._damaged("damaged", number)
            if space >= 0 and space + 1 + size <= len(block):
                return block
            if not new:
                raise self._damaged("cut short", number)

    def _damaged(self, how: str, number: int) -> InputError:
        return InputError(
            f"{self._file}: a binary file of word2vec, but {how} at word {number} of "
            f"{self._header.words}"
        )
