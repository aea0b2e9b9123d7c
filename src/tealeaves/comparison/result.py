"""``Comparison``: what models scored, which differ, and by how much."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import msgspec

from tealeaves.comparison.design import Design
from tealeaves.errors import InputError
from tealeaves.metrics.scores import Score, Scores, score_table
from tealeaves.tables.numbers import DASH, interval_text, number_text, p_text
from tealeaves.tables.table import Cell, Table, text_table
from tealeaves.tables.tidy import Tidy, json_row

_CORRECTIONS = {
    "holm": "p corrected by Holm's method",
    "bh": "p corrected by the method of Benjamini and Hochberg",
    "none": "p not corrected",
}
_TESTS = {
    "permutation": "permutation test",
    "t": "t test (paired, else Welch's)",
    "wilcoxon": "Wilcoxon's signed rank test (without pairs, Mann and Whitney's)",
}


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two models on one metric.

    ``difference`` is that of the means, a - b, of the units that are tested: in pairs, those with a
    partner. ``low`` and ``high`` are its interval, not corrected. ``n`` counts pairs, or without
    pairs the units of both models; ``dropped_a`` and ``dropped_b`` the units that are not in it.
    """

    metric: str
    model_a: str
    model_b: str
    value_a: float
    value_b: float
    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    p_corrected: float = math.nan
    effect: float = math.nan
    effect_name: str = ""
    cliff_delta: float = math.nan
    n: int = 0
    dropped_a: int = 0
    dropped_b: int = 0
    test: str = ""
    pairing: str = ""
    significant: bool = False


class ComparedModel(msgspec.Struct, frozen=True, kw_only=True):
    """One model on one metric: its mean over topics or runs, with an interval and letters.

    A metric of whole models, compared over topics, has no units, no interval and no letters. A
    metric whose tests could not find a difference, however large, has no letters either.
    """

    model: str
    metric: str
    value: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    letters: str = ""
    support: float = 1.0


class UnitValue(msgspec.Struct, frozen=True):
    """The value of one topic or run, as charts show it."""

    model: str
    metric: str
    unit: str
    value: float


@dataclass(frozen=True)
class LetterCell(Cell):
    """A value with its letters; values that share one do not differ significantly."""

    letters: str = ""

    def __str__(self) -> str:
        """Write the value, then the letters."""
        return f"{super().__str__()} {self.letters}" if self.letters else super().__str__()


@dataclass(eq=False, repr=False)
class Comparison(Tidy):
    """Models on metrics: ``summary`` has each model, ``pairs`` each two models.

    Its rows are the pairs; its table has a row for each model and a column for each metric.
    ``design`` says how they were compared, ``units`` has the values of topics or runs, ``better``
    the direction of each metric. ``scores`` are the scores that were compared; they are not saved
    with it.
    """

    pairs: list[Pair]
    summary: list[ComparedModel]
    _: KW_ONLY
    design: Design
    better: dict[str, str]
    units: list[UnitValue] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scores: Scores | None = None

    @property
    def models(self) -> list[str]:
        """The names of the models, or families, in the order given."""
        return list(dict.fromkeys(row.model for row in self.summary))

    def pair(self, model_a: str, model_b: str, metric: str) -> Pair:
        """Return the row of two models, in the order in which they were given."""
        for row in self.pairs:
            if (row.model_a, row.model_b, row.metric) == (model_a, model_b, metric):
                return row
        raise InputError(
            f"{model_a} and {model_b} were not compared in this order on {metric}; there are the "
            f"models {', '.join(self.models)} and the metrics {', '.join(self.better)}"
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each metric and two models."""
        return [msgspec.structs.asdict(row) for row in self.pairs]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: the pairs, each model, how they were compared, and notes."""
        summary = [json_row(msgspec.structs.asdict(row)) for row in self.summary]
        return {
            "rows": super().content["rows"],
            "summary": summary,
            "design": msgspec.structs.asdict(self.design),
            "notes": self.notes,
        }

    def table(self) -> Table:
        """Return the table that is printed: models by metrics, with letters."""
        scores = [
            Score(row.model, None, row.metric, row.value, row.support, "") for row in self.summary
        ]
        plain = score_table(scores, self.better, {})
        letters = {(row.model, row.metric): row.letters for row in self.summary}
        widest = {
            metric: max(len(letters[model, metric]) for model in self.models)
            for metric in plain.metrics
        }
        rows: list[tuple[list[str], list[Cell]]] = [
            (
                [model],
                [
                    LetterCell(
                        cell.value,
                        cell.support,
                        cell.best,
                        letters=letters[model, metric].rjust(widest[metric])
                        if letters[model, metric]
                        else "",
                    )
                    for metric, cell in zip(plain.metrics, cells, strict=True)
                ],
            )
            for [model], cells in plain.rows
        ]
        return Table(plain.labels, plain.metrics, plain.arrows, rows)

    @property
    def legend(self) -> list[str]:
        """What letters mean, what was tested, and for which models it holds."""
        tested = f"({self.tested}; p ≤ {self.design.level:g})."
        lines = [f"Models that share a letter do not differ significantly {tested}"]
        if self.without_letters:
            why = "no test could find a difference, however large"
            lines = lines if any(row.letters for row in self.summary) else []
            lines.append(f"No letters for {', '.join(self.without_letters)}: {why} {tested}")
        if self.design.over == "topics":
            lines.append(
                "This holds for these trained models; other training runs of them may differ."
            )
        return [*lines, *(f"{line}." for line in self.table().legend)]

    @property
    def without_letters(self) -> list[str]:
        """The metrics whose tests could not find a difference, however large."""
        marked = {row.metric for row in self.summary if row.letters}
        tested = dict.fromkeys(row.metric for row in self.pairs if not math.isnan(row.p))
        return [metric for metric in tested if metric not in marked]

    @property
    def tested(self) -> str:
        """How models were tested, in words."""
        corrected = _CORRECTIONS[self.design.correction]
        over = "" if self.design.correction == "none" else " for the pairs of models of each metric"
        return f"{_TESTS[self.design.test]} over {self.design.units}, {corrected}{over}"


class PairTable(Tidy):
    """The same comparison with a table of each two models."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.notes = comparison.notes

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each metric and two models."""
        return self.comparison.to_dicts()

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: as of the comparison."""
        return self.comparison.content

    def table(self) -> Table:
        """Return the table that is printed: a row for each metric and two models."""
        percent = f"{100 * (1 - self.comparison.design.level):g} % interval"
        columns = [
            *["difference", percent, "p", "corrected", "effect", "Cliff's δ"],
            *["n", "dropped", "pairing"],
        ]
        rows = [
            ([row.metric, row.model_a, row.model_b], _shown(row)) for row in self.comparison.pairs
        ]
        return text_table(["metric", "model a", "model b"], columns, rows)

    @property
    def legend(self) -> list[str]:
        """What was tested, and what the columns are."""
        names = {
            "cohen_dz": "Cohen's d of the differences of pairs",
            "hedges_g": "Hedges' g",
        }
        used = {row.effect_name for row in self.comparison.pairs}
        effects = " or, without pairs, ".join(names[name] for name in names if name in used)
        return [
            f"difference: mean of a minus mean of b; {self.comparison.tested}. "
            f"* p ≤ {self.comparison.design.level:g}. Intervals are not corrected.",
            *([f"effect: {effects}."] if effects else []),
            f"dropped: {self.comparison.design.units} of a + those of b that are not in n.",
        ]


def _shown(row: Pair) -> list[str]:
    units = [str(row.n), f"{row.dropped_a} + {row.dropped_b}", row.pairing]
    if math.isnan(row.p):
        return [*[DASH] * 6, *units]
    star = "*" if row.significant else ""
    interval = interval_text(row.low, row.high, 4) or DASH
    effects = [number_text(effect, 2) for effect in (row.effect, row.cliff_delta)]
    p = [p_text(row.p, 4), f"{p_text(row.p_corrected, 4)}{star}"]
    return [number_text(row.difference, 4), interval, *p, *effects, *units]
