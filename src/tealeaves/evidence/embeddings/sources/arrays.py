"""Arrays of numbers, of whatever holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tealeaves.evidence.embeddings.vectors import Vectors


def as_numbers(found: Any) -> Vectors:
    """Return lists, arrays or tensors as one array; what is no array of numbers is a ValueError.

    >>> as_numbers([[1, 2], (3.5, 4)])
    array([[1. , 2. ],
           [3.5, 4. ]])
    """
    plain = np.asarray(_untorched(found))
    if plain.dtype.kind not in "biufO":  # strings that look like numbers would pass
        raise ValueError(f"{plain.dtype} is no kind of number")
    single = plain.dtype in (np.float16, np.float32)
    try:
        with np.errstate(over="ignore"):  # too large is not finite, and so no vector
            return plain.astype(np.float32 if single else np.float64)
    except (TypeError, OverflowError) as error:
        raise ValueError(str(error)) from error


def _untorched(found: Any) -> Any:
    """Turn tensors into arrays: numpy takes none that has a gradient, or is on another device."""
    if isinstance(found, list | tuple) and any(hasattr(one, "detach") for one in found):
        return [_untorched(one) for one in found]
    return found.detach().cpu().double().numpy() if hasattr(found, "detach") else found
