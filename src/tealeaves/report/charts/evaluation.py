"""The chart of an evaluation: errors with intervals, and simple answers as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.extras import require
from tealeaves.report.charts.blocks import MOST_BLOCKS
from tealeaves.report.charts.intervals import WIDTH, Intervals, limits
from tealeaves.report.charts.rules import Rule, ruled
from tealeaves.report.charts.style import DARK, colours, configured, known, stacked, titled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tealeaves.lexicon.error.evaluation import Evaluation
    from tealeaves.lexicon.error.summaries import ModelSummary

_DASHES = ([4, 3], [1, 3], [8, 3, 1, 3])
_TITLE = "How far models are from annotations"
_ALL = "all"
_SHORTEST = 0.1


def evaluation_chart(evaluation: Evaluation) -> Any:
    """Return an Altair chart: E of each model with its interval over lemmas, by part of speech.

    Dashed lines are the errors of simple answers. Of several target languages, the mean over all
    comes first, then a panel for each.
    """
    altair = require("altair", extra="report", reason="a chart")
    targets: list[str | None] = list(evaluation.targets)
    if len(targets) > 1:
        targets.insert(0, None)
    title = _TITLE
    if len(targets) > MOST_BLOCKS:
        title += f" (the first {MOST_BLOCKS - 1} of {len(targets) - 1:,} languages)"
    ends = [end for row in evaluation.summaries for end in (row.error, row.low, row.high)]
    # the axis has some length even if nothing is wrong
    domain = limits([*ends, *(row.error for row in evaluation.lines), _SHORTEST])
    panels = [_panel(altair, evaluation, target, domain) for target in targets[:MOST_BLOCKS]]
    return configured(stacked(altair, panels, title=titled(altair, title)))


def _panel(altair: Any, evaluation: Evaluation, target: str | None, domain: list[float]) -> Any:
    rows = [
        row
        for pos in [None, *evaluation.pos]
        for row in evaluation.selected(target, pos)
        if row.kind == "model"
    ]
    rules = _rules(evaluation, target)
    series = {_ALL: DARK} | dict(zip(evaluation.pos, colours(len(evaluation.pos)), strict=True))
    drawing = Intervals(
        altair,
        [_row(row) for row in rows],
        list(dict.fromkeys(row.model for row in rows)),
        series,
        series,
        domain,
        axis="E (lower is better)",
        legend="part of speech",
        tooltip=_tooltip(altair),
    )
    layers = [*ruled(drawing, rules), *drawing.layers()]
    heading = titled(
        altair,
        target or (_ALL + " languages" if len(evaluation.targets) > 1 else "E"),
        _subtitle(evaluation, rows),
        size=13,
    )
    return altair.layer(*layers, width=WIDTH, height=drawing.height, title=heading)


def _rules(evaluation: Evaluation, target: str | None) -> list[Rule]:
    lines = [row for row in evaluation.selected(target) if row.kind == "line"]
    return [
        Rule([row.error], f"{row.model}: {row.error:.3f}", dash)
        for row, dash in zip(lines, _DASHES, strict=False)
    ]


def _row(row: ModelSummary) -> dict[str, Any]:
    return {
        "label": row.model,
        "series": row.pos or _ALL,
        "value": known(row.error),
        "low": known(row.low),
        "high": known(row.high),
        "lemmas": row.lemmas,
        "tokens": row.tokens,
        "letters": row.letters,
        "empty": known(row.measures.empty_extracted),
    }


def _subtitle(evaluation: Evaluation, rows: Sequence[ModelSummary]) -> list[str]:
    numbers = sorted({row.lemmas for row in rows if row.pos is None})
    lemmas = "–".join(f"{number:,}" for number in dict.fromkeys((numbers[0], numbers[-1])))
    return [
        f"mean over {lemmas} lemmas with {100 * evaluation.plan.level:g} % interval",
        "dashed: answers that need no model",
    ]


def _tooltip(altair: Any) -> list[Any]:
    return [
        altair.Tooltip("label:N", title="model"),
        altair.Tooltip("series:N", title="part of speech"),
        altair.Tooltip("value:Q", title="E", format=".3f"),
        altair.Tooltip("low:Q", format=".3f"),
        altair.Tooltip("high:Q", format=".3f"),
        altair.Tooltip("lemmas:Q"),
        altair.Tooltip("tokens:Q"),
        altair.Tooltip("letters:N"),
        altair.Tooltip("empty:Q", title="share of empty tokens", format=".3f"),
    ]
