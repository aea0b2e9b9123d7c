"""``sample_sheets``: a sample of a source text, and a sheet for each target, in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tealeaves.errors import InputError
from tealeaves.files import atomic_writes
from tealeaves.jobs import progress_bar
from tealeaves.lexicon.analysers import Analyser
from tealeaves.lexicon.annotation.annotation import Annotation
from tealeaves.lexicon.annotation.sample import Sample, SamplePlan, read_sample
from tealeaves.lexicon.annotation.sampling import draw_sample
from tealeaves.lexicon.annotation.sheets import SUFFIXES, read_sheet, sheet_bytes, sheet_rows
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.extraction.reading import (
    Reading,
    check_exist,
    source_language,
    target_texts,
)

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.reading import Sides
    from tealeaves.lexicon.passages import Texts

_SAMPLE = "sample.json"


class SampledSheets(NamedTuple):
    """A sample, and the number of tokens in each of its sheets."""

    sample: Sample
    sheets: Mapping[Path, int]


def sample_sheets(
    source: Texts | Passages,
    targets: Sides | str,
    output: str | os.PathLike[str],
    plan: SamplePlan | None = None,
    *,
    lemmas: Sequence[str] | None = None,
    dev_languages: Sequence[str] | None = None,
    language: str | None = None,
    words: str | Analyser = "hanta",
    reading: Reading | None = None,
    suffix: str = ".tsv",
    restart: bool = False,
    discard_annotations: bool = False,
    progress: bool = False,
) -> SampledSheets:
    """Draw lemmas and tokens of a source text, and write sheets to annotate them in.

    Parameters
    ----------
    source, targets, language, reading
        The texts, as in :func:`extract`.
    output
        The folder. It gets a sheet for each target, and ``sample.json`` with what was drawn.
    plan, lemmas, dev_languages
        What is drawn, as in :func:`draw_sample`.
    words
        How forms of the source become words: ``hanta``, ``simplemma``, ``forms``.
    suffix
        How sheets are written: ``.tsv`` or ``.jsonl``.
    restart
        Whether to replace sheets that are there, if nothing is annotated in them.
    discard_annotations
        Whether to replace sheets with annotations too.
    progress
        Whether to show progress bars.
    """
    reading, plan = reading or Reading(), plan or SamplePlan()
    sides, name = target_texts(targets), source_language(source, language)
    folder = Path(output)
    files = {target: folder / f"{target}{suffix}" for target in sides}
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: a file, not a folder")
    for file in [folder / _SAMPLE, *files.values()]:
        if file.exists() and not restart:
            raise InputError(f"{file} is there already: --restart replaces it")
        _check_not_read(file, [source, *sides.values()])
    outdated = _outdated_sheets(folder, files)
    if not discard_annotations:
        _check_unannotated([*files.values(), *outdated])
    check_exist([source, *sides.values()])
    reading.check([name, *sides])

    read_side = partial(_read_side, reading, progress=progress)
    passages = read_side(source, name, words)
    others = [read_side(texts, target, "forms") for target, texts in sides.items()]
    for other in others:
        reading.side_by_side(passages, other)  # raises if they do not fit
    sample = draw_sample(passages, others, plan, lemmas=lemmas, dev_languages=dev_languages)
    counts = {}
    with atomic_writes() as write:
        for file, other in zip(files.values(), others, strict=True):
            rows = sheet_rows(sample, passages, other)
            write(file, sheet_bytes(rows, file))
            counts[file] = len(rows)
        write(folder / _SAMPLE, sample.to_bytes())
        # The earlier sample is replaced last: as long as it is there, its sheets are known.
        for file in outdated:
            file.unlink(missing_ok=True)
    return SampledSheets(sample, counts)


def _read_side(
    reading: Reading,
    texts: Texts | Passages,
    language: str,
    words: str | Analyser,
    *,
    progress: bool,
) -> Passages:
    description = f"reading {language}"
    with progress_bar(None, description, shown=progress, unit=" passages", leave=False) as bar:

        def advance(count: int) -> None:
            bar.update(count)

        return reading.passages(texts, language, words=words, keep_texts=True, advance=advance)


def _check_not_read(file: Path, texts: Iterable[object]) -> None:
    for one in texts:
        if isinstance(one, str | os.PathLike) and file.resolve() == Path(one).resolve():
            raise InputError(f"{file}: it is an input and would be overwritten; name another file")


def _check_unannotated(files: Iterable[Path]) -> None:
    """Raise for sheets that would be replaced, and have annotations.

    A sheet that cannot be read may have annotations too.
    """
    advice = "move it away, or give --discard-annotations to lose them"
    for file in (one for one in files if one.is_file()):
        try:
            rows = read_sheet(file)
        except InputError as error:
            raise InputError(
                f"{file} would be replaced, but it may hold annotations, {advice} ({error})"
            ) from error
        if count := sum(row.is_annotated for row in rows):
            tokens = "1 token is" if count == 1 else f"{count:,} tokens are"
            raise InputError(f"{file} would be replaced, but {tokens} annotated in it: {advice}")


def _outdated_sheets(folder: Path, files: Mapping[str, Path]) -> list[Path]:
    """Return the sheets of the earlier sample that the new sample does not overwrite.

    They would be read together with the new ones: ``fin.tsv`` beside ``fin.jsonl``. A sheet of
    another sample, or of a language that is no longer a target, may be somebody's work and is an
    error. Other files are left alone.
    """
    try:
        earlier = read_sample(folder / _SAMPLE)
    except InputError:
        earlier = None
    outdated = []
    known = [one for one in (earlier.targets if earlier else ()) if Path(one).name == one]
    for target in dict.fromkeys([*files, *known]):
        others = (folder / f"{target}{suffix}" for suffix in SUFFIXES)
        for file in (one for one in others if one not in files.values() and one.is_file()):
            try:
                rows = read_sheet(file)
            except InputError:
                continue
            if target not in files or earlier is None or not _is_of(earlier, target, rows):
                raise InputError(
                    f"{file} is a sheet that would stay beside those of another sample: move it "
                    "away, or name another folder"
                )
            outdated.append(file)
    return outdated


def _is_of(sample: Sample, target: str, rows: Sequence[Annotation]) -> bool:
    """Tell whether all rows are tokens that were sampled for a target."""
    tokens = {(one.lemma, at.key, at.place) for one in sample.lemmas for at in one.tokens}
    return target in sample.targets and all(
        row.target == target and (row.lemma, row.key, row.place) in tokens for row in rows
    )
