"""What the charts of correlations draw together: the metrics of one data set and task."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.matching import MatchedScores
    from tealeaves.judgments.correlation.plan import CorrelationPlan
    from tealeaves.judgments.correlation.result import Correlation, Correlations, MetricMatrix

#: What coefficients are called on charts.
NAMES = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall", "phik": "phi_K"}
#: More would make a page that nobody reads to its end.
MOST_BLOCKS = 12


@dataclass(frozen=True)
class Block:
    """One data set and task (and model, where they were taken apart)."""

    part: tuple[str, str, str]
    rows: list[Correlation]
    matched: MatchedScores | None
    matrix: MetricMatrix | None
    better: dict[str, str]
    plan: CorrelationPlan

    @property
    def title(self) -> str:
        """What the block is called; empty where nothing has a name."""
        return " · ".join(filter(None, self.part))

    @property
    def first(self) -> str:
        """The coefficient that metrics are ordered by."""
        return self.rows[0].coefficient

    @property
    def coefficients(self) -> list[str]:
        """The coefficients in the order in which they were asked for."""
        return list(dict.fromkeys(row.coefficient for row in self.rows))

    @property
    def some_negative(self) -> bool:
        """Whether a metric is better when it is lower, and the first coefficient has a sign."""
        lower = any(self.better.get(row.metric) == "lower" for row in self.rows)
        return lower and self.first != "phik"

    @property
    def lower(self) -> list[str]:
        """Say what the arrow means, where there is one."""
        if not any(self.better.get(row.metric) == "lower" for row in self.rows):
            return []
        unsigned = " (phi_K has no sign)" if "phik" in self.coefficients else ""
        return [f"↓: lower is better, so that agreement is negative{unsigned}"]

    @property
    def ceiling(self) -> float:
        """How well one person agrees with the others, in the first coefficient."""
        return next((row.ceiling for row in self.rows if row.coefficient == self.first), math.nan)

    @property
    def attainable(self) -> float:
        """What no metric can be expected to pass; NaN where that is not known."""
        known = (row.attainable for row in self.rows if math.isfinite(row.attainable))
        return next(known, math.nan)

    @property
    def metrics(self) -> list[str]:
        """The metrics, the one that agrees best first, those without value last."""
        from tealeaves.judgments.correlation.result import ranked_metrics

        return ranked_metrics(self.rows, self.better)

    def row(self, metric: str) -> Correlation | None:
        """Return the first coefficient of a metric, with nothing held fast."""
        for row in self.rows:
            if (row.metric, row.coefficient, row.control) == (metric, self.first, ""):
                return row
        return None

    def label(self, metric: str) -> str:
        """Return the metric's name, with an arrow down where lower is better."""
        return f"{metric} ↓" if self.better.get(metric) == "lower" else metric

    @property
    def units(self) -> str:
        """Say how many topics or models all rests on."""
        by = f"{self.rows[0].by}s"
        text = f"{span(row.n for row in self.rows)} {by}"
        if any(row.clusters < row.n for row in self.rows):
            text += f" in {span(row.clusters for row in self.rows)} clusters of near-identical ones"
        dropped = span(row.dropped for row in self.rows)
        return text if dropped == "0" else f"{text} ({dropped} without a value dropped)"

    @property
    def drawn(self) -> str:
        """Say what the intervals are."""
        counts = {row.coefficient: row.draws for row in self.rows if row.draws}
        if not counts:
            return "no intervals"
        halves = counts.pop("phik", 0)
        said = [_bootstrap(counts)] if counts else []
        if halves:
            said.append(f"{'phi_K: ' if counts else ''}{halves:,} random halves")
        return f"{self.level} intervals, {'; '.join(said)}"

    @property
    def level(self) -> str:
        """How sure the intervals are."""
        return f"{100 * self.plan.level:g} %"


def blocks_of(found: Correlations) -> list[Block]:
    """Return the blocks in the order of the rows; none at all is an error."""
    rows: dict[tuple[str, str, str], list[Correlation]] = {}
    for row in found.rows:
        rows.setdefault(row.part, []).append(row)
    if not rows:
        raise InputError("there are no correlations to draw")
    parts = {one.part: one for one in found.parts}
    matrices = {(one.dataset, one.task, one.model): one for one in found.matrices}
    return [
        Block(part, members, parts.get(part), matrices.get(part), found.better, found.plan)
        for part, members in rows.items()
    ]


def drawn_blocks(found: Correlations, title: str) -> tuple[list[Block], str]:
    """Return the blocks that are drawn, and the title, which says how many are left out."""
    blocks = blocks_of(found)
    if len(blocks) > MOST_BLOCKS:
        title += f" (the first {MOST_BLOCKS} of {len(blocks):,}; the others are left out)"
    return blocks[:MOST_BLOCKS], title


def halves_or_draws(row: Correlation) -> str:
    """Say what the interval of one coefficient is of: phi_K has no bootstrap."""
    if row.coefficient == "phik":
        return f"{row.draws:,} random halves"
    return f"bootstrap of {row.draws:,} draws"


def _bootstrap(counts: dict[str, int]) -> str:
    most = max(counts.values())
    fewer = [f"{NAMES[name]} {count:,}" for name, count in counts.items() if count < most]
    apart = f" ({', '.join(fewer)})" if fewer else ""
    return f"bootstrap of {most:,} draws{apart}"


def span(counts: Iterable[int]) -> str:
    """Write a count, or the range of several.

    >>> span([3, 3]), span([1200, 3])
    ('3', '3 to 1,200')
    """
    known = sorted(set(counts))
    if not known:
        return "0"
    return f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,} to {known[-1]:,}"


def decimal(value: float | None) -> str:
    """Write a coefficient with two digits; a dash where there is none.

    >>> decimal(-0.5), decimal(float("nan"))
    ('−0.50', '–')
    """
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.2f}".replace("-", "−").replace("−0.00", "0.00")
