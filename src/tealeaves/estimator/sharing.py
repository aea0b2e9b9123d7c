"""Sharing: rows whose topics were trained on the same texts know each other too well.

Where texts are parallel, the topics of all languages may come from the same documents of the pivot.
Leaving a language out would leave its topics in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

JOINED = "+"


def sharing(texts: Sequence[str], own: str) -> NDArray[np.bool_]:
    """Tell which rows share texts with some, whose parts are joined by ``+``.

    >>> sharing(["a+b", "c", "", "b"], "b+d").tolist()
    [True, False, False, True]
    """
    parts = set(own.split(JOINED)) - {""}
    shared = {one for one in set(texts) if parts & set(one.split(JOINED))}
    return np.array([one in shared for one in texts], dtype=np.bool_)
