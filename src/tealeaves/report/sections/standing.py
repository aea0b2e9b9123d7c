"""``Standing``: who is first by a metric, where that can be said."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tealeaves.comparison.result import Comparison
from tealeaves.report.run.findings import Findings

_EQUAL = 1e-9  # the same but for the last digits


class Standing(NamedTuple):
    """Models, or families of runs, and the value that each has by each metric."""

    names: Sequence[str]
    values: Mapping[tuple[str, str], float]
    better: Mapping[str, str]

    def ranked(self, metric: str) -> list[tuple[int | None, str]]:
        """Return places and names, the best first; equals share a place, and those without a finite
        value stand last, without a place.

        >>> values = {("a", "m"): 1.0, ("b", "m"): 2.0, ("c", "m"): 2.0, ("d", "m"): math.nan}
        >>> Standing("abcd", values, {"m": "higher"}).ranked("m")
        [(1, 'b'), (1, 'c'), (3, 'a'), (None, 'd')]
        """
        gains = {name: self._gain(name, metric) for name in self.names}
        able = [name for name in self.names if gains[name] > -math.inf]
        able.sort(key=lambda name: -gains[name])  # equals stay in the order given
        found: list[tuple[int | None, str]] = []
        for number, name in enumerate(able, 1):
            equal = found and math.isclose(gains[found[-1][1]], gains[name], rel_tol=_EQUAL)
            found.append((found[-1][0] if equal else number, name))
        return [*found, *((None, name) for name in self.names if name not in able)]

    def firsts(self, metric: str) -> list[str]:
        """Return those that have the best value: several where it is the same, none of nothing."""
        if not self.better.get(metric):
            return []
        return [name for place, name in self.ranked(metric) if place == 1]

    def value(self, name: str, metric: str) -> float:
        """Return a value; NaN where there is none."""
        return self.values.get((name, metric), math.nan)

    def _gain(self, name: str, metric: str) -> float:
        value = self.value(name, metric)
        if not math.isfinite(value):
            return -math.inf  # which says nothing of how much better it is
        return -value if self.better.get(metric) == "lower" else value


def standing_of(found: Findings, compared: Comparison | None, *, people: bool = False) -> Standing:
    """Return the standing of models; where several runs of each were compared, of families; by
    what ``people`` say of them, where that was compared.
    """
    if compared is not None and (people or compared.design.over != "topics"):
        values = {(row.model, row.metric): row.value for row in compared.summary}
        return Standing(compared.models, values, compared.better)
    values = {
        (model.name, metric): found.model_value(model.name, metric)
        for model in found.models
        for metric in found.metrics
    }
    return Standing([model.name for model in found.models], values, found.scores.better)
