"""Relevance in a file: an archive of ``header.json`` and arrays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

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
from tealeaves.evidence.relevance.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.rowwise import ARRAYS, BY_HEAD
from tealeaves.evidence.relevance.stamp import RelevanceStamp, RelevanceTotals
from tealeaves.evidence.relevance.valid import check
from tealeaves.evidence.requests import Term
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from tealeaves.arrays import Array

_FORMAT = "tealeaves-relevance"
_VERSION = 1
_FRACTIONS = ("attention", "lrp", "sums", "text_values")
_STATISTICS = ("sample", "statistics")


class _Content(msgspec.Struct):
    """What the header says of the relevance; the arrays have the rest."""

    stamp: RelevanceStamp
    fingerprint: Fingerprint
    totals: RelevanceTotals
    terms: list[tuple[tuple[str, ...], str]]
    all_pairs: bool
    by_head: bool
    sample_texts: int
    statistics_texts: int


class _Header(msgspec.Struct):
    format: str
    version: int
    checksum: str
    content: _Content


def save_relevance(relevance: Relevance, path: str | os.PathLike[str]) -> None:
    """Write relevance to one file, atomically."""
    content = _Content(
        relevance.stamp,
        relevance.fingerprint,
        relevance.totals,
        [(term.tokens, term.language) for term in relevance.terms],
        all_pairs=relevance.asked is None,
        by_head=relevance.has_heads,
        sample_texts=relevance.sample.texts,
        statistics_texts=relevance.statistics.texts,
    )
    arrays = {f"{name}.npy": array_bytes(array, _kind(array)) for name, array in _arrays(relevance)}
    digest = checksum(msgspec.json.encode(content), arrays)
    header = msgspec.json.encode(_Header(_FORMAT, _VERSION, digest, content))
    write_archive(path, {"header.json": header, **arrays}, compressed=False)


def load_relevance(path: str | os.PathLike[str]) -> Relevance:
    """Read the relevance of a file; a damaged or foreign file is an error."""
    members = read_archive(path, "relevance")
    arrays = arrays_of(members)
    try:
        header = msgspec.json.decode(members["header.json"], type=_Header)
    except (KeyError, ValueError) as error:
        raise InputError(f"{path}: not a whole file of relevance: {error}") from error
    if header.format != _FORMAT or header.version != _VERSION:
        raise InputError(f"{path}: {header.format} {header.version} is not read by this version")
    if header.checksum != checksum(msgspec.json.encode(header.content), arrays):
        raise InputError(f"{path}: the checksum is wrong: the file is damaged")
    try:
        relevance = _relevance(header.content, arrays)
        check(relevance)
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path}: the relevance does not fit together: {error}") from error
    return relevance


def _arrays(relevance: Relevance) -> list[tuple[str, Array]]:
    """Return the arrays by their names; those that were not kept are left out."""
    found = [(name, getattr(relevance, name)) for name in (*ARRAYS, "asked")]
    for name in _STATISTICS:
        statistics = getattr(relevance, name)
        found.append((f"{name}_confidence", statistics.confidence))
        found.append((f"{name}_relevance", statistics.relevance))
    found.append(("fixed_confident", relevance.fixed.confident))
    found.append(("fixed_important", relevance.fixed.important))
    return [(name, array) for name, array in found if array is not None]


def _kind(array: Array) -> str:
    """Return what an array is stored as: numbers that count in as few bytes as hold them."""
    if array.dtype.kind == "f":
        return "<f8"
    largest, smallest = int(array.max(initial=0)), int(array.min(initial=0))
    fitting = (kind for kind in ("u1", "<u2", "<u4") if largest <= np.iinfo(kind).max)
    return next(fitting, "<i8") if smallest >= 0 else "<i8"


def _relevance(content: _Content, arrays: dict[str, bytes]) -> Relevance:
    def whole(name: str) -> Array:
        return _read(arrays[f"{name}.npy"], name, "biu", np.int64)

    def fractions(name: str) -> Array:
        return _read(arrays[f"{name}.npy"], name, "f", np.float64)

    def statistics(name: str, texts: int) -> HeadStatistics:
        return HeadStatistics(
            texts, fractions(f"{name}_confidence"), fractions(f"{name}_relevance")
        )

    columns: dict[str, Any] = {
        name: fractions(name) if name in _FRACTIONS else whole(name)
        for name in ARRAYS
        if content.by_head or name not in BY_HEAD
    }
    return Relevance(
        stamp=content.stamp,
        fingerprint=content.fingerprint,
        totals=content.totals,
        terms=tuple(Term(*term) for term in content.terms),
        asked=None if content.all_pairs else whole("asked"),
        sample=statistics("sample", content.sample_texts),
        statistics=statistics("statistics", content.statistics_texts),
        fixed=FixedHeads(whole("fixed_confident"), whole("fixed_important").astype(np.bool_)),
        **{name: columns.get(name) for name in ARRAYS},  # type: ignore[arg-type]
    )


def _read(data: bytes, name: str, kinds: str, wanted: type[np.generic]) -> Array:
    array = array_of(data)
    if array.dtype.kind not in kinds:
        raise ValueError(f"{name} holds {array.dtype}")
    return array.astype(wanted, copy=False)
