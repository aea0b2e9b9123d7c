"""What estimators reached on languages that were left out, as is kept with them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats
from tealeaves.estimator.estimator import Reached
from tealeaves.estimator.table import FeatureTable
from tealeaves.statistics.correlation import pearson


def reached(
    table: FeatureTable, estimates: Floats, half_widths: Floats, rows: NDArray[np.bool_]
) -> Reached:
    """Return means over languages, of some rows: those that all nested estimators judged."""
    languages = np.array(table.languages)
    found = [
        _of_language(table, estimates, half_widths, rows & (languages == language))
        for language in np.unique(languages[rows])
    ]
    raw, estimate, raw_models, estimate_models, error, covered = np.array(found).T
    bounded = np.isfinite(half_widths[rows]).all()  # else all would be covered
    return Reached(
        raw=_mean(raw),
        estimate=_mean(estimate),
        raw_models=_mean(raw_models),
        estimate_models=_mean(estimate_models),
        error=float(error.mean()),
        covered=_mean(covered) if bounded else None,
    )


def _of_language(
    table: FeatureTable, estimates: Floats, half_widths: Floats, mine: NDArray[np.bool_]
) -> list[float]:
    """Return r of CNPMI and of estimates over topics, then over models; error; share covered."""
    target = table.target[mine]
    both = np.column_stack([table.column("cnpmi")[mine], estimates[mine]])
    errors = np.abs(target - both[:, 1])
    means = np.array(list(_model_means(table, np.column_stack([both, target]), mine)))
    return [
        *pearson(both, target).ravel().tolist(),
        *pearson(means[:, :2], means[:, 2]).ravel().tolist(),
        float(errors.mean()),
        float((errors <= half_widths[mine]).mean()),
    ]


def _model_means(table: FeatureTable, values: Floats, mine: NDArray[np.bool_]) -> Iterator[Floats]:
    """Yield the mean of the rows of each model and cardinality."""
    models = np.array(table.models)[mine]
    keys = np.char.add(np.char.add(models, "@"), table.cardinalities[mine].astype(str))
    for key in np.unique(keys):
        yield values[keys == key].mean(axis=0)


def _mean(values: Floats) -> float | None:
    """Return the mean of what is defined; JSON, in which estimators are kept, knows no NaN."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
