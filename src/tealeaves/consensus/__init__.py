"""Consensus: one score from all evidence, with intervals, reasons and odd words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.consensus.explanations import Explanation, Explanations, explain
    from tealeaves.consensus.predictors import Predictors, open_predictors

# Imported on first use, because the registry of metrics imports this package.
_PUBLIC_NAMES = {
    "explanations": ("Explanation", "Explanations", "explain"),
    "predictors": ("Predictors", "open_predictors"),
}

__all__ = ["Explanation", "Explanations", "Predictors", "explain", "open_predictors"]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
