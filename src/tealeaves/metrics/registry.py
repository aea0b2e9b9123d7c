"""The registry: metrics are found through entry points, ours and other packages' alike.

An entry point of the group ``tealeaves.metrics`` names a module, or a package whose modules are
all searched; every :class:`Metric` in their namespaces is registered under its name.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType, ModuleType

from tealeaves.errors import InputError, TealeavesError, TealeavesWarning, did_you_mean
from tealeaves.expressions import Expression, split_expressions
from tealeaves.metrics.base import Metric

GROUP = "tealeaves.metrics"


@cache
def all_metrics() -> Mapping[str, Metric]:
    """Return every registered metric by name, in alphabetical order."""
    found: dict[str, Metric] = {}
    for entry in entry_points(group=GROUP):
        for module in _loaded(entry):
            for value in vars(module).values():
                if isinstance(value, Metric) and found.setdefault(value.name, value) is not value:
                    raise TealeavesError(f"two metrics are called {value.name} (see {entry.value})")
    if not found:
        raise TealeavesError("no metrics are registered: install tealeaves with pip")
    return MappingProxyType(dict(sorted(found.items())))


def metric(spec: str | Metric) -> Metric:
    """Return the metric that an expression stands for.

    >>> metric("npmi(window=10)@10")
    npmi(window=10)@10
    >>> metric("npmi")(window=10) @ 10 == metric("npmi(window=10)@10")
    True
    """
    if isinstance(spec, Metric):
        return spec
    expression = Expression.parse(spec)
    found = _named(expression.name)(**expression.parameters)
    return found if expression.top is None else found @ expression.top


def parse_metrics(specs: str | Metric | Iterable[str | Metric] | object) -> list[Metric]:
    """Read one or several metrics; a string may hold several, separated by spaces.

    >>> parse_metrics(["npmi@10 c_v@10", "umass@5"])
    [npmi@10, c_v@10, umass@5]
    """
    if isinstance(specs, str | Metric):
        specs = [specs]
    if not isinstance(specs, Iterable):
        raise InputError(f"metrics are written as 'npmi@10 c_v@10', not {specs!r:.40}")
    found: dict[Metric, None] = {}
    for spec in specs:
        for part in split_expressions(spec) if isinstance(spec, str) else [spec]:
            found[metric(part)] = None
    if not found:
        raise InputError("no metrics were asked for")
    return list(found)


def _named(name: str) -> Metric:
    known = all_metrics()
    if name in known:
        return known[name]
    aliases = {alias: one for one in known.values() for alias in one.aliases}
    if name in aliases:
        return aliases[name]
    hint = did_you_mean(name, [*known, *aliases])
    raise InputError(f"unknown metric {name}{hint} (`tealeaves metrics` lists all)")


def _loaded(entry: EntryPoint) -> list[ModuleType]:
    """Load what an entry point names; one that is broken does not take the others with it."""
    try:
        module = entry.load()
        names = [info.name for info in pkgutil.iter_modules(getattr(module, "__path__", []))]
        return [module, *(importlib.import_module(f"{module.__name__}.{n}") for n in names)]
    except (ImportError, AttributeError) as error:
        message = f"the metrics of {entry.value} cannot be loaded: {error}"
        warnings.warn(message, TealeavesWarning, stacklevel=2)
        return []
