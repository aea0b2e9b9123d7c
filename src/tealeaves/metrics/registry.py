"""The catalogue of metrics: found through entry points, ours and those of other packages alike.

An entry point of the group ``tealeaves.metrics`` names a module, or a package whose modules are
all searched; every :class:`Metric` in their namespaces is registered under its name. One metric of
ours is found by the text of its module, so that the modules of all others need not be imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tealeaves.catalogue import Catalogue, members_of_entry_points, members_of_module
from tealeaves.errors import InputError, TealeavesError
from tealeaves.expressions import split_expressions
from tealeaves.metrics.base import Metric
from tealeaves.system import sorted_paths

GROUP = "tealeaves.metrics"


def _load() -> list[Metric]:
    metrics = members_of_entry_points(GROUP, Metric)  # type: ignore[type-abstract]
    if not metrics:
        raise TealeavesError("no metrics are registered: install tealeaves with pip")
    return metrics


def _known(name: str) -> Metric | None:
    """Return a metric of ours: its module contains its name, or its alias, as a string."""
    for path in sorted_paths((Path(__file__).parent / "catalogue").glob("*.py")):
        if f'"{name}"' not in path.read_text(encoding="utf-8"):
            continue
        module = f"tealeaves.metrics.catalogue.{path.stem}"
        for one in members_of_module(module, Metric):  # type: ignore[type-abstract]
            if name in (one.name, *one.aliases):
                return one
    return None


#: Every registered metric by name, in alphabetical order.
METRICS = Catalogue(
    "metric", _load, example="npmi@10", listing="`tealeaves metrics` lists all", known=_known
)


def metric(spec: str | Metric) -> Metric:
    """Return the metric that an expression stands for.

    Parameters
    ----------
    spec
        The expression; a metric is returned as it is.

    >>> metric("npmi(window=10)@10")
    npmi(window=10)@10
    >>> metric("npmi")(window=10) @ 10 == metric("npmi(window=10)@10")
    True
    """
    return spec if isinstance(spec, Metric) else METRICS.parse(spec, top=True)


def parse_metrics(specs: str | Metric | Iterable[str | Metric] | object) -> list[Metric]:
    """Return one or several metrics, each once.

    Parameters
    ----------
    specs
        Expressions and metrics. A string may hold several, separated by spaces.

    >>> parse_metrics(["npmi@10 c_v@10", "umass@5"])
    [npmi@10, c_v@10, umass@5]
    """
    if isinstance(specs, str | Metric):
        specs = [specs]
    if not isinstance(specs, Iterable):
        raise InputError(f"metrics are written as 'npmi@10 c_v@10', not {specs!r:.40}")
    parts = (
        part
        for spec in specs
        for part in (split_expressions(spec) if isinstance(spec, str) else [spec])
    )
    metrics = list(dict.fromkeys(metric(part) for part in parts))
    if not metrics:
        raise InputError("give at least one metric")
    return metrics
