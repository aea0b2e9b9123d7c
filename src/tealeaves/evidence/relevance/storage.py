"""Relevance in a file: an artifact."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tealeaves.artifacts import Artifact, ArtifactFormat
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

_FRACTIONS = ("attention", "lrp", "sums", "text_values")
_STATISTICS = ("sample", "statistics")


class RelevanceDescription(msgspec.Struct):
    """What the header of a file says of the relevance; the arrays hold the numbers."""

    stamp: RelevanceStamp
    fingerprint: Fingerprint
    totals: RelevanceTotals
    terms: list[tuple[tuple[str, ...], str]]
    all_pairs: bool
    by_head: bool
    sample_texts: int
    statistics_texts: int


RELEVANCE = ArtifactFormat(
    "tealeaves-relevance", 2, RelevanceDescription, holds="relevance", compressed=False
)


def save_relevance(relevance: Relevance, path: str | os.PathLike[str]) -> None:
    """Write relevance to one file, completely or not at all."""
    description = RelevanceDescription(
        relevance.stamp,
        relevance.fingerprint,
        relevance.totals,
        [(term.tokens, term.language) for term in relevance.terms],
        all_pairs=relevance.asked is None,
        by_head=relevance.has_heads,
        sample_texts=relevance.sample.texts,
        statistics_texts=relevance.statistics.texts,
    )
    arrays = {name: array.astype(_kind(array), copy=False) for name, array in _arrays(relevance)}
    RELEVANCE.save(path, description, arrays)


def load_relevance(path: str | os.PathLike[str]) -> Relevance:
    """Read the relevance of a file; a damaged or foreign file is an error."""
    artifact = RELEVANCE.load(path)
    try:
        relevance = _relevance(artifact)
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


def _relevance(artifact: Artifact[RelevanceDescription]) -> Relevance:
    content = artifact.content

    def numbers(name: str, kinds: str, wanted: type[np.generic]) -> Array:
        array = artifact.array(name)
        if array.dtype.kind not in kinds:
            raise ValueError(f"{name} holds {array.dtype}")
        return array.astype(wanted, copy=False)

    def whole(name: str) -> Array:
        return numbers(name, "biu", np.int64)

    def fractions(name: str) -> Array:
        return numbers(name, "f", np.float64)

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
