"""The verdict: which model is best, how sure that is, and by which metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tealeaves.comparison.result import ComparedModel, Comparison
from tealeaves.report.run.findings import Findings
from tealeaves.report.sections.compared_models import comparison_figure, tests_of
from tealeaves.report.sections.comparing import compared_of, interval_alone
from tealeaves.report.sections.parts import Cell, Notes, Part, ReportTable, Section
from tealeaves.report.sections.standing import Standing, standing_of
from tealeaves.report.sections.wording import interval, isolated, listed, number, percent

_TITLE = "Verdict"
_ARROWS = {"higher": "↑", "lower": "↓"}
# more rows than these are for the command line: `tealeaves compare --pairs`
_MOST_PAIRS = 200
#: So many notes stand in the verdict.
MOST_NOTES = 6
_UNTESTED = "No test could tell the models apart on it."
_LOW_SUPPORT = 0.8
# with more metrics a table would be all brackets; the figure below it has the intervals
_MOST_INTERVALS = 4

Known = dict[tuple[str, str], ComparedModel]


def verdict(found: Findings) -> Section | None:
    """Return the models ranked, with intervals and significance; None where nothing was scored."""
    if not found.metrics or not found.models:
        return None
    compared, why_not = compared_of(found)
    standing = standing_of(found, compared)
    metric = _decisive(found, standing)
    parts: list[Part] = [_ranking(found, compared, standing, metric)]
    if compared is not None:
        parts.append(comparison_figure(compared, [name for _, name in standing.ranked(metric)]))
        if len(compared.pairs) <= _MOST_PAIRS:
            parts.append(tests_of(compared))
    if why_not:
        parts.append(Notes("Not tested", [why_not]))
    told = _first(found.notes)
    told += [note for note in (compared.notes if compared else ()) if note not in found.notes]
    if told:
        parts.append(Notes("To be kept in mind", told))
    title = "The best runs" if found.selections else _TITLE
    return Section("verdict", title, _lead(found, compared, standing, metric), parts)


def _first(notes: Sequence[str]) -> list[str]:
    """Return the first notes; all are told at the end."""
    more = len(notes) - MOST_NOTES
    if more <= 1:
        return list(notes)
    return [*notes[:MOST_NOTES], f"{more} more notes: see “What this rests on”, at the end"]


def _decisive(found: Findings, standing: Standing) -> str:
    """Return the metric that decides; of families one that they have a value of."""
    if not found.decisive or standing.firsts(found.decisive):
        return found.decisive
    return next((name for name in found.shared if standing.firsts(name)), "")


# ---------------------------------------------------------------------- in words


def _lead(
    found: Findings, compared: Comparison | None, standing: Standing, metric: str
) -> list[str]:
    if found.selections:
        return ["The best run of each candidate. What differs clearly is told above, over runs."]
    if not metric:
        return [_why_unranked(found)]
    firsts = standing.firsts(metric)
    value = _with_interval(found, compared, standing, (firsts[0], metric))
    by, best = _explained(found, metric), quoted(firsts)
    if len(standing.names) == 1:
        return [f"{best} has {value} by {by}.", *_low_support(found)]
    if len(firsts) > 1:
        value = number(standing.value(firsts[0], metric))
        return [f"{best} share the first place by {by}: {value}.", *_low_support(found)]
    said = [f"{best} is best by {by}: {value}."]
    if compared is not None:
        said += _significance(compared, metric, firsts[0])
    return [*said, *_other_metrics(found, standing, firsts[0]), *_low_support(found)]


def quoted(names: Sequence[str]) -> str:
    """Write names of models in a sentence.

    >>> quoted(["lda", "nmf"])
    '“lda” and “nmf”'
    """
    return listed([f"“{isolated(name)}”" for name in names])


def _with_interval(
    found: Findings, compared: Comparison | None, standing: Standing, key: tuple[str, str]
) -> str:
    row = _known(found, compared).get(key)
    inside = interval(row.low, row.high) if row else ""
    return number(standing.value(*key)) + f" ({inside})" * bool(inside)


def _why_unranked(found: Findings) -> str:
    if found.shared and any(map(math.isinf, _values(found))):
        return (
            f"No model has a finite value of {listed(found.shared)}: none can be called the best."
        )
    if found.shared:
        return (
            f"No model has a value of {listed(found.shared)}. Do the texts have the words of these "
            "topics, written like them?"
        )
    unknown = [name for name in found.metrics if not found.scores.better.get(name)]
    if len(unknown) == len(found.metrics):
        return (
            f"Whether more or less is better is not known of {listed(unknown)}: models are not "
            "ranked."
        )
    return (
        "No metric whose direction is known was computed for all models: they cannot be ranked "
        "together."
    )


def _values(found: Findings) -> list[float]:
    names = [model.name for model in found.models]
    return [found.model_value(name, metric) for name in names for metric in found.shared]


def _explained(found: Findings, metric: str) -> str:
    """Return a metric and what it is."""
    facts = found.facts.get(metric)
    return f"{metric} ({facts.summary})" if facts else metric


def _significance(compared: Comparison, metric: str, best: str) -> list[str]:
    rows = {row.model: row for row in compared.summary if row.metric == metric}
    mine = rows.get(best)
    if mine is None:
        return []
    if not mine.letters:
        tested = any(row.letters for row in rows.values())
        return ["It could not be tested against the others." if tested else _UNTESTED]
    equal = [
        name for name, row in rows.items() if name != best and set(row.letters) & set(mine.letters)
    ]
    untested = [name for name, row in rows.items() if not row.letters]
    if equal:
        return [f"It does not differ significantly from {quoted(equal)}."]
    others = "all others that could be tested" if untested else "all others"
    return [f"It differs significantly from {others}."]


def _other_metrics(found: Findings, standing: Standing, best: str) -> list[str]:
    firsts = {metric: standing.firsts(metric) for metric in found.shared}
    # a metric by which all are equal, or none has a value, says nothing
    telling = {name: some for name, some in firsts.items() if 0 < len(some) < len(standing.names)}
    if len(telling) < 2:
        return []
    alone = [name for name, some in telling.items() if some == [best]]
    if len(alone) == len(telling):
        whole = "Both metrics" if len(telling) == 2 else f"All {len(telling)} metrics"
        apart = " that tell models apart" if len(telling) < len(found.metrics) else ""
        return [f"{whole}{apart} put it first."]
    shared = [name for name, some in telling.items() if best in some and len(some) > 1]
    others = [f"by {listed(shared)} it shares the first place"] if shared else []
    others += _dissent({name: some for name, some in telling.items() if best not in some})
    return [f"{len(alone)} of {len(telling)} metrics put it first; {listed(others, 3)}."]


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


def _low_support(found: Findings) -> list[str]:
    low = sorted(
        (row.support, row.model, row.metric)
        for row in found.scores.rows
        if row.topic is None and row.support < _LOW_SUPPORT
    )
    if not low:
        return []
    share, model, metric = low[0]
    return [
        f"Look at the support: {metric} of {quoted([model])} rests on {percent(share)} of its "
        "comparisons."
    ]


# ---------------------------------------------------------------------- tables and chart


def _ranking(
    found: Findings, compared: Comparison | None, standing: Standing, metric: str
) -> ReportTable:
    known = _known(found, compared)
    wide = len(found.metrics) > _MOST_INTERVALS
    places = standing.ranked(metric) if metric else [(None, name) for name in standing.names]
    sizes = _sizes(found, compared)
    rows: list[list[Cell]] = [
        [
            *(place, name),
            *(_cell(found, standing, known, (name, one), wide=wide) for one in found.metrics),
            sizes.get(name),
        ]
        for place, name in places
    ]
    over_topics = compared is None or compared.design.over == "topics"
    columns = ["rank", "model", *(_heading(found, one) for one in found.metrics)]
    columns.append("topics" if over_topics else "runs")
    one = len(standing.names) == 1
    caption = f"Models by {metric}, best first" if metric else "Models, in the order given"
    caption = "The model" if one else caption
    legend = [] if wide else _brackets(known, compared)
    return ReportTable(
        caption, columns, rows, labels=2, legend=[*legend, *(compared.legend if compared else [])]
    )


def _known(found: Findings, compared: Comparison | None) -> Known:
    if compared is not None:
        return {(row.model, row.metric): row for row in compared.summary}
    return interval_alone(found)


def _sizes(found: Findings, compared: Comparison | None) -> dict[str, int]:
    """Return how many topics each model has, or how many runs each family."""
    if compared is not None and compared.design.over != "topics":
        return {row.model: row.n for row in compared.summary}
    return {model.name: len(model.topics) for model in found.models}


def _heading(found: Findings, metric: str) -> str:
    return f"{metric} {_ARROWS.get(found.scores.better.get(metric, ''), '')}".rstrip()


def _brackets(known: Known, compared: Comparison | None) -> list[str]:
    if not any(math.isfinite(row.low) for row in known.values()):
        return []
    share = f"{100 * (1 - compared.design.level):g}" if compared else "95"
    units = "runs" if compared and compared.design.over != "topics" else "topics"
    return [f"In brackets: {share} % interval of the mean over {units}."]


def _cell(
    found: Findings, standing: Standing, known: Known, key: tuple[str, str], *, wide: bool
) -> str | None:
    """Write a score with its interval, for which a wide table has no room, and its letters."""
    if key not in standing.values:
        return None
    said = [number(standing.values[key])]
    if summary := known.get(key):
        if not wide and math.isfinite(summary.low):
            said.append(f"[{number(summary.low)}, {number(summary.high)}]")
        said += [summary.letters] * bool(summary.letters)
    name, metric = key
    row = found.values.get((name, None, metric))
    if row is not None and 0 < row.support < 1:
        said.append(f"({percent(row.support)} support)")
    return " ".join(said)
