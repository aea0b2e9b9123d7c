"""Sheets of an earlier sample: those that a new one writes over, or that would stand beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.lexicon.dataset.annotation import Annotation
from tealeaves.lexicon.dataset.sample import Sample, read_sample
from tealeaves.lexicon.dataset.sheets import SUFFIXES, read_sheet


def check_unannotated(files: Iterable[Path]) -> None:
    """Refuse to replace sheets in which somebody has annotated tokens.

    One that cannot be read is refused too: what people have written into it is not known.
    """
    for file in (one for one in files if one.is_file()):
        advice = "move it away, or give --discard-annotations to lose them"
        try:
            rows = read_sheet(file)
        except InputError as error:
            raise InputError(
                f"{file} would be replaced, but it may hold annotations, {advice} ({error})"
            ) from error
        if count := sum(row.is_annotated for row in rows):
            tokens = "1 token is" if count == 1 else f"{count:,} tokens are"
            raise InputError(f"{file} would be replaced, but {tokens} annotated in it: {advice}")


def replaced_sheets(sample: str | os.PathLike[str], files: Mapping[str, Path]) -> list[Path]:
    """Return the sheets that a new sample replaces, but does not write over.

    Whoever reads the folder would read them beside the new ones: ``fin.tsv`` where ``fin.jsonl`` is
    written. A sheet of another sample, or of a language that is no target any more, is refused: it
    may be somebody's work. What is no sheet is left alone.

    Parameters
    ----------
    sample
        The file of the earlier sample, if there is one, in the folder of its sheets.
    files
        For each target of the new sample the sheet that is written.
    """
    folder, earlier = Path(sample).parent, _earlier(sample)
    found = []
    for target in dict.fromkeys([*files, *(earlier.targets if earlier else ())]):
        beside = (folder / f"{target}{suffix}" for suffix in SUFFIXES)
        for file in (one for one in beside if one not in files.values() and one.is_file()):
            rows = _rows(file)
            if not rows:
                continue
            if target not in files or earlier is None or not _is_of(earlier, target, rows):
                raise InputError(
                    f"{file} is a sheet that would stay beside those of another sample: move it "
                    "away, or name another folder"
                )
            found.append(file)
    return found


def _earlier(path: str | os.PathLike[str]) -> Sample | None:
    try:
        return read_sample(path)
    except InputError:
        return None


def _rows(file: Path) -> list[Annotation]:
    try:
        return read_sheet(file)
    except InputError:
        return []


def _is_of(sample: Sample, target: str, rows: Sequence[Annotation]) -> bool:
    """Tell whether all rows are tokens that were sampled for a target."""
    tokens = {(one.lemma, at.key, at.place) for one in sample.lemmas for at in one.tokens}
    return target in sample.targets and all(
        row.target == target and (row.lemma, row.key, row.place) in tokens for row in rows
    )
