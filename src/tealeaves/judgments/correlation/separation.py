"""``separation``: do topics that people rate as good score higher than those they rate as bad?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.correlation.bootstrap import (
    LEFT_OUT,
    MetricGroup,
    ResampledValues,
    groups_of,
)
from tealeaves.judgments.correlation.matching import MatchedScores, part_name
from tealeaves.judgments.correlation.result import (
    BesideCorrelations,
    Correlations,
    metric_label,
    named_columns,
    rows_with,
)
from tealeaves.statistics.intervals import NO_INTERVAL
from tealeaves.statistics.resampling import cluster_weights, jackknife_weights
from tealeaves.statistics.separation import ExtremeGroups, auc, extreme_groups
from tealeaves.statistics.spread import GroupSpread, group_spread
from tealeaves.tables.numbers import append_interval, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import json_row

#: How people's scores are split, and into how many parts.
SPLITS = {"thirds": 3, "halves": 2}
#: The remark on groups that no sample brings together.
APART = "wholly apart"


class MetricSeparation(msgspec.Struct, frozen=True, kw_only=True):
    """How well one metric separates what people find good from what they find bad.

    ``auc`` is the probability that a topic (or model) of the high group is better by the metric
    than one of the low group; equal ones count half. The metric's direction is in it: 1 is perfect,
    0.5 is chance. ``low`` and ``high`` are the ends of its interval, which rests on ``clusters`` of
    near-identical topics. People gave the high group ``from_high`` or more, the low group
    ``to_low`` or less; ``n_high`` and ``n_low`` topics of these have a value, ``n_between`` are in
    neither group, and ``dropped`` have no value.
    """

    dataset: str
    task: str
    model: str = ""
    by: str
    metric: str
    split: str
    auc: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n_high: int = 0
    n_low: int = 0
    n_between: int = 0
    dropped: int = 0
    from_high: float = math.nan
    to_low: float = math.nan
    clusters: int = 0
    draws: int = 0
    remark: str = ""

    @property
    def part(self) -> tuple[str, str, str]:
        """Data set, task and model."""
        return self.dataset, self.task, self.model


@dataclass(repr=False, eq=False)
class Separations(BesideCorrelations):
    """The separation by all metrics, for each data set and task.

    ``correlations`` is what the groups were taken from. JSON, Markdown and LaTeX have it too.
    ``spreads`` has the quartiles of both groups for each row; the chart shows them.
    """

    rows_key = "separations"

    rows: list[MetricSeparation]
    correlations: Correlations
    notes: list[str] = field(default_factory=list)
    spreads: list[GroupSpread] = field(default_factory=list)

    def auc(self, metric: str, **where: str) -> float:
        """Return the AUC of a metric; ``where`` chooses data set, task and model."""
        rows = rows_with(self.rows, {"metric": metric, **where})
        if len(rows) != 1:
            raise InputError(f"{len(rows)} AUCs of {metric}: name dataset, task or model")
        return float(rows[0].auc)

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: the coefficients too."""
        rows = [json_row(row) for row in self.to_dicts()]
        return {**self.correlations.content, self.rows_key: rows}

    def table(self) -> Table:
        """Return the table that is printed: one line per metric."""
        named = named_columns(self.rows, "dataset", "task", "model")
        lines = []
        for row in self.rows:
            value = number_text(row.auc)
            cell = (
                f"{value} ({row.remark})"
                if row.remark
                else append_interval(value, row.low, row.high)
            )
            counts = [str(count) for count in (row.n_high, row.n_low, row.n_between)]
            left = [getattr(row, name) for name in named]
            label = metric_label(row.metric, self.correlations.better)
            lines.append(([*left, label], [cell, *counts]))
        return text_table([*named, "metric"], ["AUC", "high", "low", "between"], lines)

    @property
    def legend(self) -> list[str]:
        """What the table's signs mean."""
        plan, rows = self.correlations.plan, self.rows
        lines = [
            f"AUC: the probability that a {plan.by} of the high group is better by the metric than "
            "one of the low group (a tie counts half): 1 is perfect, 0.5 is chance",
            *group_limits(rows),
        ]
        if any(math.isfinite(row.low) for row in rows):
            near = any(row.clusters < row.n_high + row.n_low for row in rows)
            units = "clusters of near-identical topics" if near else f"{plan.by}s"
            lines.append(
                f"[low, high]: {plan.level:.0%} interval, bootstrap over {units}, {plan.draws} "
                "draws; the groups stay as they are"
            )
        if any(row.remark == APART for row in rows):
            lines.append(
                f"{APART}: no sample of these topics differs, so that there is no interval"
            )
        return lines


def separation(correlations: Correlations, split: str = "thirds") -> Separations:
    """Tell how well each metric of a result of ``correlate`` separates good topics from bad ones.

    The groups are the same for all metrics. Intervals are made like those of the coefficients:
    with their draws, level, seed and clusters of near-identical topics.

    Parameters
    ----------
    correlations
        The result of ``correlate``.
    split
        ``thirds``, the upper and the lower third by people's scores, or ``halves``.
    """
    if split not in SPLITS:
        hint = did_you_mean(split, SPLITS)
        raise InputError(f"no split {split}{hint} (there are {', '.join(SPLITS)})")
    if not correlations.parts:
        raise InputError("these correlations hold no values of topics: there is nothing to split")
    rows, spreads = [], []
    for part in correlations.parts:
        part_rows = _part_rows(part, correlations, split)
        rows += part_rows
        spreads += [_spread(part, row) for row in part_rows]
    return Separations(rows, correlations, correlations.notes, spreads)


def _spread(part: MatchedScores, row: MetricSeparation) -> GroupSpread:
    values, human = part.scores[row.metric], part.human
    known = np.isfinite(values)
    high, low = known & (human >= row.from_high), known & (human <= row.to_low)
    return group_spread({"high": values[high], "low": values[low & ~high]})


def group_limits(rows: Iterable[MetricSeparation]) -> list[str]:
    """Say where the high and the low group begin, for each data set and task."""
    known = {row.part: row for row in rows if not math.isnan(row.from_high)}
    lines = []
    for part, row in known.items():
        name = f"{part_name(*part)}: " if len(known) > 1 else ""
        lines.append(
            f"{name}high: {row.from_high:.3g} or more by people; low: {row.to_low:.3g} or less "
            f"(upper and lower {row.split}; equal scores are kept together)"
        )
    return lines


def _part_rows(
    part: MatchedScores, correlations: Correlations, split: str
) -> list[MetricSeparation]:
    """Return a row per metric of one data set and task, in the order of the metrics."""
    # the groups of all topics that people judged
    ends = extreme_groups(part.human, SPLITS[split])
    limits: dict[str, float] = {}
    if ends.high.any():
        high, low = part.human[ends.high].min(), part.human[ends.low].max()
        limits = {"from_high": float(high), "to_low": float(low)}
    rows: dict[str, MetricSeparation] = {}
    for group in groups_of(part, correlations.plan):
        members = ExtremeGroups(ends.high[group.rows], ends.low[group.rows])
        areas = _areas(group, members, group.signs(correlations.better))
        common: dict[str, Any] = {
            "dataset": part.dataset,
            "task": part.task,
            "model": part.model,
            "by": part.by,
            "split": split,
            "n_high": int(members.high.sum()),
            "n_low": int(members.low.sum()),
            "n_between": int((~(members.high | members.low)).sum()),
            "dropped": len(part) - group.n,
            "clusters": areas.clusters,
            "draws": group.plan.draws,
            **limits,
        }
        for number, metric in enumerate(group.metrics):
            value = float(areas.values[number])
            apart = value in (0.0, 1.0)
            remark = APART if apart else ""
            if math.isnan(value):
                remark = "a group has no values"
            if not ends.high.any():
                remark = "people's scores are constant"
            # if groups are wholly apart, all draws are the same, but that does not make it sure
            low, high = NO_INTERVAL if apart else areas.interval(number, group.plan.level)
            rows[metric] = MetricSeparation(
                **common, metric=metric, auc=value, low=low, high=high, remark=remark
            )
    return [rows[metric] for metric in part.scores if metric in rows]


def _areas(group: MetricGroup, ends: ExtremeGroups, signs: Floats) -> ResampledValues:
    """Return the AUC of each metric, and its resamples."""
    inside = np.flatnonzero(ends.high | ends.low)
    within = ExtremeGroups(ends.high[inside], ends.low[inside])
    plan = group.plan
    x, clusters = group.x[inside] * signs, group.clusters[inside]
    drawn = cluster_weights(clusters, plan.draws, plan.seed)
    left = jackknife_weights(clusters, most=LEFT_OUT if plan.draws else 0)
    values, draws, jackknife = (auc(x, within, weights) for weights in (None, drawn, left))
    return ResampledValues(values, draws, jackknife, len(np.unique(clusters)))
