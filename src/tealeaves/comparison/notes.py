"""What a reader must know beside the numbers of a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.comparison.design import Design
from tealeaves.comparison.groups import FEWEST, MOST_NAMED, Pairing, Reach, UnitGroup
from tealeaves.comparison.result import Pair
from tealeaves.comparison.samples import (
    FEWEST_RESAMPLED,
    TwoSamples,
    bootstrap_samples,
    has_student_interval,
    smallest_p,
)
from tealeaves.statistics.correction import correct_p
from tealeaves.tables.numbers import list_text

_FEW_TOPICS = 4
Flags = NDArray[np.bool_]


class Remarks:
    """Notes that are collected by their reason, so that many pairs make one sentence.

    >>> remarks = Remarks()
    >>> remarks.add("without a value", "a and b")
    >>> remarks.add("without a value", "a and c")
    >>> remarks.notes
    ['without a value: a and b, a and c']
    """

    def __init__(self) -> None:
        self._subjects: dict[tuple[str, str], dict[str, None]] = {}

    def add(self, reason: str, subject: str = "", *, lead: str = "") -> None:
        """Keep a reason and its subject, each once; ``lead`` is written before the subjects."""
        subjects = self._subjects.setdefault((lead, reason), {})
        if subject:
            subjects[subject] = None

    @property
    def notes(self) -> list[str]:
        """A sentence for each reason."""
        return [
            _sentence(lead, reason, list(subjects))
            for (lead, reason), subjects in self._subjects.items()
        ]


def _sentence(lead: str, reason: str, subjects: Sequence[str]) -> str:
    if lead:
        return f"{lead} {list_text(subjects, MOST_NAMED)}: {reason}"
    return f"{reason}: {list_text(subjects, MOST_NAMED)}" if subjects else reason


def note_units(
    groups: Sequence[UnitGroup], design: Design, score_notes: Sequence[str], remarks: Remarks
) -> None:
    """Name models with few topics or runs, with missing values, or with equal values.

    The notes on the scores are not repeated.
    """
    what = design.units
    for group in groups:
        size = len(group.keys)
        if size < FEWEST:
            remarks.add(f"a single {what[:-1]}, so not tested", group.name)
        elif design.over == "topics" and size < _FEW_TOPICS:
            remarks.add(f"fewer than {_FEW_TOPICS} topics, so tests say little", group.name)
        for metric, values in group.values.items():
            known = values[~np.isnan(values)]
            missing = size - len(known)
            share = f" {group.name}: {missing} of {size} {what}"
            said = any(share in f" {note}" and f" {metric}," in note for note in score_notes)
            if missing and not said:
                remarks.add(f"{what} without a value", f"{missing} of {group.name} ({metric})")
            if len(known) > 1 and np.ptp(known) == 0:
                remarks.add(f"all {what} have the same value", f"{group.name} ({metric})")


def note_intervals(
    groups: Sequence[UnitGroup], samples: Sequence[TwoSamples], design: Design, remarks: Remarks
) -> None:
    """Say which intervals are Student's, and which use fewer samples than the design has."""
    what = design.units
    rows = [row[~np.isnan(row)] for group in groups for row in group.values.values()]
    tested = [sample for sample in samples if not sample.refusal]
    rows += [sample.differences for sample in tested if sample.paired]
    rows += [side for sample in tested if not sample.paired for side in (sample.a, sample.b)]
    if any(np.isfinite(row).all() and has_student_interval(row) for row in rows):
        remarks.add(
            f"intervals are bootstrapped (BCa); those of fewer than {FEWEST_RESAMPLED} {what} are "
            "Student's t, as resampling would make them too narrow"
        )
    drawn = [bootstrap_samples(max(len(row), 1), design.bootstrap) for row in rows]
    if min(drawn, default=design.bootstrap) < design.bootstrap:
        most = max(len(row) for row in rows)
        remarks.add(
            f"intervals of up to {most:,} {what} rest on {min(drawn):,} bootstrap samples, not on "
            f"{design.bootstrap:,}"
        )


def note_pairing(
    groups: Sequence[UnitGroup], pairings: Mapping[tuple[int, int], Pairing], remarks: Remarks
) -> None:
    """Say which groups are compared without pairs, and which units have a poor partner or none."""
    for (a, b), pairing in pairings.items():
        both = _both(groups[a].name, groups[b].name)
        if pairing.why:
            remarks.add(pairing.why, both)
        if pairing.kind == "none":
            continue
        pairs = len(pairing.left)
        over = len(groups[a].keys) + len(groups[b].keys) - 2 * pairs
        if over:
            remarks.add("left out, as they have no partner", f"{over} of {both}")
        if pairing.disjoint:
            remarks.add(
                "pairs of topics without a common word, which are as good as random (the test is "
                "valid, but such pairs do not make it more sensitive)",
                f"{pairing.disjoint} of {pairs} of {both}",
            )


def note_sample(row: Pair, sample: TwoSamples, remarks: Remarks) -> None:
    """Say why two groups were not tested, or that they do not differ at all."""
    both = f"{_both(row.model_a, row.model_b)} ({row.metric})"
    if sample.refusal:
        remarks.add(sample.refusal, both)
    elif sample.equal:
        remarks.add("no difference at all", both)
    elif math.isnan(row.p):
        remarks.add("not tested, as all differences are the same and t is infinite", both)


def note_letters(rows: Iterable[Pair], tested: set[str], remarks: Remarks) -> None:
    """Say which groups share a letter only because they could not be tested."""
    for row in rows:
        if math.isnan(row.p) and {row.model_a, row.model_b} <= tested:
            both = _both(row.model_a, row.model_b)
            remarks.add("share a letter for lack of a test", f"{both} ({row.metric})")


def _both(a: str, b: str) -> str:
    return f"{a} and {b}"


# ---------------------------------------------------------------------- power


def reach_of(groups: Sequence[UnitGroup], design: Design) -> Reach:
    """Return a function that tells whether so many pairs of units can ever differ significantly.

    It assumes that all pairs of models differ as much as they can, and corrects p for them.
    """
    tests = math.comb(sum(len(group.keys) >= FEWEST for group in groups), 2)

    def reach(n: int) -> bool:
        least = smallest_p(n, n, design.test, paired=True)
        family = correct_p(np.full(max(tests, 1), least), design.correction)
        return math.isnan(least) or bool(family[0] <= design.level)

    return reach


def note_power(
    metric: str, samples: Sequence[TwoSamples], design: Design, remarks: Remarks
) -> bool:
    """Say if units or draws are too few to find any difference; return whether no pair has enough.

    Letters would then say that no models differ, whatever their values.
    """
    least = _least_p(samples, design, design.draws)
    hopeless = least > design.level
    if not hopeless.any():
        return False
    cause, advice = _cause_and_advice(samples, design, hopeless)
    reason = (
        f"{cause}: the smallest possible p, corrected, is {least[hopeless].min():.3g}, above "
        f"{design.level:g}; {advice}"
    )
    if hopeless.all():
        remarks.add(reason, metric, lead="no letters for")
    else:
        remarks.add(f"in {hopeless.sum()} of {len(samples)} pairs of models, {reason}", metric)
    return bool(hopeless.all())


def _least_p(samples: Sequence[TwoSamples], design: Design, draws: int | None) -> Floats:
    """Return the smallest corrected p of each, if all differed as much as they can."""
    least = [
        smallest_p(len(sample.a), len(sample.b), design.test, draws, paired=sample.paired)
        for sample in samples
    ]
    return correct_p(np.array(least), design.correction)


def _cause_and_advice(
    samples: Sequence[TwoSamples], design: Design, hopeless: Flags
) -> tuple[str, str]:
    if (_least_p(samples, design, None) <= design.level)[hopeless].all():
        cause = f"with {design.draws:,} draws nothing can differ significantly"
        return cause, "give more draws"
    unpaired = [TwoSamples(sample.a, sample.b, paired=False) for sample in samples]
    gained = (_least_p(unpaired, design, design.draws) > design.level).sum() < hopeless.sum()
    advice = f"give more {design.units}" + ", or compare without pairs" * bool(gained)
    return f"so few {design.units} can never differ significantly", advice
