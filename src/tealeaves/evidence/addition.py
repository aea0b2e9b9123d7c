"""Addition of files of counts or of relevance, and what such files hold."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tealeaves.artifacts import artifact_format
from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.counts import COUNTS, Counts, load_counts, save_counts
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.storage import RELEVANCE, load_relevance, save_relevance
from tealeaves.files import check_writable

Part = TypeVar("Part")
_KINDS = {COUNTS.name: COUNTS.holds, RELEVANCE.name: RELEVANCE.holds}


@dataclass(frozen=True)
class CountsFile:
    """A file of counts, what it holds, and whether it was complete before."""

    path: Path
    counts: Sequence[Counts]
    was_complete: bool = False

    def __str__(self) -> str:
        first = self.counts[0]
        units = ", ".join(f"{one.totals.units} {one.unit.plural}" for one in self.counts)
        words, pairs = len(first.terms), len(first.pairs)
        texts = first.totals.documents
        return f"{self.path}: {texts} texts; {words} words and {pairs} pairs in {units}"


@dataclass(frozen=True)
class RelevanceFile:
    """A file of relevance, and what it holds."""

    path: Path
    relevance: Relevance

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
            parts.append(f"{totals.undecided} texts have no relevance, as their logit is nothing")
        return "; ".join(parts)


def add(
    files: Sequence[str | os.PathLike[str]], output: str | os.PathLike[str]
) -> CountsFile | RelevanceFile:
    """Add files of counts, or of relevance, and save the sum.

    The files must be of different texts and of the same topics; counts must be for the same
    metrics, relevance of the same classifier and heads. A text that is in two files is an error.
    """
    check_writable(output)
    kinds = [_kind(file) for file in files]
    for file, kind in zip(files, kinds, strict=True):
        if kind != kinds[0]:
            raise EvidenceError(
                f"{file} holds {kind}, but {files[0]} {kinds[0]}: add each kind by itself"
            )
    if Path(output).exists() and _KINDS.get(artifact_format(output)) != kinds[0]:
        raise InputError(f"{output} exists and holds no {kinds[0]}: name another file")
    if kinds[0] == RELEVANCE.holds:
        relevance = _sum(files, load_relevance, operator.add)
        save_relevance(relevance, output)
        return RelevanceFile(Path(output), relevance)
    counts = _sum(files, load_counts, lambda total, part: _add_units(total, part, files[0]))
    save_counts(counts, output)
    return CountsFile(Path(output), counts)


def _kind(file: str | os.PathLike[str]) -> str:
    try:
        Path(file).open("rb").close()
    except FileNotFoundError as error:
        raise InputError(f"{file}: no such file") from error
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    name = artifact_format(file)
    if not name:
        raise InputError(f"{file}: not a complete file of counts or relevance")
    if name not in _KINDS:
        raise InputError(f"{file}: not a file of counts or relevance")
    return _KINDS[name]


def _sum(
    files: Sequence[str | os.PathLike[str]],
    load: Callable[[str | os.PathLike[str]], Part],
    add_two: Callable[[Part, Part], Part],
) -> Part:
    """Add files one by one, so that at most two of them are in memory."""
    total = load(files[0])
    for file in files[1:]:
        try:
            total = add_two(total, load(file))
        except EvidenceError as error:
            raise EvidenceError(f"{file} cannot be added: {error}") from error
    return total


def _add_units(
    total: list[Counts], part: list[Counts], first: str | os.PathLike[str]
) -> list[Counts]:
    if [one.unit for one in part] != [one.unit for one in total]:
        theirs, ours = (", ".join(one.unit.plural for one in counts) for counts in (part, total))
        raise EvidenceError(f"it counts {theirs}, but {first} {ours}")
    return [a + b for a, b in zip(total, part, strict=True)]
