"""GAP: is a topic coherent inside its languages, but not between them?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

ALPHA = 0.001
#: Beyond this a ratio says only that its divisor is nearly zero.
LIMIT = 10.0


def matching_coherence(cnpmi: Floats, inpmi: Floats) -> Floats:
    """Return MC, the coherence across languages for that inside one: CNPMI / (INPMI + α).

    A low value marks a gap: words that belong together in their language, but not with those of
    the other. (The paper's sentence says high; its formula says low.)

    >>> matching_coherence(np.array([0.081]), np.array([0.0332])).round(3).tolist()
    [2.368]
    """
    return _ratio(cnpmi, inpmi + ALPHA)


def inner_coherence_contrast(pivot: Floats, other: Floats) -> Floats:
    """Return ICC, how the coherence inside one language compares with that inside the other.

    It is (INPMI + α) / (INPMI' + α), and so MC' / MC exactly, where CNPMI is not 0.

    >>> inner_coherence_contrast(np.array([0.0332]), np.array([0.1743])).round(3).tolist()
    [0.195]
    """
    return _ratio(pivot + ALPHA, other + ALPHA)


def clipped(ratio: Floats) -> Floats:
    """Hold a ratio within ±10: near a divisor of zero it would drown all other topics.

    >>> clipped(np.array([0.5, -300.0, np.inf, np.nan])).tolist()
    [0.5, -10.0, 10.0, nan]
    """
    return np.clip(ratio, -LIMIT, LIMIT)


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return above / below
