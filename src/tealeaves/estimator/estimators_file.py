"""``fit_file``: learn estimators, save them, and say how well they do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.estimator.evaluation import EstimatorEvaluation, check_evaluation, evaluate
from tealeaves.estimator.fitting import Fitting, check, fit
from tealeaves.estimator.table import FeatureTable
from tealeaves.files import check_writable
from tealeaves.learners.catalogue import DEFAULT_LEARNER
from tealeaves.tables.numbers import count_text

_SUFFIX = ".json"


class EstimatorsFile(NamedTuple):
    """A file with estimators, and how well the best of them does."""

    path: Path
    fitting: Fitting
    evaluation: EstimatorEvaluation

    def __str__(self) -> str:
        kept = len(self.fitting.estimators.estimators)
        dropped = self.fitting.tried - kept
        why = f" ({dropped} did no better than one that needs less, and were left out)"
        return f"{count_text(kept, 'estimator')}: {self.path}{why * bool(dropped)}"


def fit_file(
    table: FeatureTable | str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    learner: str = DEFAULT_LEARNER,
    without: str | Iterable[str] = (),
    nested: bool = True,
    source: str = "",
    cardinality: int | None = None,
    draws: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
    on_note: Callable[[str], None] | None = None,
) -> EstimatorsFile:
    """Learn estimators, save them as JSON, and evaluate the best on languages left out.

    Parameters
    ----------
    table, learner, without, nested, source, threads
        As for :func:`fit`.
    output
        The file of the estimators.
    cardinality, draws
        As for :func:`evaluate`: the number of words at which the best estimator is evaluated, and
        the samples of the bootstrap.
    seed
        The seed of both.
    progress
        Show progress bars.
    on_note
        Called with a summary of the table before the work begins.
    """
    path = Path(output)
    check_estimators_file(path)
    opened = table if isinstance(table, FeatureTable) else FeatureTable.open(table)
    check_evaluation(opened, cardinality=cardinality, draws=draws)
    check(opened, learner=learner, without=without, seed=seed)
    if on_note:
        on_note(str(opened.summary()))
    fitting = fit(
        opened,
        learner=learner,
        without=without,
        nested=nested,
        source=source,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    fitting.estimators.save(path)
    best = fitting.left_out[0]
    evaluation = evaluate(
        opened,
        {learner: best.estimates},
        half_widths={learner: best.half_widths},
        cardinality=cardinality,
        draws=draws,
        seed=seed,
        progress=progress,
    )
    return EstimatorsFile(path, fitting, evaluation)


def check_estimators_file(path: str | os.PathLike[str]) -> None:
    """Raise, before any work is done, for a file that estimators cannot be written to."""
    if Path(path).suffix != _SUFFIX:
        raise InputError(f"{path}: estimators are saved as {_SUFFIX}")
    check_writable(path)
