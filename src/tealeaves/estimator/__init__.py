"""The estimator: what a rich reference would say of topics that only a Bible is at hand for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.estimator.building import build
    from tealeaves.estimator.estimator import Estimator
    from tealeaves.estimator.estimators import Estimators, open_estimators
    from tealeaves.estimator.evaluation import Evaluation, evaluate
    from tealeaves.estimator.explanations import Explanations
    from tealeaves.estimator.fitting import Fitting, fit
    from tealeaves.estimator.leaving_out import leave_one_language_out
    from tealeaves.estimator.predicting import explain, predict
    from tealeaves.estimator.predictions import Predictions
    from tealeaves.estimator.table import FeatureTable

# Loaded on first use: the registry of metrics comes by here whenever anything is scored.
_HOMES = {
    "Estimator": "estimator",
    "Estimators": "estimators",
    "Evaluation": "evaluation",
    "Explanations": "explanations",
    "FeatureTable": "table",
    "Fitting": "fitting",
    "Predictions": "predictions",
    "build": "building",
    "evaluate": "evaluation",
    "explain": "predicting",
    "fit": "fitting",
    "leave_one_language_out": "leaving_out",
    "open_estimators": "estimators",
    "predict": "predicting",
}

__all__ = [
    "Estimator",
    "Estimators",
    "Evaluation",
    "Explanations",
    "FeatureTable",
    "Fitting",
    "Predictions",
    "build",
    "evaluate",
    "explain",
    "fit",
    "leave_one_language_out",
    "open_estimators",
    "predict",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
