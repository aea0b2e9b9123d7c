"""What must be known of a comparison beside its numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tealeaves.judgments.comparison.comparison import Design, Pair
from tealeaves.judgments.comparison.groups import Group
from tealeaves.judgments.comparison.pairing import FEWEST, Pairing
from tealeaves.judgments.comparison.sampling import Sample
from tealeaves.judgments.comparison.uncertainty import FEWEST_RESAMPLED, is_student, samples_of
from tealeaves.judgments.comparison.wording import Remarks

_FEW_TOPICS = 4


def remark_on_units(
    groups: Sequence[Group], design: Design, said: Sequence[str], remarks: Remarks
) -> None:
    """Say who has few units, values that are missing, and values that are all the same.

    What notes on the scores have ``said`` already is not said again.
    """
    what = _units(design)
    for group in groups:
        size = len(group.keys)
        if size < FEWEST:
            remarks.add(f"a single {what[:-1]}, so not tested", group.name)
        elif design.over == "topics" and size < _FEW_TOPICS:
            remarks.add(f"fewer than {_FEW_TOPICS} topics, so tests say little", group.name)
        for metric, values in group.values.items():
            known = values[~np.isnan(values)]
            missing = size - len(known)
            told = f"{group.name}: {missing} of {size} {what} have no {metric},"
            if missing and not any(note.startswith(told) for note in said):
                remarks.add(f"{what} without a value", f"{missing} of {group.name} ({metric})")
            if len(known) > 1 and np.ptp(known) == 0:
                remarks.add(f"all {what} have the same value", f"{group.name} ({metric})")


def remark_on_intervals(
    groups: Sequence[Group], samples: Sequence[Sample], design: Design, remarks: Remarks
) -> None:
    """Say where intervals are Student's, and where they rest on fewer samples than was asked."""
    what = _units(design)
    rows = [row[~np.isnan(row)] for group in groups for row in group.values.values()]
    tested = [sample for sample in samples if not sample.refusal]
    rows += [sample.differences for sample in tested if sample.paired]
    rows += [side for sample in tested if not sample.paired for side in (sample.a, sample.b)]
    if any(np.isfinite(row).all() and is_student(row) for row in rows):
        remarks.add(
            f"intervals are bootstrapped (BCa); those of fewer than {FEWEST_RESAMPLED} {what} are "
            "Student's t, as resampling would make them too narrow"
        )
    drawn = [samples_of(max(len(row), 1), design.bootstrap) for row in rows]
    if min(drawn, default=design.bootstrap) < design.bootstrap:
        most = max(len(row) for row in rows)
        remarks.add(
            f"intervals of up to {most:,} {what} rest on {min(drawn):,} bootstrap samples, not on "
            f"{design.bootstrap:,}"
        )


def _units(design: Design) -> str:
    return "topics" if design.over == "topics" else "runs"


def remark_on_pairing(
    groups: Sequence[Group], pairings: Mapping[tuple[int, int], Pairing], remarks: Remarks
) -> None:
    """Say why some are compared without pairs, who is left over, and which pairs are strangers."""
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
        if pairing.strangers:
            remarks.add(
                "pairs of topics that share no word, no better than pairs by chance (the test "
                "holds, but gains nothing by them)",
                f"{pairing.strangers} of {pairs} of {both}",
            )


def remark_on_sample(row: Pair, sample: Sample, remarks: Remarks) -> None:
    """Say why two were not tested, or that they do not differ at all."""
    both = f"{_both(row.model_a, row.model_b)} ({row.metric})"
    if sample.refusal:
        remarks.add(sample.refusal, both)
    elif sample.alike:
        remarks.add("no difference at all", both)
    elif math.isnan(row.p):
        remarks.add("not tested, as all differences are the same and t is infinite", both)


def remark_on_letters(
    metric: str,
    rows: Iterable[Pair],
    tested: set[int],
    numbers: Mapping[str, int],
    remarks: Remarks,
) -> None:
    """Say where two share a letter only because they could not be tested."""
    for row in rows:
        if math.isnan(row.p) and {numbers[row.model_a], numbers[row.model_b]} <= tested:
            remarks.add(
                "share a letter for lack of a test", f"{_both(row.model_a, row.model_b)} ({metric})"
            )


def _both(a: str, b: str) -> str:
    return f"{a} and {b}"
