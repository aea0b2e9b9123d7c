"""The estimator: the CNPMI that a rich reference would give topics, where there is only a Bible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.estimator.building import build
    from tealeaves.estimator.cross_validation import leave_one_language_out
    from tealeaves.estimator.estimators import Estimator, Estimators, open_estimators
    from tealeaves.estimator.estimators_file import EstimatorsFile, fit_file
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
_PUBLIC_NAMES = {
    "predictions": ("EstimateExplanations", "Predictions", "explain", "predict"),
    "estimators": ("Estimator", "Estimators", "open_estimators"),
    "estimators_file": ("EstimatorsFile", "fit_file"),
    "evaluation": ("EstimatorEvaluation", "evaluate"),
    "table": ("FeatureTable",),
    "fitting": ("Fitting", "fit"),
    "building": ("build",),
    "cross_validation": ("leave_one_language_out",),
}

__all__ = [
    "EstimateExplanations",
    "Estimator",
    "EstimatorEvaluation",
    "Estimators",
    "EstimatorsFile",
    "FeatureTable",
    "Fitting",
    "Predictions",
    "build",
    "evaluate",
    "explain",
    "fit",
    "fit_file",
    "leave_one_language_out",
    "open_estimators",
    "predict",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
