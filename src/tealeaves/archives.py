"""Archives: zip files of a JSON header and plain arrays, checksummed.

The header can be read with any unzip; arrays are ``.npy`` members, read without unpickling. The
same content makes the same bytes, a file is written whole or not at all, and a damaged one is
refused.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.files import atomic_write

if TYPE_CHECKING:
    import numpy as np

    from tealeaves.arrays import Array

# what zipfile raises on damaged files, beside plain errors of reading
_DAMAGE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same content makes the same bytes


class PickledArrayError(ValueError):
    """An array of Python objects, which only unpickling could read."""


def write_archive(
    path: str | os.PathLike[str], members: Mapping[str, bytes], *, compressed: bool = True
) -> None:
    """Write members in their order, atomically; fractions are best left uncompressed."""
    kind = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w", kind) as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = kind
            file.writestr(info, data, compresslevel=1)


def read_archive(path: str | os.PathLike[str], what: str) -> dict[str, bytes]:
    """Read all members; ``what`` is what a file that cannot be read is not a whole one of."""
    with _opened(path, what) as file:
        return {name: file.read(name) for name in file.namelist()}


def read_header(path: str | os.PathLike[str], what: str) -> bytes:
    """Read ``header.json`` alone, which tells what kind of archive a file is."""
    with _opened(path, what) as file:
        return file.read("header.json")


@contextmanager
def _opened(path: str | os.PathLike[str], what: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive; whatever goes wrong is said in one line."""
    try:
        with zipfile.ZipFile(path) as file:
            yield file
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except (IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (*_DAMAGE, MemoryError, KeyError, EOFError, OSError, ValueError) as error:
        raise InputError(f"{path}: not a whole file of {what}: {error}") from error


def member_names(stream: IO[bytes]) -> list[str]:
    """Return the names of an archive's members; none where the archive is damaged."""
    try:
        with zipfile.ZipFile(stream) as file:
            return file.namelist()
    except (*_DAMAGE, KeyError, EOFError, OSError, ValueError):
        return []


def arrays_of(members: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the members that are arrays."""
    return {name: data for name, data in members.items() if name.endswith(".npy")}


def checksum(header: bytes, arrays: Mapping[str, bytes]) -> str:
    """Return a digest of a header and of the arrays."""
    digest = hashlib.blake2b(header, digest_size=16)
    for name in sorted(arrays):
        digest.update(name.encode("utf-8", "surrogatepass") + arrays[name])
    return digest.hexdigest()


def array_bytes(array: Array, kind: str) -> bytes:
    """Return an array as a ``.npy`` file of a kind such as ``<i8``."""
    import numpy as np

    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.ascontiguousarray(array, kind), allow_pickle=False)
    return stream.getvalue()


def array_of(data: bytes) -> Array:
    """Return the array of a ``.npy`` file; what is none, or pickled, raises ``ValueError``."""
    import numpy as np

    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        read = {(1, 0): np.lib.format.read_array_header_1_0}.get(
            version, np.lib.format.read_array_header_2_0
        )
        shape, fortran, kind = read(stream)
    except (SyntaxError, TypeError, RecursionError, tokenize.TokenError, UserWarning) as error:
        raise ValueError(f"not an array: {error}") from error
    if kind.hasobject:
        raise PickledArrayError("an array of Python objects, that is a pickle")
    return _filled(data[stream.tell() :], shape, kind, fortran=fortran)


def _filled(body: bytes, shape: tuple[int, ...], kind: np.dtype[Any], *, fortran: bool) -> Array:
    """Return the array whose bytes these are: what a header claims is checked before it is made."""
    import numpy as np

    if min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != len(body):
        raise ValueError("an array is cut short")
    return np.ndarray(shape, kind, body, order="F" if fortran else "C").copy()
