"""``Tradeoff``: agreement with people by the number of texts, as rows and a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.judgments.correlation.plan import Plan
from tealeaves.tables.numbers import DASH, append_interval, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy


class TradeoffPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The coefficient of one metric with people from so many texts.

    ``value`` is the mean over ``draws`` random subsets of the texts, ``low`` and ``high`` are
    quantiles over them. Topics or models without a value in a subset are left out there; ``n``
    are left in each at least. Subsets in which nothing can be correlated do not count.
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


class Tradeoff(Tidy):
    """How well metrics agree with people, by the number of texts that were used.

    ``texts`` is how many there are in all.
    """

    def __init__(
        self,
        rows: Sequence[TradeoffPoint],
        *,
        texts: int,
        plan: Plan,
        notes: Sequence[str] = (),
    ) -> None:
        self.rows = list(rows)
        self.texts = texts
        self.plan = plan
        self.notes = list(notes)

    def value(self, metric: str, texts: int | None = None, **where: str) -> float:
        """Return a metric's mean coefficient, by default from all texts."""
        size = self.texts if texts is None else texts
        asked = {"metric": metric, "texts": size, **where}
        found = [row for row in self.rows if all(getattr(row, k) == v for k, v in asked.items())]
        if len(found) != 1:
            raise InputError(f"{len(found)} values of {metric} from {size} texts: name a task")
        return found[0].value

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the points as dictionaries."""
        return [msgspec.structs.asdict(row) for row in self.rows]

    def table(self) -> Table:
        """Return the table that is printed: a row a number of texts, a column a metric."""
        names = ("dataset", "task")
        named = [name for name in names if any(getattr(row, name) for row in self.rows)]
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
            "the range is of subsets of these texts, so that it is nothing at all of them; how "
            "sure the coefficient itself is, `tealeaves correlate` tells",
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
