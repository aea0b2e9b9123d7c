"""Scores of made-up models, whose values are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from tealeaves import Topics
from tealeaves.metrics.scores import Score, Scores

Made = tuple[Scores, list[Topics]]
Maker = Callable[..., Made]


def _made(
    values: Mapping[str, Sequence[float]],
    *,
    words: Mapping[str, Sequence[Sequence[str]]] | None = None,
    ids: Mapping[str, Sequence[str]] | None = None,
    better: str = "higher",
    family: Mapping[str, str] | None = None,
    metric: str = "npmi",
    whole: Mapping[str, float] | None = None,
) -> Made:
    """Return a score for each topic, and their mean as the model's."""
    rows, models = [], []
    for name, row in values.items():
        lists = (words or {}).get(name) or [[f"w{k}", f"v{k}"] for k in range(len(row))]
        keys: Sequence[str | int] = (ids or {}).get(name) or range(len(row))
        listed = dict(zip(keys, lists, strict=True))
        models.append(Topics.of(listed, model=name, family=(family or {}).get(name, "")))
        found = zip(keys, row, strict=True)
        rows += [Score(name, key, metric, float(value), 1.0, "") for key, value in found]
        known = [value for value in row if not math.isnan(value)]
        mean = float(np.mean(known)) if known else math.nan
        rows.append(Score(name, None, metric, mean, 1.0, ""))
        if whole:
            rows.append(Score(name, None, "whole", whole[name], 1.0, ""))
    return Scores(rows, better={metric: better, "whole": "higher"}), models


@pytest.fixture
def made() -> Maker:
    """The function that makes scores."""
    return _made
