"""The lines of the tables and of the picture: what is known of each metric, in the order shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from people_rows import ALSO, PARTIAL, PEARSON, Number, Row
from people_sets import MAIN, OWN
from people_stages import Scored
from people_variants import CONSENSUS, Label, metric_in


class Line(NamedTuple):
    """All that is known of a metric and its evidence."""

    label: Label
    better: str
    topics: Mapping[str, Row]
    models: Row | None
    gathering: float = math.nan
    seconds: float = math.nan

    @property
    def shown(self) -> str:
        """The metric, with an arrow where lower is better."""
        return f"{self.label.expression}{' ↓' if self.better == 'lower' else ''}"

    @property
    def also(self) -> bool:
        """Whether its values were given by a file."""
        return self.label.evidence == ALSO

    @property
    def consensus(self) -> bool:
        """Whether it puts several metrics' evidence together."""
        return not self.also and metric_in(self.label.expression) == CONSENSUS

    def number(self, name: str, coefficient: str = PEARSON) -> Number:
        """Return a coefficient of topics in a set."""
        row = self.topics.get(name)
        return Number() if row is None else row.number(coefficient)

    def values(self, coefficient: str = PEARSON) -> list[float]:
        """Return what is known in the main sets."""
        found = (self.number(one.name, coefficient) for one in MAIN)
        return [one.value for one in found if one.known]

    @property
    def everywhere(self) -> bool:
        """Whether it is known in all main sets."""
        return len(self.values()) == len(MAIN)

    @property
    def mean(self) -> float:
        """The mean size of Pearson's r over the main sets where it is known."""
        found = self.values()
        return mean(map(abs, found)) if found else math.nan

    @property
    def added(self) -> float:
        """The mean partial correlation over the main sets."""
        found = self.values(PARTIAL)
        return mean(found) if found else math.nan

    @property
    def against(self) -> bool:
        """Whether people clearly prefer what is declared to be worse: by the intervals, in half of
        the main sets or more.
        """
        sign = -1 if self.better == "lower" else 1
        found = [one for one in (self.number(each.name) for each in MAIN) if one.known]
        wrong = sum(max(sign * one.low, sign * one.high) < 0 for one in found)
        return bool(found) and 2 * wrong >= len(found)


def lines_of(rows: Iterable[Row], scored: Sequence[Scored]) -> list[Line]:
    """Put the rows of each metric together: of files, of consensus, then others, by their mean."""
    timed = {
        Label(one.expression, one.evidence): one for one in scored if one.folder == OWN.material[0]
    }
    topics: dict[Label, dict[str, Row]] = {}
    models: dict[Label, Row] = {}
    better: dict[Label, str] = {}
    for row in rows:
        better[row.label] = row.better
        if row.by == "topic":
            topics.setdefault(row.label, {})[row.set] = row
        else:
            models[row.label] = row
    lines = []
    for label, direction in better.items():
        one = timed.get(label)
        took = (one.gathering, one.seconds) if one else (math.nan, math.nan)
        lines.append(Line(label, direction, topics.get(label, {}), models.get(label), *took))
    return sorted(lines, key=_place)


def _place(line: Line) -> tuple[bool, bool, int, float]:
    size = 0.0 if math.isnan(line.mean) else line.mean
    return not line.also, not line.consensus, -len(line.values()), -size
