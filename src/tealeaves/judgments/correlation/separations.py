"""``Separations``: how well metrics separate good topics from bad ones, as rows and a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.judgments.correlation.correlations import Correlations
from tealeaves.tables.numbers import append_interval, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy, json_row

#: What is said of groups that no sample brings together.
APART = "wholly apart"
_ARROWS = {"lower": " ↓"}


class Separation(msgspec.Struct, frozen=True, kw_only=True):
    """How well one metric separates what people find good from what they find bad.

    ``auc`` is how likely a topic (or model) of the high group is better by the metric than one of
    the low group; equal ones count half. The metric's direction is in it: 1 is perfect, 0.5 is
    chance. ``low`` and ``high`` are the ends of its interval, which rests on ``clusters`` of
    near-identical topics. People gave the high group ``from_high`` or more, the low group
    ``to_low`` or less; ``n_high`` and ``n_low`` topics of these have a value, ``n_between`` are in
    neither group, and ``dropped`` have no value.
    """

    dataset: str
    task: str
    model: str = ""
    by: str
    metric: str
    split: str
    auc: float = math.nan
    low: float = math.nan
    high: float = math.nan
    n_high: int = 0
    n_low: int = 0
    n_between: int = 0
    dropped: int = 0
    from_high: float = math.nan
    to_low: float = math.nan
    clusters: int = 0
    draws: int = 0
    remark: str = ""

    @property
    def part(self) -> tuple[str, str, str]:
        """What was split together."""
        return self.dataset, self.task, self.model


class Separations(Tidy):
    """The separation by all metrics, for each data set and task.

    ``correlations`` is what the groups were taken from. JSON, Markdown and LaTeX have it, too.
    """

    rows_key = "separations"

    def __init__(self, rows: Sequence[Separation], correlations: Correlations) -> None:
        self.rows = list(rows)
        self.correlations = correlations
        self.notes = correlations.notes

    def auc(self, metric: str, **where: str) -> float:
        """Return the AUC of a metric; ``where`` tells data sets, tasks and models apart."""
        asked = {"metric": metric, **where}
        found = [row for row in self.rows if all(getattr(row, k) == v for k, v in asked.items())]
        if len(found) != 1:
            raise InputError(f"{len(found)} AUCs of {metric}: name dataset, task or model")
        return found[0].auc

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        return [msgspec.structs.asdict(row) for row in self.rows]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: the coefficients too."""
        rows = [json_row(row) for row in self.to_dicts()]
        return {**self.correlations.content, self.rows_key: rows}

    def to_markdown(self) -> str:
        """Return both tables in Markdown."""
        return f"{self.correlations.to_markdown()}\n{super().to_markdown()}"

    def to_latex(self) -> str:
        """Return both tables in LaTeX."""
        return f"{self.correlations.to_latex()}\n{super().to_latex()}"

    def table(self) -> Table:
        """Return the table that is printed: a row a metric."""
        names = ("dataset", "task", "model")
        named = [name for name in names if any(getattr(row, name) for row in self.rows)]
        better = self.correlations.better
        lines = []
        for row in self.rows:
            label = row.metric + _ARROWS.get(better.get(row.metric, ""), "")
            counts = [str(count) for count in (row.n_high, row.n_low, row.n_between)]
            lines.append(([*(getattr(row, name) for name in named), label], [_cell(row), *counts]))
        return text_table([*named, "metric"], ["AUC", "high", "low", "between"], lines)

    @property
    def legend(self) -> list[str]:
        """What the table's signs mean."""
        plan, rows = self.correlations.plan, self.rows
        lines = [
            f"AUC: how likely a {plan.by} of the high group is better by the metric than one of "
            "the low group, equal ones half: 1 is perfect, 0.5 is chance",
            *groups_said(rows),
        ]
        if any(math.isfinite(row.low) for row in rows):
            near = any(row.clusters < row.n_high + row.n_low for row in rows)
            units = "clusters of near-identical topics" if near else f"{plan.by}s"
            lines.append(
                f"[low, high]: {plan.level:.0%} interval, bootstrap over {units}, {plan.draws} "
                "draws; the groups stay as they are"
            )
        if any(row.remark == APART for row in rows):
            lines.append(
                f"{APART}: no sample of these topics differs, so that there is no interval"
            )
        return lines


def groups_said(rows: Iterable[Separation]) -> list[str]:
    """Say what groups there are, for each data set and task."""
    known = {row.part: row for row in rows if not math.isnan(row.from_high)}
    lines = []
    for part, row in known.items():
        name = f"{' '.join(filter(None, part))}: " if len(known) > 1 else ""
        lines.append(
            f"{name}high: {row.from_high:.3g} or more by people; low: {row.to_low:.3g} or less "
            f"(upper and lower {row.split}; equal scores are kept together)"
        )
    return lines


def _cell(row: Separation) -> str:
    value = number_text(row.auc)
    if row.remark:
        return f"{value} ({row.remark})"
    return append_interval(value, row.low, row.high)
