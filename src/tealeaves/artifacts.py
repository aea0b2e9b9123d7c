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
import sys
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.json_data import decode_json
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.arrays import Array

HEADER = "header.json"
_NPY = ".npy"
_KINDS = "biufU"  # truths, numbers and texts, as numpy names them
# what zipfile raises for damaged files, besides plain errors of reading
_DAMAGE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same content makes the same bytes

Content = TypeVar("Content")


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
        members = read_members(path, self.holds)
        header = self._header(members.pop(HEADER, None), path)
        if header.checksum != _checksum(bytes(header.content), members):
            raise InputError(
                f"{path}: the checksum is wrong: the file is damaged and must be made again"
            )
        arrays: dict[str, Array] = {}
        for member in list(members):
            name = member.removesuffix(_NPY)
            try:
                arrays[name] = array_of(members.pop(member))
            except ValueError as error:
                reason = f"the array {name} cannot be read: {error}"
                raise self._incomplete(path, reason) from error
        return Artifact(self._content(header, arrays, path), arrays)

    def _header(self, data: bytes | None, path: str | os.PathLike[str]) -> _ArtifactHeader:
        if data is None:
            raise self._incomplete(path, f"there is no {HEADER} in it")
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
        with zipfile.ZipFile(path) as file:
            return decode_json(file.read(HEADER), _JsonHeader).format
    except (*_DAMAGE, msgspec.DecodeError, KeyError, EOFError, OSError, ValueError):
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
    with file.open("rb") as stream:
        is_zip = stream.read(2) == b"PK"
    if is_zip and (what := _READ_BY.get(artifact_format(file))):
        raise InputError(f"{path}: no texts, but a file of {what}")


@contextmanager
def _open_zip(path: str | os.PathLike[str], holds: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip file; every error becomes an ``InputError``."""
    try:
        with zipfile.ZipFile(path) as file:
            yield file
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except (IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (*_DAMAGE, MemoryError, KeyError, EOFError, OSError, ValueError) as error:
        raise InputError(f"{path}: not a complete file of {holds}: {error}") from error


def read_members(path: str | os.PathLike[str], holds: str) -> dict[str, bytes]:
    """Read all members of any zip file; ``holds`` is what it should have, for messages."""
    with _open_zip(path, holds) as file:
        return {name: file.read(name) for name in file.namelist()}


def member_names(stream: IO[bytes]) -> list[str]:
    """Return the names of the members of any zip file; none if it is damaged."""
    try:
        with zipfile.ZipFile(stream) as file:
            return file.namelist()
    except (*_DAMAGE, KeyError, EOFError, OSError, ValueError):
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
    import numpy as np

    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        read = {(1, 0): np.lib.format.read_array_header_1_0}.get(
            version, np.lib.format.read_array_header_2_0
        )
        with warnings.catch_warnings(action="error"):  # what is outdated is not from us
            shape, fortran, kind = read(stream)
    except (SyntaxError, TypeError, RecursionError, tokenize.TokenError, Warning) as error:
        raise ValueError(f"not an array: {error}") from error
    if kind.hasobject:
        raise PickledArrayError("an array of Python objects, which is a pickle")
    if kind.kind not in _KINDS:
        raise ValueError(f"an array of {kind}, not of numbers or texts")
    body = memoryview(data)[stream.tell() :]  # without a copy
    # the shape is checked before memory is allocated
    if min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != len(body):
        raise ValueError("an array is cut short")
    array = np.ndarray(shape, kind, body, order="F" if fortran else "C").copy()
    if kind.kind == "U":
        _check_characters(array)
    return array


def _check_characters(array: Array) -> None:
    """Raise for numbers that are no characters: numpy would take them for text until it is read."""
    import numpy as np

    points = np.frombuffer(array.tobytes(), array.dtype.str[0] + "u4")
    if (points > sys.maxunicode).any() or ((points >= 0xD800) & (points <= 0xDFFF)).any():
        raise ValueError("a text has a number that is no character")
