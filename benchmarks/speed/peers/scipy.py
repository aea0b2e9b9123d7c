"""Correlate 20 metrics with people by scipy.stats; prints the coefficients and the seconds.

The same work as in ``benchmarks.speed.work.people``: BCa intervals of 2,000 bootstrap draws, and p
of 2,000 permutations. It is written as it suits scipy best. All metrics are handled in one call, by
statistics that take many samples at once. People and metrics are one table with people first, so
that people are ranked once a sample, not once for each metric. For permutations everything is
ranked beforehand, and what is left is a product of matrices. The table is ready before the clock
starts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from scipy.stats import bootstrap, permutation_test, rankdata

from benchmarks.speed.clock import Clock
from benchmarks.speed.made_up import DRAWS, PERMUTATIONS, make_people
from tealeaves.arrays import Floats

# samples at once; 10 to 2000 were tried
_BATCH = 25


def pearson(table: Floats, axis: int = -1) -> Floats:
    """Return Pearson's r of the first row with each other row, in many samples at once."""
    rows = _unit(table, axis)
    coefficients: Floats = np.einsum("...n,m...n->m...", rows[0], rows[1:])
    return coefficients


def spearman(table: Floats, axis: int = -1) -> Floats:
    """Return Spearman's rho: Pearson's r of the ranks, which are taken anew in each sample."""
    return pearson(rankdata(table, axis=axis), axis)


def _unit(rows: Floats, axis: int = -1) -> Floats:
    """Centre each row and give it length 1, so that a product is a coefficient."""
    centred: Floats = rows - rows.mean(axis=axis, keepdims=True)
    centred /= np.sqrt(np.einsum("...n,...n->...", centred, centred))[..., None]
    return centred


def intervals(table: Floats, coefficient: Callable[..., Floats]) -> Floats:
    """Return the two ends of the interval of each metric."""
    drawn = bootstrap(
        (table,), coefficient, n_resamples=DRAWS, batch=_BATCH, vectorized=True, paired=True,
        axis=-1, method="BCa", rng=np.random.default_rng(0),
    )  # fmt: skip
    return np.stack(drawn.confidence_interval)


def permutation_p(rows: Floats) -> Floats:
    """Return the two-sided p of each metric; for Spearman the rows are ranks."""
    people, *_ = unit = _unit(rows)
    metrics = unit[1:].T

    def statistic(people: Floats, axis: int = -1) -> Floats:  # noqa: ARG001
        coefficients: Floats = np.abs(people @ metrics)
        return coefficients

    p: Floats = permutation_test(
        (people,), statistic, permutation_type="pairings", vectorized=True,
        n_resamples=PERMUTATIONS, alternative="greater", rng=np.random.default_rng(0),
    ).pvalue  # fmt: skip
    return p


def correlate(table: Floats) -> list[float]:
    """Return the coefficients, once their intervals and p are there too."""
    values = []
    for coefficient, rows in ((pearson, table), (spearman, rankdata(table, axis=-1))):
        coefficients, p = coefficient(table), permutation_p(rows)
        low, high = intervals(table, coefficient)
        # else something other than topics was drawn
        if not ((low < coefficients) & (coefficients < high) & (p <= 1)).all():
            sys.exit("an interval of scipy's does not hold its value")
        values += coefficients.tolist()
    return values


def main() -> None:
    """Make the table, correlate; print the coefficients and the seconds."""
    made = make_people()
    table = np.vstack([made.answers.mean(axis=1), made.metrics.T])
    clock = Clock()
    clock.report(clock(lambda: correlate(table)))


if __name__ == "__main__":
    main()
