"""Each two groups on each metric: tests, correction, letters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.judgments.comparison.comparison import (
    Comparison,
    Design,
    Pair,
    Summary,
    UnitValue,
)
from tealeaves.judgments.comparison.groups import Group
from tealeaves.judgments.comparison.pairing import Pairing, pair_runs, pair_topics
from tealeaves.judgments.comparison.power import reach_of, remark_on_power
from tealeaves.judgments.comparison.remarking import (
    remark_on_intervals,
    remark_on_letters,
    remark_on_pairing,
    remark_on_sample,
    remark_on_units,
)
from tealeaves.judgments.comparison.sampling import Sample, sample_of
from tealeaves.judgments.comparison.testing import effect_of, ps_of
from tealeaves.judgments.comparison.uncertainty import interval_of_difference, interval_of_mean
from tealeaves.judgments.comparison.wording import Remarks
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.letters import compact_letters


def compare_groups(
    groups: Sequence[Group],
    better: Mapping[str, str],
    design: Design,
    said: Sequence[str] = (),
) -> Comparison:
    """Compare each two groups on each metric, and each group for itself.

    ``said`` are notes on the scores, which are not said again.
    """
    remarks = Remarks()
    pairings = _pairings(groups, design)
    samples = {
        metric: {
            (a, b): sample_of(groups[a], groups[b], metric, pairing)
            for (a, b), pairing in pairings.items()
        }
        for metric in groups[0].values
    }
    remark_on_units(groups, design, said, remarks)
    every = [sample for those in samples.values() for sample in those.values()]
    remark_on_intervals(groups, every, design, remarks)
    remark_on_pairing(groups, pairings, remarks)
    pairs, summary = [], []
    for metric in groups[0].shown:
        marks = [""] * len(groups)
        if metric in samples:
            tested = _tested(groups, metric, samples[metric], pairings, design, remarks)
            pairs += tested
            known = [one for one in samples[metric].values() if not one.refusal]
            if not remark_on_power(metric, known, design, remarks):
                marks = _letters(groups, metric, tested, better, remarks)
        summary += [
            _summary(group, metric, mark, design) for group, mark in zip(groups, marks, strict=True)
        ]
    _refuse_nothing(pairs, design, remarks)
    return Comparison(
        pairs,
        summary,
        design=design,
        better=better,
        units=list(_units(groups)),
        notes=remarks.notes,
    )


def _pairings(groups: Sequence[Group], design: Design) -> dict[tuple[int, int], Pairing]:
    found = pair_topics if design.over == "topics" else pair_runs
    reach = reach_of(groups, design)
    return {
        (a, b): found(groups[a], groups[b], design.pairing, reach)
        for a, b in combinations(range(len(groups)), 2)
    }


def _refuse_nothing(pairs: Sequence[Pair], design: Design, remarks: Remarks) -> None:
    if all(math.isnan(row.p) for row in pairs):
        reasons = "; ".join(note for note in remarks.notes if "not tested" in note)
        raise InputError(f"nothing can be compared over {design.over}: {reasons}")


def _tested(
    groups: Sequence[Group],
    metric: str,
    samples: Mapping[tuple[int, int], Sample],
    pairings: Mapping[tuple[int, int], Pairing],
    design: Design,
    remarks: Remarks,
) -> list[Pair]:
    """Test each two groups on one metric, and correct p for all of them."""
    raw = ps_of(list(samples.values()), design.test, design.draws, design.seed)
    p = correct_p(np.array(raw), design.correction).tolist()
    rows = []
    for ((a, b), sample), one, many in zip(samples.items(), raw, p, strict=True):
        row = _row(groups[a], groups[b], metric, sample, pairings[a, b].kind, design)
        row = msgspec.structs.replace(
            row, p=one, p_corrected=many, significant=many <= design.level
        )
        remark_on_sample(row, sample, remarks)
        rows.append(row)
    return rows


def _row(a: Group, b: Group, metric: str, sample: Sample, pairing: str, design: Design) -> Pair:
    row = Pair(
        metric=metric,
        model_a=a.name,
        model_b=b.name,
        value_a=a.shown[metric][0],
        value_b=b.shown[metric][0],
        n=sample.n,
        dropped_a=sample.dropped_a,
        dropped_b=sample.dropped_b,
        test=design.test,
        pairing=pairing,
    )
    if sample.refusal:
        return row
    effect = effect_of(sample)
    interval = interval_of_difference(sample, design.bootstrap, design.seed, 1 - design.level)
    return msgspec.structs.replace(
        row,
        difference=sample.difference,
        low=interval.low,
        high=interval.high,
        effect=effect.value,
        effect_name=effect.name,
        cliff_delta=effect.cliff_delta,
    )


def _letters(
    groups: Sequence[Group],
    metric: str,
    rows: Sequence[Pair],
    better: Mapping[str, str],
    remarks: Remarks,
) -> list[str]:
    """Return the letters of each group; none where it was not tested against any other."""
    numbers = {group.name: number for number, group in enumerate(groups)}
    different = np.zeros((len(groups), len(groups)), dtype=np.bool_)
    tested: set[int] = set()
    for row in rows:
        a, b = numbers[row.model_a], numbers[row.model_b]
        different[a, b] = different[b, a] = row.significant
        if not math.isnan(row.p):
            tested |= {a, b}
    sign = -1.0 if better.get(metric) == "lower" else 1.0
    worth = [
        sign * group.shown[metric][0] if number in tested else math.nan
        for number, group in enumerate(groups)
    ]
    remark_on_letters(metric, rows, tested, numbers, remarks)
    return compact_letters(worth, different)


def _summary(group: Group, metric: str, mark: str, design: Design) -> Summary:
    value, support = group.shown[metric]
    if metric not in group.values:
        return Summary(model=group.name, metric=metric, value=value, support=support)
    values = group.values[metric]
    known = values[~np.isnan(values)]
    interval = interval_of_mean(known, design.bootstrap, design.seed, 1 - design.level)
    return Summary(
        model=group.name,
        metric=metric,
        value=value,
        low=interval.low,
        high=interval.high,
        n=len(known),
        letters=mark,
        support=support,
    )


def _units(groups: Sequence[Group]) -> Iterable[UnitValue]:
    for group in groups:
        for metric, values in group.values.items():
            for label, value in zip(group.labels, values.tolist(), strict=True):
                yield UnitValue(group.name, metric, label, value)
