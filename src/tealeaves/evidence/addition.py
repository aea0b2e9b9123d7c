"""Addition of files of counts or of relevance."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tealeaves.artifacts import artifact_format
from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.attention.relevance_file import (
    RELEVANCE,
    RelevanceFile,
    load_relevance,
    save_relevance,
)
from tealeaves.evidence.counts import COUNTS, Counts, CountsFile, load_counts, save_counts
from tealeaves.files import check_writable

Part = TypeVar("Part")
_KINDS = {COUNTS.name: COUNTS.holds, RELEVANCE.name: RELEVANCE.holds}


def add(
    files: Sequence[str | os.PathLike[str]], output: str | os.PathLike[str]
) -> CountsFile | RelevanceFile:
    """Add files of counts, or of relevance, and save the sum.

    The files must be of different texts and of the same topics; counts must be for the same
    metrics, relevance of the same classifier and heads. A text that is in two files is an error.

    Parameters
    ----------
    files
        The files of ``tealeaves count``, or of ``tealeaves relevance gather``.
    output
        The file of the sum.
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
