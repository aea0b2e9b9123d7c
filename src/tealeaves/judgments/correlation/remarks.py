"""What is said of correlations: why there is none, and why to distrust one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.statistics.correlation import COEFFICIENTS

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.correlations import Correlation
    from tealeaves.judgments.correlation.plan import Plan
    from tealeaves.judgments.correlation.samples import Group

#: Below this, phi_K says little.
FEW = 100
_SURE = 0.05


def remark_on(group: Group, number: int, value: float, name: str) -> str:
    """Say why a metric has no value, or why it is to be distrusted."""
    if math.isnan(value):
        if np.ptp(group.x[:, number]) == 0:
            return "the metric is constant"
        if np.ptp(group.y) == 0:
            return "people's scores are constant"
        return "not defined given the control" if group.control is not None else "not defined"
    if name == "phik" and group.n < FEW:
        return f"phi_K of fewer than {FEW} says little"
    return ""


def remarks(rows: Sequence[Correlation], better: Mapping[str, str], plan: Plan) -> list[str]:
    """Say what holds for all rows."""
    found = []
    if rows and all(math.isnan(row.value) for row in rows):
        why = ", ".join(dict.fromkeys(row.remark for row in rows))
        found.append(f"nothing can be correlated: {why}")
    if plan.control and "phik" in plan.coefficients:
        found.append("phi_K has no partial form: given without the control only")
    if plan.pairs or plan.versus:
        found += _remarks_on_pairs(better, plan)
    return found + _against(rows, better)


def _against(rows: Sequence[Correlation], better: Mapping[str, str]) -> list[str]:
    """Name metrics whose declared direction people clearly do not share.

    Where there is no interval, as nothing was drawn for one, p alone decides.
    """
    against = {"higher": -1.0, "lower": 1.0}
    names = [
        row.metric
        for row in rows
        if row.coefficient != "phik"
        and not row.control
        and against.get(better.get(row.metric, ""), 0.0) * row.value > 0
        and row.p_corrected < _SURE
        and (math.isnan(row.low) or row.low * row.high > 0)
    ]
    if not names:
        return []
    named = ", ".join(dict.fromkeys(names))
    return [f"people prefer what is declared to be worse, by these metrics: {named}"]


def _remarks_on_pairs(better: Mapping[str, str], plan: Plan) -> list[str]:
    found = []
    if not set(plan.coefficients) & set(COEFFICIENTS):
        found.append("phi_K is not compared in pairs: it has no sign")
    unknown = [name for name, direction in better.items() if not direction]
    if unknown:
        listed = ", ".join(unknown)
        found.append(f"higher is taken for better in pairs, as nothing says otherwise: {listed}")
    return found
