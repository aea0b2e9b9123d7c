"""The correlations of one data set and task, which a panel shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.errors import InputError
from tealeaves.metrics.scores import ARROWS
from tealeaves.report.charts.blocks.headings import part_title
from tealeaves.report.charts.blocks.numbers import COEFFICIENTS, percent, span
from tealeaves.report.charts.blocks.panels import first_panels
from tealeaves.report.charts.blocks.rows import grouped

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.plan import CorrelationPlan
    from tealeaves.judgments.correlation.result import Correlation, Correlations, MetricMatrix


@dataclass(frozen=True)
class TaskCorrelations:
    """The correlations of one data set and task (and model, if models are apart)."""

    part: tuple[str, str, str]
    rows: Sequence[Correlation]
    matched: MatchedScores | None
    matrix: MetricMatrix | None
    better: Mapping[str, str]
    plan: CorrelationPlan

    @property
    def title(self) -> str:
        """The names of data set, task and model; empty if they have none."""
        return part_title(self.part)

    @property
    def first(self) -> str:
        """The coefficient by which metrics are ordered."""
        return self.rows[0].coefficient

    @property
    def coefficients(self) -> list[str]:
        """The coefficients in the order of the rows."""
        return list(dict.fromkeys(row.coefficient for row in self.rows))

    @property
    def some_lower(self) -> bool:
        """Whether lower is better in some metric."""
        return any(self._lower(row.metric) for row in self.rows)

    @property
    def arrow_meaning(self) -> list[str]:
        """What the arrow means, if there is one."""
        if not self.some_lower:
            return []
        unsigned = " (phi_K has no sign)" if "phik" in self.coefficients else ""
        return [f"↓ marks that lower is better, so that agreement is negative{unsigned}"]

    @property
    def ceiling(self) -> float:
        """How well one person agrees with the others, in the first coefficient."""
        return next((row.ceiling for row in self.rows if row.coefficient == self.first), math.nan)

    @property
    def attainable(self) -> float:
        """The highest coefficient to be expected of a metric; NaN if that is not known."""
        known = (row.attainable for row in self.rows if math.isfinite(row.attainable))
        return next(known, math.nan)

    @property
    def metrics(self) -> list[str]:
        """The metrics, the one that agrees best first, those without a value last."""
        from tealeaves.judgments.correlation.result import ranked_metrics

        return ranked_metrics(self.rows, self.better)

    def _lower(self, metric: str) -> bool:
        return self.better.get(metric) == "lower"

    def row(self, metric: str) -> Correlation | None:
        """Return the first coefficient of a metric that is no partial correlation."""
        for row in self.rows:
            if (row.metric, row.coefficient, row.control) == (metric, self.first, ""):
                return row
        return None

    def label(self, metric: str) -> str:
        """Return the name of a metric, with an arrow down if lower is better."""
        return arrow_label(metric, self.better)

    @property
    def units(self) -> str:
        """The number of topics or models."""
        text = f"{span(row.n for row in self.rows)} {self.rows[0].by}s"
        if any(row.clusters < row.n for row in self.rows):
            text += f" in {span(row.clusters for row in self.rows)} clusters of near-identical ones"
        dropped = span(row.dropped for row in self.rows)
        return text if dropped == "0" else f"{text} ({dropped} without a value dropped)"

    @property
    def intervals(self) -> str:
        """What the intervals are."""
        draws = {row.coefficient: row.draws for row in self.rows if row.draws}
        if not draws:
            return "there are no intervals"
        halves = draws.pop("phik", 0)
        sources = []
        if draws:
            most = max(draws.values())
            fewer = [f"{COEFFICIENTS[name]} {n:,}" for name, n in draws.items() if n < most]
            exceptions = f" ({', '.join(fewer)})" if fewer else ""
            sources.append(f"a bootstrap of {most:,} draws{exceptions}")
        if halves:
            sources.append(f"{halves:,} random halves{' (phi_K)' if draws else ''}")
        return f"{percent(self.plan.level)} intervals are from {' and '.join(sources)}"


def drawn_tasks(correlations: Correlations, title: str) -> tuple[list[TaskCorrelations], str]:
    """Return the tasks that are drawn, and the title, which says how many are left out."""
    if not correlations.rows:
        raise InputError("there are no correlations to draw")
    matched = {one.part: one for one in correlations.parts}
    matrices = {(one.dataset, one.task, one.model): one for one in correlations.matrices}
    better, plan = correlations.better, correlations.plan
    tasks = [
        TaskCorrelations(part, rows, matched.get(part), matrices.get(part), better, plan)
        for part, rows in grouped(correlations.rows, lambda row: row.part).items()
    ]
    return first_panels(tasks, title)


def arrow_label(metric: str, better: Mapping[str, str]) -> str:
    """Return the name of a metric, with an arrow down if lower is better."""
    return f"{metric} {ARROWS['lower']}" if better.get(metric) == "lower" else metric
