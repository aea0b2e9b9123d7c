"""``tradeoff``: how well metrics of relevance agree with people, by the number of texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import accumulate
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tealeaves.arrays import Floats, Integers
from tealeaves.errors import InputError
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.sources import Sources, choose_pipeline, open_relevance_source
from tealeaves.evidence.wording import Wording
from tealeaves.judgments.correlation.matching import MatchedScores, ScoreIndex, match_parts
from tealeaves.judgments.correlation.plan import FEWEST, CorrelationPlan, correlation_plan
from tealeaves.judgments.correlation.result import named_columns, rows_with
from tealeaves.judgments.reading import open_judgments
from tealeaves.metrics.attention.family import RelevanceMetric
from tealeaves.metrics.attention.topic_sums import TopicRows
from tealeaves.metrics.base import Metric
from tealeaves.metrics.evaluation import evaluate_metrics
from tealeaves.metrics.notes import caveats
from tealeaves.metrics.planning import metric_requests
from tealeaves.metrics.registry import parse_metrics
from tealeaves.parameters import wrong_value
from tealeaves.statistics.correlation import COEFFICIENTS
from tealeaves.statistics.phi_k import PhiKOptions, phi_k
from tealeaves.statistics.resampling import memory_slices
from tealeaves.tables.numbers import DASH, append_interval, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

_FIRST_SIZE = 25
_BUDGET = 64 << 20  # bytes of the values of subsets and topics that are held at once

_METRICS = ("attention_sum@10", "lrp_sum@10", "improved_lrp_sum@10", "relevance_count@10")
_CONTROL = "cooccurrence@10"


class TradeoffPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The coefficient of one metric with people, from a number of texts.

    ``value`` is the mean over ``draws`` random subsets of the texts, ``low`` and ``high`` are
    quantiles over them. Topics or models without a value in a subset are left out there; each
    subset has at least ``n``. Subsets in which nothing can be correlated do not count.
    """

    dataset: str
    task: str
    by: str
    metric: str
    coefficient: str
    texts: int
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    draws: int = 0


@dataclass(repr=False, eq=False)
class Tradeoff(Tidy):
    """How well metrics agree with people, by the number of texts that were used.

    ``texts`` is the number of all texts.
    """

    rows: list[TradeoffPoint]
    _: KW_ONLY
    texts: int
    plan: CorrelationPlan
    notes: list[str] = field(default_factory=list)

    def value(self, metric: str, texts: int | None = None, **where: str) -> float:
        """Return a metric's mean coefficient, by default from all texts."""
        size = self.texts if texts is None else texts
        rows = rows_with(self.rows, {"metric": metric, "texts": size, **where})
        if len(rows) != 1:
            raise InputError(f"{len(rows)} values of {metric} from {size} texts: name a task")
        return float(rows[0].value)

    def table(self) -> Table:
        """Return the table that is printed: one line per number of texts, one column per metric."""
        named = named_columns(self.rows, "dataset", "task")
        metrics = list(dict.fromkeys(row.metric for row in self.rows))
        lines: dict[tuple[str, ...], dict[str, TradeoffPoint]] = {}
        for row in self.rows:
            place = (*(getattr(row, name) for name in named), f"{row.texts}")
            lines.setdefault(place, {})[row.metric] = row
        cells = [
            (
                list(place),
                [
                    *(_cell(points.get(metric)) for metric in metrics),
                    str(min(point.n for point in points.values())),
                ],
            )
            for place, points in lines.items()
        ]
        return text_table([*named, "texts"], [*metrics, "n"], cells)

    @property
    def legend(self) -> list[str]:
        """What the table's signs mean."""
        [name] = self.plan.coefficients
        draws = max((row.draws for row in self.rows), default=0)
        lines = [
            f"{name} with people, {self.plan.by} by {self.plan.by}: mean over {draws} random "
            f"subsets of the {self.texts} texts [between which {self.plan.level:.0%} of them are]",
            "the range shows how much subsets of these texts differ, so all texts together have "
            "none; `tealeaves correlate` gives the interval of the coefficient itself",
        ]
        if len({row.n for row in self.rows}) > 1:
            lines.append(
                f"n: the fewest {self.plan.by}s of a subset that have a value; others are left out"
            )
        return lines


def _cell(row: TradeoffPoint | None) -> str:
    if row is None or math.isnan(row.value):
        return DASH
    value = number_text(row.value)
    return value if row.draws == 1 else append_interval(value, row.low, row.high)


def tradeoff(
    relevance: Any,
    models: Any,
    judgments: Any,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    by: str = "model",
    sizes: Iterable[int] | None = None,
    draws: int = 100,
    coefficient: str = "pearson",
    level: float = 0.95,
    seed: int = 0,
    scale: str | None = None,
) -> Tradeoff:
    """Correlate metrics of relevance with people, as if the network had read fewer texts.

    Everything is computed from the sums of each text that a stored relevance has: no network runs.
    Classifier and heads stay the same; only fewer texts are summed.

    Parameters
    ----------
    relevance
        Relevance, or its file.
    models
        Models, as :func:`tealeaves.score` takes them; None for the judged topics themselves, if
        the judgments have their words.
    judgments
        :class:`Judgments`, a file or a data frame.
    metrics
        Metrics of relevance, with the heads that were fixed when it was gathered. Default: all that
        were gathered, of ten words.
    by
        Correlate the scores of models, or of topics.
    sizes
        Numbers of texts; by default 25, 50, 100 and so on, and all of them.
    draws
        Random subsets of each size. In each draw, larger ones hold the smaller ones.
    coefficient
        ``pearson``, ``spearman`` or ``kendall``.
    level
        The share of subsets between ``low`` and ``high``.
    seed
        The seed of the subsets.
    scale
        The numbers of answers, as for :func:`tealeaves.agreement`.
    """
    plan = correlation_plan(by=by, coefficients=(coefficient,), level=level, seed=seed)
    known = _open_relevance(relevance)
    chosen = _relevance_metrics(_default_metrics(known) if metrics is None else metrics, known)
    numbers = _sizes(sizes, known.texts)
    if not 1 <= draws <= 10_000:
        raise wrong_value("draws", draws, "from 1 to 10000 subsets of each size")
    people = open_judgments(judgments, scale)
    judged = people.topics_only.models() if models is None else read_models(models)
    number = len(judged) if plan.by == "model" else sum(map(len, judged))
    _check_enough(number, plan)  # before anything is scored
    wording = Wording(choose_pipeline(judged, None, known))
    metric_requests(judged, chosen, wording, Sources(relevance=known))  # says what a model lacks
    evidence = Evidence(relevance=known, wording=wording)
    index = ScoreIndex(evaluate_metrics(judged, chosen, evidence))
    parts, notes = match_parts(people, index, index.metrics, plan)
    _check_enough(max(map(len, parts)), plan, "judged ")
    subsets = Subsets.drawn(known.texts, numbers, draws, seed)
    rows = [
        row
        for metric, values in _values(chosen, known, judged, wording, subsets, plan)
        for part in parts
        if metric in part.scores
        for row in _points(part, metric, values[:, :, _columns(part, judged)], subsets, plan)
    ]
    ordered = [
        row
        for part in parts
        for row in rows
        if (row.dataset, row.task) == (part.dataset, part.task)
    ]
    # no notes on topics without a value: these differ from subset to subset, and n counts them
    notes = [*people.notes, *caveats(judged, chosen, evidence), *notes]
    return Tradeoff(ordered, texts=known.texts, plan=plan, notes=list(dict.fromkeys(notes)))


def _open_relevance(source: Any) -> Relevance:
    known = open_relevance_source(source)
    if not isinstance(known, Relevance):
        raise InputError(f"{source}: give relevance, or a file of `tealeaves relevance gather`")
    if known.texts == 0:
        raise InputError("the relevance is of no text at all")
    return known


def _check_enough(number: int, plan: CorrelationPlan, which: str = "") -> None:
    """Raise if there are too few topics or models for any correlation."""
    if number >= FEWEST:
        return
    some = f"{number} {which}{plan.by}" + "s" * (number != 1)
    other = "; try by topic (--by topic)" if plan.by == "model" else ""
    raise InputError(f"{some}: correlations need at least {FEWEST}{other}")


def _default_metrics(relevance: Relevance) -> list[str]:
    """Return all metrics that were gathered."""
    names = [name for name in _METRICS if relevance.stamp.improved or "improved" not in name]
    return [*names, _CONTROL]


def _relevance_metrics(
    metrics: str | Metric | Iterable[str | Metric], relevance: Relevance
) -> list[RelevanceMetric]:
    """Raise, before any work is done, for metrics that are not known for each text."""
    chosen = []
    for metric in parse_metrics(metrics):
        if not isinstance(metric, RelevanceMetric):
            raise InputError(
                f"{metric!r} is not computed from relevance: give lrp_sum@10 or another of "
                "`tealeaves metrics` that is"
            )
        _entries(metric, relevance)
        chosen.append(metric)
    return chosen


def _sizes(chosen: Iterable[int] | None, texts: int) -> list[int]:
    if chosen is None:
        return doubling(texts)
    sizes = sorted(set(chosen))
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
    plan: CorrelationPlan,
) -> Iterator[tuple[str, Floats]]:
    """Yield for each metric the values of all topics, or models: (draws, sizes, these)."""
    bounds = [0, *accumulate(len(model) for model in models)]
    topic_rows: dict[int | None, TopicRows] = {}
    for metric in metrics:
        if metric.top not in topic_rows:
            lists = wording.lists(models)
            topic_rows[metric.top] = TopicRows.of(lists, relevance, metric.top)
        values = topic_values(metric, relevance, topic_rows[metric.top], subsets)
        yield repr(metric), model_means(values, bounds) if plan.by == "model" else values


def _columns(part: MatchedScores, models: Sequence[Topics]) -> list[int]:
    """Return the columns of the topics or models that people judged."""
    if part.by == "model":
        places = {(model.model, ""): number for number, model in enumerate(models)}
    else:
        names = ((model.model, str(topic.id)) for model in models for topic in model.topics)
        places = {name: number for number, name in enumerate(names)}
    return [places[key.model, key.topic] for key in part.keys]


def _points(
    part: MatchedScores, metric: str, values: Floats, subsets: Subsets, plan: CorrelationPlan
) -> Iterator[TradeoffPoint]:
    """Yield a point for each size: the mean and the quantiles over the subsets."""
    tail = (1 - plan.level) / 2
    for step, size in enumerate(subsets.sizes.tolist()):
        # all texts are only one subset
        drawn = values[: 1 if size == subsets.texts else None, step]
        coefficients = _coefficients(drawn, part, plan)
        known = coefficients[np.isfinite(coefficients)]
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


def _coefficients(values: Floats, part: MatchedScores, plan: CorrelationPlan) -> Floats:
    """Return the coefficient of each draw; draws with the same topics are computed at once."""
    [name] = plan.coefficients
    known = np.isfinite(values)
    coefficients = np.full(len(values), np.nan)
    _, pattern = np.unique(known, axis=0, return_inverse=True)
    for number in range(pattern.max() + 1):
        draws = np.flatnonzero(pattern == number)
        defined = known[draws[0]]
        if defined.sum() < FEWEST:
            continue
        x, y = values[np.ix_(draws, defined)].T, part.human[defined]
        if name == "phik":
            binning: PhiKOptions = {"bins": plan.bins, "classes": part.classes}
            coefficients[draws] = [phi_k(column, y, **binning) for column in x.T]
        else:
            coefficients[draws] = COEFFICIENTS[name](x, y)
    return coefficients


# ---------------------------------------------------------------------- subsets of texts


@dataclass(frozen=True)
class Subsets:
    """Random subsets of texts of several sizes: in each draw, larger ones contain smaller ones.

    ``place`` (draws, texts) is the number of the first size that contains a text; texts beyond the
    last size are in no subset.
    """

    sizes: Integers
    place: Integers

    @property
    def texts(self) -> int:
        """How many texts there are in all."""
        return int(self.place.shape[1])

    @classmethod
    def drawn(cls, texts: int, sizes: Sequence[int], draws: int, seed: int) -> Subsets:
        """Shuffle the texts in each draw; a subset consists of the first ones."""
        rng = np.random.default_rng(seed)
        turn = rng.permuted(np.tile(np.arange(texts), (draws, 1)), axis=1)
        ordered = np.asarray(sizes, dtype=np.int64)
        return cls(ordered, np.searchsorted(ordered, turn, side="right"))

    def sums(self, cells: Any) -> Iterator[tuple[slice, Floats]]:
        """Sum a sparse matrix of texts and columns over the texts of each subset.

        Some draws at a time: (draws, sizes, columns). In each draw a text is added once, to the
        smallest subset that contains it; sums of larger subsets continue from there.
        """
        from scipy.sparse import csr_array

        draws, steps, columns = len(self.place), len(self.sizes), cells.shape[1]
        for some in memory_slices(draws, 8 * steps * columns, budget=_BUDGET):
            place = self.place[some]
            number, text = np.nonzero(place < steps)
            rows = number * steps + place[number, text]
            shape = (len(place) * steps, place.shape[1])
            members = csr_array((np.ones(len(rows)), (rows, text)), shape=shape)
            sums = (members @ cells).toarray().reshape(len(place), steps, columns)
            yield some, np.cumsum(sums, axis=1)


def doubling(texts: int) -> list[int]:
    """Return 25, 50, 100 and so on, and last all texts.

    >>> doubling(120), doubling(7)
    ([25, 50, 100, 120], [7])
    """
    sizes = []
    size = _FIRST_SIZE
    while size < texts:
        sizes.append(size)
        size *= 2
    return [*sizes, texts]


def topic_values(
    metric: RelevanceMetric, relevance: Relevance, topics: TopicRows, subsets: Subsets
) -> Floats:
    """Return the value of each topic from each subset: (draws, sizes, topics).

    It is the value that the metric has if the network read no other texts, with the same heads:
    NaN if no text of the subset contains two words of the topic.
    """
    entries = _entries(metric, relevance)
    cells, sizes = topics.by_text(entries), topics.sizes_by_text(metric.settings.reduction)
    values = np.empty((len(subsets.place), len(subsets.sizes), len(topics)))
    for (some, sums), (_, held) in zip(subsets.sums(cells), subsets.sums(sizes), strict=True):
        divisor = 1.0 if metric.settings.reduction == "sum" else np.maximum(held, 1.0)
        values[some] = np.where(held > 0, sums / divisor, np.nan)
    return values


def _entries(metric: RelevanceMetric, relevance: Relevance) -> NDArray[Any]:
    """Return the numbers of each text for a metric; an error if they were not kept."""
    _, entries = metric.numbers(relevance)
    if entries is None:
        raise InputError(
            f"{metric!r}: text by text only the sums of the heads that were fixed are known: leave "
            "heads, of and by as they are"
        )
    return entries


def model_means(values: Floats, bounds: Sequence[int]) -> Floats:
    """Average over the topics of each model that have a value; the last axis becomes models.

    >>> model_means(np.array([[1.0, 3.0, np.nan, 5.0]]), [0, 2, 4]).tolist()
    [[2.0, 5.0]]
    """
    known = np.isfinite(values)
    starts = np.asarray(bounds[:-1])
    total = np.add.reduceat(np.where(known, values, 0.0), starts, axis=-1)
    count = np.add.reduceat(known.astype(np.float64), starts, axis=-1)
    means: Floats = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return means
