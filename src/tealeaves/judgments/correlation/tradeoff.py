"""``tradeoff``: how well metrics agree with people, and how many texts that takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.sources import Sources, choose_pipeline, open_relevance_source
from tealeaves.evidence.wording import Wording
from tealeaves.judgments.correlation.index import ScoreIndex
from tealeaves.judgments.correlation.matching import Matched
from tealeaves.judgments.correlation.parts import parts_of
from tealeaves.judgments.correlation.plan import FEWEST, Plan, read_plan
from tealeaves.judgments.correlation.subsets import (
    Subsets,
    doubling,
    entries_of,
    model_means,
    topic_values,
)
from tealeaves.judgments.correlation.tradeoffs import Tradeoff, TradeoffPoint
from tealeaves.judgments.given import given_judgments
from tealeaves.metrics.attention.family import RelevanceMetric
from tealeaves.metrics.attention.topic_sums import TopicRows
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import evaluate_metrics
from tealeaves.metrics.notes import caveats
from tealeaves.metrics.planning import metric_requests
from tealeaves.metrics.registry import parse_metrics
from tealeaves.statistics.correlation import COEFFICIENTS
from tealeaves.statistics.phi_k import phi_k
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics


def tradeoff(
    relevance: Any,
    models: Any,
    judgments: Any,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    by: str = "model",
    sizes: Iterable[int] | None = None,
    draws: int = 100,
    coefficient: str = "pearson",
    level: float = 0.95,
    seed: int = 0,
    scale: str | None = None,
) -> Tradeoff:
    """Correlate metrics of relevance with people, had the network read fewer texts.

    All is had from the text-by-text sums of a stored relevance: no network runs. Classifier and
    heads are those of the whole; only the texts that are summed are fewer.

    Parameters
    ----------
    relevance
        Relevance, or its file.
    models
        Models, as :func:`tealeaves.score` takes them; None for the judged topics themselves, where
        the judgments have their words.
    judgments
        :class:`Judgments`, a file or a data frame.
    metrics
        Metrics of relevance, with the heads that were fixed when it was gathered.
    by
        Correlate the scores of models, or of topics.
    sizes
        Numbers of texts; by default 25, 50, 100 and so on, and all of them.
    draws
        Random subsets of each size. In each draw, larger ones hold the smaller ones.
    level
        The share of subsets between ``low`` and ``high``.
    """
    plan = read_plan(by=by, coefficients=(coefficient,), level=level, seed=seed)
    known = _relevance(relevance)
    asked = _asked(metrics, known)
    chosen = _sizes(sizes, known.texts)
    if not 1 <= draws <= 10_000:
        raise InputError(f"draws {draws}: give 1 to 10000 subsets of each size")
    people = given_judgments(judgments, scale)
    judged = people.topics_only.models() if models is None else read_models(models)
    number = len(judged) if plan.by == "model" else sum(map(len, judged))
    _check_enough(number, plan)  # before anything is scored
    wording = Wording(choose_pipeline(judged, None, known))
    metric_requests(judged, asked, wording, Sources(relevance=known))  # says what a model lacks
    evidence = Evidence(relevance=known, wording=wording)
    index = ScoreIndex(evaluate_metrics(judged, asked, evidence))
    parts, notes = parts_of(people, index, index.metrics, plan)
    _check_enough(max(map(len, parts)), plan, "judged ")
    subsets = Subsets.drawn(known.texts, chosen, draws, seed)
    rows = [
        row
        for metric, values in _values(asked, known, judged, wording, subsets, plan)
        for part in parts
        if metric in part.scores
        for row in _points(part, metric, values[:, :, _columns(part, judged)], subsets, plan)
    ]
    ordered = [row for part in parts for row in rows if (row.dataset, row.task) == _name(part)]
    # which topics have no value is not said: n is, and differs from subset to subset
    said = [*people.notes, *caveats(judged, asked, evidence), *notes]
    return Tradeoff(ordered, texts=known.texts, plan=plan, notes=list(dict.fromkeys(said)))


def _relevance(given: Any) -> Relevance:
    known = open_relevance_source(given)
    if not isinstance(known, Relevance):
        raise InputError(f"{given}: give relevance, or a file of `tealeaves relevance gather`")
    if known.texts == 0:
        raise InputError("the relevance is of no text at all")
    return known


def _check_enough(number: int, plan: Plan, which: str = "") -> None:
    """Refuse a curve of too few things for any correlation."""
    if number >= FEWEST:
        return
    some = f"{number} {which}{plan.by}" + "s" * (number != 1)
    other = "; try by topic (--by topic)" if plan.by == "model" else ""
    raise InputError(f"{some}: correlations need at least {FEWEST}{other}")


def _asked(
    metrics: str | Metric | Iterable[str | Metric], relevance: Relevance
) -> list[RelevanceMetric]:
    """Refuse, before any work is done, metrics that are not known text by text."""
    found = []
    for metric in parse_metrics(metrics):
        if not isinstance(metric, RelevanceMetric):
            raise InputError(
                f"{metric!r} is not computed from relevance: give lrp_sum@10 or another of "
                "`tealeaves metrics` that is"
            )
        entries_of(metric, relevance)
        found.append(metric)
    return found


def _sizes(given: Iterable[int] | None, texts: int) -> list[int]:
    if given is None:
        return doubling(texts)
    sizes = sorted(set(given))
    wrong = next((size for size in sizes if not 1 <= size <= texts), None)
    if wrong is not None:
        raise InputError(
            f"{wrong} texts: the relevance is of {texts}: give sizes from 1 to {texts}"
        )
    if not sizes:
        raise InputError(f"no number of texts was given: give sizes from 1 to {texts}")
    return sizes


def _values(
    metrics: Sequence[RelevanceMetric],
    relevance: Relevance,
    models: Sequence[Topics],
    wording: Wording,
    subsets: Subsets,
    plan: Plan,
) -> Iterator[tuple[str, Floats]]:
    """Yield for each metric the values of all topics, or models: (draws, sizes, these)."""
    bounds = [0, *accumulate(len(model) for model in models)]
    looked_up: dict[int | None, TopicRows] = {}
    for metric in metrics:
        if metric.top not in looked_up:
            lists = wording.lists(models)
            looked_up[metric.top] = TopicRows.of(lists, relevance, metric.top)
        values = topic_values(metric, relevance, looked_up[metric.top], subsets)
        yield repr(metric), model_means(values, bounds) if plan.by == "model" else values


def _columns(part: Matched, models: Sequence[Topics]) -> list[int]:
    """Return where the values of what people judged are."""
    if part.by == "model":
        places = {(model.model, ""): number for number, model in enumerate(models)}
    else:
        names = ((model.model, str(topic.id)) for model in models for topic in model.topics)
        places = {name: number for number, name in enumerate(names)}
    return [places[key.model, key.topic] for key in part.keys]


def _name(part: Matched) -> tuple[str, str]:
    return part.dataset, part.task


def _points(
    part: Matched, metric: str, values: Floats, subsets: Subsets, plan: Plan
) -> Iterator[TradeoffPoint]:
    """Yield a point for each size: what the subsets have on average, and within which limits."""
    tail = (1 - plan.level) / 2
    for step, size in enumerate(subsets.sizes.tolist()):
        # all texts are one subset, however often they are drawn
        drawn = values[: 1 if size == subsets.texts else None, step]
        found = _coefficients(drawn, part, plan)
        known = found[np.isfinite(found)]
        low, high = np.quantile(known, [tail, 1 - tail]) if len(known) else (np.nan, np.nan)
        yield TradeoffPoint(
            dataset=part.dataset,
            task=part.task,
            by=part.by,
            metric=metric,
            coefficient=plan.coefficients[0],
            texts=size,
            value=float(known.mean()) if len(known) else np.nan,
            low=float(low),
            high=float(high),
            n=int(np.isfinite(drawn).sum(axis=1).min()),
            draws=len(known),
        )


def _coefficients(values: Floats, part: Matched, plan: Plan) -> Floats:
    """Return the coefficient of each draw; subsets with values for the same are done together."""
    [name] = plan.coefficients
    known = np.isfinite(values)
    found = np.full(len(values), np.nan)
    _, pattern = np.unique(known, axis=0, return_inverse=True)
    for number in range(pattern.max() + 1):
        draws = np.flatnonzero(pattern == number)
        there = known[draws[0]]
        if there.sum() < FEWEST:
            continue
        x, y = values[np.ix_(draws, there)].T, part.human[there]
        if name == "phik":
            given: dict[str, Any] = {"bins": plan.bins, "classes": part.classes}
            found[draws] = [phi_k(column, y, **given) for column in x.T]
        else:
            found[draws] = COEFFICIENTS[name](x, y)
    return found
