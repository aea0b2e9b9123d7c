"""Consensus: one score from all evidence, with intervals, reasons and odd words."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.consensus.explanations import Explanation, Explanations, explain
    from tealeaves.consensus.predictors import Predictors, open_predictors

# Imported on first use, because the registry of metrics imports this package.
_MODULES = {
    "Explanation": "explanations",
    "Explanations": "explanations",
    "Predictors": "predictors",
    "explain": "explanations",
    "open_predictors": "predictors",
}

__all__ = ["Explanation", "Explanations", "Predictors", "explain", "open_predictors"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
