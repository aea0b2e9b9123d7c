"""What a comparison can find at all: told by the numbers of units and of pairs, not by values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.judgments.comparison.comparison import Design
from tealeaves.judgments.comparison.groups import Group
from tealeaves.judgments.comparison.pairing import FEWEST, Reach
from tealeaves.judgments.comparison.sampling import Sample
from tealeaves.judgments.comparison.testing import smallest_p
from tealeaves.judgments.comparison.wording import Remarks
from tealeaves.statistics.correction import correct_p

Flags = NDArray[np.bool_]


def reach_of(groups: Sequence[Group], design: Design) -> Reach:
    """Return what tells whether so many pairs of units can ever differ significantly.

    All pairs of models are taken to differ as much as they can, and p to be corrected for them.
    """
    tests = math.comb(sum(len(group.keys) >= FEWEST for group in groups), 2)

    def reach(n: int) -> bool:
        least = smallest_p(n, n, design.test, paired=True)
        family = correct_p(np.full(max(tests, 1), least), design.correction)
        return math.isnan(least) or bool(family[0] <= design.level)

    return reach


def remark_on_power(
    metric: str, samples: Sequence[Sample], design: Design, remarks: Remarks
) -> bool:
    """Say where units or draws are too few to find any difference; tell whether nowhere.

    Letters would then say of all models that they do not differ, whatever their values.
    """
    least = _least(samples, design, design.draws)
    hopeless = least > design.level
    if not hopeless.any():
        return False
    tail = f"the smallest possible p, corrected, is {least[hopeless].min():.3g}, above"
    reason = f"{_bound(samples, design, hopeless)}: {tail} {design.level:g}"
    reason = f"{reason}; {_advice(samples, design, hopeless)}"
    if hopeless.all():
        remarks.add(reason, metric, lead="no letters for")
    else:
        remarks.add(f"in {hopeless.sum()} of {len(samples)} pairs of models, {reason}", metric)
    return bool(hopeless.all())


def _least(samples: Sequence[Sample], design: Design, draws: int | None) -> Floats:
    """Return the smallest corrected p that each could have, if all differed as much as can be."""
    least = [
        smallest_p(len(sample.a), len(sample.b), design.test, draws, paired=sample.paired)
        for sample in samples
    ]
    return correct_p(np.array(least), design.correction)


def _few_draws(samples: Sequence[Sample], design: Design, hopeless: Flags) -> bool:
    """Tell whether more draws alone would do."""
    return bool((_least(samples, design, None) <= design.level)[hopeless].all())


def _bound(samples: Sequence[Sample], design: Design, hopeless: Flags) -> str:
    if _few_draws(samples, design, hopeless):
        return f"with {design.draws:,} draws nothing can differ significantly"
    what = "topics" if design.over == "topics" else "runs"
    return f"so few {what} can never differ significantly"


def _advice(samples: Sequence[Sample], design: Design, hopeless: Flags) -> str:
    if _few_draws(samples, design, hopeless):
        return "give more draws"
    loose = [Sample(sample.a, sample.b, paired=False) for sample in samples]
    gained = (_least(loose, design, design.draws) > design.level).sum() < hopeless.sum()
    what = "topics" if design.over == "topics" else "runs"
    return f"give more {what}, or compare without pairs" if gained else f"give more {what}"
