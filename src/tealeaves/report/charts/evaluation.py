"""The chart of an evaluation: errors with intervals, and simple answers as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.report.charts.blocks import panels as panel_block
from tealeaves.report.charts.blocks.headings import titled
from tealeaves.report.charts.blocks.intervals import Intervals, Rule, interval_limits
from tealeaves.report.charts.blocks.numbers import percent
from tealeaves.report.charts.blocks.panels import configured, stacked
from tealeaves.report.charts.blocks.rows import fields, finite
from tealeaves.report.charts.blocks.style import DARK, colours, tooltip

if TYPE_CHECKING:
    from tealeaves.lexicon.error.evaluation import Evaluation
    from tealeaves.lexicon.error.summaries import ErrorSummary

_DASHES = ([4, 3], [1, 3], [8, 3, 1, 3])
_TITLE = "How far models are from annotations"
_ALL = "all"
_SHORTEST = 0.1


def evaluation_chart(evaluation: Evaluation) -> Any:
    """Return an Altair chart: E of each model with its interval over lemmas, by part of speech.

    Dashed lines are the errors of simple answers. If there are several target languages, the mean
    over all comes first, then a panel for each.
    """
    targets: list[str | None] = list(evaluation.targets)
    if len(targets) > 1:
        targets.insert(0, None)
    title, most = _TITLE, panel_block.MOST_PANELS
    if len(targets) > most:
        title += f" (the first {most - 1} of {len(targets) - 1:,} languages)"
    ends = [end for row in evaluation.summaries for end in (row.error, row.low, row.high)]
    # the axis has some length even if nothing is wrong
    domain = interval_limits([*ends, *(row.error for row in evaluation.lines), _SHORTEST])
    panels = [_language_panel(evaluation, target, domain) for target in targets[:most]]
    return configured(stacked(panels, title=titled(title)))


def _language_panel(evaluation: Evaluation, target: str | None, domain: list[float]) -> Any:
    rows = [
        row
        for pos in [None, *evaluation.pos]
        for row in evaluation.selected(target, pos)
        if row.kind == "model"
    ]
    series = {_ALL: DARK} | dict(zip(evaluation.pos, colours(len(evaluation.pos)), strict=True))
    drawing = Intervals(
        [_row(row) for row in rows],
        list(dict.fromkeys(row.model for row in rows)),
        series,
        series,
        domain,
        axis="E (lower is better)",
        legend="part of speech",
        tooltip=tooltip(
            ("label:N", "model"),
            ("series:N", "part of speech"),
            ("value:Q", "E", ".3f"),
            ("low:Q", "", ".3f"),
            ("high:Q", "", ".3f"),
            "lemmas:Q tokens:Q letters:N",
            ("empty:Q", "share of empty tokens", ".3f"),
        ),
    )
    answers = [row for row in evaluation.selected(target) if row.kind == "line"]
    rules = [
        Rule([row.error], f"{row.model}: {row.error:.3f}", dash)
        for row, dash in zip(answers, _DASHES, strict=False)
    ]
    name = target or (f"{_ALL} languages" if len(evaluation.targets) > 1 else "E")
    heading = titled(name, _subtitle(evaluation, rows), size=13)
    return drawing.panel([*drawing.rules(rules), *drawing.points()], title=heading)


def _row(row: ErrorSummary) -> dict[str, Any]:
    return {
        "label": row.model,
        "series": row.pos or _ALL,
        "value": finite(row.error),
        **fields(row, "low", "high", "lemmas", "tokens", "letters"),
        "empty": finite(row.measures.empty_extracted),
    }


def _subtitle(evaluation: Evaluation, rows: list[ErrorSummary]) -> list[str]:
    numbers = sorted({row.lemmas for row in rows if row.pos is None})
    lemmas = "–".join(f"{number:,}" for number in dict.fromkeys((numbers[0], numbers[-1])))
    return [
        f"points are means over {lemmas} lemmas with {percent(evaluation.plan.level)} intervals",
        "dashed lines are answers that need no model",
    ]
