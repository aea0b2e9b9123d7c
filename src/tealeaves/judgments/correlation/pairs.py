"""Paired tests: does one metric agree better with people than another, on the same topics?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import msgspec
import numpy as np

from tealeaves.judgments.correlation.bootstrap import (
    MetricGroup,
    ResampledValues,
    clusters_for,
    group_of,
    groups_of,
)
from tealeaves.judgments.correlation.matching import MatchedScores
from tealeaves.judgments.correlation.plan import CorrelationPlan
from tealeaves.judgments.correlation.result import PairTest
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.correlation import COEFFICIENTS
from tealeaves.statistics.hypothesis_tests import steiger, williams
from tealeaves.statistics.intervals import bca_interval, bca_p


def pair_tests(
    matched: MatchedScores, plan: CorrelationPlan, better: Mapping[str, str]
) -> list[PairTest]:
    """Compare all metrics with each other, or with the one of ``plan.versus``.

    The coefficients of metrics for which lower is better change their sign, so that more is always
    better. Interval and p are of the difference in the same bootstrap samples. Williams' and
    Steiger's tests use the number of clusters as n; there are none for Kendall's τ.
    """
    groups = [_turned(group, better) for group in groups_of(matched, plan)]
    corrected: list[PairTest] = []
    for name in (name for name in plan.coefficients if name in COEFFICIENTS):
        resampled: dict[int, ResampledValues] = {}  # by the number of the group
        tests = []
        for pair in _pairs(list(matched.scores), plan.versus):
            together = (n for n, group in enumerate(groups) if set(pair) <= set(group.metrics))
            number = next(together, None)
            if number is None:
                group = _turned(_common_group(matched, plan, pair), better)
                sample = group.coefficient(name) if group.enough else None
            else:
                group, sample = groups[number], None
                if group.enough:
                    if number not in resampled:
                        resampled[number] = group.coefficient(name)
                    sample = resampled[number]
            tests.append(_tested(matched, name, pair, group, sample))
        p = correct_p(np.array([test.p for test in tests]), plan.correction)
        corrected += [
            msgspec.structs.replace(test, p_corrected=float(value))
            for test, value in zip(tests, p, strict=True)
        ]
    return corrected


def _pairs(metrics: Iterable[str], versus: str) -> Iterator[tuple[str, str]]:
    if not versus:
        return itertools.combinations(metrics, 2)
    return ((versus, name) for name in metrics if name != versus)


def _common_group(
    matched: MatchedScores, plan: CorrelationPlan, pair: tuple[str, str]
) -> MetricGroup:
    """Return the topics for which both metrics have values."""
    known = np.isfinite(np.column_stack([matched.scores[metric] for metric in pair])).all(axis=1)
    return group_of(matched, list(pair), np.flatnonzero(known), clusters_for(matched, plan), plan)


def _turned(group: MetricGroup, better: Mapping[str, str]) -> MetricGroup:
    return replace(group, x=group.x * group.signs(better))


def _tested(
    matched: MatchedScores,
    name: str,
    pair: tuple[str, str],
    group: MetricGroup,
    sample: ResampledValues | None,
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
    if sample is None:
        return test
    columns = [group.metrics.index(metric) for metric in pair]
    x = group.x[:, columns]
    between = float(COEFFICIENTS[name](x[:, :1], x[:, 1])[0])
    a, b = map(float, sample.values[columns])
    draws, left = (
        np.asarray(part[:, columns[0]] - part[:, columns[1]])
        for part in (sample.draws, sample.jackknife)
    )
    low, high = bca_interval(a - b, draws, left, group.plan.level, clusters=sample.clusters)
    # both tests are for Pearson's coefficient, and often used for Spearman's
    williams_p = steiger_p = math.nan
    if name != "kendall":
        williams_p = williams(a, b, between, group.number_of_clusters).p
        steiger_p = steiger(a, b, between, group.number_of_clusters).p
    return msgspec.structs.replace(
        test,
        value_a=a,
        value_b=b,
        difference=a - b,
        low=low,
        high=high,
        p=bca_p(a - b, draws, left, clusters=sample.clusters),
        between=between,
        williams_p=williams_p,
        steiger_p=steiger_p,
    )
