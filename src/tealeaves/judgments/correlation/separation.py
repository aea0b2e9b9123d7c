"""``separation``: do topics that people find good score higher than those they find bad?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.correlation.correlations import Correlations
from tealeaves.judgments.correlation.matching import Matched
from tealeaves.judgments.correlation.samples import LEFT_OUT, Found, Group, groups_of
from tealeaves.judgments.correlation.separations import APART, Separation, Separations
from tealeaves.statistics.intervals import NO_INTERVAL
from tealeaves.statistics.resampling import cluster_weights, jackknife_weights
from tealeaves.statistics.separation import ExtremeGroups, auc, extreme_groups

#: How people's scores are split, and into how many parts.
SPLITS = {"thirds": 3, "halves": 2}


def separation(found: Correlations, split: str = "thirds") -> Separations:
    """Tell, for all metrics of a result of ``correlate``, how well they separate good from bad.

    ``split`` is ``thirds``, the upper and the lower third by people's scores, or ``halves``. The
    groups are the same for all metrics. Intervals are made as those of the coefficients: with their
    draws, level, seed and clusters of near-identical topics.
    """
    if split not in SPLITS:
        hint = did_you_mean(split, SPLITS)
        raise InputError(f"no split {split}{hint} (there are {', '.join(SPLITS)})")
    if not found.parts:
        raise InputError("these correlations hold no values of topics: there is nothing to split")
    rows = [row for part in found.parts for row in _Splitting(part, found, split).rows()]
    return Separations(rows, found)


@dataclass(frozen=True)
class _Splitting:
    """One data set and task, whose topics are split."""

    part: Matched
    correlations: Correlations
    split: str

    @cached_property
    def ends(self) -> ExtremeGroups:
        """The groups of all topics that people judged."""
        return extreme_groups(self.part.human, SPLITS[self.split])

    def rows(self) -> list[Separation]:
        """Return a row a metric, in the order of the metrics."""
        groups = groups_of(self.part, self.correlations.plan)
        rows = {row.metric: row for group in groups for row in self._rows(group)}
        return [rows[metric] for metric in self.part.scores if metric in rows]

    def _rows(self, group: Group) -> list[Separation]:
        """Return the rows of metrics that have values for the same topics."""
        ends = ExtremeGroups(self.ends.high[group.rows], self.ends.low[group.rows])
        found = self._found(group, ends)
        common: dict[str, Any] = {
            "dataset": self.part.dataset,
            "task": self.part.task,
            "model": self.part.model,
            "by": self.part.by,
            "split": self.split,
            "n_high": int(ends.high.sum()),
            "n_low": int(ends.low.sum()),
            "n_between": int((~(ends.high | ends.low)).sum()),
            "dropped": len(self.part) - group.n,
            "clusters": found.clusters,
            "draws": group.plan.draws,
            **self._limits(),
        }
        rows = []
        for number, metric in enumerate(group.metrics):
            value = float(found.values[number])
            # all draws are the same where groups are wholly apart, but no more is sure for that
            apart = value in (0.0, 1.0)
            low, high = NO_INTERVAL if apart else found.interval(number, group.plan.level)
            rest: dict[str, Any] = {"low": low, "high": high, "remark": self._remark(value)}
            rows.append(Separation(**common, metric=metric, auc=value, **rest))
        return rows

    def _found(self, group: Group, ends: ExtremeGroups) -> Found:
        inside = np.flatnonzero(ends.high | ends.low)
        within = ExtremeGroups(ends.high[inside], ends.low[inside])
        better, plan = self.correlations.better, group.plan
        signs = [-1.0 if better.get(metric) == "lower" else 1.0 for metric in group.metrics]
        x, clusters = group.x[inside] * np.array(signs), group.clusters[inside]
        drawn = cluster_weights(clusters, plan.draws, plan.seed)
        left = jackknife_weights(clusters, most=LEFT_OUT if plan.draws else 0)
        values, draws, jackknife = (auc(x, within, weights) for weights in (None, drawn, left))
        return Found(values, draws, jackknife, len(np.unique(clusters)))

    def _limits(self) -> dict[str, float]:
        """Return where the groups begin."""
        human, (high, low) = self.part.human, self.ends
        if not high.any():
            return {}
        return {"from_high": float(human[high].min()), "to_low": float(human[low].max())}

    def _remark(self, value: float) -> str:
        if not self.ends.high.any():
            return "people's scores are constant"
        if math.isnan(value):
            return "a group has no values"
        return APART if value in (0.0, 1.0) else ""
