"""Positive pointwise mutual information of terms and the words near them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.contexts.contexts import Contexts

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def ppmi(contexts: Contexts, words: Sequence[str]) -> csr_array:
    """Return max(0, ln(N(w,c) N / (N(w) N(c)))) for each term w and each of some context words c.

    The events are neighbours of which the second is one of these words; the first may be any
    token of the texts. So N(w,c) is how often c is a neighbour of w, N(w) its sum over these
    words, N(c) how many neighbours c has, and N the sum of N(c) over these words.
    """
    columns = np.array([contexts.columns[word] for word in words], dtype=np.int64)
    found = contexts.matrix[:, columns].astype(np.float64)
    found.sort_indices()
    near = contexts.marginals[columns].astype(np.float64)
    row = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
    of_term = found.sum(axis=1)
    # the two products are rounded alike, so that what is independent is exactly 0
    ratio = (found.data * near.sum()) / (of_term[row] * near[found.indices])
    found.data = np.log(np.maximum(ratio, 1.0))
    found.eliminate_zeros()
    return found
