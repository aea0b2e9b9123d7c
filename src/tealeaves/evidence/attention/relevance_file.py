"""Files of relevance: an artifact, whose arrays are checked when it is read."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tealeaves.artifacts import Artifact, ArtifactFormat
from tealeaves.errors import InputError
from tealeaves.evidence.attention.frame import RelevanceStamp, RelevanceTotals
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.relevance import ARRAYS, BY_HEAD, Relevance
from tealeaves.evidence.requests import Term
from tealeaves.text.fingerprint import Fingerprint

if TYPE_CHECKING:
    from tealeaves.arrays import Array, Floats, Integers

_ZIP = b"PK"  # the first bytes of all artifacts
_PAIRS = "asked"  # the name of the array of pairs in files
_FRACTIONS = ("attention", "lrp", "sums", "text_values")
_STATISTICS = ("sample", "statistics")
_ROUNDING = 1e-9  # of a sum, as a share of the sizes that it is made of


@dataclass(frozen=True)
class RelevanceFile:
    """A file of relevance, what it holds, and whether it was complete before."""

    path: Path
    relevance: Relevance
    was_complete: bool = False

    def __str__(self) -> str:
        stamp, totals = self.relevance.stamp, self.relevance.totals
        parts = [
            f"{self.path}: {stamp.classifier} read {totals.used} of {totals.documents} texts",
            f"{len(self.relevance.terms)} words, {len(self.relevance.rows)} ordered pairs seen",
        ]
        if totals.cut:
            parts.append(f"{totals.cut} texts longer than {stamp.longest} word pieces were cut")
        if totals.unlabelled:
            parts.append(f"{totals.unlabelled} texts have no label that the classifier knows")
        if totals.undecided:
            parts.append(f"{totals.undecided} texts have no relevance, because their logit is 0")
        return "; ".join(parts)


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
        all_pairs=relevance.pairs is None,
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
        _check(relevance)
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"{path}: the relevance does not fit together: {error}") from error
    return relevance


def open_relevance(name: str | os.PathLike[str]) -> Relevance:
    """Read a file of relevance that a user names; the message says what else it is."""
    path = Path(name)
    if path.is_dir():
        from tealeaves.evidence.attention.classifiers.folder import is_classifier

        what = "a classifier" if is_classifier(path) else "a folder"
        raise InputError(f"{name}: {what}: give a file of relevance")
    try:
        with path.open("rb") as file:
            start = file.read(len(_ZIP))
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file of relevance") from error
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
    if start != _ZIP:
        raise InputError(f"{name}: not a file of relevance (`tealeaves relevance gather` makes it)")
    return load_relevance(path)


def _arrays(relevance: Relevance) -> list[tuple[str, Array]]:
    """Return the arrays by their names; those that were not kept are left out."""
    arrays = [(name, getattr(relevance, name)) for name in ARRAYS]
    arrays.append((_PAIRS, relevance.pairs))
    for name in _STATISTICS:
        statistics = getattr(relevance, name)
        arrays.append((f"{name}_confidence", statistics.confidence))
        arrays.append((f"{name}_relevance", statistics.relevance))
    arrays.append(("fixed_confident", relevance.fixed.confident))
    arrays.append(("fixed_important", relevance.fixed.important))
    return [(name, array) for name, array in arrays if array is not None]


def _kind(array: Array) -> str:
    """Return the type that an array is stored as: counts in as few bytes as possible."""
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
        pairs=None if content.all_pairs else whole(_PAIRS),
        sample=statistics("sample", content.sample_texts),
        statistics=statistics("statistics", content.statistics_texts),
        fixed=FixedHeads(whole("fixed_confident"), whole("fixed_important").astype(np.bool_)),
        **{name: columns.get(name) for name in ARRAYS},  # type: ignore[arg-type]
    )


# ---------------------------------------------------------------------- checks of arrays


def _check(relevance: Relevance) -> None:
    """Raise ``ValueError`` for a wrong size, number or order."""
    _check_shapes(relevance)
    _check_totals(relevance)
    _check_frame(relevance)
    _check_rows(relevance)
    _check_fractions(relevance)
    _check_texts(relevance)


def _shapes(relevance: Relevance) -> dict[str, tuple[int, ...]]:
    rows, entries = len(relevance.rows), len(relevance.text_rows)
    heads = (relevance.stamp.layers, relevance.stamp.heads)
    return {
        "rows": (rows, 2),
        "together": (rows,),
        "attention": (rows, *heads),
        "lrp": (rows, *heads),
        "positive": (rows, *heads),
        "sums": (rows, 3),
        "counted": (rows,),
        "text_starts": (relevance.totals.used + 1,),
        "text_rows": (entries,),
        "text_values": (entries, 3),
        "text_together": (entries,),
        "text_counted": (entries,),
        "pairs": (0 if relevance.pairs is None else len(relevance.pairs), 2),
    }


def _check_shapes(relevance: Relevance) -> None:
    _demand(relevance.totals.used >= 0, "a negative number of texts was used")
    for name, shape in _shapes(relevance).items():
        array = getattr(relevance, name)
        _demand(array is None or array.shape == shape, f"{name} has the wrong size")
    heads = (relevance.stamp.layers, relevance.stamp.heads)
    for statistics in (relevance.sample, relevance.statistics):
        arrays: tuple[Array, ...] = (statistics.confidence, statistics.relevance)
        _demand(all(array.shape == heads for array in arrays), "statistics have the wrong size")
        _demand(statistics.texts >= 0, "statistics are of a negative number of texts")
    fixed = relevance.fixed
    _demand(fixed.confident.shape == heads[:1], "the confident heads have the wrong size")
    _demand(fixed.important.shape == heads, "the important heads have the wrong size")
    _demand(_within(fixed.confident, heads[1]), "there is no such confident head")


def _check_frame(relevance: Relevance) -> None:
    terms = list(relevance.terms)
    _demand(terms == sorted(set(terms)), "the terms are not sorted")
    pairs = relevance.pairs
    if pairs is not None:
        _demand(_within(pairs, len(terms)), "a pair of unknown words is asked for")
        _demand(bool((pairs[:, 0] < pairs[:, 1]).all()), "an asked pair is not in order")
        _demand(_ascending(relevance.frame.pair_keys), "the asked pairs are not sorted")


def _check_rows(relevance: Relevance) -> None:
    _demand(_within(relevance.rows, len(relevance.terms)), "rows name unknown words")
    _demand(_ascending(relevance.row_keys), "the rows are not sorted")
    requested = relevance.frame.are_requested(relevance.row_keys)
    _demand(bool(requested.all()), "a row is of words that were not asked for together")
    for name in ("together", "counted", "positive", "text_together", "text_counted"):
        counts = getattr(relevance, name)
        _demand(counts is None or counts.min(initial=0) >= 0, f"{name} has a negative number")
    _check_not_more("counted", relevance.counted, relevance.together)
    _check_not_more("text_counted", relevance.text_counted, relevance.text_together)
    if relevance.positive is not None:
        _check_not_more("positive", relevance.positive, relevance.together[:, None, None])


def _check_not_more(name: str, part: Integers, whole: Integers) -> None:
    _demand(bool((part <= whole).all()), f"{name} has more pairs of positions than there are")


def _check_totals(relevance: Relevance) -> None:
    totals = relevance.totals
    others = totals.dropped + totals.without + totals.left
    _demand(min(msgspec.structs.astuple(totals)) >= 0, "a negative number of texts")
    unfinished = totals.documents == others == 0  # both are known at the end
    adds_up = unfinished or others + totals.used == totals.documents
    _demand(adds_up, "the fates of the texts do not add up to all texts")
    fits = max(totals.cut, totals.undecided) <= totals.used and totals.unlabelled <= totals.without
    _demand(fits, "more texts are cut, undecided or unlabelled than there are")
    relevance.fingerprint.check()


def _check_fractions(relevance: Relevance) -> None:
    """Check that all fractions are numbers; only Improved LRP may be unknown."""
    for name in ("attention", "lrp"):
        array = getattr(relevance, name)
        _demand(array is None or _is_finite(array), f"{name} has a number that is not finite")
    attention = relevance.attention
    _demand(attention is None or attention.min(initial=0) >= 0, "attention is negative")
    for statistics in (relevance.sample, relevance.statistics):
        finite = _is_finite(statistics.confidence) and _is_finite(statistics.relevance)
        _demand(finite, "statistics have a number that is not finite")
        _demand(statistics.confidence.min(initial=0) >= 0, "statistics have a negative confidence")
    for name in ("sums", "text_values"):
        array = getattr(relevance, name)
        known = array if relevance.stamp.improved else array[:, :2]
        _demand(_is_finite(known), f"{name} has a number that is not finite")
        _demand(not np.isinf(array).any(), f"{name} has a number that is not finite")
        _demand(array[:, 0].min(initial=0) >= 0, f"{name} has a negative attention")


def _check_texts(relevance: Relevance) -> None:
    starts, rows = relevance.text_starts, relevance.text_rows
    _demand(starts[0] == 0 and starts[-1] == len(rows), "the texts do not fit their rows")
    _demand(bool((np.diff(starts) >= 0).all()), "the texts do not fit their rows")
    _demand(_within(rows, len(relevance.rows)), "a text has an unknown row")
    texts = np.repeat(np.arange(relevance.texts), np.diff(starts))
    _demand(_ascending(texts * len(relevance.rows) + rows), "the rows of a text are not sorted")
    together, sums, counted = relevance.sums_of_texts(np.ones(relevance.texts, dtype=np.bool_))
    _demand(np.array_equal(together, relevance.together), "the texts do not add up to together")
    _demand(np.array_equal(counted, relevance.counted), "the texts do not add up to counted")
    _demand(_nearly_equal(sums, relevance), "the texts do not add up to sums")


def _nearly_equal(sums: Floats, relevance: Relevance) -> bool:
    """Compare sums over texts with those of the file, which were rounded in another order."""
    sized = replace(relevance, text_values=np.abs(relevance.text_values))
    _, sizes, _ = sized.sums_of_texts(np.ones(relevance.texts, dtype=np.bool_))
    near = np.abs(sums - relevance.sums) <= _ROUNDING * sizes
    return bool((near | (np.isnan(sums) & np.isnan(relevance.sums))).all())


def _is_finite(array: Array) -> bool:
    return bool(np.isfinite(array).all())


def _within(numbers: Integers, size: int) -> bool:
    return numbers.size == 0 or bool(numbers.min() >= 0 and numbers.max() < size)


def _ascending(numbers: Integers) -> bool:
    return bool((np.diff(numbers) > 0).all())


def _demand(holds: bool, otherwise: str) -> None:  # noqa: FBT001
    if not holds:
        raise ValueError(otherwise)
