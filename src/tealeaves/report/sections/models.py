"""Models side by side: which is first by a metric, means with intervals, and tests of each two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tealeaves.comparison.result import Comparison
from tealeaves.report.charts.comparison import comparison_chart
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Cell, Figure, ReportTable
from tealeaves.tables.numbers import count_text

_EQUAL = 1e-9  # values differ in their last digits only
# more points than these would hide each other; the strips show them
_MOST_POINTS = 1500


class Ranking(NamedTuple):
    """Models, or families of runs, and the value of each by each metric."""

    names: Sequence[str]
    values: Mapping[tuple[str, str], float]
    better: Mapping[str, str]

    @classmethod
    def of_models(cls, run: Run) -> Ranking:
        """Return the models of a run; if several runs of each were compared, the families."""
        if run.tested is not None and run.tested.design.over != "topics":
            return cls.of_comparison(run.tested)
        values = {
            (model.name, metric): run.model_value(model.name, metric)
            for model in run.models
            for metric in run.metrics
        }
        return cls([model.name for model in run.models], values, run.scores.better)

    @classmethod
    def of_comparison(cls, comparison: Comparison) -> Ranking:
        """Return the models that were compared."""
        values = {(row.model, row.metric): row.value for row in comparison.summary}
        return cls(comparison.models, values, comparison.better)

    def places(self, metric: str) -> list[tuple[int | None, str]]:
        """Return places and names, the best first. Equal values share a place; models without a
        finite value are last and have no place.

        >>> values = {("a", "m"): 1.0, ("b", "m"): 2.0, ("c", "m"): 2.0, ("d", "m"): math.nan}
        >>> Ranking("abcd", values, {"m": "higher"}).places("m")
        [(1, 'b'), (1, 'c'), (3, 'a'), (None, 'd')]
        """
        gains = {name: self._gain(name, metric) for name in self.names}
        able = [name for name in self.names if gains[name] > -math.inf]
        able.sort(key=lambda name: -gains[name])  # equals stay in the order given
        places: list[tuple[int | None, str]] = []
        for number, name in enumerate(able, 1):
            equal = places and math.isclose(gains[places[-1][1]], gains[name], rel_tol=_EQUAL)
            places.append((places[-1][0] if equal else number, name))
        return [*places, *((None, name) for name in self.names if name not in able)]

    def firsts(self, metric: str) -> list[str]:
        """Return the models with the best value: several if it is the same, or none."""
        if not self.better.get(metric):
            return []
        return [name for place, name in self.places(metric) if place == 1]

    def value(self, name: str, metric: str) -> float:
        """Return a value; NaN if there is none."""
        return self.values.get((name, metric), math.nan)

    def _gain(self, name: str, metric: str) -> float:
        value = self.value(name, metric)
        if not math.isfinite(value):
            return -math.inf  # infinity does not say how much better a model is
        return -value if self.better.get(metric) == "lower" else value


def comparison_figure(
    comparison: Comparison,
    order: Sequence[str],
    name: str = "comparison",
    title: str = "Models with intervals",
    caption: str = "Each panel is a metric.",
) -> Figure:
    """Return the means with intervals in an order of models, and their topics or runs, unless these
    are too many.
    """
    unit = comparison.design.units[:-1]
    places = {model: place for place, model in enumerate(order)}
    drawn = replace(
        comparison,
        summary=sorted(comparison.summary, key=lambda row: places.get(row.model, len(places))),
        units=comparison.units if len(comparison.units) <= _MOST_POINTS else [],
    )
    rows: list[list[Cell]] = [
        [row.model, row.metric, "mean", row.value, row.low, row.high, row.n, row.letters]
        for row in drawn.summary
    ]
    rows += [
        [row.model, row.metric, row.unit, row.value, None, None, None, ""] for row in drawn.units
    ]
    columns = ["model", "metric", f"mean or {unit}", "value", "low", "high", f"{unit}s", "letters"]
    table = ReportTable(f"Means over {unit}s", columns, rows, labels=3, legend=comparison.legend)
    return Figure.of(name, title, caption, comparison_chart(drawn), table)


def table_of_tests(comparison: Comparison) -> ReportTable:
    """Return each two models: the difference, its interval, and p."""
    rows: list[list[Cell]] = [
        [
            *(row.metric, row.model_a, row.model_b, row.difference, row.low, row.high),
            *(row.p, row.p_corrected, row.effect, "yes" if row.significant else "no"),
        ]
        for row in comparison.pairs
    ]
    columns = [
        *("metric", "model a", "model b", "a − b", "low", "high"),
        *("p", "p corrected", "effect", "significant"),
    ]
    caption = f"{count_text(len(rows), 'comparison')} of two models: {comparison.tested}"
    return ReportTable(caption, columns, rows, labels=3, digits=4)
