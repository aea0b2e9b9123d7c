"""Files of word vectors: which format one has is told by its content."""

from __future__ import annotations

from codecs import getincrementaldecoder
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.contents import check_unchanged, states_of
from tealeaves.evidence.embeddings.embedder import Embedder
from tealeaves.evidence.embeddings.sources.fasttext_binary import MAGIC, QUANTISED, FastTextBinary
from tealeaves.evidence.embeddings.sources.text_file import (
    BYTE_ORDER_MARK,
    Header,
    TextFile,
    dimensions_of,
)
from tealeaves.evidence.embeddings.sources.word2vec_binary import Word2VecBinary
from tealeaves.text.compression import Meter, compression_of, open_bytes

_SAMPLE = 1 << 18
_LINES = 20
_PICKLE = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))
_GENSIM = (".kv", ".model", ".pkl", ".pickle", ".npy", ".npz")
_TAR_AT = 257
_TEXT = frozenset(range(0x20, 0x100)) | frozenset(b"\t\n\r")


def open_file(path: Path, *, name: str) -> Embedder:
    """Return an embedder that reads the vectors of a file; here only its start is read.

    Text files of word2vec, GloVe and fastText may be compressed, and binary ones of word2vec too.
    """
    if not path.is_file():
        raise InputError(f"{name}: not a file of word vectors")
    before = states_of([path])
    found = _reader(path, name)
    check_unchanged([path], before, name)
    return found


def _reader(path: Path, name: str) -> Embedder:
    start, compression = _start(path, name)
    if start.startswith(MAGIC):
        if compression:
            raise InputError(f"{name}: a compressed model of fastText: decompress it first")
        if path.suffix.lower() == ".ftz":
            raise InputError(f"{name}: {QUANTISED}")
        return FastTextBinary(path, name=name)
    _refuse_other_formats(start, path, name)
    first, _, rest = start.removeprefix(BYTE_ORDER_MARK).partition(b"\n")
    header = Header.of(first)
    if header is None:
        return _without_header(start, path, name, compression)
    if not header.words or not rest.strip():
        raise InputError(f"{name}: a header, but no vectors")
    if _is_binary(rest, header):
        return Word2VecBinary(path, name=name, compression=compression, header=header)
    return TextFile(
        path, name=name, compression=compression, dimensions=header.dimensions, words=header.words
    )


def _start(path: Path, name: str) -> tuple[bytes, str]:
    """Return the first bytes of a file, decompressed, and what it was compressed with."""
    with path.open("rb") as stream:
        compression = compression_of(stream.read(4))
    with open_bytes(path, name, compression, Meter()) as stream:
        start = stream.read(_SAMPLE)
    if not start.strip():
        raise InputError(f"{name}: an empty file, not one of word vectors")
    return start, compression


def _refuse_other_formats(start: bytes, path: Path, name: str) -> None:
    """Say what to do with files that hold vectors, or may, but in formats that are not read."""
    if start.startswith(_PICKLE) or start.startswith(b"\x93NUMPY") or _is_npz(start, path):
        raise InputError(_of_gensim(name))
    if start.startswith(b"PK\x03\x04") or start[_TAR_AT : _TAR_AT + 5] == b"ustar":
        raise InputError(f"{name}: an archive: unpack it, and name the file of vectors in it")


def _is_npz(start: bytes, path: Path) -> bool:
    return start.startswith(b"PK\x03\x04") and path.suffix.lower() in _GENSIM


def _of_gensim(name: str) -> str:
    return (
        f"{name}: a file that only the program which wrote it should load: save the vectors as "
        'text instead, with gensim by KeyedVectors.save_word2vec_format("vectors.txt")'
    )


def _without_header(start: bytes, path: Path, name: str, compression: str) -> Embedder:
    """Return what reads a file of GloVe, if it is one."""
    lines = start.removeprefix(BYTE_ORDER_MARK).split(b"\n", _LINES)
    whole = [line for line in lines[: max(len(lines) - 1, 1)] if line.strip()]
    dimensions = dimensions_of(whole)
    if dimensions >= 2:
        return TextFile(path, name=name, compression=compression, dimensions=dimensions, words=None)
    if path.suffix.lower() in _GENSIM:
        raise InputError(_of_gensim(name))
    what = f", but {_shown(whole[0])}" if whole and _looks_like_text(whole[0]) else ""
    raise InputError(
        f"{name}: not a file of word vectors: its lines are not a word and its numbers, as "
        f"word2vec, GloVe and fastText write them{what}"
    )


def _is_binary(rest: bytes, header: Header) -> bool:
    """Tell floats from numbers that are written out, by what follows the header."""
    line = rest.lstrip(b"\r\n").partition(b"\n")[0]
    if dimensions_of([line]) >= header.dimensions and _looks_like_text(line):
        return False
    try:
        getincrementaldecoder("utf-8")().decode(rest)  # which allows for the cut at the end
    except UnicodeDecodeError:
        return True
    return not _looks_like_text(rest)


def _looks_like_text(line: bytes) -> bool:
    """Tell whether bytes may be text; words that are not UTF-8 are in some files of vectors."""
    return _TEXT.issuperset(line)


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text[:40] + "…" if len(text) > 40 else text)
