"""``evaluate``: how well estimates and the reference's CNPMI agree with the rich reference's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.estimator.evaluated import ALL, LEVELS, Evaluated, Evaluation
from tealeaves.estimator.resampled import Resampled, Sample, drawn_models, mean_of
from tealeaves.estimator.table import Booleans, FeatureTable
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.intervals import LEAST_DRAWS

__all__ = ["Evaluated", "Evaluation", "check_asked", "evaluate"]


def evaluate(
    table: FeatureTable,
    predictions: Mapping[str, Floats],
    *,
    against: str = "cnpmi",
    cardinality: int | None = None,
    half_widths: Mapping[str, Floats] | None = None,
    draws: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    progress: bool = False,
) -> Evaluation:
    """Correlate estimates with the target, beside the raw CNPMI, in each language.

    Pearson's r, at the level of topics over rows, and at that of models over the means of each
    model and cardinality. Raw and estimate are of the same rows: those where both and the target
    are defined. Intervals are of a bootstrap over models, p of the difference of both in the same
    draws; for the mean of all languages, languages are drawn as well. What is constant, or of
    fewer than three rows, is NaN; fewer than three models (or languages) have no interval.

    Parameters
    ----------
    table
        The features and targets.
    predictions
        The estimates by the name of their estimator: one for each row, NaN where there is none.
    against
        What estimates are compared with: a feature, or the name of one of the estimators.
    cardinality
        Take only the rows of one cardinality; without it all.
    half_widths
        Half the widths of the estimates' intervals, to tell how often these hold the target.
    draws, level, seed
        Of the bootstrap; no draws, no intervals.
    progress
        Show a bar over languages.
    """
    _check(draws, level)
    chosen = _chosen(table, cardinality)
    given = {name: _column(table, name, column) for name, column in predictions.items()}
    raw = given.pop(against) if against in given else table.column(against)
    if not given:
        raise InputError("no estimates are given to evaluate")
    widths = {n: _column(table, n, w) for n, w in (half_widths or {}).items() if n in given}
    plan = _Plan(draws, level, seed)
    parts = list(_parts(table, chosen, raw, given, widths, plan, progress=progress))
    rows: list[Evaluated] = []
    for kind in LEVELS:
        for name in given:
            some = [part for part in parts if (part.level, part.estimator) == (kind, name)]
            rows += _corrected([part.row(plan) for part in some])
            rows.append(_all(some, plan))
    dropped = {name: int((chosen & ~_known(table, raw, given[name])).sum()) for name in given}
    return Evaluation(
        rows, against=against, draws=draws, confidence=level, cardinality=cardinality,
        dropped=dropped, infinite=[n for n, w in widths.items() if np.isinf(w[chosen]).any()],
    )  # fmt: skip


@dataclass(frozen=True)
class _Plan:
    draws: int
    level: float
    seed: int


@dataclass(frozen=True)
class _Part:
    """One estimator in one language and level; columns of ``found`` are raw and estimate."""

    language: str
    level: str
    estimator: str
    n: int
    found: Resampled
    mae: float
    coverage: float = math.nan

    def row(self, plan: _Plan) -> Evaluated:
        """Return the numbers, with intervals."""
        difference = self.found.compared(1, 0, plan.level)
        raw, estimate = (self.found.interval(column, plan.level) for column in (0, 1))
        return Evaluated(
            language=self.language,
            level=self.level,
            estimator=self.estimator,
            n=self.n,
            clusters=self.found.clusters,
            raw=float(self.found.values[0]),
            raw_low=raw.low,
            raw_high=raw.high,
            estimate=float(self.found.values[1]),
            estimate_low=estimate.low,
            estimate_high=estimate.high,
            difference=difference.value,
            difference_low=difference.interval.low,
            difference_high=difference.interval.high,
            p=difference.p,
            p_corrected=difference.p,
            mae=self.mae,
            coverage=self.coverage,
        )


def _parts(
    table: FeatureTable,
    chosen: Booleans,
    raw: Floats,
    given: Mapping[str, Floats],
    widths: Mapping[str, Floats],
    plan: _Plan,
    *,
    progress: bool,
) -> Iterator[_Part]:
    """Yield each language at each level, and each estimator in it."""
    languages = np.array(table.languages, dtype=np.str_)
    models = np.array(table.models, dtype=np.str_)
    for language in _tracked(np.unique(languages).tolist(), progress=progress):
        rows = np.flatnonzero(chosen & (languages == language))
        names, members = np.unique(models[rows], return_inverse=True)
        times = drawn_models(names.tolist(), plan.draws, plan.seed)
        for some, known in _alike(table, rows, raw, given):
            here = rows[known]
            columns = np.column_stack([raw[here], *(given[name][here] for name in some)])
            sample = Sample(columns, table.target[here], members[known].astype(np.int64))
            means = sample.means(table.cardinalities[here])
            for kind, one in zip(LEVELS, (sample, means), strict=True):
                found = one.resampled(times)
                for place, name in enumerate(some, 1):
                    width = widths[name][here] if kind == LEVELS[0] and name in widths else None
                    yield _part(language, kind, name, _pair(found, place), one, place, width)


def _part(
    language: str, level: str, name: str, found: Resampled, sample: Sample, place: int,
    width: Floats | None,
) -> _Part:  # fmt: skip
    errors = np.abs(sample.columns[:, place] - sample.target)
    some = len(errors) > 0
    coverage = math.nan
    if width is not None and not np.isnan(width).all():
        there = ~np.isnan(width)
        coverage = float(np.mean(errors[there] <= width[there]))
    mae = float(errors.mean()) if some else math.nan
    return _Part(language, level, name, len(errors), found, mae, coverage)


def _pair(found: Resampled, place: int) -> Resampled:
    both = [0, place]
    return Resampled(found.values[both], found.draws[:, both], found.jackknife[:, both])


def _alike(
    table: FeatureTable, rows: Integers, raw: Floats, given: Mapping[str, Floats]
) -> Iterator[tuple[list[str], Booleans]]:
    """Put estimators together that are defined in the same rows: they share their draws."""
    together: dict[bytes, tuple[list[str], Booleans]] = {}
    for name, estimates in given.items():
        known = _known(table, raw, estimates)[rows]
        together.setdefault(known.tobytes(), ([], known))[0].append(name)
    yield from together.values()


def _known(table: FeatureTable, raw: Floats, estimates: Floats) -> Booleans:
    known: Booleans = np.isfinite(raw) & np.isfinite(estimates) & np.isfinite(table.target)
    return known


def _all(parts: Sequence[_Part], plan: _Plan) -> Evaluated:
    """Return the mean over languages, of those where raw and estimate are defined."""
    found = mean_of([part.found for part in parts], plan.draws, plan.seed)
    counted = [part for part in parts if np.isfinite(part.found.values).all()]
    first = parts[0]
    mae, coverage = (_mean(getattr(part, name) for part in counted) for name in ("mae", "coverage"))
    return _Part(ALL, first.level, first.estimator, len(counted), found, mae, coverage).row(plan)


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan


def _corrected(rows: Sequence[Evaluated]) -> list[Evaluated]:
    """Correct p for the number of languages."""
    p = correct_p(np.array([row.p for row in rows]))
    return [
        msgspec.structs.replace(row, p_corrected=float(one))
        for row, one in zip(rows, p, strict=True)
    ]


def check_asked(table: FeatureTable, *, cardinality: int | None, draws: int) -> None:
    """Refuse, before any long work, what ``evaluate`` would refuse."""
    _check(draws, level=0.95)
    _chosen(table, cardinality)


def _check(draws: int, level: float) -> None:
    if draws < 0 or 0 < draws < LEAST_DRAWS:
        raise InputError(f"draws {draws}: give {LEAST_DRAWS} or more, or 0 for no intervals")
    if not 0 < level < 1:
        raise InputError(f"the level of intervals is {level}: it must lie between 0 and 1")


def _chosen(table: FeatureTable, cardinality: int | None) -> Booleans:
    if not len(table):
        raise InputError("the table has no rows: there is nothing to evaluate")
    if cardinality is None:
        return np.ones(len(table), dtype=np.bool_)
    chosen: Booleans = table.cardinalities == cardinality
    if not chosen.any():
        there = ", ".join(map(str, np.unique(table.cardinalities).tolist()))
        raise InputError(f"no rows of cardinality {cardinality} (there are {there})")
    return chosen


def _column(table: FeatureTable, name: str, column: Any) -> Floats:
    found = np.asarray(column, dtype=np.float64)
    if found.shape != (len(table),):
        raise InputError(
            f"{name}: numbers of the shape {found.shape} for {len(table)} rows of the table"
        )
    return found


def _tracked(languages: Sequence[str], *, progress: bool) -> Iterator[str]:
    from tqdm.auto import tqdm

    yield from tqdm(
        languages, desc="evaluating", unit="language", disable=not progress, leave=False
    )
