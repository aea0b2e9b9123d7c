"""Counts in a file: a zip archive of a JSON header and plain arrays, checksummed.

``header.json`` can be read with any unzip; arrays are ``.npy`` members that numpy reads without
unpickling. A file is written whole or not at all, and a damaged one is refused.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.evidence.vocabulary import ragged
from tealeaves.files import atomic_write
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

_FORMAT = "tealeaves-counts"
_VERSION = 2  # 2: another digest of texts
# what zipfile raises on damaged files, beside plain errors of reading
_DAMAGE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same counts make the same bytes


class _Part(msgspec.Struct):
    """What the header says of the counts of one unit."""

    unit: str
    pipelines: dict[str, PipelineStamp]
    fingerprint: Fingerprint
    totals: Totals
    terms: list[tuple[tuple[str, ...], str]]


class _Header(msgspec.Struct):
    format: str
    version: int
    checksum: str
    parts: list[_Part]


def save_counts(counts: Sequence[Counts], path: str | os.PathLike[str]) -> None:
    """Write counts to one file, atomically."""
    parts = [
        _Part(
            str(c.unit),
            dict(c.pipelines),
            c.fingerprint,
            c.totals,
            [(t.tokens, t.language) for t in c.terms],
        )
        for c in counts
    ]
    arrays = {
        f"{number}/{name}.npy": _array_bytes(array)
        for number, one in enumerate(counts)
        for name, array in _arrays(one).items()
    }
    header = _Header(_FORMAT, _VERSION, _checksum(parts, arrays), parts)
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        members = {"header.json": msgspec.json.encode(header), **arrays}
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, data, compresslevel=1)


def load_counts(path: str | os.PathLike[str]) -> list[Counts]:
    """Read the counts of a file; a damaged or foreign file is an error."""
    try:
        with zipfile.ZipFile(path) as file:
            header = msgspec.json.decode(file.read("header.json"), type=_Header)
            arrays = {name: file.read(name) for name in file.namelist() if name.endswith(".npy")}
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except (IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (*_DAMAGE, KeyError, EOFError, OSError, ValueError) as error:
        raise InputError(f"{path}: not a whole file of counts: {error}") from error
    if header.format != _FORMAT or header.version != _VERSION:
        raise InputError(f"{path}: {header.format} {header.version} is not read by this version")
    if header.checksum != _checksum(header.parts, arrays):
        raise InputError(f"{path}: the checksum is wrong: the file is damaged")
    if not header.parts:
        raise InputError(f"{path}: the file holds no counts")
    try:
        return [_counts(part, number, arrays) for number, part in enumerate(header.parts)]
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path}: the counts do not fit together: {error}") from error


def _arrays(counts: Counts) -> dict[str, Ints]:
    set_start, members = ragged(counts.sets)
    return {
        "singles": counts.singles,
        "pairs": counts.pairs,
        "pair_counts": counts.pair_counts,
        "set_start": set_start,
        "set_members": members,
        "set_counts": counts.set_counts,
    }


def _counts(part: _Part, number: int, arrays: dict[str, bytes]) -> Counts:
    def array(name: str) -> Ints:
        stream = io.BytesIO(arrays[f"{number}/{name}.npy"])
        return np.lib.format.read_array(stream, allow_pickle=False).astype(np.int64, copy=False)

    start, members = array("set_start").tolist(), array("set_members").tolist()
    counts = Counts(
        unit=Unit.parse(part.unit),
        pipelines=part.pipelines,
        fingerprint=part.fingerprint,
        totals=part.totals,
        terms=tuple(Term(*term) for term in part.terms),
        singles=array("singles"),
        pairs=array("pairs"),
        pair_counts=array("pair_counts"),
        sets=tuple(tuple(members[a:b]) for a, b in pairwise(start)),
        set_counts=array("set_counts"),
    )
    expected: dict[str, tuple[int, ...]] = {
        "singles": (len(counts.terms),),
        "pairs": (len(counts.pairs), 2),
        "pair_counts": (len(counts.pairs),),
        "set_counts": (len(counts.sets),),
    }
    for name, shape in expected.items():
        if getattr(counts, name).shape != shape:
            raise ValueError(f"{name} has the wrong size")
    return counts


def _array_bytes(array: Ints) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.ascontiguousarray(array, "<i8"), allow_pickle=False)
    return stream.getvalue()


def _checksum(parts: Sequence[_Part], arrays: dict[str, bytes]) -> str:
    digest = hashlib.blake2b(msgspec.json.encode(parts), digest_size=16)
    for name in sorted(arrays):
        digest.update(name.encode() + arrays[name])
    return digest.hexdigest()
