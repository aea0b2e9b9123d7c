"""``Judgments``: who said what of which topic, as tidy rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments.ratings import Ratings
from tealeaves.judgments.scales import AnswerError, Scale
from tealeaves.tables.columns import plain_id, replace_decimal_comma

if TYPE_CHECKING:
    import polars as pl

    from tealeaves.topics.topics import Topics

#: The columns that have a meaning here; a file may have more, which are kept.
COLUMNS = {
    "dataset": "the texts that the topics are of",
    "model": "the model that the topic is of",
    "topic": "its id in the model",
    "item": "what was shown at once; by default the topic",
    "annotator": "who answered; empty where nobody knows",
    "task": "rating, intrusion …",
    "answer": "what was answered: a number or a word",
    "correct": "whether the answer was the right one, where there is one",
    "gold": "whether the item only tests attention",
    "time": "seconds that the answer took",
}


class TopicKey(NamedTuple):
    """What identifies a topic among the judgments; ids are text."""

    dataset: str
    model: str
    topic: str


class Judgments:
    """Answers of people, a row each; ``frame`` holds the columns of :data:`COLUMNS` and others.

    ``words`` are the words of topics, where they are known; ``notes`` says in plain sentences what
    was left out or taken for something. The order of rows is the order in which they were given.

    >>> from tealeaves.judgments import Judgments
    >>> rows = [("ann", "a", 3), ("bob", "a", 2), ("ann", "b", 1), ("bob", "b", 1)]
    >>> people = Judgments.of(
    ...     [{"model": "lda", "annotator": who, "topic": t, "answer": x} for who, t, x in rows]
    ... )
    >>> for key, mean in people.human().items():
    ...     print(key.model, key.topic, mean)
    lda a 2.5
    lda b 1.0
    """

    def __init__(
        self,
        frame: pl.DataFrame,
        *,
        words: Mapping[TopicKey, Sequence[str]] | None = None,
        notes: Sequence[str] = (),
        scale: Scale | None = None,
        places: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        self.frame = frame
        self.words = dict(words or {})
        self.notes = list(notes)
        self.scale = scale or Scale()
        #: Where each answer to each task first stands, for errors.
        self.places = places or {}

    @classmethod
    def of(cls, rows: Any, **columns: str | Sequence[str]) -> Judgments:
        """Make judgments of a data frame (polars, pandas, Arrow) or of dictionaries.

        ``columns`` says what columns are called, as in ``answer="rating"``, or, where each
        annotator has a column, ``answer=["ann", "bob"]``. See
        :func:`tealeaves.judgments.read_judgments` for files.
        """
        from tealeaves.judgments.tables import judgments_of

        return judgments_of(rows, columns)

    def __len__(self) -> int:
        return int(self.frame.height)

    def __repr__(self) -> str:
        tasks = ", ".join(" ".join(filter(None, part)) for part in self.parts)
        return f"Judgments({len(self)} of {tasks})"

    # ------------------------------------------------------------------ parts

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The data sets and tasks, in the order in which they come."""
        pairs = self.frame.select("dataset", "task").unique(maintain_order=True)
        return [(str(dataset), str(task)) for dataset, task in pairs.iter_rows()]

    def part(self, dataset: str, task: str) -> Judgments:
        """Return the judgments of one data set and task."""
        return self.where(dataset=dataset, task=task)

    def of_tasks(self, tasks: Iterable[str]) -> Judgments:
        """Return the judgments of some tasks."""
        import polars as pl

        asked = list(tasks)
        known = list(dict.fromkeys(task for _, task in self.parts))
        for task in asked:
            if task not in known:
                hint = did_you_mean(task, known)
                raise InputError(f"no task {task}{hint} (there are {', '.join(known)})")
        return self.filtered(pl.col("task").is_in(asked))

    def where(self, **values: Any) -> Judgments:
        """Return the judgments whose columns have these values; None stands for nothing known."""
        chosen = self.frame
        for name, value in values.items():
            if name not in chosen.columns:
                hint = did_you_mean(name, chosen.columns)
                raise InputError(f"the judgments have no column {name}{hint}")
            chosen = chosen.filter(_equal(chosen[name], value))
        return self._with(chosen)

    def without(self, annotators: Iterable[str]) -> Judgments:
        """Return the judgments of all others, those whom nobody knows included."""
        import polars as pl

        if isinstance(annotators, str):
            annotators = [annotators]
        gone = pl.col("annotator").is_in([plain_id(who) for who in annotators])
        return self._with(self.frame.filter(~gone.fill_null(value=False)))

    def filtered(self, which: pl.Expr) -> Judgments:
        """Return the rows for which an expression of polars is true."""
        return self._with(self.frame.filter(which))

    @property
    def checks(self) -> Judgments:
        """The items that only test attention."""
        return self._with(self.frame.filter(self.frame["gold"]))

    @property
    def topics_only(self) -> Judgments:
        """All but the items that only test attention."""
        return self._with(self.frame.filter(~self.frame["gold"]))

    @cached_property
    def counted(self) -> Judgments:
        """The answers that count: no checks, none missing, the last of each to an item.

        Where answers are right or wrong, those without a key do not count.
        """
        return self._counted[0]

    @property
    def left_out(self) -> list[str]:
        """Sentences on what does not count, and how many of it there are."""
        return list(self._counted[1])

    @cached_property
    def _counted(self) -> tuple[Judgments, list[str]]:
        from tealeaves.judgments.counted import counted_answers

        return counted_answers(self)

    def scaled(self, scale: Scale | str) -> Judgments:
        """Return the same answers on another scale, such as ``votes``; see :class:`Scale`."""
        from tealeaves.judgments.plausible import doubted_scale

        found = self._with(self.frame)
        found.scale = Scale.parse(scale)
        found.notes += [note for note in doubted_scale(found) if note not in found.notes]
        return found

    def _with(self, frame: pl.DataFrame) -> Judgments:
        found = Judgments(
            frame, words=self.words, notes=self.notes, scale=self.scale, places=self.places
        )
        found.keyed = self.keyed  # a few rows of a task do not tell what the task is
        return found

    # ------------------------------------------------------------------ numbers

    @cached_property
    def keyed(self) -> frozenset[tuple[str, str]]:
        """The data sets and tasks whose answers are right or wrong."""
        from tealeaves.judgments.counted import keyed_parts

        return keyed_parts(self.frame)

    @cached_property
    def has_key(self) -> bool:
        """Whether answers are right or wrong, as those of word intrusion, and not on a scale."""
        parts = self.counted.parts
        return bool(parts) and self.keyed.issuperset(parts)

    @cached_property
    def values(self) -> pl.Series:
        """The answers as numbers: right or wrong as 1 and 0, else on the scale."""
        import polars as pl

        if self.has_key:
            return self.frame["correct"].cast(pl.Float64)
        try:
            return self.scale.numbers(self.frame["answer"])
        except AnswerError as error:
            found = (self.places.get((task, error.answer)) for _, task in self.parts)
            place = next(filter(None, found), None)
            if place is None:
                raise
            raise AnswerError(f"{place}: {error}", error.answer) from None

    @cached_property
    def ratings(self) -> Ratings:
        """The answers that count, as arrays; of one data set and one task."""
        if len(self.parts) > 1:
            raise InputError(f"answers of several data sets or tasks: {self.parts}; take one part")
        rows = self.counted
        frame = rows.frame
        return Ratings.of(
            frame["item"].to_list(), frame["annotator"].to_list(), rows.values.to_numpy()
        )

    def human(self, by: str = "topic") -> dict[TopicKey, float]:
        """Return people's score of each topic, or of each model: the mean of its topics' scores.

        The score of a topic is the mean of its answers, or what the scale makes of them; NaN where
        it has none, and then the model's mean is of its other topics. The key of a model has an
        empty topic. Several tasks are never mixed: take one with :meth:`where`.
        """
        if by not in ("topic", "model"):
            raise InputError(f"people's scores are by topic or by model, not by {by}")
        tasks = list(dict.fromkeys(task for _, task in self.parts))
        if len(tasks) > 1:
            raise InputError(f"answers to several tasks ({', '.join(tasks)}): take one of them")
        counted = self.counted
        answers: dict[TopicKey, list[float]] = {key: [] for key in self._topic_keys()}
        for key, value in zip(counted._topic_keys(), counted.values.to_list(), strict=True):
            answers[key].append(value)
        topics = {key: self.scale.summary(found) for key, found in answers.items()}
        if by == "topic":
            return topics
        models: dict[TopicKey, list[float]] = {}
        for key, value in topics.items():
            models.setdefault(TopicKey(key.dataset, key.model, ""), []).append(value)
        return {key: Scale().summary(found) for key, found in models.items()}

    def counts(self) -> dict[TopicKey, int]:
        """Return how many answers of each topic count."""
        found = dict.fromkeys(self._topic_keys(), 0)
        for key in self.counted._topic_keys():
            found[key] += 1
        return found

    def _topic_keys(self) -> list[TopicKey]:
        frame = self.topics_only.frame.select("dataset", "model", "topic")
        return [TopicKey(*row) for row in frame.iter_rows()]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all rows as ``.csv``, ``.jsonl`` or ``.parquet``, to be read back as they are.

        The words of topics are a column of their own. Notes and scale are not written.
        """
        from tealeaves.judgments.saving import save_judgments

        save_judgments(self, path)

    def models(self) -> list[Topics]:
        """Return the judged topics as models that can be scored; their words must be known."""
        from tealeaves.judgments.tables import models_of

        return models_of(self)


def _equal(column: pl.Series, value: Any) -> pl.Series:
    """Compare a column with a value: numbers as numbers, all else as it is written."""
    import polars as pl

    if value is None:
        return column.is_null()
    if column.dtype.is_numeric():
        try:
            return (column == float(replace_decimal_comma(str(value)) or value)).fill_null(
                value=False
            )
        except (TypeError, ValueError):
            return pl.Series([False] * len(column), dtype=pl.Boolean)
    written = str(value).lower() if column.dtype == pl.Boolean else plain_id(value)
    return (column.cast(pl.String) == written).fill_null(value=False)
