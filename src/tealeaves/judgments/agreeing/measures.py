"""All measures of agreement on one task, and what is to be said of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.judgments.agreeing.alpha import LEVELS, alpha
from tealeaves.judgments.agreeing.ceiling import PICKS, Ceiling, ceiling
from tealeaves.judgments.agreeing.estimates import LEAST_ITEMS, Estimate, Resampling, estimate
from tealeaves.judgments.agreeing.kappa import kappa
from tealeaves.judgments.agreeing.precision import over_topics, precision
from tealeaves.judgments.agreeing.preparing import Prepared
from tealeaves.judgments.agreeing.reliability import Reliability, reliability
from tealeaves.judgments.agreeing.rows import FEWEST, MEANT, MEDIAN, MOST
from tealeaves.judgments.ratings import Ratings

# With fewer items intervals are known to be too narrow.
_FEW_ITEMS = 20
#: With fewer models there are no intervals by model: in simulations of five or six, half of those
#: of the reliability were all of [-1, 1].
LEAST_MODELS = 8


@dataclass(frozen=True)
class Settings:
    """What all measures of one call share."""

    level: str = "ordinal"
    least: int = 5
    resampling: Resampling = field(default_factory=Resampling)


@dataclass
class Measures:
    """Estimates by model (empty for all) and name of the measure, and notes."""

    estimates: dict[tuple[str, str], Estimate] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, measure: str, estimate: Estimate, model: str = "") -> None:
        """Add an estimate."""
        self.estimates[model, measure] = estimate

    def count(self, measure: str, number: float) -> None:
        """Add a plain number."""
        self.add(measure, Estimate(float(number), math.nan, math.nan, 0, ""))

    def note(self, count: int, text: str, thing: str) -> None:
        """Say something of a number of things, unless there are none."""
        if count:
            self.notes.append(f"{count} {thing}{'s' * (count > 1)} {text}")


def measures(found: Prepared, settings: Settings) -> Measures:
    """Measure everything that can be measured of the answers to one task."""
    result = Measures()
    _count(found, result)
    paired = _paired(found)
    if len(paired.ratings.items):
        _alphas(paired, settings, result)
        if not paired.unnumbered:
            _means(paired, settings, result)
    if found.rows.has_key and len(found.rows):
        _precisions(found, settings, result)
    return result


def _paired(found: Prepared) -> Prepared:
    """Keep the items with two answers or more: others are neither paired nor drawn."""
    ratings = found.ratings
    kept = np.flatnonzero(ratings.per_item >= 2)
    number = np.full(len(ratings.items), -1)
    number[kept] = np.arange(len(kept))
    rows = number[ratings.item] >= 0
    chosen = Ratings(
        [ratings.items[item] for item in kept],
        ratings.annotators,
        number[ratings.item[rows]],
        ratings.annotator[rows],
        ratings.value[rows],
        ratings.dropped,
    )
    return replace(found, ratings=chosen, models=found.models[kept])


def _count(found: Prepared, result: Measures) -> None:
    ratings = found.ratings
    per_item = ratings.per_item
    answered = per_item[per_item > 0]
    known = len(np.unique(ratings.annotator[ratings.annotator >= 0]))
    result.count("items", len(answered))
    result.count("annotators", known if known else math.nan)
    result.count("answers", len(ratings.value))
    for name, count in ((FEWEST, np.min), (MEDIAN, np.median), (MOST, np.max)):
        value = float(count(answered)) if len(answered) else math.nan
        result.count(name, value)
    _say(found, known, result)


def _say(found: Prepared, known: int, result: Measures) -> None:
    """Say what is left out of all measures."""
    ratings = found.ratings
    result.note(found.unanswered, "without a value: left out", "answer")
    result.note(found.keyless, "without a key: neither right nor wrong, left out", "answer")
    result.note(found.repeated, "given again by the same annotator: the last counts", "answer")
    result.note(found.checks, "to items that only test attention: left out", "answer")
    single = int((ratings.per_item == 1).sum())
    result.note(single, "with a single answer: nothing to pair it with, left out", "item")
    if known:
        result.note(int((ratings.annotator < 0).sum()), "of which nobody knows whose", "answer")
    if found.unnumbered:
        result.notes.append(f"only whether answers are the same is measured: {found.unnumbered}")


def _alphas(found: Prepared, settings: Settings, result: Measures) -> None:
    # right and wrong have no order, and names none that is known
    classes = bool(found.unnumbered) or found.rows.has_key
    levels = ("nominal",) if classes else LEVELS
    meant = "nominal" if classes else settings.level
    for level in levels:
        statistic = partial(alpha, found.ratings, level)
        drawn = _drawn(statistic, found, settings)
        if level == meant:
            drawn = drawn._replace(note="; ".join(filter(None, [MEANT, drawn.note])))
        result.add(f"alpha {level}", drawn)
    result.add("kappa", _drawn(partial(kappa, found.ratings), found, settings))
    items = len(found.ratings.items)
    if len(np.unique(found.ratings.value)) < 2:
        result.notes.append("all answers are the same: agreement beyond chance is undefined")
    elif items < LEAST_ITEMS:
        result.notes.append(f"only {items} items have two answers or more: there are no intervals")
    elif items < _FEW_ITEMS:
        result.notes.append(f"only {items} items: intervals of so few are too narrow")


def _drawn(statistic: partial[Floats], found: Prepared, settings: Settings) -> Estimate:
    items = len(found.ratings.items)
    return estimate(lambda w: statistic(weights=w), items, settings.resampling)


def _means(found: Prepared, settings: Settings, result: Measures) -> None:
    """Measure the ceiling and the reliability of the means of items."""
    ratings, resampling = found.ratings, settings.resampling
    top = ceiling(ratings, least=settings.least, resampling=resampling)
    _add_means(top, reliability(ratings, resampling=resampling), result)
    _say_ceiling(top, settings.least, result)
    models = len(np.unique(found.models))
    if models < LEAST_ITEMS:
        return
    if models < LEAST_MODELS and resampling.draws:
        result.notes.append(f"only {models} models: there are no intervals by model")
        resampling = resampling._replace(draws=0)
    _means_of_models(found, replace(settings, resampling=resampling), top, result)


def _means_of_models(found: Prepared, settings: Settings, items: Ceiling, result: Measures) -> None:
    """Measure the same of the means of models."""
    ratings, models, resampling = found.ratings, found.models, settings.resampling
    least = min(settings.least, LEAST_ITEMS)
    top = ceiling(ratings, least=least, groups=models, resampling=resampling)
    means = reliability(ratings, groups=models, resampling=resampling)
    _add_means(top, means, result, " by model")
    # what holds for items too has been said
    if not (top.picked and items.picked):
        new = top._replace(constant=0 if top.constant == items.constant else top.constant)
        _say_ceiling(new, least, result, " by model")


def _add_means(top: Ceiling, means: Reliability, result: Measures, by: str = "") -> None:
    for name, mean in top.estimates.items():
        result.add(f"ceiling {name}{by}", mean)
    result.add(f"reliability{by}", means.reliability)
    result.add(f"attainable{by}", means.attainable)


def _say_ceiling(top: Ceiling, least: int, result: Measures, by: str = "") -> None:
    """Say whose answers the ceiling is of, and who is not in it."""
    if top.picked:
        enough = f"items of {least} models" if by else f"{least} items"
        result.notes.append(
            f"nobody is known to have answered {enough} or more: the ceiling{by} is of one answer "
            f"to each item, drawn at random ({PICKS} times), against the mean of the rest"
        )
    few = f"items of fewer than {least} models" if by else f"fewer than {least} items"
    few = f"with {few} in common with others: not in the ceiling{by}"
    result.note(0 if top.picked else top.few, few, "annotator")
    constant = f"without variation, or the rest has none: not in the ceiling{by}"
    result.note(top.constant, constant, "annotator")


def _precisions(found: Prepared, settings: Settings, result: Measures) -> None:
    confidence = settings.resampling.confidence
    (overall,) = precision(found.rows, by="task", confidence=confidence)
    models = precision(found.rows, by="model", confidence=confidence)
    topics = precision(found.rows, by="topic", confidence=confidence)
    for one in [overall, *(models if len(models) > 1 else [])]:
        share = Estimate(one.value, one.low, one.high, one.answers, "answers")
        result.add("precision", share, one.model)
        own = [topic for topic in topics if one is overall or topic.model == one.model]
        result.add("precision over topics", over_topics(own, settings.resampling), one.model)
        # the same for all models is said once
        if not math.isnan(one.chance) and (one is overall or one.chance != overall.chance):
            chance = Estimate(one.chance, math.nan, math.nan, one.answers, "answers")
            result.add("chance", chance, one.model)
