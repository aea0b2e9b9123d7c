"""All measures of agreement on one task, with their notes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.judgments.agreement.alpha import LEVELS, alpha, kappa
from tealeaves.judgments.agreement.ceiling import PICKS, Ceiling, ceiling
from tealeaves.judgments.agreement.estimates import LEAST_ITEMS, Estimate, Resampling, estimate
from tealeaves.judgments.agreement.precision import over_topics, precision
from tealeaves.judgments.agreement.reliability import Reliability, reliability
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.ratings import Ratings, TaskRatings

#: Annotators whose answers are measured.
ALL, NOT_FLAGGED = "all", "not flagged"
FEWEST, MEDIAN, MOST = (f"{which} answers an item" for which in ("fewest", "median", "most"))
#: Measures that are counts, and say nothing of agreement.
COUNTS = ("items", "annotators", "answers", FEWEST, MEDIAN, MOST, "flagged annotators")
#: The note of the α whose level is the one meant.
MEANT = "the level meant"
# With fewer items intervals are known to be too narrow.
_FEW_ITEMS = 20
# With fewer models there are no intervals by model: in simulations with five or six, half of those
# of the reliability were all of [-1, 1].
_LEAST_MODELS = 8


@dataclass(frozen=True)
class MeasureSettings:
    """What all measures of one call share."""

    level: str = "ordinal"
    least: int = 5
    resampling: Resampling = field(default_factory=Resampling)


@dataclass
class TaskMeasures:
    """Estimates by model (empty for all models) and name of the measure, and notes."""

    estimates: dict[tuple[str, str], Estimate] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, measure: str, estimate: Estimate, model: str = "") -> None:
        """Add an estimate."""
        self.estimates[model, measure] = estimate

    def count(self, measure: str, number: float) -> None:
        """Add a plain number."""
        self.add(measure, Estimate(float(number), math.nan, math.nan, 0, ""))

    def note(self, count: int, text: str, thing: str) -> None:
        """Add a note on a number of things, unless there are none."""
        if count:
            self.notes.append(f"{count} {thing}{'s' * (count > 1)} {text}")


def measure_task(
    part: Judgments, settings: MeasureSettings, flagged: Sequence[str] | None
) -> tuple[dict[str, TaskMeasures], list[str]]:
    """Measure one task with all annotators and, if some are flagged, without these.

    ``flagged`` is None if annotators are unknown. Returns the measures of both, and their notes.
    """
    if not len(part.topics_only):
        return {}, [
            f"all {len(part)} answers are to items that only test attention, and are left out"
        ]
    everybody = measures(TaskRatings.of(part), settings)
    notes = everybody.notes
    if flagged is not None:
        everybody.count("flagged annotators", len(flagged))
    if not flagged:
        return {ALL: everybody}, notes
    rest = part.without(flagged).topics_only
    if not len(rest):
        return {ALL: everybody}, [*notes, "without the flagged annotators nothing is left"]
    others = measures(TaskRatings.of(rest), settings)
    new = [f"without the flagged annotators {text}" for text in others.notes if text not in notes]
    return {ALL: everybody, NOT_FLAGGED: others}, [*notes, *new]


def measures(task: TaskRatings, settings: MeasureSettings) -> TaskMeasures:
    """Compute all measures that the answers to one task allow."""
    result = TaskMeasures()
    _add_counts(task, result)
    paired = _paired(task)
    if len(paired.ratings.items):
        _add_alphas(paired, settings, result)
        if not paired.unnumbered:
            _add_means(paired, settings, result)
    if task.rows.has_key and len(task.rows):
        _add_precisions(task.rows, settings, result)
    return result


def _paired(task: TaskRatings) -> TaskRatings:
    """Keep the items with two answers or more; others are neither paired nor drawn."""
    ratings = task.ratings
    kept = np.flatnonzero(ratings.per_item >= 2)
    number = np.full(len(ratings.items), -1)
    number[kept] = np.arange(len(kept))
    rows = number[ratings.item] >= 0
    paired = Ratings(
        [ratings.items[item] for item in kept],
        ratings.annotators,
        number[ratings.item[rows]],
        ratings.annotator[rows],
        ratings.value[rows],
        ratings.dropped,
    )
    return replace(task, ratings=paired, models=task.models[kept])


def _add_counts(task: TaskRatings, result: TaskMeasures) -> None:
    ratings, left_out = task.ratings, task.counting
    per_item = ratings.per_item
    answered = per_item[per_item > 0]
    known = len(np.unique(ratings.annotator[ratings.annotator >= 0]))
    result.count("items", len(answered))
    result.count("annotators", known if known else math.nan)
    result.count("answers", len(ratings.value))
    for name, count in ((FEWEST, np.min), (MEDIAN, np.median), (MOST, np.max)):
        result.count(name, float(count(answered)) if len(answered) else math.nan)
    unanswered = left_out.unanswered + ratings.dropped
    result.note(unanswered, "without a value: left out", "answer")
    result.note(left_out.keyless, "without a key: neither right nor wrong, left out", "answer")
    result.note(left_out.repeated, "given again by the same annotator: the last counts", "answer")
    result.note(left_out.checks, "to items that only test attention: left out", "answer")
    single = int((per_item == 1).sum())
    result.note(single, "with a single answer: nothing to pair it with, left out", "item")
    if known:
        result.note(int((ratings.annotator < 0).sum()), "of unknown annotators", "answer")
    if task.unnumbered:
        result.notes.append(f"only whether answers are the same is measured: {task.unnumbered}")


def _add_alphas(task: TaskRatings, settings: MeasureSettings, result: TaskMeasures) -> None:
    ratings = task.ratings
    items = len(ratings.items)

    def drawn(statistic: partial[Floats]) -> Estimate:
        return estimate(lambda w: statistic(weights=w), items, settings.resampling)

    # right and wrong have no order, and that of names is unknown
    classes = bool(task.unnumbered) or task.rows.has_key
    meant = "nominal" if classes else settings.level
    for level in ("nominal",) if classes else LEVELS:
        value = drawn(partial(alpha, ratings, level))
        if level == meant:
            value = value._replace(note="; ".join(filter(None, [MEANT, value.note])))
        result.add(f"alpha {level}", value)
    result.add("kappa", drawn(partial(kappa, ratings)))
    if len(np.unique(ratings.value)) < 2:
        result.notes.append("all answers are the same: agreement beyond chance is undefined")
    elif items < LEAST_ITEMS:
        result.notes.append(f"only {items} items have two answers or more: there are no intervals")
    elif items < _FEW_ITEMS:
        result.notes.append(f"only {items} items: intervals of so few are too narrow")


def _add_means(task: TaskRatings, settings: MeasureSettings, result: TaskMeasures) -> None:
    """Add ceiling and reliability of the means of items, and of models if there are enough."""
    ratings, resampling = task.ratings, settings.resampling
    of_items = ceiling(ratings, least=settings.least, resampling=resampling)
    _add_mean(of_items, reliability(ratings, resampling=resampling), result)
    _note_ceiling(of_items, settings.least, result)
    models = len(np.unique(task.models))
    if models < LEAST_ITEMS:
        return
    if models < _LEAST_MODELS and resampling.draws:
        result.notes.append(f"only {models} models: there are no intervals by model")
        resampling = resampling._replace(draws=0)
    least = min(settings.least, LEAST_ITEMS)
    of_models = ceiling(ratings, least=least, groups=task.models, resampling=resampling)
    means = reliability(ratings, groups=task.models, resampling=resampling)
    _add_mean(of_models, means, result, " by model")
    # notes that hold for items too are not repeated
    if not (of_models.picked and of_items.picked):
        new = 0 if of_models.constant == of_items.constant else of_models.constant
        _note_ceiling(of_models._replace(constant=new), least, result, " by model")


def _add_mean(top: Ceiling, means: Reliability, result: TaskMeasures, by: str = "") -> None:
    for name, mean in top.estimates.items():
        result.add(f"ceiling {name}{by}", mean)
    result.add(f"reliability{by}", means.reliability)
    result.add(f"attainable{by}", means.attainable)


def _note_ceiling(top: Ceiling, least: int, result: TaskMeasures, by: str = "") -> None:
    """Say whose answers make the ceiling, and who is left out."""
    if top.picked:
        enough = f"items of {least} models" if by else f"{least} items"
        result.notes.append(
            f"nobody is known to have answered {enough} or more: the ceiling{by} is of one answer "
            f"to each item, drawn at random ({PICKS} times), against the mean of the rest"
        )
    few = f"items of fewer than {least} models" if by else f"fewer than {least} items"
    few = f"with {few} in common with others: not in the ceiling{by}"
    result.note(0 if top.picked else top.few, few, "annotator")
    constant = f"whose answers, or those of the rest, are all the same: not in the ceiling{by}"
    result.note(top.constant, constant, "annotator")


def _add_precisions(rows: Judgments, settings: MeasureSettings, result: TaskMeasures) -> None:
    confidence = settings.resampling.confidence
    (overall,) = precision(rows, by="task", confidence=confidence)
    models = precision(rows, by="model", confidence=confidence)
    topics = precision(rows, by="topic", confidence=confidence)
    for share in [overall, *(models if len(models) > 1 else [])]:
        value = Estimate(share.value, share.low, share.high, share.answers, "answers")
        result.add("precision", value, share.model)
        members = [topic for topic in topics if share is overall or topic.model == share.model]
        result.add("precision over topics", over_topics(members, settings.resampling), share.model)
        # a chance that is the same for all models is given once
        if not math.isnan(share.chance) and (share is overall or share.chance != overall.chance):
            chance = Estimate(share.chance, math.nan, math.nan, share.answers, "answers")
            result.add("chance", chance, share.model)
