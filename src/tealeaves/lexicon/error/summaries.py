"""Rows of an evaluation: means of models and of simple answers, and differences of models."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.lexicon.error.means import (
    ErrorGrid,
    LemmaBootstrap,
    grids_of,
    over_lemmas,
    over_targets,
)
from tealeaves.lexicon.error.measures import MEASURES, ErrorMeasures, LemmaError
from tealeaves.statistics.correction import METHODS, correct_p
from tealeaves.statistics.hypothesis_tests import least_p
from tealeaves.statistics.intervals import LEAST_DRAWS
from tealeaves.statistics.letters import compact_letters

#: The names of simple answers, by the measure that is their error.
BASELINES = {
    "all_same": "all same",
    "all_different": "all different",
    "raw_forms": "annotated words as they stand",
}
_POS_ORDER = ("N", "A", "V")  # the order of the paper; other parts of speech follow
_DRAWS_PER_PAIR = 400  # patterns of signs for each pair of models that p is corrected for


class EvaluationPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How models are compared.

    ``draws`` is the number of samples of the bootstrap, and of patterns of signs, ``level`` the
    level of intervals, and 1 - ``level`` that of tests; ``correction`` is that of p over all pairs
    of models.
    """

    draws: int = 10_000
    level: float = 0.95
    correction: str = "holm"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.draws < LEAST_DRAWS:
            raise InputError(f"draws must be {LEAST_DRAWS} or more, not {self.draws}")
        if not 0 < self.level < 1:
            raise InputError(f"the level of intervals is between 0 and 1, not {self.level}")
        if self.correction not in METHODS:
            known = ", ".join(METHODS)
            raise InputError(f"no correction named {self.correction!r}: one of {known}")

    @property
    def alpha(self) -> float:
        """A difference is significant if the corrected p is this or less."""
        return round(1 - self.level, 12)


class ErrorSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of one model, in one target language or over all, of one part of speech or of all.

    ``target`` and ``pos`` are None if the mean is over all of them. The ``kind`` is ``model``, or
    ``line`` for a simple answer, which only has an error. ``low`` and ``high`` are the interval of
    the error over lemmas. ``lemmas`` is the number of lemmas in any language, ``tokens`` that of
    their tokens in all languages, ``left_out`` that of lemmas with fewer than two tokens, counted
    in each language. Models that share one of the ``letters`` do not differ significantly.
    """

    kind: str = "model"
    model: str
    target: str | None = None
    pos: str | None = None
    lemmas: int = 0
    tokens: int = 0
    left_out: int = 0
    low: float = math.nan
    high: float = math.nan
    letters: str = ""
    measures: ErrorMeasures = ErrorMeasures()

    @property
    def error(self) -> float:
        """E, the mean."""
        return self.measures.error


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Two models on the lemmas that both have: the difference of their errors, a - b.

    ``low`` and ``high`` are its interval over lemmas, not corrected; p is that of flipped signs.
    """

    model_a: str
    model_b: str
    error_a: float
    error_b: float
    difference: float
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_corrected: float = math.nan
    lemmas: int = 0
    significant: bool = False


def flat(row: ErrorSummary | LemmaError) -> dict[str, Any]:
    """Return a row as a dictionary, with its measures among the other values."""
    values = msgspec.structs.asdict(row)
    measures: ErrorMeasures = values.pop("measures")
    shares = {"corrected": measures.corrected, "adjusted": measures.adjusted}
    return values | msgspec.structs.asdict(measures) | shares


# ---------------------------------------------------------------------- means


def summaries_of(
    rows: Sequence[LemmaError], bootstrap: LemmaBootstrap, letters: Mapping[str, str]
) -> tuple[list[ErrorSummary], list[ErrorSummary]]:
    """Return the means of models, and those of simple answers.

    The means over everything come first, then those of each language, if there are several; after
    these the same of each part of speech, if there are several. If some languages lack a part of
    speech, its mean is over the others.
    """
    models: list[ErrorSummary] = []
    baselines: list[ErrorSummary] = []
    several = len({row.target for row in rows if not math.isnan(row.measures.error)}) > 1
    for pos in [None, *parts_of_speech(rows)]:
        part = [row for row in rows if pos in (None, row.pos)]
        measured = [row for row in part if not math.isnan(row.measures.error)]
        grids = grids_of(measured)
        targets = grids["error"].targets
        for target in [None, *targets] if several else targets:
            cut = {name: grid.at(target) if target else grid for name, grid in grids.items()}
            of_target = [row for row in part if target in (None, row.target)]
            models += _model_summaries(cut, of_target, bootstrap, target, pos)
            baselines += _baseline_summaries(cut, bootstrap, target, pos)
    return [_with_letters(row, letters, models[0]) for row in models], baselines


def parts_of_speech(rows: Sequence[LemmaError]) -> list[str]:
    """Return the parts of speech; none if there is only one, which would repeat the total.

    >>> half = ErrorMeasures(error=0.5)
    >>> rows = [LemmaError(model="l", lemma=pos, pos=pos, measures=half) for pos in ("P", "V", "N")]
    >>> parts_of_speech(rows), parts_of_speech(rows[:1])
    (['N', 'V', 'P'], [])
    """
    every = {row.pos for row in rows if not math.isnan(row.measures.error)}
    named = every - {""}
    known = [part for part in _POS_ORDER if part in named]
    return known + sorted(named - set(known)) if len(every) > 1 else []


def _with_letters(
    row: ErrorSummary, letters: Mapping[str, str], first: ErrorSummary
) -> ErrorSummary:
    """Add letters to a mean over everything, on which models were tested."""
    is_total = (row.target, row.pos) == (first.target, first.pos)
    return msgspec.structs.replace(row, letters=letters.get(row.model, "")) if is_total else row


def _model_summaries(
    grids: Mapping[str, ErrorGrid],
    rows: Sequence[LemmaError],
    bootstrap: LemmaBootstrap,
    target: str | None,
    pos: str | None,
) -> Iterator[ErrorSummary]:
    grid = grids["error"]
    intervals = bootstrap.intervals(grid.values, 0.0, 1.0)
    lemmas = grid.lemma_counts
    for place, model in enumerate(grid.models):
        if not lemmas[place]:
            continue
        of_model = [row for row in rows if row.model == model]
        measured = [row for row in of_model if not math.isnan(row.measures.error)]
        yield ErrorSummary(
            model=model,
            target=target,
            pos=pos,
            lemmas=lemmas[place],
            tokens=sum(row.tokens for row in measured),
            left_out=len(of_model) - len(measured),
            low=intervals[place].low,
            high=intervals[place].high,
            measures=ErrorMeasures(**{name: grids[name].totals[place] for name in MEASURES}),
        )


def _baseline_summaries(
    grids: Mapping[str, ErrorGrid], bootstrap: LemmaBootstrap, target: str | None, pos: str | None
) -> Iterator[ErrorSummary]:
    for measure, name in BASELINES.items():
        baseline = grids[measure].merged(name)
        [total], [lemmas] = baseline.totals, baseline.lemma_counts
        if not lemmas:
            continue
        [interval] = bootstrap.intervals(baseline.values, 0.0, 1.0)
        yield ErrorSummary(
            kind="line",
            model=name,
            target=target,
            pos=pos,
            lemmas=lemmas,
            low=interval.low,
            high=interval.high,
            measures=ErrorMeasures(error=total),
        )


# ---------------------------------------------------------------------- differences of models


def differences_of(
    grid: ErrorGrid, bootstrap: LemmaBootstrap, plan: EvaluationPlan
) -> list[Difference]:
    """Return the difference of each two models, tested over the lemmas that both have."""
    pairs = list(combinations(range(len(grid.models)), 2))
    if not pairs:
        return []
    apart = grid.differences(pairs)
    intervals = bootstrap.intervals(apart.values, -1.0, 1.0)
    ps = apart.ps(sign_draws(plan, len(pairs)), plan.seed)
    adjusted = correct_p(ps, plan.correction).tolist()
    both = np.isfinite(apart.values)
    rows = []
    for place, pair in enumerate(pairs):
        a, b = (_total(np.where(both[place], grid.values[side], math.nan)) for side in pair)
        rows.append(
            Difference(
                model_a=grid.models[pair[0]],
                model_b=grid.models[pair[1]],
                error_a=a,
                error_b=b,
                difference=apart.totals[place],
                low=intervals[place].low,
                high=intervals[place].high,
                p=ps[place],
                p_corrected=adjusted[place],
                lemmas=apart.lemma_counts[place],
                significant=adjusted[place] <= plan.alpha,
            )
        )
    return rows


def sign_draws(plan: EvaluationPlan, pairs: int) -> int:
    """Return the number of patterns of signs: more if p is corrected for many pairs."""
    return max(plan.draws, _DRAWS_PER_PAIR * pairs)


def _total(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    means = over_lemmas(values, np.ones((1, values.shape[1])))
    return float(over_targets(means)[0])


def can_differ(differences: Sequence[Difference], plan: EvaluationPlan) -> bool:
    """Tell whether any test could reach significance with this number of lemmas.

    >>> four = Difference(model_a="l", model_b="m", error_a=0, error_b=1, difference=-1, lemmas=4)
    >>> can_differ([four], EvaluationPlan())  # the least p is 2 of 16 patterns
    False
    >>> can_differ([four], EvaluationPlan(level=0.8))
    True
    >>> can_differ([four] * 2, EvaluationPlan(level=0.8))
    False
    """
    draws = sign_draws(plan, len(differences))
    least = [least_p("sign_flip", row.lemmas, draws=draws) for row in differences]
    reached = correct_p(least, plan.correction)
    return bool((reached <= plan.alpha).any())


def letters_of(
    grid: ErrorGrid, differences: Sequence[Difference], plan: EvaluationPlan
) -> dict[str, str]:
    """Return the letters of each model; none if a pair was not tested, or no test could differ."""
    if any(math.isnan(row.p) for row in differences) or not can_differ(differences, plan):
        return {}
    place = {model: number for number, model in enumerate(grid.models)}
    different = np.zeros((len(place), len(place)), np.bool_)
    for row in differences:
        a, b = place[row.model_a], place[row.model_b]
        different[a, b] = different[b, a] = row.significant
    letters = compact_letters([-total for total in grid.totals], different)
    return dict(zip(grid.models, letters, strict=True))
