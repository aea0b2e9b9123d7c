"""Long texts of a page, which many of its tables and charts share: each is there once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tealeaves.report.pages.embedding import encoded

#: Shorter ones, as they are in JSON, stay where they are.
SHORTEST = 24


class Pool:
    """Texts and lists of words by their numbers, in the order in which they came."""

    def __init__(self) -> None:
        self._numbers: dict[str | bytes, int] = {}
        self.values: list[Any] = []

    def rows(self, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return rows in which a number stands for each long value.

        >>> pool, long = Pool(), "one two three four five six"
        >>> pool.rows([["tea", long], [0.5, long]]), pool.values
        ([['tea', {'$': 0}], [0.5, {'$': 0}]], ['one two three four five six'])
        """
        return [[self._pooled(value) for value in row] for row in rows]

    def _pooled(self, value: Any) -> Any:
        if not isinstance(value, str | list):
            return value
        key = value if isinstance(value, str) else encoded(value)
        if len(key) < SHORTEST:
            return value
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return {"$": self._numbers[key]}
