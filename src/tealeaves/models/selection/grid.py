"""The grid of a selection: its models, numbers of topics and seeds, and the labels of runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from tealeaves.errors import InputError
from tealeaves.expressions import Expression
from tealeaves.models.model import Model
from tealeaves.models.model import model as parse_model

_MOST_NUMBERS = 1000  # in one grid; more is a typing error
_EXAMPLES = "give a number (20), several (5,10,20) or start:stop:step (5:60:5)"
_RANGE = re.compile(r"(\d{1,9}):(\d{1,9})(?::(\d{1,9}))?")
_GRID_OPTIONS = {"k": "-k", "seed": "--seed"}


@dataclass(frozen=True)
class PlannedRun:
    """One model to be trained, and its label."""

    model: Model
    label: str


def parse_grid(k: str | int | Iterable[int]) -> list[int]:
    """Read numbers of topics; a range includes its end.

    >>> parse_grid("5:20:5"), parse_grid("2:4"), parse_grid("8,4, 8"), parse_grid(7)
    ([5, 10, 15, 20], [2, 3, 4], [4, 8], [7])
    """
    if isinstance(k, str):
        numbers = [number for part in k.split(",") for number in _parse_part(part.strip(), k)]
    else:
        numbers = _whole_numbers(k)
    if not numbers or min(numbers) < 1:
        raise InputError(f"k {k!s}: the number of topics is at least 1: {_EXAMPLES}")
    if len(numbers) > _MOST_NUMBERS:
        raise InputError(f"k {k!s}: {len(numbers)} numbers of topics are more than {_MOST_NUMBERS}")
    return sorted(set(numbers))


def _whole_numbers(k: Any) -> list[int]:
    """Return the whole numbers of a sequence, or one alone; numpy's are fine."""
    try:
        return [index(number) for number in (k if hasattr(k, "__iter__") else [k])]
    except TypeError as error:
        raise InputError(f"k {k!r:.40}: not a grid of numbers: {_EXAMPLES}") from error


def _parse_part(part: str, whole: str) -> Iterable[int]:
    if part.isdecimal() and len(part) < 10:
        return [int(part)]
    match = _RANGE.fullmatch(part)
    if not match:
        raise InputError(f"k {whole}: not a grid of numbers of topics: {_EXAMPLES}")
    start, stop, step = (int(number) for number in match.groups(default="1"))
    if step < 1 or stop < start:
        raise InputError(f"k {whole}: {part} holds no number: {_EXAMPLES}")
    return range(start, stop + 1, step)


def parse_kinds(models: str | Model | Iterable[str | Model]) -> list[Model]:
    """Read the models; the grid sets their number of topics and seed.

    >>> parse_kinds(["lda(eta=0.1)", "hdp", "hdp"])
    [lda(k=20, eta=0.1), hdp]
    """
    specs = [models] if isinstance(models, str | Model) else list(models)
    kinds: dict[Model, None] = {}
    for spec in specs:
        kind = parse_model(spec)
        for name in _stated_parameters(spec, kind):
            if name in _GRID_OPTIONS:
                option = _GRID_OPTIONS[name]
                raise InputError(f"{spec}: leave out {name}, which {option} sets for each model")
        kinds[kind] = None
    if not kinds:
        raise InputError("no model is named: give one such as lda")
    return list(kinds)


def _stated_parameters(spec: str | Model, kind: Model) -> Iterable[str]:
    if isinstance(spec, str):
        return Expression.parse(spec).parameters
    return kind.changes


def read_grid(kinds: Sequence[Model], k: str | int | Iterable[int] | None) -> list[int]:
    """Read the numbers of topics; models that find their own need none."""
    if k is not None:
        return parse_grid(k)
    for kind in kinds:
        if "k" in kind.accepts:
            raise InputError(f"{kind.name}: give the numbers of topics with -k, as in -k 5:60:5")
    return []


def name_kinds(kinds: Sequence[Model], known: Mapping[str, str]) -> dict[str, Model]:
    """Return the models by the prefix of their labels; a number tells two of one name apart.

    ``known`` are prefixes and signatures of models that are trained, which keep their prefixes.

    >>> one, other = parse_kinds(["lda(eta=0.1)", "lda(eta=0.3)"])
    >>> list(name_kinds([one, other], {}))
    ['lda.1', 'lda.2']
    >>> list(name_kinds([other, one], {"lda": one.kind_signature}))
    ['lda.1', 'lda']
    """
    prefixes = {signature: prefix for prefix, signature in known.items()}
    names = [kind.name for kind in kinds]
    named: dict[str, Model] = {}
    for kind in kinds:
        prefix = prefixes.get(kind.kind_signature, kind.name)
        if kind.kind_signature not in prefixes and names.count(kind.name) > 1:
            number = sum(other.name == kind.name for other in named.values()) + 1
            while (prefix := f"{kind.name}.{number}") in {*known, *named}:
                number += 1
        named[prefix] = kind
    return named


def plan_runs(kind: Model, prefix: str, grid: Sequence[int], seeds: range) -> list[PlannedRun]:
    """Return the runs of a model: each number of topics with each seed."""
    sizes: list[dict[str, int]] = [{"k": k} for k in grid] if "k" in kind.accepts else [{}]
    models = [kind(**size, seed=seed) for size in sizes for seed in seeds]
    return [PlannedRun(model, prefix + model.label.removeprefix(kind.name)) for model in models]
