"""Extractions in a folder: a file for each target and model, and what is there already."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.files import check_writable, remove_leftovers
from tealeaves.lexicon.extraction.base import Extractor
from tealeaves.lexicon.extraction.files import (
    SUFFIX,
    read_extraction,
    save_extraction,
    signature_of,
)
from tealeaves.lexicon.extraction.signing import difference
from tealeaves.lexicon.extraction.summaries import TargetSummary
from tealeaves.lexicon.extraction.targets import Plan, Target, TargetRun, Told

_NO_NAME = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True)
class Folder:
    """Where extractions go; it is called, in a process of its own perhaps, for each target.

    Parameters
    ----------
    path
        The folder.
    endings
        For each model, in order, what stands between the target and the suffix of a file.
    resume
        Whether what is there already is kept, if it is the same, or else replaced.
    """

    path: Path
    endings: tuple[str, ...]
    resume: bool = False

    @classmethod
    def of(cls, path: str | Path, models: Mapping[str, Extractor], *, resume: bool) -> Folder:
        """Name the files of models, by how they were written; a single one needs no name.

        >>> from tealeaves.lexicon.extraction.registry import extractor
        >>> models = {spec: extractor(spec) for spec in ("l", "l(measure=t)")}
        >>> Folder.of("found", models, resume=False).endings
        ('.l', '.l-measure-t')
        """
        slugs = [_NO_NAME.sub("-", spec.strip()).strip("-") for spec in models]
        # some disks do not tell l from L
        if len({slug.casefold() for slug in slugs}) < len(slugs):
            raise InputError(f"two models would be one file: {', '.join(models)}")
        endings = ("",) if len(slugs) == 1 else tuple(f".{slug}" for slug in slugs)
        return cls(Path(path), endings, resume)

    def files(self, target: str) -> list[Path]:
        """Return the file of each model for a target."""
        return [self.path / f"{target}{ending}{SUFFIX}" for ending in self.endings]

    def check(self, targets: Sequence[str], *, restart: bool) -> None:
        """Refuse to replace what nobody said may go, and what is no extraction; change nothing."""
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: a file, where a folder of extractions would be")
        check_writable(_first_missing(self.path))
        for file in self._there(targets):
            check_writable(file)
            _check_extraction(file)
            if not (self.resume or restart):
                raise InputError(
                    f"{file} is there already: --resume keeps what is done, --restart replaces it"
                )

    def prepare(self, targets: Sequence[str], *, restart: bool) -> None:
        """Make the folder, after all checks; where it begins anew, what is to be replaced goes.

        It goes before anything is extracted, so that a run that is killed leaves but what is new,
        and can be gone on with.
        """
        self.check(targets, restart=restart)
        self.path.mkdir(parents=True, exist_ok=True)
        if restart:
            for file in self._there(targets):
                file.resolve().unlink()  # what a link points to, as in writing
        for file in (file for target in targets for file in self.files(target)):
            check_writable(file)
            remove_leftovers(file)

    def __call__(self, plan: Plan, target: Target, told: Told) -> list[TargetSummary]:
        """Extract from a target whatever is not there yet, save it, and sum it up."""
        began = time.perf_counter()
        run = TargetRun(plan, target, told)
        summaries = []
        for model, file in zip(plan.models, self.files(target.name), strict=True):
            seconds = math.nan
            if self.resume and self._is_done(file, run, model):
                extraction = read_extraction(file)
            else:
                extraction = run.extraction(model)
                save_extraction(extraction, file)
                seconds, began = time.perf_counter() - began, time.perf_counter()
            summaries.append(TargetSummary.of(extraction, plan.lemmas, seconds))
        return summaries

    @staticmethod
    def _is_done(file: Path, run: TargetRun, model: Extractor) -> bool:
        if not file.exists():
            return False
        there, wanted = signature_of(file), run.signature(model)
        if there != str(wanted):
            raise InputError(
                f"{file} holds another extraction: {difference(there, wanted)} "
                "(--restart replaces it)"
            )
        return True

    def there(self, targets: Sequence[str]) -> int:
        """Count the files that are there."""
        return len(self._there(targets))

    def _there(self, targets: Sequence[str]) -> list[Path]:
        return [file for target in targets for file in self.files(target) if file.exists()]


def _first_missing(folder: Path) -> Path:
    """Return what would be made first in order to make a file in a folder."""
    file = folder / f"a{SUFFIX}"
    return next((one for one in reversed([file, *file.parents]) if not one.exists()), file)


def _check_extraction(file: Path) -> None:
    try:
        signature_of(file)
    except InputError as error:
        raise InputError(f"{file} exists and is no extraction: name another folder") from error
