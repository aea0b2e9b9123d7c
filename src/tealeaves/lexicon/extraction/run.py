"""``extract``: how lemmas of a source language are expressed in any number of other languages."""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, TealeavesError
from tealeaves.files import check_writable, remove_leftovers
from tealeaves.jobs import (
    Stop,
    check_resume_options,
    explain_interruption,
    stop_at_signals,
)
from tealeaves.lexicon.analysers import Analyser
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.extraction.base import Extractor
from tealeaves.lexicon.extraction.lemmas import Place, occurring_lemmas, split_lemmas
from tealeaves.lexicon.extraction.processes import Outcome, TargetBars, check_main, run_targets
from tealeaves.lexicon.extraction.reading import (
    Reading,
    check_exist,
    source_language,
    target_texts,
)
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.extraction.result import (
    SUFFIX,
    Extraction,
    read_extraction,
    save_extraction,
    saved_signature,
)
from tealeaves.lexicon.extraction.summary import (
    Extractions,
    ExtractionSummary,
    FailedTargetsError,
    TargetSummary,
)
from tealeaves.lexicon.extraction.target import ExtractionPlan, Report, Target, TargetRun
from tealeaves.parameters import check_keywords, check_natural
from tealeaves.system import processors
from tealeaves.text.languages import same_language
from tealeaves.text.paired.corpus import PairedCorpus

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.reading import Sides
    from tealeaves.lexicon.passages import Texts

_NOT_IN_NAMES = re.compile(r"[^\w.+-]+")


def extract(
    source: Texts | Passages | PairedCorpus,
    targets: Sides | str | None = None,
    lemmas: str | Iterable[str] = (),
    model: str | Extractor | Sequence[str | Extractor] = "hybrid",
    *,
    language: str | None = None,
    words: str | Analyser = "forms",
    reading: Reading | None = None,
    only: Collection[Place] | None = None,
    skip_missing: bool = False,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    restart: bool = False,
    jobs: int = 1,
    threads: int | None = None,
    progress: bool = False,
    **how: Any,
) -> Extractions:
    """Find how each token of some lemmas is expressed in other languages.

    Parameters
    ----------
    source
        The text of the source language: what :func:`read_passages` takes, or passages. Or paired
        texts: the source is then their first language, unless ``language`` names another.
    targets
        The texts of the target languages, by name; or files, which name their language up to the
        first dot. Of paired texts the names of languages: all but the source if not given.
    lemmas
        The words of the source that are looked for. Default: those of ``only``.
    model
        The model, or several, which share what they compute from the texts.
    language
        The name of the source language. Default: the name of its file.
    words
        How forms of the source become words: ``forms``, ``simplemma``, ``hanta``.
    reading, how
        How texts are read: a :class:`Reading`, or its parameters: ``tokens``, ``reader``, ``unit``,
        ``fields``, ``links``.
    only
        The tokens that are kept, as lemma, key and place; all if not given. ``hand`` is ``hand/N``
        too.
    skip_missing
        Whether to leave out lemmas that never occur.
    output
        A folder: every extraction is saved there as soon as it is done, as ``TARGET.jsonl.gz``, or
        ``TARGET.MODEL.jsonl.gz`` if there are several models. Default: all are kept in memory.
    resume
        Keep the files of the same extraction that are there, and extract the others.
    restart
        Replace files that are there.
    jobs
        The number of targets at once, each in a process of its own if there are several: a script
        must then do its work under ``if __name__ == "__main__":``. Results are the same.
    threads
        The number of threads for each target. Default: the processors, shared among the jobs.
    progress
        Whether to show progress bars.

    Returns
    -------
    An extraction for each target and model, in their order, and a summary of all. A target that
    fails does not stop the others; the error is raised at the end, and has what is done.

    >>> pairs = [{"en": "a hand", "fi": "käsi"}, {"en": "my hand", "fi": "käteni"}]
    >>> rest = [{"en": "feet", "fi": "jalat"}] * 8
    >>> finnish, = extract(PairedCorpus.of(pairs + rest), lemmas="hand", model="l(threshold=5)")
    >>> [(sorted(token.expressions), token.key) for token in finnish.tokens]
    [(['#kä'], '1'), (['#kä'], '2')]
    """
    models = _models([model] if isinstance(model, str | Extractor) else model)
    for name, number in (("jobs", jobs), ("threads", 1 if threads is None else threads)):
        check_natural(name, number)
    reading = _reading(reading, how)
    sides: Mapping[str, Texts | Passages | PairedCorpus]
    if isinstance(source, PairedCorpus):
        source_name = language or source.languages[0]
        sides = dict.fromkeys(_paired_targets(source, targets, source_name), source)
        reading.check(source.languages)
    else:
        sides = target_texts(targets)
        source_name = source_language(source, language)
        check_exist([source, *sides.values()])
        reading.check([source_name, *sides])
    jobs = min(jobs, len(sides))
    if jobs > 1:
        check_main()
    folder = None
    if output is not None:
        folder = OutputFolder.of(output, models, resume=resume, restart=restart)
        folder.check(sides)
    with TargetBars(1, shown=progress) as bars:
        advance = bars.counter(source_name, "reading")
        passages = reading.passages(source, source_name, words=words, advance=advance)
    plan = ExtractionPlan(
        passages,
        _lemmas(passages, lemmas, only, skip_missing=skip_missing),
        tuple(models.values()),
        reading,
        None if only is None else frozenset(only),
        threads or max(1, processors() // jobs),
    )
    if plan.choice is not None:
        plan.choice.check(passages, plan.lemmas)
    _ = plan.source_digest  # computed here, once, and not in each process
    texts = [
        # paired texts are read here: not all of them could be sent to a process
        Target(name, reading.passages(side, name) if isinstance(side, PairedCorpus) else side)
        for name, side in sides.items()
    ]
    missing = [lemma for lemma in split_lemmas(lemmas) if lemma not in plan.lemmas]
    where = passages.name or source_name
    notes = [f"never in {where}, left out: {', '.join(missing)}"] if missing else []
    return _run(plan, texts, folder, jobs=jobs, progress=progress, notes=notes)


def _models(models: Sequence[str | Extractor]) -> dict[str, Extractor]:
    """Return the models by how they were written; one that cannot run is an error."""
    if not models:
        raise InputError("no model: name one, such as hybrid")
    by_name = {one if isinstance(one, str) else repr(one): extractor(one) for one in models}
    for model in by_name.values():
        model.check()
    return by_name


def _reading(reading: Reading | None, how: Mapping[str, Any]) -> Reading:
    """Return how texts are read; an unknown parameter is an error."""
    check_keywords(extract, how, Reading)
    if reading is not None and how:
        raise InputError(f"give either reading or {', '.join(how)}")
    return reading or Reading(**how)


def _paired_targets(
    paired: PairedCorpus, targets: Sides | str | None, source: str
) -> Sequence[str]:
    """Return the names of the target languages of paired texts."""
    if isinstance(targets, Mapping):
        raise InputError("paired texts have their targets: give the names of languages")
    if source in paired.languages:
        names = [name for name in paired.languages if name != source]
    else:
        names = [name for name in paired.languages if not same_language(name, source)]
    if targets is not None:
        names = [targets] if isinstance(targets, str) else [str(name) for name in targets]
    if not names:
        raise InputError(f"no target language: the texts are in {', '.join(paired.languages)}")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two targets are called {name}: name each language once")
    return names


def _lemmas(
    source: Passages,
    lemmas: str | Iterable[str],
    only: Collection[Place] | None,
    *,
    skip_missing: bool,
) -> tuple[str, ...]:
    """Return the lemmas that are extracted; by default those of the tokens that are kept."""
    if not len(source.words.numbers):
        raise InputError(f"{source.name or source.language} has no words")
    if only and not split_lemmas(lemmas):
        lemmas = [lemma for lemma, _, _ in (only if isinstance(only, Sequence) else sorted(only))]
    return occurring_lemmas(source, lemmas, skip_missing=skip_missing)


def _run(
    plan: ExtractionPlan,
    targets: Sequence[Target],
    folder: OutputFolder | None,
    *,
    jobs: int,
    progress: bool,
    notes: Sequence[str],
) -> Extractions:
    names = [target.name for target in targets]
    if folder is not None:
        folder.prepare(names)
    interruptible = nullcontext(lambda: False) if folder is None else folder.interruptible(names)
    work = partial(_extract_target, plan, folder)
    outcomes: dict[str, Outcome] = {}
    with interruptible as stop, TargetBars(len(targets), shown=progress) as bars:
        for outcome in run_targets(work, targets, jobs=jobs, report=bars.report, stop=stop):
            outcomes[outcome.target.name] = outcome
            bars.finish(outcome.target.name)
    ordered = [outcomes[target.name] for target in targets]
    parts: list[tuple[Extraction | Path, TargetSummary]] = [
        part for outcome in ordered for part in outcome.result or ()
    ]
    summary = ExtractionSummary([row for _, row in parts], notes)
    extractions = Extractions([one for one, _ in parts], summary)
    errors = {one.target.name: one.error for one in ordered if one.error is not None}
    if errors:
        raise _failure(errors, len(targets), extractions)
    return extractions


def _failure(
    errors: Mapping[str, TealeavesError], targets: int, done: Extractions
) -> TealeavesError:
    if targets == 1:
        return next(iter(errors.values()))
    reasons = "; ".join(f"{name}: {error}" for name, error in errors.items())
    return FailedTargetsError(f"{len(errors)} of {targets} targets failed: {reasons}", done)


def _extract_target(
    plan: ExtractionPlan, folder: OutputFolder | None, target: Target, report: Report
) -> list[tuple[Extraction | Path, TargetSummary]]:
    """Extract with each model from a target, perhaps in a process of its own.

    Returns the extractions, or the files that they were saved to, and their summaries.
    """
    began = time.perf_counter()
    run = TargetRun(plan, target, report)
    files = [None] * len(plan.models) if folder is None else folder.files(target.name)
    parts: list[tuple[Extraction | Path, TargetSummary]] = []
    for model, file in zip(plan.models, files, strict=True):
        seconds = math.nan
        if folder is not None and file is not None and folder.is_done(file, run, model):
            extraction = read_extraction(file)
        else:
            extraction = run.extraction(model)
            if file is not None:
                save_extraction(extraction, file)
            seconds, began = time.perf_counter() - began, time.perf_counter()
        summary = TargetSummary.of(extraction, plan.lemmas, seconds)
        parts.append((extraction if file is None else file, summary))
    return parts


@dataclass(frozen=True)
class OutputFolder:
    """The folder of extractions, with a file for each target and model.

    Parameters
    ----------
    path
        The folder.
    endings
        For each model, in order, what stands between the target and the suffix of a file.
    resume, restart
        Whether files that are there are kept, if they are the same, or are replaced.
    """

    path: Path
    endings: tuple[str, ...]
    resume: bool = False
    restart: bool = False

    @classmethod
    def of(
        cls,
        path: str | os.PathLike[str],
        models: Iterable[str],
        *,
        resume: bool = False,
        restart: bool = False,
    ) -> OutputFolder:
        """Name the files of models by how they were written; a single model needs no name.

        >>> OutputFolder.of("found", ["l", "l(measure=t)"]).endings
        ('.l', '.l-measure-t')
        """
        check_resume_options(resume=resume, restart=restart)
        names = [_NOT_IN_NAMES.sub("-", spec.strip()).strip("-") for spec in models]
        # some disks do not distinguish l from L
        if len({name.casefold() for name in names}) < len(names):
            raise InputError(f"two models would be one file: {', '.join(models)}")
        endings = ("",) if len(names) == 1 else tuple(f".{name}" for name in names)
        return cls(Path(path), endings, resume, restart)

    def files(self, target: str) -> list[Path]:
        """Return the file of each model for a target."""
        return [self.path / f"{target}{ending}{SUFFIX}" for ending in self.endings]

    def _existing(self, targets: Iterable[str]) -> list[Path]:
        return [file for target in targets for file in self.files(target) if file.exists()]

    def check(self, targets: Iterable[str]) -> None:
        """Raise for files that may not be replaced, and for those that are no extractions."""
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: a file, where a folder of extractions would be")
        check_writable(_first_missing(self.path))
        for file in self._existing(targets):
            check_writable(file)
            try:
                saved_signature(file)
            except InputError as error:
                raise InputError(
                    f"{file} exists and is no extraction: name another folder"
                ) from error
            if not (self.resume or self.restart):
                raise InputError(
                    f"{file} is there already: --resume keeps what is done, --restart replaces it"
                )

    def prepare(self, targets: Sequence[str]) -> None:
        """Make the folder, after all checks; to restart, delete the files that are replaced.

        They are deleted before anything is extracted. A run that is killed then leaves only new
        files, and can be resumed.
        """
        self.check(targets)
        self.path.mkdir(parents=True, exist_ok=True)
        if self.restart:
            for file in self._existing(targets):
                file.resolve().unlink()  # what a link points to, as in writing
        for file in (file for target in targets for file in self.files(target)):
            check_writable(file)
            remove_leftovers(file)

    def is_done(self, file: Path, run: TargetRun, model: Extractor) -> bool:
        """Tell whether a file has the extraction already; another extraction is an error."""
        if not (self.resume and file.exists()):
            return False
        saved, wanted = saved_signature(file), run.signature(model)
        if saved != str(wanted):
            raise InputError(
                f"{file} holds another extraction: {wanted.difference(saved)} "
                "(--restart replaces it)"
            )
        return True

    @contextmanager
    def interruptible(self, targets: Sequence[str]) -> Iterator[Stop]:
        """Stop at signals, and say what is saved if the work is interrupted."""

        def state() -> str:
            done = len(self._existing(targets))
            return f"{self.path} holds the {done} that are done" if done else ""

        with explain_interruption(state), stop_at_signals() as stop:
            yield stop


def _first_missing(folder: Path) -> Path:
    """Return what would be created first in order to write a file in a folder."""
    file = folder / f"a{SUFFIX}"
    return next((one for one in reversed([file, *file.parents]) if not one.exists()), file)
