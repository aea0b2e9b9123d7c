"""Counts in a file: an archive of ``header.json`` and arrays."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.archives import (
    array_bytes,
    array_of,
    arrays_of,
    checksum,
    read_archive,
    write_archive,
)
from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts, PipelineStamp, Totals
from tealeaves.evidence.terms import Term
from tealeaves.evidence.units import Unit
from tealeaves.evidence.vocabulary import ragged
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from tealeaves.arrays import Integers

_FORMAT = "tealeaves-counts"
_VERSION = 2  # 2: another digest of texts


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
        f"{number}/{name}.npy": array_bytes(array, "<i8")
        for number, one in enumerate(counts)
        for name, array in _arrays(one).items()
    }
    digest = checksum(msgspec.json.encode(parts), arrays)
    header = _Header(_FORMAT, _VERSION, digest, parts)
    write_archive(path, {"header.json": msgspec.json.encode(header), **arrays})


def load_counts(path: str | os.PathLike[str]) -> list[Counts]:
    """Read the counts of a file; a damaged or foreign file is an error."""
    members = read_archive(path, "counts")
    arrays = arrays_of(members)
    try:
        header = msgspec.json.decode(members["header.json"], type=_Header)
    except (KeyError, ValueError) as error:
        raise InputError(f"{path}: not a whole file of counts: {error}") from error
    if header.format != _FORMAT or header.version != _VERSION:
        raise InputError(f"{path}: {header.format} {header.version} is not read by this version")
    if header.checksum != checksum(msgspec.json.encode(header.parts), arrays):
        raise InputError(f"{path}: the checksum is wrong: the file is damaged")
    if not header.parts:
        raise InputError(f"{path}: the file holds no counts")
    try:
        return [_counts(part, number, arrays) for number, part in enumerate(header.parts)]
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path}: the counts do not fit together: {error}") from error


def _arrays(counts: Counts) -> dict[str, Integers]:
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
    def array(name: str) -> Integers:
        return array_of(arrays[f"{number}/{name}.npy"]).astype(np.int64, copy=False)

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
