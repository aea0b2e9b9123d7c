"""The estimator: the CNPMI that a rich reference would give topics, where there is only a Bible."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.estimator.building import build
    from tealeaves.estimator.cross_validation import leave_one_language_out
    from tealeaves.estimator.estimators import Estimator, Estimators, open_estimators
    from tealeaves.estimator.evaluation import EstimatorEvaluation, evaluate
    from tealeaves.estimator.fitting import Fitting, fit
    from tealeaves.estimator.predictions import (
        EstimateExplanations,
        Predictions,
        explain,
        predict,
    )
    from tealeaves.estimator.table import FeatureTable

# Imported on first use, because the registry of metrics imports this package.
_MODULES = {
    "EstimateExplanations": "predictions",
    "Estimator": "estimators",
    "EstimatorEvaluation": "evaluation",
    "Estimators": "estimators",
    "FeatureTable": "table",
    "Fitting": "fitting",
    "Predictions": "predictions",
    "build": "building",
    "evaluate": "evaluation",
    "explain": "predictions",
    "fit": "fitting",
    "leave_one_language_out": "cross_validation",
    "open_estimators": "estimators",
    "predict": "predictions",
}

__all__ = [
    "EstimateExplanations",
    "Estimator",
    "EstimatorEvaluation",
    "Estimators",
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
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
