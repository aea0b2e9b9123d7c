"""Consensus beside the best single metric: by how much more it agrees with people."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence

from people_lines import Line
from people_rows import DRAWS, PEARSON, PERMUTATIONS, SEED, Number, scored_of, scores_of
from people_sets import MAIN, PeopleSet
from people_stages import Scored
from people_variants import Label
from tealeaves import correlate
from tealeaves.errors import TealeavesWarning

Differences = Mapping[Label, Mapping[str, Number]]


def best_single(lines: Iterable[Line]) -> Line:
    """Return the metric that agrees best in all main sets and is computed here, but consensus."""
    return next(one for one in lines if one.everywhere and not (one.also or one.consensus))


def differences(lines: Sequence[Line], found: Sequence[Scored]) -> Differences:
    """Return how much higher r of each row of consensus is than that of the best single metric.

    Intervals are of the differences, in the same bootstrap samples.
    """
    other, ours = best_single(lines), [one.label for one in lines if one.consensus]
    all_: dict[Label, dict[str, Number]] = {label: {} for label in ours}
    for one in MAIN:
        known = {_label(each): each for each in scored_of(one, found)}
        there = [known[label] for label in ours if label in known]
        turned = other.number(one.name).value < 0
        single = _turned(known[other.label]) if turned else known[other.label]
        for label, number in _less(one, [single, *there], other.label).items():
            all_[label][one.name] = number
    return all_


def _less(one: PeopleSet, found: Sequence[Scored], other: Label) -> dict[Label, Number]:
    labels = {str(label): label for label in map(_label, found)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TealeavesWarning)
        tests = correlate(
            scores_of(found),
            one.judgments,
            coefficients=(PEARSON,),
            versus=str(other),
            draws=DRAWS,
            permutations=PERMUTATIONS,
            seed=SEED,
        ).pairs
    # what is asked for by name is the first of two
    return {
        labels[test.metric_b]: Number(-test.difference, -test.high, -test.low) for test in tests
    }


def _label(scored: Scored) -> Label:
    return Label(scored.expression, scored.evidence)


def _turned(scored: Scored) -> Scored:
    """Turn values round, where less is better in people's eyes."""
    return scored._replace(values=[(model, topic, -value) for model, topic, value in scored.values])
