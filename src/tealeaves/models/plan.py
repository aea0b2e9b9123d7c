"""Which models a selection trains, and the names they are kept under."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tealeaves.errors import InputError
from tealeaves.expressions import Expression
from tealeaves.models.base import Model
from tealeaves.models.grid import parse_grid
from tealeaves.models.registry import model as parsed

# what the grid sets, and what gives it
_OF_THE_GRID = {"k": "-k", "seed": "--seed"}


@dataclass(frozen=True)
class Planned:
    """One model to be trained, and the name it is kept under."""

    model: Model
    label: str


def read_kinds(models: Any) -> list[Model]:
    """Read the models, whose number of topics and seed the grid decides.

    >>> read_kinds(["lda(eta=0.1)", "hdp", "hdp"])
    [lda(k=20, eta=0.1), hdp]
    """
    specs = [models] if isinstance(models, str | Model) else list(models)
    found: dict[Model, None] = {}
    for spec in specs:
        kind = parsed(spec)
        for name in _stated(spec, kind):
            if name in _OF_THE_GRID:
                where = _OF_THE_GRID[name]
                raise InputError(f"{spec}: leave out {name}, which {where} gives to each model")
        found[kind] = None
    if not found:
        raise InputError("no model is named: give one such as lda")
    return list(found)


def _stated(spec: str | Model, kind: Model) -> Iterable[str]:
    if isinstance(spec, str):
        return Expression.parse(spec).parameters
    values = (kind.settings, kind.defaults)
    return [n for n in kind.parameters if getattr(values[0], n) != getattr(values[1], n)]


def read_grid(kinds: Sequence[Model], k: Any) -> list[int]:
    """Read the numbers of topics, which may be left out where every model finds its own."""
    if k is not None:
        return parse_grid(k)
    for kind in kinds:
        if "k" in kind.parameters:
            raise InputError(f"{kind.name}: give the numbers of topics with -k, as in -k 5:60:5")
    return []


def with_prefixes(kinds: Sequence[Model], known: Mapping[str, str]) -> dict[str, Model]:
    """Name the models; two of one name are told apart by a number.

    ``known`` are the names and signatures of those that are trained, which keep their names.

    >>> one, other = read_kinds(["lda(eta=0.1)", "lda(eta=0.3)"])
    >>> list(with_prefixes([one, other], {}))
    ['lda.1', 'lda.2']
    >>> list(with_prefixes([other, one], {"lda": one.signature}))
    ['lda.1', 'lda']
    """
    kept = {signature: prefix for prefix, signature in known.items()}
    names = [kind.name for kind in kinds]
    found: dict[str, Model] = {}
    for kind in kinds:
        prefix = kept.get(kind.signature, kind.name)
        if kind.signature not in kept and names.count(kind.name) > 1:
            number = sum(other.name == kind.name for other in found.values()) + 1
            while (prefix := f"{kind.name}.{number}") in {*known, *found}:
                number += 1
        found[prefix] = kind
    return found


def planned(kind: Model, prefix: str, grid: Sequence[int], seeds: range) -> list[Planned]:
    """Return the runs of a model with each number of topics."""
    sizes: list[dict[str, int]] = [{"k": k} for k in grid] if "k" in kind.parameters else [{}]
    found = []
    for size in sizes:
        for seed in seeds:
            model = kind(**size, seed=seed)
            found.append(Planned(model, prefix + model.label.removeprefix(model.name)))
    return found
