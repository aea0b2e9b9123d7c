"""Which models are runs of one family, and with which seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tealeaves.judgments.comparison.wording import MOST_NAMED
from tealeaves.tables.numbers import list_text
from tealeaves.topics.topics import Topics

# lda-20-1, lda_run2, lda.seed3, lda 4: a number at the end that stands apart
_NUMBERED = re.compile(
    r"(?P<family>.+?)(?P<apart>[-_. ]+)(?P<written>(?:run|seed)[-_. ]*)?(?P<seed>\d+)", re.I
)
_VERSION = re.compile(r".*\d\.\d+")  # bert-1.5
_YEARS = range(1900, 2101)


class Run(NamedTuple):
    """The family of a model, and its seed where the name has one."""

    family: str
    seed: int | None


class _Reading(NamedTuple):
    """How a name is read: ``written`` tells whether it says run or seed."""

    run: Run
    written: bool


def runs_of(models: Sequence[Topics]) -> list[Run]:
    """Return the family and seed of each model: what it says itself, else what its name says.

    No seeds are numbers after a digit and a dot (versions), years, and numbers of topics; nor are
    models with different numbers of topics taken for runs, unless their names say run or seed.
    What has no other run keeps its name.

    >>> lists = [["cat", "dog"], ["bread", "soup"]]
    >>> names = ["lda-20-1", "lda-20-2", "nmf_run7", "nmf.seed8", "lsa-3"]
    >>> [tuple(run) for run in runs_of([Topics.of(lists, model=name) for name in names])]
    [('lda-20', 1), ('lda-20', 2), ('nmf', 7), ('nmf', 8), ('lsa-3', None)]
    """
    found = [_read(model) for model in models]
    members: dict[str, list[tuple[Topics, _Reading]]] = {}
    for model, reading in zip(models, found, strict=True):
        members.setdefault(reading.run.family, []).append((model, reading))
    return [
        reading.run
        if model.family or _are_runs(members[reading.run.family])
        else Run(model.model, None)
        for model, reading in zip(models, found, strict=True)
    ]


def _read(model: Topics) -> _Reading:
    match = _NUMBERED.fullmatch(model.model)
    written = bool(match and match["written"])
    if match and not written and _is_no_seed(model.model, match["seed"]):
        match = None
    seed = int(match["seed"]) if match else None
    family = model.family or (match["family"] if match else model.model)
    return _Reading(Run(family, seed), written)


def _is_no_seed(name: str, number: str) -> bool:
    return bool(_VERSION.fullmatch(name)) or (len(number) == 4 and int(number) in _YEARS)


def _are_runs(members: Sequence[tuple[Topics, _Reading]]) -> bool:
    """Tell whether models of names alike are runs of one kind, and not models of other sizes."""
    if len(members) == 1:  # which may be a version
        return False
    if all(reading.written for _, reading in members):
        return True
    sizes = {len(model) for model, _ in members}
    return len(sizes) == 1 and any(reading.run.seed not in sizes for _, reading in members)


def by_family(models: Sequence[Topics]) -> dict[str, list[tuple[Topics, int | None]]]:
    """Return the models of each family with their seeds, families in the order given."""
    found: dict[str, list[tuple[Topics, int | None]]] = {}
    for model, run in zip(models, runs_of(models), strict=True):
        found.setdefault(run.family, []).append((model, run.seed))
    return found


def has_runs(models: Sequence[Topics]) -> bool:
    """Tell whether at least two families have two runs or more."""
    return sum(len(members) > 1 for members in by_family(models).values()) > 1


def names_read(models: Sequence[Topics]) -> list[str]:
    """Say how names were read, where models do not name their family themselves."""
    guessed = {
        family: [model.model for model, _ in members]
        for family, members in by_family(models).items()
        if len(members) > 1 and not all(model.family for model, _ in members)
    }
    if not guessed:
        return []
    named = [f"{family} ({list_text(names, MOST_NAMED)})" for family, names in guessed.items()]
    return [f"runs by their names: {'; '.join(named)}; --over topics compares each by itself"]
