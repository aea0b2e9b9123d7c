"""A copy of an encoder that is fitted, so that the one that was given stays as it is."""

from __future__ import annotations

import copy
from typing import Any

from tealeaves.extras import require


def fitted_copy(model: Any) -> Any:
    """Return a copy of a model whose weights can all be fitted."""
    torch = require("torch", extra="relevance", reason="fine-tuning")
    found = copy.deepcopy(model)
    if found.dtype not in (torch.float32, torch.float64):  # too coarse for small steps
        found = found.to(torch.float32)
    found.zero_grad(set_to_none=True)
    found.requires_grad_(requires_grad=True)
    return found
