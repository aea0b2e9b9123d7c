"""The verdict: which model is best, how sure that is, and by which metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.comparison.result import ComparedModel, Comparison
from tealeaves.metrics.scores import ARROWS
from tealeaves.report.run.run import Run
from tealeaves.report.sections.models import Ranking, comparison_figure, table_of_tests
from tealeaves.report.sections.parts import Cell, Notes, Part, ReportTable, Section
from tealeaves.report.sections.sentences import interval, listed, number, percent, quoted

_TITLE = "Verdict"
# more rows than these are for the command line: `tealeaves compare --pairs`
_MOST_PAIRS = 200
#: The verdict shows so many notes.
MOST_NOTES = 6
_UNTESTED = "No test could tell the models apart on it."
_LOW_SUPPORT = 0.8
# with more metrics a table would be all brackets; the figure below it has the intervals
_MOST_INTERVALS = 4

Means = dict[tuple[str, str], ComparedModel]


def verdict(run: Run) -> Section | None:
    """Return the models ranked, with intervals and significance; None if nothing was scored."""
    if not run.metrics or not run.models:
        return None
    ranking = Ranking.of_models(run)
    metric = _decisive(run, ranking)
    parts: list[Part] = [_table(run, ranking, metric)]
    tested = run.tested
    if tested is not None:
        parts.append(comparison_figure(tested, [name for _, name in ranking.places(metric)]))
        if len(tested.pairs) <= _MOST_PAIRS:
            parts.append(table_of_tests(tested))
    if run.analysis and run.analysis.untested:
        parts.append(Notes("Not tested", [run.analysis.untested]))
    notes = _first_notes(run.notes)
    notes += [note for note in (tested.notes if tested else ()) if note not in run.notes]
    if notes:
        parts.append(Notes("Please note", notes))
    title = "The best runs" if run.selections else _TITLE
    return Section("verdict", title, _lead(run, ranking, metric), parts)


def _first_notes(notes: Sequence[str]) -> list[str]:
    """Return the first notes; all are at the end of the report."""
    more = len(notes) - MOST_NOTES
    if more <= 1:
        return list(notes)
    return [*notes[:MOST_NOTES], f"{more} more notes: see “What this rests on”, at the end"]


def _decisive(run: Run, ranking: Ranking) -> str:
    """Return the metric that decides; of families one that they have a value of."""
    if not run.decisive or ranking.firsts(run.decisive):
        return run.decisive
    return next((name for name in run.shared_metrics if ranking.firsts(name)), "")


# ---------------------------------------------------------------------- sentences


def _lead(run: Run, ranking: Ranking, metric: str) -> list[str]:
    if run.selections:
        return ["These are the best runs of the candidates. The section above compares them."]
    if not metric:
        return [_why_unranked(run)]
    firsts = ranking.firsts(metric)
    facts = run.facts.get(metric)
    by, best = f"{metric} ({facts.summary})" if facts else metric, quoted(firsts)
    value = number(ranking.value(firsts[0], metric))
    if len(firsts) > 1:
        return [f"{best} share the first place by {by}, with {value}.", *_low_support(run)]
    mean = _means(run).get((firsts[0], metric))
    limits = interval(mean.low, mean.high) if mean else ""
    value += f" ({limits})" * bool(limits)
    if len(ranking.names) == 1:
        return [f"{best} scores {value} by {by}.", *_low_support(run)]
    return [
        f"{best} is best by {by}: {value}.",
        *(_significance(run.tested, metric, firsts[0]) if run.tested else ()),
        *_other_metrics(run, ranking, firsts[0]),
        *_low_support(run),
    ]


def _why_unranked(run: Run) -> str:
    shared = run.shared_metrics
    values = [run.model_value(model.name, metric) for model in run.models for metric in shared]
    if any(map(math.isinf, values)):
        return f"No model has a finite value of {listed(shared)}: none can be called the best."
    if shared:
        return (
            f"No model has a value of {listed(shared)}. Do the texts have the words of these "
            "topics, in the same spelling?"
        )
    unknown = [name for name in run.metrics if not run.scores.better.get(name)]
    if len(unknown) == len(run.metrics):
        return (
            f"Models are not ranked, because it is not known whether higher or lower is better for "
            f"{listed(unknown)}."
        )
    return (
        "Models cannot be ranked: no metric whose direction is known was computed for all of them."
    )


def _significance(comparison: Comparison, metric: str, best: str) -> list[str]:
    rows = {row.model: row for row in comparison.summary if row.metric == metric}
    first = rows.get(best)
    if first is None:
        return []
    if not first.letters:
        tested = any(row.letters for row in rows.values())
        return ["It could not be tested against the others." if tested else _UNTESTED]
    equal = [
        name for name, row in rows.items() if name != best and set(row.letters) & set(first.letters)
    ]
    untested = [name for name, row in rows.items() if not row.letters]
    if equal:
        return [f"It does not differ significantly from {quoted(equal)}."]
    others = "all others that could be tested" if untested else "all others"
    return [f"It differs significantly from {others}."]


def _other_metrics(run: Run, ranking: Ranking, best: str) -> list[str]:
    firsts = {metric: ranking.firsts(metric) for metric in run.shared_metrics}
    # a metric by which all are equal, or none has a value, says nothing
    telling = {name: some for name, some in firsts.items() if 0 < len(some) < len(ranking.names)}
    if len(telling) < 2:
        return []
    alone = [name for name, some in telling.items() if some == [best]]
    if len(alone) == len(telling):
        whole = "Both metrics" if len(telling) == 2 else f"All {len(telling)} metrics"
        which = " that tell models apart" if len(telling) < len(run.metrics) else ""
        return [f"{whole}{which} put it first."]
    shared = [name for name, some in telling.items() if best in some and len(some) > 1]
    others = [f"by {listed(shared)} it shares the first place"] if shared else []
    others += _dissent({name: some for name, some in telling.items() if best not in some})
    put = "puts" if len(alone) == 1 else "put"
    return [f"{len(alone)} of {len(telling)} metrics {put} it first; {listed(others, 3)}."]


def _dissent(firsts: dict[str, list[str]]) -> list[str]:
    """Say which metrics put others first.

    >>> _dissent({"purity": ["nmf"], "perplexity": ["nmf"], "c_v": ["btm"]})
    ['purity and perplexity put “nmf” first', 'c_v puts “btm” first']
    """
    metrics: dict[tuple[str, ...], list[str]] = {}
    for metric, names in firsts.items():
        metrics.setdefault(tuple(names), []).append(metric)
    return [
        f"{listed(some)} put{'s' * (len(some) == 1)} {quoted(names)} first"
        for names, some in metrics.items()
    ]


def _low_support(run: Run) -> list[str]:
    low = sorted(
        (row.support, row.model, row.metric)
        for row in run.scores.rows
        if row.topic is None and row.support < _LOW_SUPPORT
    )
    if not low:
        return []
    share, model, metric = low[0]
    return [
        f"Look at the support: {metric} of {quoted([model])} rests on {percent(share)} of its "
        "comparisons."
    ]


# ---------------------------------------------------------------------- the table


def _table(run: Run, ranking: Ranking, metric: str) -> ReportTable:
    tested, means = run.tested, _means(run)
    wide = len(run.metrics) > _MOST_INTERVALS
    places = ranking.places(metric) if metric else [(None, name) for name in ranking.names]
    over_topics = tested is None or tested.design.over == "topics"
    sizes = {model.name: len(model.topics) for model in run.models}
    if tested is not None and not over_topics:
        sizes = {row.model: row.n for row in tested.summary}
    rows: list[list[Cell]] = [
        [
            *(place, name),
            *(_cell(run, ranking, means, (name, one), wide=wide) for one in run.metrics),
            sizes.get(name),
        ]
        for place, name in places
    ]
    headings = [
        f"{one} {ARROWS.get(run.scores.better.get(one, ''), '')}".rstrip() for one in run.metrics
    ]
    columns = ["rank", "model", *headings, "topics" if over_topics else "runs"]
    caption = f"Models by {metric}, best first" if metric else "Models, in the order given"
    caption = "The model" if len(ranking.names) == 1 else caption
    legend = [] if wide else _legend_of_brackets(means, tested)
    return ReportTable(
        caption, columns, rows, labels=2, legend=[*legend, *(tested.legend if tested else [])]
    )


def _means(run: Run) -> Means:
    """Return the means with intervals: those of the tests, or those of a single model."""
    intervals = run.analysis.intervals if run.analysis else []
    rows = intervals if run.tested is None else run.tested.summary
    return {(row.model, row.metric): row for row in rows}


def _legend_of_brackets(means: Means, tested: Comparison | None) -> list[str]:
    if not any(math.isfinite(row.low) for row in means.values()):
        return []
    share = f"{100 * (1 - tested.design.level):g}" if tested else "95"
    units = tested.design.units if tested else "topics"
    return [f"In brackets: the {share} % interval of the mean over {units}."]


def _cell(
    run: Run, ranking: Ranking, means: Means, key: tuple[str, str], *, wide: bool
) -> str | None:
    """Write a score with its interval, for which a wide table has no room, and its letters."""
    if key not in ranking.values:
        return None
    texts = [number(ranking.values[key])]
    if mean := means.get(key):
        if not wide and math.isfinite(mean.low):
            texts.append(f"[{number(mean.low)}, {number(mean.high)}]")
        texts += [mean.letters] * bool(mean.letters)
    name, metric = key
    row = run.values.get((name, None, metric))
    if row is not None and 0 < row.support < 1:
        texts.append(f"({percent(row.support)} support)")
    return " ".join(texts)
