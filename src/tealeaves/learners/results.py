"""What results on predicted topics have in common: rows, the level of intervals, and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tealeaves.parameters import wrong_value
from tealeaves.tables.tidy import Tidy

Row = TypeVar("Row")

#: The level of intervals unless another is asked for.
LEVEL = 0.9


@dataclass(eq=False, repr=False)
class TopicResults(Tidy, Generic[Row]):
    """Rows on topics that are judged by their first ``top`` words, with intervals of a level."""

    rows: list[Row]
    level: float
    top: int | None
    notes: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def check_level(level: float, highest: float = 1.0) -> None:
    """Raise for a level that is not between 0 and 1, or is above the highest that is known."""
    number: object = level
    if not (isinstance(number, int | float) and 0 < number < 1 and number <= highest):
        within = "between 0 and 1" if highest == 1 else f"above 0, and at most {highest}"
        raise wrong_value("level", level, within)


def main_parts(parts: dict[str, float], least: float = 0.0) -> list[str]:
    """Return the names of the parts of a prediction, those that moved it most first.

    >>> main_parts({"a": 0.1, "b": -0.3, "c": 0.01}, least=0.05)
    ['b', 'a']
    """
    ordered = sorted(parts, key=lambda name: -abs(parts[name]))
    return [name for name in ordered if abs(parts[name]) >= least]
