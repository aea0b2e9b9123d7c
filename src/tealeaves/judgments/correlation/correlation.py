"""``correlate``: how well every metric agrees with people."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from tealeaves.arrays import Integers
from tealeaves.errors import InputError, TealeavesWarning, collected_warnings, did_you_mean
from tealeaves.evidence.sources import Sources
from tealeaves.judgments.agreement.careless import annotators_of
from tealeaves.judgments.agreement.ceiling import ceiling
from tealeaves.judgments.agreement.estimates import Resampling
from tealeaves.judgments.agreement.reliability import reliability
from tealeaves.judgments.correlation.bootstrap import MetricGroup, groups_of
from tealeaves.judgments.correlation.matching import (
    MatchedScores,
    ScoreIndex,
    match_parts,
    part_name,
)
from tealeaves.judgments.correlation.pairs import pair_tests
from tealeaves.judgments.correlation.plan import FEWEST, CorrelationPlan, correlation_plan
from tealeaves.judgments.correlation.result import (
    Correlation,
    Correlations,
    MetricMatrix,
    ranked_metrics,
)
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.reading import open_judgments
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import default_metrics, score
from tealeaves.metrics.planning import with_each_embedding
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.registry import parse_metrics
from tealeaves.metrics.scores import Scores
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.correlation import COEFFICIENTS, pairwise_correlations

_FEW = 100  # phi_K of fewer values says little
_SIGNIFICANT = 0.05
_MOST_NOTES = 3  # on the scores of judged topics
_NO_INTERVAL = Resampling(draws=0)


def correlate(
    scores: Any,
    judgments: Any,
    *,
    scale: str | None = None,
    metrics: Iterable[str] | None = None,
    progress: bool = False,
    **options: Any,
) -> Correlations:
    """Correlate metrics with people, for each data set and task.

    Parameters
    ----------
    scores
        :class:`Scores`, a file of them, or a data frame.
    judgments
        :class:`Judgments`, a file or a data frame.
    scale
        What answers count; see :class:`Scale`.
    metrics
        The metrics, as they are called in the scores. Default: all.
    progress
        Show progress on a terminal.
    options
        The fields of :class:`~tealeaves.judgments.correlation.plan.CorrelationPlan`: ``by``,
        ``coefficients``, ``control``, ``within``, ``pool``, ``draws``, ``permutations``, ``seed``,
        ``level``, ``correction``, ``near``, ``bins``, ``noise_correction``, ``pairs``, ``versus``.
    """
    plan = correlation_plan(**options)
    people = open_judgments(judgments, scale)
    if not len(people.topics_only):
        raise InputError(f"all {len(people)} judgments are of items that only test attention")
    index = ScoreIndex(scores if isinstance(scores, Scores) else read_scores(scores))
    names = list(index.metrics) if metrics is None else list(metrics)
    names = list(dict.fromkeys([*names, *filter(None, (plan.control, plan.versus))]))
    _check_scored(names, index)
    parts, notes = match_parts(people, index, names, plan)
    notes = [*people.notes, *index.scores.notes, *notes, *_careless_notes(people)]
    steps: list[_CoefficientStep] = []
    for part in parts:
        groups = {control: list(groups_of(part, plan, control)) for control in {"", plan.control}}
        ceilings = _ceilings(people, part)
        notes += [f"{part.name}: {note}" for note in ceilings.notes]
        steps += [
            _CoefficientStep(part, name, groups, ceilings, plan) for name in plan.coefficients
        ]
    rows = [row for step in _tracked(steps, progress=progress) for row in _rows(step)]
    _warn_of_few(rows)
    better = {name: index.scores.better.get(name, "") for name in names}
    pairs = []
    if plan.pairs or plan.versus:
        pairs = [test for part in parts for test in pair_tests(part, plan, better)]
    notes += _result_notes(rows, better, plan)
    return Correlations(
        rows,
        pairs=pairs,
        matrices=metric_matrices(rows, parts, better),
        parts=[part.with_lines(plan.level).with_points(plan.seed) for part in parts],
        better=better,
        notes=list(dict.fromkeys(notes)),
        plan=plan,
    )


def score_judged_topics(
    judgments: Judgments,
    corpus: Any = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    required: Iterable[str] = (),
    also: Sequence[Metric] = (),
    strict: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Scores:
    """Score the judged topics themselves, whose words the judgments must have.

    People often judge the topics of many models, each with its warnings: these become notes of the
    scores, and only the first are kept.

    Parameters
    ----------
    judgments
        The judgments.
    corpus, metrics, also, strict, threads, progress
        As for :func:`tealeaves.score`.
    required
        Names of metrics that must be scored, such as the ``control`` and ``versus`` of
        ``correlate``: if one is missing, there is an error before texts are read.
    """
    sources = Sources.of(corpus)
    with collected_warnings() as collected:
        models = judgments.topics_only.models()
        parsed = parse_metrics(default_metrics(models, sources) if metrics is None else metrics)
        names = [repr(metric) for metric in with_each_embedding(parsed, sources.embedding_choice)]
        for name in filter(None, required):
            if name not in names:
                raise InputError(f"{name} is not among the metrics: {', '.join(names)}")
        scores = score(
            models,
            sources,
            parsed,
            also=also,
            strict=strict,
            threads=threads,
            progress=progress,
        )
    notes = list(dict.fromkeys([*collected, *scores.notes]))
    if len(notes) > _MOST_NOTES + 1:
        more = len(notes) - _MOST_NOTES
        last = f"{more} more notes on the scores: `tealeaves score` shows all"
        notes = [*notes[:_MOST_NOTES], last]
    scores.notes = notes
    return scores


def metric_matrices(
    rows: Sequence[Correlation], parts: Iterable[MatchedScores], better: Mapping[str, str]
) -> list[MetricMatrix]:
    """Correlate people and metrics with each other, by the first coefficient that is not phi_K."""
    matrices = []
    for part in parts:
        members = [row for row in rows if row.part == part.part]
        if not members:
            continue
        metrics = [name for name in ranked_metrics(members, better) if name in part.scores]
        coefficients = (row.coefficient for row in members if row.coefficient != "phik")
        name = next(coefficients, "pearson")
        columns = np.column_stack([part.human, *(part.scores[metric] for metric in metrics)])
        values, n = pairwise_correlations(columns, name, fewest=FEWEST)
        matrices.append(MetricMatrix(*part.part, name, metrics, values, n))
    return matrices


def _check_scored(names: Iterable[str], index: ScoreIndex) -> None:
    for name in names:
        if name not in index.metrics:
            why = next((f": {note}" for note in index.scores.notes if name in note.split()), "")
            hint = did_you_mean(name, index.metrics)
            listed = ", ".join(index.metrics)
            raise InputError(f"no scores of {name}{hint} (there are {listed}){why}")


def _tracked(steps: Sequence[_CoefficientStep], *, progress: bool) -> Iterable[_CoefficientStep]:
    from tqdm.auto import tqdm

    bar: Iterable[_CoefficientStep] = tqdm(
        steps, desc="correlating", unit="step", disable=not progress, leave=False
    )
    return bar


# ---------------------------------------------------------------------- rows


class _CoefficientStep(NamedTuple):
    """One coefficient of one data set and task, and its metrics without and with the control."""

    part: MatchedScores
    coefficient: str
    groups: Mapping[str, Sequence[MetricGroup]]
    ceilings: _Ceilings
    plan: CorrelationPlan


def _rows(step: _CoefficientStep) -> list[Correlation]:
    """Return one coefficient of all metrics, with p corrected for their number."""
    part, name, groups, ceilings, plan = step
    corrected: list[Correlation] = []
    one_with_others = ceilings.one_with_others.get(name, math.nan)
    attainable = ceilings.attainable if name == "pearson" else math.nan
    for control in sorted(groups):
        if control and name == "phik":
            continue
        rows = {
            row.metric: row
            for group in groups[control]
            for row in _group_rows(group, part, name, control)
        }
        ordered = [rows[metric] for metric in part.scores if metric in rows]
        p = correct_p(np.array([row.p for row in ordered]), plan.correction)
        corrected += [
            msgspec.structs.replace(
                row, p_corrected=float(value), ceiling=one_with_others, attainable=attainable
            )
            for row, value in zip(ordered, p, strict=True)
        ]
    return corrected


def _group_rows(
    group: MetricGroup, part: MatchedScores, name: str, control: str
) -> list[Correlation]:
    plan = group.plan
    common: dict[str, Any] = {
        "dataset": part.dataset,
        "task": part.task,
        "model": part.model,
        "by": part.by,
        "coefficient": name,
        "control": control,
        "n": group.n,
        "dropped": len(part) - group.n,
        "clusters": group.number_of_clusters,
        "correction": plan.correction,
        "bins": plan.bins if name == "phik" else None,
        "noise_correction": plan.noise_correction if name == "phik" else None,
    }
    if not group.enough:
        few = f"fewer than {FEWEST} {part.by}s" if group.n < FEWEST else "nearly all the same"
        return [Correlation(**common, metric=metric, remark=few) for metric in group.metrics]
    coefficient, p = group.coefficient(name), group.p(name)
    rows = []
    for number, metric in enumerate(group.metrics):
        value = float(coefficient.values[number])
        low, high = coefficient.interval(number, plan.level)
        rows.append(
            Correlation(
                **common,
                metric=metric,
                value=value,
                low=low,
                high=high,
                p=float(p[number]) if not math.isnan(value) else math.nan,
                draws=plan.draws_of(name),
                permutations=plan.permutations_of(name),
                remark=_remark(group, number, value, name),
            )
        )
    return rows


def _remark(group: MetricGroup, number: int, value: float, name: str) -> str:
    """Say why a metric has no value, or why to distrust it."""
    if math.isnan(value):
        if np.ptp(group.x[:, number]) == 0:
            return "the metric is constant"
        if np.ptp(group.y) == 0:
            return "people's scores are constant"
        return "not defined given the control" if group.control is not None else "not defined"
    if name == "phik" and group.n < _FEW:
        return f"phi_K of fewer than {_FEW} says little"
    return ""


# ---------------------------------------------------------------------- what people reach


class _Ceilings(NamedTuple):
    """How well one person agrees with the others, by coefficient; NaN if nobody else judged.

    ``attainable`` is the Pearson correlation that no metric can be expected to pass.
    """

    one_with_others: dict[str, float]
    attainable: float
    notes: list[str]


def _ceilings(people: Judgments, part: MatchedScores) -> _Ceilings:
    """Return what people reach on all judged topics; pooled data sets have no ceiling."""
    if (part.dataset, part.task) not in people.parts:
        return _Ceilings({}, math.nan, ["pooled data sets have no ceiling: see each by itself"])
    judged = people.part(part.dataset, part.task)
    # if the only model of both sides has two names, all judgments are of that model
    if part.model and part.model in set(judged.frame["model"]):
        judged = judged.where(model=part.model)
    ratings = judged.ratings
    groups = _models_of_items(judged) if part.by == "model" else None
    top = ceiling(ratings, groups=groups, resampling=_NO_INTERVAL)
    values = {name: estimate.value for name, estimate in top.estimates.items()}
    classes = judged.scale.majority
    notes = []
    if any(not math.isnan(value) for value in values.values()):
        if top.picked:
            notes.append(
                "the ceiling is of random answers against the rest: no one is known to have "
                "answered enough"
            )
        if classes:
            notes.append("the ceiling is for single votes, not majority votes")
    attainable = reliability(ratings, groups=groups, resampling=_NO_INTERVAL).attainable.value
    return _Ceilings(values, math.nan if classes else attainable, notes)


def _models_of_items(people: Judgments) -> Integers:
    """Number the model of each item, in the order of the ratings' items."""
    models = dict(people.frame.select("item", "model").iter_rows())
    numbers = {model: number for number, model in enumerate(dict.fromkeys(models.values()))}
    return np.array([numbers[models[item]] for item in people.ratings.items], dtype=np.int64)


# ---------------------------------------------------------------------- notes


def _careless_notes(people: Judgments) -> list[str]:
    flags: dict[tuple[str, str], list[bool]] = {}
    for annotator in annotators_of(people):
        flags.setdefault((annotator.dataset, annotator.task), []).append(bool(annotator.flags))
    return [
        f"{part_name(*part)}: {sum(flagged)} of {len(flagged)} annotators "
        f"{'looks careless, and counts' if sum(flagged) == 1 else 'look careless, and count'} all "
        "the same: `tealeaves agreement --annotators` tells who, --without-flagged leaves them out"
        for part, flagged in flags.items()
        if any(flagged)
    ]


def _result_notes(
    rows: Sequence[Correlation], better: Mapping[str, str], plan: CorrelationPlan
) -> list[str]:
    notes = []
    if rows and all(math.isnan(row.value) for row in rows):
        why = ", ".join(dict.fromkeys(row.remark for row in rows))
        notes.append(f"nothing can be correlated: {why}")
    if plan.control and "phik" in plan.coefficients:
        notes.append("phi_K has no partial form: given without the control only")
    if plan.pairs or plan.versus:
        if not set(plan.coefficients) & set(COEFFICIENTS):
            notes.append("phi_K is not compared in pairs: it has no sign")
        unknown = ", ".join(name for name, direction in better.items() if not direction)
        if unknown:
            notes.append(
                f"higher is taken for better in pairs, as nothing says otherwise: {unknown}"
            )
    against = ", ".join(dict.fromkeys(_against_people(rows, better)))
    if against:
        notes.append(f"people prefer what these metrics call worse: {against}")
    return notes


def _against_people(rows: Sequence[Correlation], better: Mapping[str, str]) -> list[str]:
    """Return metrics whose declared direction people clearly do not share.

    Without an interval, because nothing was drawn, p alone decides.
    """
    against = {"higher": -1.0, "lower": 1.0}
    return [
        row.metric
        for row in rows
        if row.coefficient != "phik"
        and not row.control
        and against.get(better.get(row.metric, ""), 0.0) * row.value > 0
        and row.p_corrected < _SIGNIFICANT
        and (math.isnan(row.low) or row.low * row.high > 0)
    ]


def _warn_of_few(rows: Iterable[Correlation]) -> None:
    few = [row.n for row in rows if row.coefficient == "phik" and 0 < row.n < _FEW]
    if few:
        warnings.warn(
            f"phi_K of {min(few)} values says little: with 10 bins independent values reach .24 on "
            "average at n = 33, and .49 in one of twenty cases at n = 100; look at n and p",
            TealeavesWarning,
            stacklevel=3,
        )
