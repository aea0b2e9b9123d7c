"""``SavedScores``: scores from a file, and what the file says besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tealeaves.metrics.scores import Score, Scores


class SavedScores(Scores):
    """Scores from a file, and what the file says besides.

    ``datasets`` is the data set of each row, None where the file names none; ``topic_words`` are
    the words of topics by data set, model and topic, the topic's id as text.
    """

    def __init__(
        self,
        rows: Sequence[Score],
        *,
        datasets: Sequence[str | None],
        topic_words: Mapping[tuple[str | None, str, str], Sequence[str]] | None = None,
        **given: Any,
    ) -> None:
        super().__init__(rows, **given)
        self.datasets = list(datasets)
        self.topic_words = dict(topic_words or {})

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries, with the data set where the file names one."""
        rows = super().to_dicts()
        if not any(self.datasets):
            return rows
        return [{"dataset": d, **row} for d, row in zip(self.datasets, rows, strict=True)]
