"""``evaluate``: how well estimates agree with the CNPMI of the rich reference, by language."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError, did_you_mean
from tealeaves.estimator.resampling import LanguageSample, Resampled, drawn_models, mean_of
from tealeaves.estimator.table import Booleans, FeatureTable
from tealeaves.learners.results import check_level
from tealeaves.parameters import wrong_value
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.intervals import LEAST_DRAWS
from tealeaves.tables.numbers import (
    SIGNIFICANCE_LEVEL,
    append_interval,
    count_text,
    number_text,
    p_text,
    percent_text,
    starred_number,
)
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

#: The language of the rows that are means over all.
ALL = "all"
LEVELS = ("topic", "model")


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
) -> EstimatorEvaluation:
    """Correlate estimates, and the raw CNPMI, with the target in each language.

    Pearson's r is computed over rows (the level of topics), and over the means of each model and
    cardinality (the level of models), where CNPMI, estimate and target are defined. Intervals come
    from a bootstrap over models, p from the difference in the same draws; for the mean of all
    languages, languages are drawn as well. r of constant numbers, or of fewer than three rows, is
    NaN; fewer than three models (or languages) have no interval.

    Parameters
    ----------
    table
        The features and targets.
    predictions
        The estimates by the name of their estimator: one for each row, NaN where there is none.
    against
        What estimates are compared with: a feature, or the name of one of the estimators.
    cardinality
        Use only the rows of one cardinality. Default: all.
    half_widths
        Half the widths of the estimates' intervals, for their coverage.
    draws, level, seed
        The number of draws of the bootstrap (0: no intervals), the level of intervals, the seed.
    progress
        Show a progress bar over languages.
    """
    _check(draws, level)
    chosen = _chosen(table, cardinality)
    estimates = {name: _column(table, name, column) for name, column in predictions.items()}
    raw = estimates.pop(against) if against in estimates else table.column(against)
    if not estimates:
        raise InputError("there are no estimates to evaluate")
    widths = {n: _column(table, n, w) for n, w in (half_widths or {}).items() if n in estimates}
    bootstrap = _Bootstrap(draws, level, seed)
    results = list(_results(table, chosen, raw, estimates, widths, bootstrap, progress=progress))
    rows: list[EvaluatedLanguage] = []
    for kind in LEVELS:
        for name in estimates:
            some = [one for one in results if (one.level, one.estimator) == (kind, name)]
            rows += _corrected([one.row(level) for one in some])
            rows.append(_mean_over_languages(some, bootstrap).row(level))
    dropped = {name: int((chosen & ~_known(table, raw, e)).sum()) for name, e in estimates.items()}
    return EstimatorEvaluation(
        rows, against=against, draws=draws, confidence=level, cardinality=cardinality,
        dropped=dropped, infinite=[n for n, w in widths.items() if np.isinf(w[chosen]).any()],
    )  # fmt: skip


@dataclass(frozen=True)
class _Bootstrap:
    draws: int
    level: float
    seed: int


@dataclass(frozen=True)
class _LanguageResult:
    """One estimator in one language and level; columns of ``resampled`` are raw and estimate."""

    language: str
    level: str
    estimator: str
    n: int
    resampled: Resampled
    mae: float
    coverage: float = math.nan

    def row(self, confidence: float) -> EvaluatedLanguage:
        difference = self.resampled.difference(1, 0, confidence)
        raw, estimate = (self.resampled.interval(column, confidence) for column in (0, 1))
        return EvaluatedLanguage(
            language=self.language,
            level=self.level,
            estimator=self.estimator,
            n=self.n,
            clusters=self.resampled.clusters,
            raw=float(self.resampled.values[0]),
            raw_low=raw.low,
            raw_high=raw.high,
            estimate=float(self.resampled.values[1]),
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


def _results(
    table: FeatureTable,
    chosen: Booleans,
    raw: Floats,
    estimates: Mapping[str, Floats],
    widths: Mapping[str, Floats],
    bootstrap: _Bootstrap,
    *,
    progress: bool,
) -> Iterator[_LanguageResult]:
    """Yield each language at each level, and each estimator in it."""
    from tqdm.auto import tqdm

    languages = np.array(table.languages, dtype=np.str_)
    models = np.array(table.models, dtype=np.str_)
    every = np.unique(languages).tolist()
    bar = {"desc": "evaluating", "unit": "language", "disable": not progress, "leave": False}
    for language in tqdm(every, **bar):
        rows = np.flatnonzero(chosen & (languages == language))
        names, members = np.unique(models[rows], return_inverse=True)
        times = drawn_models(names.tolist(), bootstrap.draws, bootstrap.seed)
        for some, known in _alike(table, rows, raw, estimates):
            here = rows[known]
            columns = np.column_stack([raw[here], *(estimates[name][here] for name in some)])
            topics = LanguageSample(columns, table.target[here], members[known].astype(np.int64))
            means = topics.means(table.cardinalities[here])
            for level, sample in zip(LEVELS, (topics, means), strict=True):
                resampled = sample.resampled(times)
                for place, name in enumerate(some, 1):
                    errors = np.abs(sample.columns[:, place] - sample.target)
                    covers = level == LEVELS[0] and name in widths
                    yield _LanguageResult(
                        language,
                        level,
                        name,
                        len(errors),
                        _columns(resampled, [0, place]),
                        float(errors.mean()) if len(errors) else math.nan,
                        _coverage(errors, widths[name][here]) if covers else math.nan,
                    )


def _coverage(errors: Floats, width: Floats) -> float:
    defined = ~np.isnan(width)
    return float(np.mean(errors[defined] <= width[defined])) if defined.any() else math.nan


def _columns(all_: Resampled, places: list[int]) -> Resampled:
    return Resampled(all_.values[places], all_.draws[:, places], all_.jackknife[:, places])


def _alike(
    table: FeatureTable, rows: Integers, raw: Floats, estimates: Mapping[str, Floats]
) -> Iterator[tuple[list[str], Booleans]]:
    """Group estimators that are defined in the same rows, because they share their draws."""
    together: dict[bytes, tuple[list[str], Booleans]] = {}
    for name, column in estimates.items():
        known = _known(table, raw, column)[rows]
        together.setdefault(known.tobytes(), ([], known))[0].append(name)
    yield from together.values()


def _known(table: FeatureTable, raw: Floats, estimates: Floats) -> Booleans:
    known: Booleans = np.isfinite(raw) & np.isfinite(estimates) & np.isfinite(table.target)
    return known


def _mean_over_languages(
    results: Sequence[_LanguageResult], bootstrap: _Bootstrap
) -> _LanguageResult:
    """Return the mean over the languages where raw and estimate are defined."""
    resampled = mean_of([one.resampled for one in results], bootstrap.draws, bootstrap.seed)
    counted = [one for one in results if np.isfinite(one.resampled.values).all()]
    first = results[0]
    mae, coverage = (_mean(getattr(one, name) for one in counted) for name in ("mae", "coverage"))
    return _LanguageResult(
        ALL, first.level, first.estimator, len(counted), resampled, mae, coverage
    )


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan


def _corrected(rows: Sequence[EvaluatedLanguage]) -> list[EvaluatedLanguage]:
    """Correct p for the number of languages."""
    p = correct_p(np.array([row.p for row in rows]))
    return [
        msgspec.structs.replace(row, p_corrected=float(one))
        for row, one in zip(rows, p, strict=True)
    ]


def check_evaluation(table: FeatureTable, *, cardinality: int | None, draws: int) -> None:
    """Raise, before any long work, for what ``evaluate`` would not take."""
    _check(draws, level=0.95)
    _chosen(table, cardinality)


def _check(draws: int, level: float) -> None:
    if draws < 0 or 0 < draws < LEAST_DRAWS:
        raise wrong_value("draws", draws, f"at least {LEAST_DRAWS}, or 0 for no intervals")
    check_level(level)


def _chosen(table: FeatureTable, cardinality: int | None) -> Booleans:
    if not len(table):
        raise InputError("the table has no rows: there is nothing to evaluate")
    if cardinality is None:
        return np.ones(len(table), dtype=np.bool_)
    chosen: Booleans = table.cardinalities == cardinality
    if not chosen.any():
        known = ", ".join(map(str, np.unique(table.cardinalities).tolist()))
        raise InputError(f"no rows of cardinality {cardinality} (there are {known})")
    return chosen


def _column(table: FeatureTable, name: str, column: Any) -> Floats:
    values = np.asarray(column, dtype=np.float64)
    if values.shape != (len(table),):
        raise InputError(
            f"{name}: numbers of the shape {values.shape} for {len(table)} rows of the table"
        )
    return values


# ---------------------------------------------------------------------- the result


class EvaluatedLanguage(msgspec.Struct, frozen=True, kw_only=True):
    """One estimator in one language, over topics or over models.

    ``raw`` and ``estimate`` are Pearson's r with the target, over the same ``n`` rows of
    ``clusters`` models; of the mean of all languages, both count languages. ``mae`` is the mean
    absolute error of estimates, ``coverage`` the share of targets inside their intervals.
    ``p_corrected`` is p after Benjamini and Hochberg for the number of languages. The row
    of all languages is a single test, so its p is not corrected.
    """

    language: str
    level: str
    estimator: str
    n: int = 0
    clusters: int = 0
    raw: float = math.nan
    raw_low: float = math.nan
    raw_high: float = math.nan
    estimate: float = math.nan
    estimate_low: float = math.nan
    estimate_high: float = math.nan
    difference: float = math.nan
    difference_low: float = math.nan
    difference_high: float = math.nan
    p: float = math.nan
    p_corrected: float = math.nan
    mae: float = math.nan
    coverage: float = math.nan

    @property
    def better(self) -> bool:
        """Whether the estimate is significantly better, after the correction."""
        return self.difference > 0 and self.p_corrected < SIGNIFICANCE_LEVEL

    @property
    def worse(self) -> bool:
        """Whether the estimate is significantly worse, after the correction."""
        return self.difference < 0 and self.p_corrected < SIGNIFICANCE_LEVEL

    @property
    def untested(self) -> bool:
        """Whether there is a difference without p, because there are too few models."""
        return not math.isnan(self.difference) and math.isnan(self.p_corrected)

    @property
    def undecided(self) -> bool:
        """Whether the difference was tested, and is not significant."""
        return not (self.better or self.worse or math.isnan(self.p_corrected))


class EstimatorEvaluation(Tidy):
    """Estimators in all languages, over topics and over models, compared with ``against``.

    ``dropped`` is the number of rows without a value, by estimator; ``infinite`` are the estimators
    with infinite intervals.
    """

    columns = EvaluatedLanguage.__struct_fields__

    def __init__(
        self,
        rows: Sequence[EvaluatedLanguage],
        *,
        against: str = "cnpmi",
        draws: int = 1000,
        confidence: float = 0.95,
        cardinality: int | None = None,
        dropped: Mapping[str, int] | None = None,
        infinite: Sequence[str] = (),
    ) -> None:
        self.rows: list[EvaluatedLanguage] = list(rows)
        self.against = against
        self.draws = draws
        self.confidence = confidence
        self.cardinality = cardinality
        self.notes = [
            *_differences(self.rows, against, draws),
            *(
                f"{name}: {count:,} rows lack an estimate, {against} or a target, and are left out"
                for name, count in (dropped or {}).items()
                if count
            ),
            *(
                f"{name}: some intervals are infinite, because there are too few languages"
                for name in infinite
            ),
        ]

    def __iter__(self) -> Iterator[EvaluatedLanguage]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def estimators(self) -> list[str]:
        """The names of the estimators."""
        return list(dict.fromkeys(row.estimator for row in self.rows))

    def row(
        self, language: str = ALL, level: str = "topic", estimator: str | None = None
    ) -> EvaluatedLanguage:
        """Return one row; if there are several estimators, one must be named."""
        names = self.estimators
        if estimator is None and len(names) > 1:
            raise InputError(f"several estimators ({', '.join(names)}): name one")
        wanted = {"estimator": estimator or names[0], "level": level, "language": language}
        for field, value in wanted.items():
            known = dict.fromkeys(getattr(row, field) for row in self.rows)
            if value not in known:
                hint = did_you_mean(value, known)
                raise InputError(f"no {field} {value}{hint} (there are {', '.join(known)})")
        return next(r for r in self.rows if all(getattr(r, k) == v for k, v in wanted.items()))

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: the rows, their settings, and notes."""
        settings = ("against", "draws", "confidence", "cardinality")
        return {**super().content, **{name: getattr(self, name) for name in settings}}

    def table(self) -> Table:
        """Return the table that is printed."""
        several = len(self.estimators) > 1
        covered = any(not math.isnan(row.coverage) for row in self.rows)
        labels = ["level", *(["estimator"] if several else []), "language"]
        heads = [f"raw {self.against}", "estimate", "difference", "p corrected", "MAE"]
        lines = []
        for row in self.rows:
            left = [row.level, *([row.estimator] if several else []), row.language]
            cells = [*_cells(row), *([percent_text(row.coverage)] if covered else []), _size(row)]
            lines.append((left, cells))
        return text_table(labels, [*heads, *(["coverage"] if covered else []), "n"], lines)

    @property
    def legend(self) -> list[str]:
        """What the table's columns and signs mean."""
        at = "" if self.cardinality is None else f" at cardinality {self.cardinality}"
        lines = [
            f"raw {self.against}, estimate: how well each correlates with the target (Pearson's r)"
            f"{at}, over topics or over the means of models and cardinalities; each language is "
            "estimated by an estimator that learned from the others; all: the mean over languages",
        ]
        if self.draws:
            lines += [
                f"[low, high]: {self.confidence:.0%} interval, bootstrap over models (for all: "
                f"over languages and models), {self.draws} draws",
                "p corrected: of the difference, after Benjamini and Hochberg for the number of "
                "languages; that of all is one test, and not corrected; *: below .05",
            ]
        if any(not math.isnan(row.coverage) for row in self.rows):
            lines.append("coverage: share of targets inside the intervals of estimates")
        return lines


def _differences(rows: Sequence[EvaluatedLanguage], against: str, draws: int) -> list[str]:
    """Name the languages where an estimator is not better, at each level."""
    parts: dict[tuple[str, str], list[EvaluatedLanguage]] = {}
    for row in rows:
        if row.language != ALL:
            parts.setdefault((row.level, row.estimator), []).append(row)
    notes = []
    for (level, name), some in parts.items():
        of = f"of {count_text(len(some), 'language')}"
        start = f"{level} level, {name}:"
        remarks = {
            f"not significantly better than {against} (p corrected is not below .05)":
                [row.language for row in some if row.undecided],
            f"worse than {against}": [_worse(row) for row in some if row.difference < 0],
            "no interval and no p (fewer than 3 models, or too few draws are defined)":
                [row.language for row in some if row.untested and draws],
            f"not comparable with {against} (constant, or fewer than 3 rows)":
                [row.language for row in some if math.isnan(row.difference)],
        }  # fmt: skip
        notes += [
            f"{start} {what} in {len(those)} {of}: {', '.join(those)}"
            for what, those in remarks.items()
            if those
        ]
    return notes


def _worse(row: EvaluatedLanguage) -> str:
    return f"{row.language} (significantly)" if row.worse else row.language


def _cells(row: EvaluatedLanguage) -> list[str]:
    difference = starred_number(row.difference, row.p_corrected)
    return [
        append_interval(number_text(row.raw), row.raw_low, row.raw_high),
        append_interval(number_text(row.estimate), row.estimate_low, row.estimate_high),
        append_interval(difference, row.difference_low, row.difference_high),
        p_text(row.p_corrected),
        number_text(row.mae, 4),
    ]


def _size(row: EvaluatedLanguage) -> str:
    if row.language == ALL:
        return count_text(row.n, "language")
    return f"{row.n} of {count_text(row.clusters, 'model')}"
