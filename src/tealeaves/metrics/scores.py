"""``Scores``: tidy rows that print as a table and can be saved in many formats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.tables.table import MARK_LEGEND, Cell, MarkedWords, Table
from tealeaves.tables.tidy import Tidy

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from tealeaves.evidence.evidence import Evidence
    from tealeaves.metrics.base import Metric

Topic = int | str | None

# Scores are compared when the support of each is at least this share of the largest support.
_COMPARABLE = 0.9
#: The mark of better values in headings.
ARROWS = {"higher": "↑", "lower": "↓"}


class Score(msgspec.Struct, frozen=True, gc=False):  # it holds nothing that can hold it
    """One number and what it rests on.

    Parameters
    ----------
    model
        The name of the model.
    topic
        The id of the topic; None if the number is the model's.
    metric
        The expression of the metric.
    value
        The number; NaN if it is undefined.
    support
        The share of comparisons that could be made, from 0 to 1.
    signature
        Everything that changes the number: parameters, tokens, texts, version.
    error
        The standard error of a number that was drawn at random; None if nothing was drawn, or only
        once.
    """

    model: str
    topic: Topic
    metric: str
    value: float
    support: float
    signature: str
    error: float | None = None

    def __post_init__(self) -> None:
        if self.error is not None and math.isnan(self.error):
            msgspec.structs.force_setattr(self, "error", None)


class Scores(Tidy):
    """The scores of models and of their topics.

    ``notes`` says in plain sentences what was left out. ``words`` holds the words of topics,
    for tables; ``better`` the direction of each metric. ``marked`` are the words that fit their
    topic badly, the worst first, by model and topic; it is empty where none were looked for.
    ``evidence`` is the evidence behind scores that were just computed, and ``also`` has the metrics
    that it was gathered for but that were not scored; they are not saved.
    """

    columns = tuple(name for name in Score.__struct_fields__ if name != "error")
    rows_key = "scores"

    def __init__(
        self,
        rows: Sequence[Score],
        *,
        better: Mapping[str, str] | None = None,
        words: Mapping[tuple[str, Topic], Sequence[str]] | None = None,
        marked: Mapping[tuple[str, Topic], tuple[str, ...]] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.rows: list[Score] = list(rows)
        self.better = dict(better or {})
        self.words = dict(words or {})
        self.marked = dict(marked or {})
        self.notes = list(notes)
        self.evidence: Evidence | None = None
        self.also: list[Metric] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "evidence": None, "also": []}

    def __iter__(self) -> Iterator[Score]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def models(self) -> Scores:
        """The rows of models."""
        return self._with([row for row in self.rows if row.topic is None])

    @property
    def topics(self) -> Scores:
        """The rows of topics."""
        return self._with([row for row in self.rows if row.topic is not None])

    def value(self, model: str, metric: str | Metric, topic: Topic = None) -> float:
        """Return one number: of a topic, or of the model.

        Parameters
        ----------
        model
            The name of the model.
        metric
            The metric, or its expression.
        topic
            The id of the topic; None for the model.
        """
        from tealeaves.metrics.registry import metric as parsed

        known = {row.metric for row in self.rows}
        label = metric if metric in known else repr(parsed(metric))
        for row in self.rows:
            if (row.model, row.metric, str(row.topic)) == (model, label, str(topic)):
                return row.value
        models, labels = ({getattr(r, name) for r in self.rows} for name in ("model", "metric"))
        what = model if topic is None else f"topic {topic!r} of {model}"
        raise InputError(
            f"there is no score of {label} for {what} (models: {', '.join(sorted(models))}; "
            f"metrics: {', '.join(sorted(labels))})"
        )

    def _with(self, rows: list[Score]) -> Scores:
        return Scores(
            rows, better=self.better, words=self.words, marked=self.marked, notes=self.notes
        )

    # ------------------------------------------------------------------ data frames

    @property
    def _names(self) -> tuple[str, ...]:
        drawn = any(row.error is not None for row in self.rows)
        return (*self.columns, "error") if drawn else self.columns

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries.

        They have an ``error`` where any number was drawn, and ``odd`` words where these were
        marked, None for models and for topics that could not be judged.
        """
        names = self._names
        rows = [{name: getattr(row, name) for name in names} for row in self.rows]
        odd = self._odd
        return rows if odd is None else [{**r, "odd": o} for r, o in zip(rows, odd, strict=True)]

    @property
    def _odd(self) -> list[list[str] | None] | None:
        """The odd words of each row; None where there are no topics, or none was looked for."""
        if not self.marked or all(row.topic is None for row in self.rows):
            return None
        by_row = (self.marked.get((row.model, row.topic)) for row in self.rows)
        return [None if words is None else list(words) for words in by_row]

    def to_polars(self) -> pl.DataFrame:
        """Return a polars data frame; topic ids are text."""
        import polars as pl

        kinds: dict[str, Any] = {"topic": pl.String, "error": pl.Float64, "odd": pl.List(pl.String)}
        columns = self._columns()
        return pl.DataFrame(
            columns, schema_overrides={name: kinds[name] for name in kinds if name in columns}
        )

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas data frame; topic ids are text (extra ``pandas``)."""
        from tealeaves.extras import require

        pandas = require("pandas", extra="pandas", reason="to_pandas")
        return pandas.DataFrame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        columns = {name: [getattr(row, name) for row in self.rows] for name in self._names}
        columns["topic"] = [None if t is None else str(t) for t in columns["topic"]]
        odd = self._odd
        return columns if odd is None else {**columns, "odd": odd}

    def saved(self) -> list[dict[str, Any]]:
        """Return the rows with the words of topics, where these are known."""
        rows = self.to_dicts()
        if self.words:
            shown = (self.words.get((row.model, row.topic)) for row in self.rows)
            rows = [
                {**row, "words": None if words is None else list(words)}
                for row, words in zip(rows, shown, strict=True)
            ]
        return rows

    def saved_frame(self) -> pl.DataFrame:
        """Return the rows with the words of topics, where these are known."""
        import polars as pl

        frame = self.to_polars()
        if not self.words:
            return frame
        words = [row["words"] for row in self.saved()]
        return frame.with_columns(pl.Series("words", words, pl.List(pl.String)))

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: ``{"scores": [...], "notes": [...]}``."""
        return {"scores": super().content["rows"], "notes": self.notes}

    def table(self) -> Table:
        """Return the table that is printed: one row per model or topic, one column per metric."""
        return score_table(self.rows, self.better, self.words, self.marked)

    @property
    def legend(self) -> list[str]:
        """What shares, errors and marks in the table mean, where there are any."""
        odd = self._odd
        return [*self.table().legend, *[MARK_LEGEND] * (odd is not None and any(odd))]


def score_table(
    rows: Sequence[Score],
    better: Mapping[str, str],
    words: Mapping[tuple[str, Any], Sequence[str]],
    marked: Mapping[tuple[str, Any], Sequence[str]] | None = None,
) -> Table:
    """Return a table with one row per model or topic and one column per metric.

    Rows of topics show the first words of the topic, and mark the odd ones.
    """
    odd = marked or {}
    metrics = list(dict.fromkeys(row.metric for row in rows))
    by_topic = any(row.topic is not None for row in rows)
    by_row: dict[tuple[str, Any], dict[str, Score]] = {}
    for row in rows:
        by_row.setdefault((row.model, row.topic), {})[row.metric] = row
    best = _best_scores(rows, better)
    lines = []
    for (model, topic), scores in by_row.items():
        labels = [model]
        if by_topic:
            shown = MarkedWords.of(words.get((model, topic), ()), odd.get((model, topic), ()))
            labels += ["all" if topic is None else str(topic), shown]
        cells = [
            Cell(s.value, s.support, best=s in best, error=s.error) if s else Cell()
            for s in (scores.get(name) for name in metrics)
        ]
        lines.append((labels, cells))
    labels = ["model", "topic", "words"] if by_topic else ["model"]
    arrows = [ARROWS.get(better.get(name, ""), "") for name in metrics]
    # Words that only identify topics may be shortened; marked words are never left out.
    return Table(labels, metrics, arrows, lines, wraps=("words",) if marked else (), bars=True)


def _best_scores(rows: Iterable[Score], better: Mapping[str, str]) -> set[Score]:
    """Return the best scores of each metric, where several models are compared."""
    columns: dict[str, list[Score]] = {}
    for row in rows:
        if row.topic is None and not math.isnan(row.value):
            columns.setdefault(row.metric, []).append(row)
    best: set[Score] = set()
    for metric, scores in columns.items():
        if len(scores) > 1 and metric in better:
            choose = max if better[metric] == "higher" else min
            # A score with much less support than another is not called better.
            most = max(score.support for score in scores)
            comparable = [score for score in scores if score.support >= _COMPARABLE * most]
            top = choose(score.value for score in comparable)
            best.update(score for score in comparable if score.value == top)
    return best
