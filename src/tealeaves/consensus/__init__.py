"""Consensus: what all evidence at hand says of a topic, and of each of its words."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.consensus.explaining import explain
    from tealeaves.consensus.explanations import Explanation, Explanations
    from tealeaves.consensus.judges import Judges, open_judges

# Loaded on first use: the registry of metrics comes by here whenever anything is scored.
_HOMES = {
    "Explanation": "explanations",
    "Explanations": "explanations",
    "Judges": "judges",
    "explain": "explaining",
    "open_judges": "judges",
}

__all__ = ["Explanation", "Explanations", "Judges", "explain", "open_judges"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
