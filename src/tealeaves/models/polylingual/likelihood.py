"""The collapsed likelihood of words and topics: theta and phi are integrated out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import F64
    from tealeaves.models.polylingual.histograms import Histogram


def log_dirichlet_multinomial(
    parameters: F64, total: float, counts: Histogram, sums: Histogram
) -> float:
    """Return the log-likelihood of sequences drawn from Dirichlet-multinomials.

    ``counts`` are those of each outcome in each sequence, ``sums`` the lengths of sequences,
    ``parameters`` those of the topics that the counts name, and ``total`` the sum over outcomes.
    """
    from scipy.special import gammaln

    own = parameters[counts.topics]
    inner = counts.times @ (gammaln(counts.counts + own) - gammaln(own))
    outer = sums.times @ (gammaln(sums.counts + total) - gammaln(total))
    return float(inner - outer)
