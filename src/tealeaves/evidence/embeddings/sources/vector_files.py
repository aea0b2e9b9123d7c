"""Files of word vectors, of word2vec, GloVe and fastText; the format is known by the content."""

from __future__ import annotations

import struct
import sys
from abc import abstractmethod
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.compression import compression_of_content
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.embeddings import Embedder
from tealeaves.evidence.embeddings.fingerprints import (
    check_unchanged,
    content_hash,
    file_states,
    fingerprint_of_parts,
)
from tealeaves.evidence.embeddings.sources.lookup import (
    LOOKUP_RULES,
    WordLookup,
    all_word_forms,
    no_vector,
)
from tealeaves.files import InputFile

# how files of several formats begin
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_FASTTEXT = struct.pack("<i", 793712314)
_PICKLE = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))
_NUMPY = b"\x93NUMPY"
_ZIP = b"PK\x03\x04"
_TAR, _TAR_OFFSET = b"ustar", 257

_GENSIM_SUFFIXES = (".kv", ".model", ".pkl", ".pickle", ".npy", ".npz")
_TEXT_BYTES = frozenset(range(0x20, 0x100)) | frozenset(b"\t\n\r")
_START_SIZE = 1 << 18  # bytes that are read to find the format
_START_LINES = 20
_MOST_DIMENSIONS = 100_000  # a first line with a larger number is no header
_MOST_DIGITS = 15
_CHUNK_SIZE = 1 << 24
_LONGEST_WORD = 1 << 16  # bytes; a longer one is a sign of damage


def open_file(path: Path, *, name: str) -> Embedder:
    """Return an embedder for a file of vectors; only the start of the file is read here.

    Text files of word2vec, GloVe and fastText may be compressed, and binary ones of word2vec too.
    """
    if not path.is_file():
        raise InputError(f"{name}: not a file of word vectors")
    before = file_states([path])
    embedder = _detect_format(path, name)
    check_unchanged([path], before, name)
    return embedder


def _detect_format(path: Path, name: str) -> Embedder:
    start, compression = _read_start(path, name)
    if start.startswith(_FASTTEXT):
        from tealeaves.evidence.embeddings.sources.fasttext import open_fasttext

        return open_fasttext(path, name=name, compression=compression)
    _refuse_other_formats(start, path, name)
    first, _, rest = start.removeprefix(_BYTE_ORDER_MARK).partition(b"\n")
    header = VectorFileHeader.of(first)
    if header is None:
        dimensions = _dimensions_without_header(start, path, name)
        return TextFile(path, name=name, compression=compression, dimensions=dimensions, words=None)
    if not header.words or not rest.strip():
        raise InputError(f"{name}: a header, but no vectors")
    if _is_binary(rest, header):
        return Word2VecBinary(path, name=name, compression=compression, header=header)
    return TextFile(
        path, name=name, compression=compression, dimensions=header.dimensions, words=header.words
    )


def _read_start(path: Path, name: str) -> tuple[bytes, str]:
    """Return the first bytes of a file, decompressed, and the suffix of its compression."""
    with path.open("rb") as stream:
        compression = compression_of_content(stream.read(4))
    with InputFile(path, name=name, compression=compression).open() as stream:
        start = stream.read(_START_SIZE)
    if not start.strip():
        raise InputError(f"{name}: an empty file, not one of word vectors")
    return start, compression


def _refuse_other_formats(start: bytes, path: Path, name: str) -> None:
    """Refuse formats that may hold vectors but are not read, and say what to do with them."""
    is_npz = start.startswith(_ZIP) and path.suffix.lower() in _GENSIM_SUFFIXES
    if start.startswith((*_PICKLE, _NUMPY)) or is_npz:
        raise _gensim_error(name)
    if start.startswith(_ZIP) or start[_TAR_OFFSET:].startswith(_TAR):
        raise InputError(f"{name}: an archive; unpack it, and name the file of vectors in it")


def _gensim_error(name: str) -> InputError:
    return InputError(
        f"{name}: a file that only the program which wrote it should load; save the vectors as "
        'text instead, with gensim by KeyedVectors.save_word2vec_format("vectors.txt")'
    )


def _dimensions_without_header(start: bytes, path: Path, name: str) -> int:
    """Return the length of the vectors in a file of GloVe; refuse any other file."""
    lines = start.removeprefix(_BYTE_ORDER_MARK).split(b"\n", _START_LINES)
    whole = [line for line in lines[: max(len(lines) - 1, 1)] if line.strip()]
    dimensions = _usual_dimensions(whole)
    if dimensions >= 2:
        return dimensions
    if path.suffix.lower() in _GENSIM_SUFFIXES:
        raise _gensim_error(name)
    example = f", but {_quote(whole[0])}" if whole and _may_be_text(whole[0]) else ""
    raise InputError(
        f"{name}: not a file of word vectors: its lines are not a word and its numbers, as "
        f"word2vec, GloVe and fastText write them{example}"
    )


def _is_binary(rest: bytes, header: VectorFileHeader) -> bool:
    """Tell binary vectors from written numbers, by the bytes that follow the header."""
    line = rest.lstrip(b"\r\n").partition(b"\n")[0]
    if _usual_dimensions([line]) >= header.dimensions and _may_be_text(line):
        return False
    try:
        # an incremental decoder, because the last character may be cut
        getincrementaldecoder("utf-8")().decode(rest)
    except UnicodeDecodeError:
        return True
    return not _may_be_text(rest)


def _may_be_text(line: bytes) -> bool:
    """Tell whether bytes may be text; some files of vectors have words that are not UTF-8."""
    return _TEXT_BYTES.issuperset(line)


class VectorFileHeader(NamedTuple):
    """The first line of a file of word2vec or fastText: the number of words, and of dimensions."""

    words: int
    dimensions: int

    @classmethod
    def of(cls, line: bytes) -> VectorFileHeader | None:
        """Read a first line; None if it is no header, as in files of GloVe.

        >>> VectorFileHeader.of(b"400000 50")
        VectorFileHeader(words=400000, dimensions=50)
        >>> VectorFileHeader.of(b"the 0.418 0.24968")
        """
        fields = line.split()
        are_counts = all(field.isdigit() and len(field) <= _MOST_DIGITS for field in fields)
        if len(fields) != 2 or not are_counts:
            return None
        words, dimensions = map(int, fields)
        return cls(words, dimensions) if 0 < dimensions <= _MOST_DIMENSIONS else None


class FileScan(NamedTuple):
    """What was found in one reading of a file.

    ``compose`` returns a vector for a word that the file does not have, if the format can.
    """

    rows: Mapping[bytes, Any]
    compose: Callable[[str], Any] = no_vector

    def find(self, word: str) -> Any:
        """Return the row of exactly this word, or None."""
        return self.rows.get(encode_word(word))


class VectorFile(Embedder):
    """A file with the vectors of many words.

    Such files may have gigabytes. So a file is read once for all words that are embedded together,
    and only their vectors are kept in memory.

    Parameters
    ----------
    path
        The path of the file.
    name
        What it is called in messages and expressions.
    compression
        The suffix of its compression, or nothing.
    """

    #: What the format is called in the fingerprint.
    layout: str = ""
    batch = sys.maxsize

    def __init__(self, path: Path, *, name: str, compression: str = "") -> None:
        self.name = name
        self._path = path.absolute()  # the working folder may change
        self._file = name  # for messages; the embedding may be renamed
        self._compression = compression
        self._states = file_states([path])

    @property
    def _input(self) -> InputFile:
        return InputFile(self._path, name=self._file, compression=self._compression)

    def _open(self) -> AbstractContextManager[BinaryIO]:
        return self._input.open()

    @cached_property
    def fingerprint(self) -> str:
        """The content of the file, and how it is read."""
        self._check_unchanged()
        content = content_hash(self._path)
        self._check_unchanged()
        return fingerprint_of_parts(content, self.layout, LOOKUP_RULES)

    @abstractmethod
    def scan(self, wanted: set[bytes]) -> FileScan:
        """Read the file once and return the rows of the wanted words that it has.

        If the file has a word twice, the first row is returned.
        """

    def embed(self, words: Sequence[str]) -> Vectors:
        """Read the file for all words, and look the words up in what it has."""
        wanted = {encode_word(form) for form in all_word_forms(words)} - {b""}
        self._check_unchanged()
        scan = self.scan(wanted) if wanted else FileScan({})
        vectors = WordLookup(self.name, scan.find, scan.compose).rows(words)
        self._check_unchanged()
        return vectors

    def _check_unchanged(self) -> None:
        check_unchanged([self._path], self._states, self._file)


def encode_word(word: str) -> bytes:
    """Return the UTF-8 of a word; nothing if it has none. Words are compared as bytes."""
    try:
        return word.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair
        return b""


class TextFile(VectorFile):
    """A text file of vectors: one word and its numbers per line.

    A word may contain spaces, as some do in files of GloVe: the numbers are the last fields.

    Parameters
    ----------
    path, name, compression
        As for any file of vectors.
    dimensions
        How many numbers each word has.
    words
        How many words the header promises; None if there is no header.
    """

    layout = "text"

    def __init__(
        self, path: Path, *, name: str, compression: str, dimensions: int, words: int | None
    ) -> None:
        super().__init__(path, name=name, compression=compression)
        self._dimensions = dimensions
        self._words = words

    def scan(self, wanted: set[bytes]) -> FileScan:
        """Compare the start of each line with the wanted words, and parse only their numbers."""
        starts = {word.split()[0] for word in wanted if word.strip()}
        rows: dict[bytes, Vectors] = {}
        blank = number = 0
        with closing(self._input.byte_lines()) as stream:
            first = next(stream, b"").removeprefix(_BYTE_ORDER_MARK)
            lines = chain([first if self._words is None else b""], stream)
            for number, line in enumerate(lines, start=1):
                start = line.split(None, 1)
                if not start:
                    blank += 1
                elif start[0] in starts:
                    self._add_row(line.strip(), number, wanted, rows)
                    if len(rows) == len(wanted):
                        return FileScan(rows)
        self._check_complete(number - blank)
        return FileScan(rows)

    def _add_row(
        self, line: bytes, number: int, wanted: set[bytes], rows: dict[bytes, Vectors]
    ) -> None:
        """Add the vector of a line to the rows, if its word is wanted and new."""
        word, *fields = line.rsplit(None, self._dimensions)
        if len(fields) == self._dimensions and word not in wanted:
            self._check_not_longer(word, number)
        elif word not in rows:
            rows[word] = self._parse_numbers(word, fields, number)

    def _parse_numbers(self, word: bytes, fields: Sequence[bytes], number: int) -> Vectors:
        if len(fields) != self._dimensions:
            raise self._length_error(word, len(fields), number)
        try:
            if any(b"_" in field for field in fields):  # Python would accept 1_000
                raise ValueError
            row = np.array([float(field) for field in fields])
        except ValueError:
            wrong = next(field for field in fields if not _is_number(field))
            raise InputError(
                f"{self._file}: line {number}: {_quote(wrong)} is no number "
                f"(in the vector of {_quote(word)})"
            ) from None
        with np.errstate(over="ignore"):  # a number that is too large becomes infinite
            return row.astype(np.float32)

    def _check_not_longer(self, text: bytes, number: int) -> None:
        """Tell a word with spaces from a line with too many numbers, which have a decimal point."""
        word, *more = text.split()
        if more and all(b"." in field and _is_number(field) for field in more):
            raise self._length_error(word, self._dimensions + len(more), number)

    def _length_error(self, word: bytes, count: int, number: int) -> InputError:
        return InputError(
            f"{self._file}: line {number}: {_quote(word)} has {count} numbers, "
            f"where {self._dimensions} belong"
        )

    def _check_complete(self, lines: int) -> None:
        if self._words is not None and lines < self._words:
            raise InputError(
                f"{self._file}: cut short: its first line promises {self._words} words, "
                f"but {lines} follow"
            )


def _is_number(field: bytes) -> bool:
    """Tell whether a field is a number as other programs write it.

    >>> _is_number(b"-1.5e-3"), _is_number(b"1_0"), _is_number(b"0,5")
    (True, False, False)
    """
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field


def _usual_dimensions(lines: Iterable[bytes]) -> int:
    """Return how many numbers most lines end in; the word itself may be a number.

    >>> _usual_dimensions([b"the 0.1 0.2", b"1984 0.3 0.4", b"at home 0.5 0.6"])
    2
    """
    counts = Counter(map(_numbers_at_end, lines))
    return max(counts, key=counts.__getitem__, default=0)


def _numbers_at_end(line: bytes) -> int:
    fields = line.split()
    count = 0
    while count < len(fields) - 1 and _is_number(fields[-1 - count]):
        count += 1
    return count


def _quote(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text[:40] + "…" if len(text) > 40 else text)


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

    def __init__(
        self, path: Path, *, name: str, compression: str, header: VectorFileHeader
    ) -> None:
        super().__init__(path, name=name, compression=compression)
        self._header = header

    def scan(self, wanted: set[bytes]) -> FileScan:
        """Go from word to word: only the end of one says where the next begins."""
        rows: dict[bytes, Vectors] = {}
        with self._open() as stream:
            stream.readline()
            for word, floats in self._entries(stream, wanted):
                if word not in rows:
                    rows[word] = np.frombuffer(floats, dtype="<f4").astype(np.float32)
                    if len(rows) == len(wanted):
                        break
        return FileScan(rows)

    def _entries(self, stream: BinaryIO, wanted: set[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the wanted words and the bytes of their floats."""
        size = 4 * self._header.dimensions
        block, at = b"", 0
        for number in range(1, self._header.words + 1):
            space = block.find(b" ", at)
            if space < 0 or space + 1 + size > len(block):
                block, at = self._read_entry(stream, block[at:], number), 0
                space = block.find(b" ")
            word = block[at:space].lstrip(b"\n")  # some programs end each vector with a new line
            at = space + 1 + size
            if word in wanted:
                yield word, block[space + 1 : at]

    def _read_entry(self, stream: BinaryIO, block: bytes, number: int) -> bytes:
        """Read on until the block contains a whole entry."""
        size = 4 * self._header.dimensions
        while True:
            new = stream.read(max(_CHUNK_SIZE, size))
            block += new
            space = block.find(b" ")
            if not 0 <= space <= _LONGEST_WORD and len(block) > _LONGEST_WORD:
                raise self._damage_error("damaged", number)
            if space >= 0 and space + 1 + size <= len(block):
                return block
            if not new:
                raise self._damage_error("cut short", number)

    def _damage_error(self, damage: str, number: int) -> InputError:
        return InputError(
            f"{self._file}: a binary file of word2vec, but {damage} at word {number} of "
            f"{self._header.words}"
        )
