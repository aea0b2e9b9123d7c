"""Paired tests: does one metric agree better with people than another, on the same topics?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np

from tealeaves.judgments.correlation.correlations import PairTest
from tealeaves.judgments.correlation.matching import Matched
from tealeaves.judgments.correlation.plan import Plan
from tealeaves.judgments.correlation.samples import (
    Found,
    Group,
    clusters_for,
    group_of,
    groups_of,
)
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.correlation import COEFFICIENTS
from tealeaves.statistics.hypothesis_tests import CorrelationTest, steiger, williams
from tealeaves.statistics.intervals import bca_interval, bca_p


def pair_tests(matched: Matched, plan: Plan, better: Mapping[str, str]) -> list[PairTest]:
    """Compare all metrics with each other, or with the one of ``plan.versus``.

    Coefficients are turned by the metric's direction, so that more is always better; the interval
    and p are of their difference in the same bootstrap samples. Williams' and Steiger's tests take
    the number of clusters for n; they are not made for Kendall's τ, which has none.
    """
    groups = [_turned(group, better) for group in groups_of(matched, plan)]
    found: list[PairTest] = []
    for name in (one for one in plan.coefficients if one in COEFFICIENTS):
        known = _Known(name, groups)
        tests = []
        for pair in _pairs(list(matched.scores), plan.versus):
            group, sample = known.of(pair) or _common(matched, plan, better, pair, name)
            tests.append(_tested(matched, name, pair, group, sample))
        p = correct_p(np.array([test.p for test in tests]), plan.correction)
        found += [
            msgspec.structs.replace(test, p_corrected=float(value))
            for test, value in zip(tests, p, strict=True)
        ]
    return found


@dataclass
class _Known:
    """One coefficient of each group of metrics, computed when it is first asked for."""

    name: str
    groups: list[Group]
    found: dict[int, Found] = field(default_factory=dict)

    def of(self, pair: tuple[str, str]) -> tuple[Group, Found | None] | None:
        """Return the part of a group that has both metrics, if one has."""
        for number, group in enumerate(self.groups):
            if set(pair) <= set(group.metrics):
                chosen = [group.metrics.index(metric) for metric in pair]
                part = replace(group, metrics=list(pair), x=group.x[:, chosen])
                if not group.enough:
                    return part, None
                if number not in self.found:
                    self.found[number] = group.found(self.name)
                whole = self.found[number]
                values, draws, left = whole.values, whole.draws, whole.jackknife
                found = Found(values[chosen], draws[:, chosen], left[:, chosen], whole.clusters)
                return part, found
        return None


def _common(
    matched: Matched, plan: Plan, better: Mapping[str, str], pair: tuple[str, str], name: str
) -> tuple[Group, Found | None]:
    """Take the topics that both metrics have values for."""
    known = np.isfinite(np.column_stack([matched.scores[metric] for metric in pair])).all(axis=1)
    rows = np.flatnonzero(known)
    group = group_of(matched, list(pair), rows, clusters_for(matched, plan), plan)
    group = _turned(group, better)
    return group, group.found(name) if group.enough else None


def _turned(group: Group, better: Mapping[str, str]) -> Group:
    signs = [-1.0 if better.get(metric) == "lower" else 1.0 for metric in group.metrics]
    return replace(group, x=group.x * np.array(signs))


def _pairs(metrics: Iterable[str], versus: str) -> Iterator[tuple[str, str]]:
    names = list(metrics)
    if not versus:
        return itertools.combinations(names, 2)
    return ((versus, name) for name in names if name != versus)


def _tested(
    matched: Matched, name: str, pair: tuple[str, str], group: Group, found: Found | None
) -> PairTest:
    test = PairTest(
        dataset=matched.dataset,
        task=matched.task,
        model=matched.model,
        by=matched.by,
        coefficient=name,
        metric_a=pair[0],
        metric_b=pair[1],
        n=group.n,
        clusters=group.number_of_clusters,
        dropped=len(matched) - group.n,
    )
    if found is None:
        return test
    between = float(COEFFICIENTS[name](group.x[:, :1], group.x[:, 1])[0])
    a, b = map(float, found.values)
    draws, left = (np.asarray(part[:, 0] - part[:, 1]) for part in (found.draws, found.jackknife))
    low, high = bca_interval(a - b, draws, left, group.plan.level, clusters=found.clusters)
    return msgspec.structs.replace(
        test,
        value_a=a,
        value_b=b,
        difference=a - b,
        low=low,
        high=high,
        p=bca_p(a - b, draws, left, clusters=found.clusters),
        between=between,
        williams_p=_analytic(williams, name, (a, b, between), group),
        steiger_p=_analytic(steiger, name, (a, b, between), group),
    )


def _analytic(
    test: Callable[..., CorrelationTest],
    name: str,
    values: tuple[float, float, float],
    group: Group,
) -> float:
    """Return the p of a test made for Pearson's coefficient, and often used for Spearman's."""
    return math.nan if name == "kendall" else test(*values, group.number_of_clusters).p
