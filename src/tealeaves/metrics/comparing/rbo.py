r"""Rank-biased overlap of word lists (Webber, Moffat & Zobel 2010), extrapolated.

RBO is :math:`(1 - p) \sum_{d \ge 1} p^{d-1} A_d`, where the agreement :math:`A_d` is the share of
the first d words that both lists have. Lists end; extrapolation (their equation 32) goes on with
the agreement seen last. With lengths :math:`s \le l` and :math:`X_d` shared words at depth d,

.. math:: A_d = X_d / d \quad (d \le s), \qquad
          A_d = \frac{X_d + (d - s) X_s / s}{d} \quad (s < d \le l), \qquad A_d = A_l \quad (d > l).

Each shared word adds to this by itself. If m is the lower of its two ranks, it is worth
:math:`E(s) - U(m - 1)` where m ≤ s, and :math:`E(l) - U(m - 1)` where only the longer list goes
down to m, with :math:`U(k) = (1 - p) \sum_{d \le k} p^{d-1} / d` and :math:`E(k) = U(k) + p^k / k`.
So the sum over shared words is all there is to do.
"""

from __future__ import annotations

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.metrics.comparing.lists import Shared, WordLists


def rbo(lists: WordLists, rows: range, columns: range, p: float) -> Floats:
    """Return the extrapolated rank-biased overlap of each pair of lists.

    >>> lists = WordLists.of(["abcdefg", "bacdefg"])
    >>> rbo(lists, range(1), range(2), 0.9).round(3)
    array([[1. , 0.9]])
    """
    depths = np.arange(1, lists.longest + 1)
    seen = np.concatenate([[0.0], np.cumsum((1 - p) * p ** (depths - 1.0) / depths)])
    ended = seen + np.concatenate([[0.0], p**depths / depths])
    lengths = lists.lengths
    if len(lists) and (lengths == lengths[0]).all():
        even = ended[-1] - np.concatenate([[0.0], seen[:-1]])
        found = lists.summed(rows, columns, lambda shared: even[shared.rank])
    else:

        def worth(shared: Shared) -> Floats:
            left, right = lengths[shared.left], lengths[shared.right]
            shorter, longer = np.minimum(left, right), np.maximum(left, right)
            depth = np.where(shared.rank <= shorter, shorter, longer)
            value: Floats = ended[depth] - seen[shared.rank - 1]
            return value

        found = lists.summed(rows, columns, worth)
    return np.minimum(found, 1.0)  # rounding may pass it
