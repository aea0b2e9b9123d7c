"""Artifacts: files with a JSON header and arrays, which are checked when they are read.

An artifact is a zip file. Its ``header.json`` has the format, its version, the version of
tealeaves, a checksum, and the content that is not an array. Arrays are ``.npy`` members, which are
read without unpickling. The same content makes the same bytes. A file is written completely or not
at all, and a damaged file is an error.

Counts, relevance, topics with matrices, and unfinished chains of a sampler are artifacts. JSON
files without arrays (estimators, predictors, runs of a report) begin with the same three fields,
and ``check_json_header`` checks them. Files of every version since the first release can be read:
a format keeps a function for each earlier version, which makes of it the next.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.json_data import decode_json
from tealeaves.limits import check, check_bytes
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.arrays import Array

HEADER = "header.json"
_NPY = ".npy"
_NPY_MAGIC = b"\x93NUMPY"
_NPY_VERSIONS = (b"\1\0", b"\2\0", b"\3\0")
# the header of an array, read without evaluating it; what was matched is not tried again
_NPY_HEADER = re.compile(
    rb"\s*+\{\s*+'descr':\s*+'(?P<kind>[^']*)',\s*+'fortran_order':\s*+(?P<fortran>True|False),"
    rb"\s*+'shape':\s*+\((?P<shape>(?:\d{1,20},\s*+)*+(?:\d{1,20})?)\s*+\)\s*+,?\s*+\}\s*+"
)
_NPY_KIND = re.compile(rb"[<>=|]?[biufU]\d{1,9}")  # truths, numbers and texts
_NPY_OBJECTS = re.compile(rb"'[<>=|]?O\d*'")
# what zipfile raises for damaged files, besides plain errors of reading
_DAMAGE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
_PIECE = 1 << 20  # bytes of a member that are read at once
_ARRAY_HEADER = 1 << 14  # bytes that the header of an array fits into
_EMPTY = 1_000_000  # elements of an array that has no bytes
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same content makes the same bytes

Content = TypeVar("Content")


class SupportsRead(Protocol):
    """A stream that can be read."""

    def read(self, size: int, /) -> bytes:
        """Read up to so many bytes."""
        ...


class PickledArrayError(ValueError):
    """An array of Python objects, which only unpickling could read."""


class _JsonHeader(msgspec.Struct):
    """The fields that all files of tealeaves begin with."""

    format: str = ""
    version: int = 0
    made_with: str = ""


class _ArtifactHeader(msgspec.Struct):
    """The header of an artifact; ``content`` is decoded after the checksum is checked."""

    format: str
    version: int
    made_with: str
    checksum: str
    content: msgspec.Raw


@dataclass(frozen=True)
class Artifact(Generic[Content]):
    """The content of the header of a file, and its arrays by name."""

    content: Content
    arrays: Mapping[str, Array]

    def array(self, name: str) -> Array:
        """Return an array by its name; an array that the file lacks raises ``ValueError``."""
        if name not in self.arrays:
            raise ValueError(f"there is no array {name}")
        return self.arrays[name]


@dataclass(frozen=True)
class ArtifactFormat(Generic[Content]):
    """A kind of artifact: how its files are written and read.

    Parameters
    ----------
    name
        The name in the header, such as ``tealeaves-counts``.
    version
        A number that is raised whenever the files change.
    content
        The type of the header's content; ``msgspec.Raw`` for JSON that is decoded later.
    holds
        What a file has, for messages: "counts".
    compressed
        Whether arrays are compressed. Arrays of fractions hardly become smaller.
    upgrades
        How files of earlier versions are read: for each version a function that makes of its
        content, and of its arrays, those of the next version. It changes the arrays in place.
    """

    name: str
    version: int
    content: type[Content]
    holds: str
    compressed: bool = True
    upgrades: Mapping[int, Callable[[Any, dict[str, Array]], Any]] = field(default_factory=dict)

    def save(
        self, path: str | os.PathLike[str], content: Content, arrays: Mapping[str, Array]
    ) -> None:
        """Write a file, completely or not at all."""
        encoded = msgspec.json.encode(content)
        members = {f"{name}{_NPY}": array_bytes(array) for name, array in arrays.items()}
        header = _ArtifactHeader(
            self.name, self.version, __version__, _checksum(encoded, members), msgspec.Raw(encoded)
        )
        kind = zipfile.ZIP_DEFLATED if self.compressed else zipfile.ZIP_STORED
        with atomic_write(path) as stream, zipfile.ZipFile(stream, "w", kind) as file:
            for name, data in {HEADER: msgspec.json.encode(header), **members}.items():
                info = zipfile.ZipInfo(name, _EPOCH)
                info.compress_type = kind
                file.writestr(info, data, compresslevel=1)

    def load(self, path: str | os.PathLike[str]) -> Artifact[Content]:
        """Read a file; another format, another version or damage is an error."""
        arrays: dict[str, Array] = {}
        wrong: dict[str, ValueError] = {}
        with open_archive(path, self.holds) as archive:
            header = self._header(archive, path)
            digest = hashlib.blake2b(bytes(header.content), digest_size=16)
            for member in sorted(set(archive.names) - {HEADER}):
                name = member.removesuffix(_NPY)
                digest.update(member.encode("utf-8", "surrogatepass"))
                try:
                    arrays[name] = archive.array(member, digest.update)
                except InputError:
                    raise
                except ValueError as error:  # perhaps because the file is damaged
                    wrong[name] = error
        if header.checksum != digest.hexdigest():
            raise InputError(
                f"{path}: the checksum is wrong: the file is damaged and must be made again"
            )
        for name, reason in wrong.items():
            raise self._incomplete(path, f"the array {name} cannot be read: {reason}") from reason
        return Artifact(self._content(header, arrays, path), arrays)

    def _header(self, archive: Archive, path: str | os.PathLike[str]) -> _ArtifactHeader:
        if HEADER not in archive.names:
            raise self._incomplete(path, f"there is no {HEADER} in it")
        data = archive.read(HEADER)
        wanted = self.name, self.version
        check_json_header(data, str(path), holds=self.holds, wanted=wanted, earlier=self.upgrades)
        try:
            return decode_json(data, _ArtifactHeader)
        except msgspec.DecodeError as error:
            raise self._incomplete(path, error) from error

    def _content(
        self, header: _ArtifactHeader, arrays: dict[str, Array], path: str | os.PathLike[str]
    ) -> Content:
        """Return the content, and make the arrays those of the current version."""
        content = bytes(header.content)
        try:
            if header.version < self.version:
                value: Any = decode_json(content)
                for version in range(header.version, self.version):
                    value = self.upgrades[version](value, arrays)
                content = msgspec.json.encode(value)
            return decode_json(content, self.content)
        except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
            raise self._incomplete(path, error) from error

    def _incomplete(self, path: str | os.PathLike[str], reason: object) -> InputError:
        return InputError(f"{path}: not a complete file of {self.holds}: {reason}")


def artifact_format(path: str | os.PathLike[str]) -> str:
    """Return the format in the header of a file; an empty string if it is no artifact."""
    try:
        with open_archive(path, "anything") as archive:
            return decode_json(archive.read(HEADER), _JsonHeader).format
    except ValueError:
        return ""


def check_json_header(
    content: bytes,
    name: str,
    *,
    holds: str,
    wanted: tuple[str, int],
    made_by: str = "",
    earlier: Collection[int] = (),
) -> int:
    """Return the version of a file; raise for one of another format, or that cannot be read.

    ``wanted`` is the format and its current version, and ``earlier`` the versions that can still be
    read. ``holds`` is what the file should have, and ``made_by`` the command that makes such files.

    >>> content = b'{"format": "toys", "version": 2}'
    >>> check_json_header(content, "a.json", holds="toys", wanted=("toys", 2))
    2
    """
    wanted_format, wanted_version = wanted
    if not content.strip():
        raise InputError(f"{name}: not a complete file of {holds}: it is empty")
    try:
        header = decode_json(content, _JsonHeader)
    except msgspec.DecodeError as error:
        raise InputError(f"{name}: not a complete file of {holds}: {error}") from error
    if header.format != wanted_format:
        cure = f" (`{made_by}` makes one)" if made_by else ""
        raise InputError(f"{name}: not a file of {holds}{cure}")
    if header.version != wanted_version and header.version not in earlier:
        by = f", made with tealeaves {header.made_with}" * (header.made_with != __version__)
        cure = "install a newer tealeaves"
        if header.version < wanted_version:  # all versions of releases can be read
            cure = "it is of before the first release: run again the command that made it"
        raise InputError(
            f"{name}: file version {header.version}{by if header.made_with else ''}; tealeaves "
            f"{__version__} reads version {wanted_version}: {cure}"
        )
    return header.version


#: The suffix of runs, and how their files begin.
RUN_SUFFIX = ".run"
RUN_FORMAT = "tealeaves run"


def check_no_run(path: str | os.PathLike[str]) -> None:
    """Raise for a saved run, which is neither topics nor a table nor texts."""
    file = Path(path)
    if file.suffix.lower() != RUN_SUFFIX or not file.is_file():
        return
    with file.open("rb") as stream:
        start = stream.read(2 * len(RUN_FORMAT))
    if RUN_FORMAT.encode() in start:
        raise InputError(f"{path}: a saved run, which only `tealeaves report` reads")


# what reads each artifact; texts are not among them
_READ_BY = {
    "tealeaves-counts": "counts, which --counts reads",
    "tealeaves-relevance": "relevance, which --relevance reads",
    "tealeaves-topics-archive": "topics: name it without --corpus",
    "tealeaves-training": "an unfinished training, which `tealeaves train --resume` continues",
}


def check_no_artifact(path: str | os.PathLike[str]) -> None:
    """Raise for a saved run or an artifact where texts are wanted."""
    check_no_run(path)
    file = Path(path)
    if not file.is_file():
        return
    if is_zip(file) and (what := _READ_BY.get(artifact_format(file))):
        raise InputError(f"{path}: no texts, but a file of {what}")


class Archive:
    """An open zip file, whose members are read one by one, against the limit of archives.

    Parameters
    ----------
    file
        The open zip file.
    path
        Where it is, for messages.
    """

    def __init__(self, file: zipfile.ZipFile, path: str | os.PathLike[str]) -> None:
        self.names = file.namelist()
        self._file = file
        self._path = path
        self._size = Path(path).stat().st_size
        self._taken = 0

    def read(self, name: str) -> bytes:
        """Return a member that is no array."""
        length = self._length(name)
        check_bytes("text", length, f"{self._path}: {name}", size=self._size)
        with self._opened(name) as stream:
            return b"".join(iter(partial(stream.read, _PIECE), b""))

    def array(self, name: str, update: Callable[[bytes], object] = len) -> Array:
        """Return a member that is an array; ``update`` is called with all its bytes, in pieces.

        Anything else, or a pickle, raises ``ValueError``, after all bytes were passed on.
        """
        length = self._length(name)
        self.take(length)
        with self._opened(name) as stream:
            content = _Observed(stream, update)
            try:
                return read_array(content, length)
            finally:
                while content.read(_PIECE):
                    pass

    def take(self, size: int) -> None:
        """Count bytes that are taken for arrays; more than a file of this size may take raise."""
        self._taken += size
        check_bytes("archive", self._taken, f"{self._path}: arrays", size=self._size)

    def _length(self, name: str) -> int:
        """Return the length that the zip file states of a member, of which no more is read."""
        return self._file.getinfo(name).file_size

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        kind = self._file.getinfo(name).compress_type
        if kind not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name} is compressed in a way that is not read")
        with self._file.open(name) as stream:
            yield stream


class _Observed:
    """A stream whose bytes are passed on when they are read."""

    def __init__(self, stream: IO[bytes], update: Callable[[bytes], object]) -> None:
        self._stream = stream
        self._update = update

    def read(self, size: int) -> bytes:
        """Read some bytes."""
        data = self._stream.read(size)
        self._update(data)
        return data


class _FileOfZip(io.FileIO):
    """A file of which no huge piece is read: zipfile reads the list of members at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read some bytes."""
        rest = os.fstat(self.fileno()).st_size - self.tell()
        wanted = rest if size is None or size < 0 else min(size, rest)
        check("directory", wanted, f"{self.name}: the list of its members")
        return super().read(wanted)


@contextmanager
def open_archive(path: str | os.PathLike[str], holds: str) -> Iterator[Archive]:
    """Open any zip file, which should have what ``holds`` says.

    Every error becomes an ``InputError``.
    """
    try:
        with _FileOfZip(path) as stream, zipfile.ZipFile(stream) as file:
            yield Archive(file, path)
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except (IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (*_DAMAGE, KeyError, EOFError, OSError, ValueError) as error:
        if not is_zip(path):
            raise InputError(f"{path}: not a complete file of {holds}: no zip archive") from error
        raise InputError(
            f"{path}: not a complete file of {holds}: the file is damaged and must be made again "
            f"({error})"
        ) from error


def is_zip(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file begins as a zip archive does."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(2) == b"PK"
    except OSError:
        return False


def member_names(path: Path) -> list[str]:
    """Return the names of the members of any zip file; none if it is damaged."""
    try:
        with open_archive(path, "anything") as archive:
            return archive.names
    except InputError:
        return []


def _checksum(content: bytes, members: Mapping[str, bytes]) -> str:
    digest = hashlib.blake2b(content, digest_size=16)
    for name in sorted(members):
        digest.update(name.encode("utf-8", "surrogatepass"))
        digest.update(members[name])
    return digest.hexdigest()


def array_bytes(array: Array) -> bytes:
    """Return an array as the bytes of a ``.npy`` file, little-endian whatever the machine is."""
    import numpy as np

    plain = np.ascontiguousarray(array)
    stream = io.BytesIO()
    little = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
    np.lib.format.write_array(stream, little, allow_pickle=False)
    return stream.getvalue()


def array_of(data: bytes) -> Array:
    """Return the array of a ``.npy`` file; anything else, or a pickle, raises ``ValueError``."""
    return read_array(io.BytesIO(data), len(data))


def read_array(stream: SupportsRead, size: int) -> Array:
    """Read the array of a ``.npy`` file of ``size`` bytes, as ``array_of`` does."""
    import numpy as np

    start = stream.read(min(size, _ARRAY_HEADER))
    shape, fortran, kind, length = _array_header(start)
    # the shape is checked before memory is allocated
    total = math.prod(shape) * kind.itemsize
    most = math.prod(max(length, 1) for length in shape)  # of empty lists, in an empty array
    if min(shape, default=0) < 0 or total != size - length or most > max(size, _EMPTY):
        raise ValueError("an array is cut short")
    array = np.empty(shape[::-1] if fortran else shape, kind)
    flat: Any = array.reshape(-1).view(np.uint8)
    body = memoryview(flat)
    body[: len(start) - length] = start[length:]
    done = len(start) - length
    while done < total:
        piece = stream.read(min(_PIECE, total - done))
        if not piece:
            raise ValueError("an array is cut short")
        body[done : done + len(piece)] = piece
        done += len(piece)
    if kind.kind == "U":
        _check_characters(array)
    return np.ascontiguousarray(array.T) if fortran else array


def _array_header(start: bytes) -> tuple[tuple[int, ...], bool, Any, int]:
    """Return the shape, the order, the type of an array and where its numbers start."""
    import numpy as np

    magic, version = start[: len(_NPY_MAGIC)], start[len(_NPY_MAGIC) : len(_NPY_MAGIC) + 2]
    width = 2 if version == b"\1\0" else 4
    begin = len(magic) + len(version) + width
    end = begin + int.from_bytes(start[begin - width : begin], "little")
    if magic != _NPY_MAGIC or version not in _NPY_VERSIONS or end > len(start):
        raise ValueError("not an array")
    found = _NPY_HEADER.fullmatch(start[begin:end])
    if found is None or not (kind := _NPY_KIND.fullmatch(found["kind"])):
        if _NPY_OBJECTS.search(start[begin:end]):
            raise PickledArrayError("an array of Python objects, which is a pickle")
        raise ValueError("not an array of numbers or texts")
    shape = tuple(map(int, found["shape"].replace(b",", b" ").split()))
    try:
        dtype = np.dtype(kind[0].decode())
    except TypeError as error:
        raise ValueError(f"not an array: {error}") from error
    if not dtype.itemsize:
        raise ValueError("an array of nothing")
    return shape, found["fortran"] == b"True", dtype, end


def _check_characters(array: Array) -> None:
    """Raise for numbers that are no characters: numpy would take them for text until it is read."""
    import numpy as np

    points = np.frombuffer(array.tobytes(), array.dtype.str[0] + "u4")
    if (points > sys.maxunicode).any() or ((points >= 0xD800) & (points <= 0xDFFF)).any():
        raise ValueError("a text has a number that is no character")
