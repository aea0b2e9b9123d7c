"""The third stage of the estimator's run: estimates of languages that were left out."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from estimator_stages import in_parallel, open_tables
from tealeaves.arrays import Floats
from tealeaves.estimator.cross_validation import leave_one_language_out
from tealeaves.estimator.features import FEATURES, GROUPS
from tealeaves.estimator.fitting import feature_sets
from tealeaves.files import atomic_write

PAPER, BEST = "adaboost", "ridge"
OTHERS = ("ridge", "trees")
#: The groups of the paper, in the order in which it adds them.
FOUR = GROUPS[:4]


class Variant(NamedTuple):
    """A learner and its features; an open one also learns from topics of the same documents."""

    name: str
    learner: str
    features: tuple[str, ...]
    open: bool = False


def features_of(*groups: str) -> tuple[str, ...]:
    """Return the features of some groups."""
    return tuple(name for name, group in FEATURES.items() if group in groups)


def variants() -> list[Variant]:
    """Return all that is compared: groups added and left out, learners, nested estimators."""
    everything = features_of(*FOUR)
    found = [
        Variant(f"nested {' '.join(resources(chosen))}".strip(), BEST, chosen)
        for chosen in feature_sets(everything)
    ]
    found += [
        Variant(f"{BEST} +{group}", BEST, features_of(*FOUR[:last]))
        for last, group in enumerate(FOUR, 1)
    ]
    for group in FOUR:
        kept = features_of(*(one for one in FOUR if one != group))
        found.append(Variant(f"{BEST} -{group}", BEST, kept))
    all_four = f"+{FOUR[-1]}"
    found.append(Variant(f"{PAPER} +{FOUR[0]}", PAPER, features_of(FOUR[0])))
    found += [Variant(f"{one} {all_four}", one, everything) for one in (PAPER, "trees")]
    for learner in (PAPER, *OTHERS):
        found.append(Variant(f"{learner} {all_four} open", learner, everything, open=True))
    return found


def resources(features: tuple[str, ...]) -> list[str]:
    """Return what some features need beside a reference."""
    needed = {"mta": "dictionary", "era_mean": "years", "drift_mean": "modern", "icc": "gap"}
    return [what for name, what in needed.items() if name in features]


class Estimating(NamedTuple):
    """One variant, and where its estimates are kept."""

    variant: Variant
    folder: Path
    output: Path

    def __repr__(self) -> str:
        return self.variant.name


def estimated(task: Estimating) -> None:
    """Estimate every language without it."""
    warnings.simplefilter("ignore")
    table = open_tables(task.folder)
    if task.variant.open:
        table = replace(table, texts=())
    found = leave_one_language_out(
        table, task.variant.features, learner=task.variant.learner, threads=1
    )
    with atomic_write(task.output) as stream:
        np.save(stream, found)


def estimate_all(folder: Path, listed: list[Variant], workers: int) -> dict[str, Floats]:
    """Estimate what is not there yet, and read all."""
    tasks = [
        Estimating(one, folder, folder / f"{one.name.replace(' ', '_')}.npy") for one in listed
    ]
    for _ in in_parallel(estimated, [t for t in tasks if not t.output.exists()], workers):
        pass
    return {task.variant.name: np.load(task.output, allow_pickle=False) for task in tasks}
