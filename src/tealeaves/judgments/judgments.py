"""``Judgments``: the answers of people on topics, as tidy rows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError, did_you_mean
from tealeaves.files import atomic_write, check_writable
from tealeaves.judgments.intrusion import is_answered, keyed_parts
from tealeaves.judgments.plausibility import doubted_scale
from tealeaves.judgments.ratings import Ratings
from tealeaves.judgments.scales import AnswerError, Scale
from tealeaves.tables.columns import plain_id, replace_decimal_comma
from tealeaves.tables.spreadsheets import cell_of

if TYPE_CHECKING:
    import polars as pl

    from tealeaves.topics.topics import Topics

#: The columns that have a meaning; a table may have more, which are kept.
COLUMNS = {
    "dataset": "the texts that the topics are of",
    "model": "the model that the topic is of",
    "topic": "its id in the model",
    "item": "what was shown at once; by default the topic",
    "annotator": "who answered; empty if unknown",
    "task": "rating, intrusion …",
    "answer": "the answer: a number or a word",
    "correct": "whether the answer is right, in tasks with right answers",
    "gold": "whether the item only tests attention",
    "time": "seconds that the answer took",
}
_SUFFIXES = (".csv", ".jsonl", ".parquet")
# two rows with the same values here are answers of one person to one item
_SAME_ANSWER = ("dataset", "task", "model", "topic", "item", "annotator")


class TopicKey(NamedTuple):
    """What identifies a topic among the judgments; ids are text."""

    dataset: str
    model: str
    topic: str


class CountedAnswers(NamedTuple):
    """The answers that count, and how many rows were left out for each reason."""

    judgments: Judgments
    checks: int
    unanswered: int
    keyless: int
    repeated: int

    @property
    def left_out(self) -> list[str]:
        """Sentences that say what was left out."""
        reasons = (
            (self.checks, "answer# to items that only test attention"),
            (self.unanswered, "row# without an answer"),
            (self.keyless, "answer# without a key, which cannot be called right or wrong,"),
            (self.repeated, "answer# that the same annotator repeated later"),
        )
        sentences = []
        for count, what in reasons:
            if count:
                plural, verb = ("s", "are") if count > 1 else ("", "is")
                sentences.append(f"{count} {what.replace('#', plural)} {verb} left out")
        return sentences


class Judgments:
    """Answers of people, one per row; ``frame`` has the columns of :data:`COLUMNS` and others.

    ``words`` are the words of topics, if they are known. ``notes`` are sentences that say what was
    left out and how columns were interpreted. Rows keep the order of the table.

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
        #: Where each answer to each task occurs first, for errors.
        self.places = places or {}

    @classmethod
    def of(cls, rows: Any, **columns: str | Sequence[str]) -> Judgments:
        """Make judgments from a data frame (polars, pandas, Arrow) or from dictionaries.

        :func:`tealeaves.judgments.read_judgments` reads files.

        Parameters
        ----------
        rows
            The data frame, or the dictionaries: one answer per row.
        columns
            The names of columns, as in ``answer="rating"``, or ``answer=["ann", "bob"]`` if each
            annotator has a column.
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

        names = list(tasks)
        known = list(dict.fromkeys(task for _, task in self.parts))
        for task in names:
            if task not in known:
                hint = did_you_mean(task, known)
                raise InputError(f"no task {task}{hint} (there are {', '.join(known)})")
        return self.filtered(pl.col("task").is_in(names))

    def where(self, **values: Any) -> Judgments:
        """Return the judgments whose columns have these values; None is a missing value."""
        frame = self.frame
        for name, value in values.items():
            if name not in frame.columns:
                hint = did_you_mean(name, frame.columns)
                raise InputError(f"the judgments have no column {name}{hint}")
            frame = frame.filter(_equal(frame[name], value))
        return self._with(frame)

    def without(self, annotators: Iterable[str]) -> Judgments:
        """Return the judgments of all other annotators, unknown ones included."""
        import polars as pl

        if isinstance(annotators, str):
            annotators = [annotators]
        excluded = pl.col("annotator").is_in([plain_id(who) for who in annotators])
        return self._with(self.frame.filter(~excluded.fill_null(value=False)))

    def filtered(self, which: pl.Expr) -> Judgments:
        """Return the rows for which a polars expression is true."""
        return self._with(self.frame.filter(which))

    @property
    def checks(self) -> Judgments:
        """The items that only test attention."""
        return self._with(self.frame.filter(self.frame["gold"]))

    @property
    def topics_only(self) -> Judgments:
        """All but the items that only test attention."""
        return self._with(self.frame.filter(~self.frame["gold"]))

    @property
    def counted(self) -> Judgments:
        """The answers that count: given ones, without checks, the last of each person to an item.

        In tasks with right answers, those without a key do not count.
        """
        return self.counting.judgments

    @property
    def left_out(self) -> list[str]:
        """Sentences that say what does not count."""
        return self.counting.left_out

    @cached_property
    def counting(self) -> CountedAnswers:
        """The answers that count, and how many others there are.

        >>> from tealeaves.judgments import Judgments
        >>> rows = [{"annotator": "ann", "topic": "a", "answer": x} for x in (1, 2, None)]
        >>> people = Judgments.of(rows)
        >>> people.counted.frame["answer"].to_list(), people.counting.repeated
        ([2.0], 1)
        >>> people.left_out[0]
        '1 row without an answer is left out'
        """
        import polars as pl

        # an item that was skipped is neither right nor wrong, and does not make the others so
        topics = self.topics_only
        answered = topics.filtered(is_answered())
        with_key = answered
        if answered.keyed:
            keyed = pl.struct("dataset", "task").is_in(
                [{"dataset": dataset, "task": task} for dataset, task in answered.keyed]
            )
            with_key = answered.filtered(pl.col("correct").is_not_null() | ~keyed)
        # answers of unknown annotators are all kept
        last = pl.struct(*_SAME_ANSWER).is_last_distinct()
        counted = with_key.filtered(last | pl.col("annotator").is_null())
        sizes = list(map(len, (self, topics, answered, with_key, counted)))
        return CountedAnswers(counted, *(more - less for more, less in pairwise(sizes)))

    def scaled(self, scale: Scale | str) -> Judgments:
        """Return the same answers on another scale, such as ``votes``; see :class:`Scale`."""
        scaled = self._with(self.frame)
        scaled.scale = Scale.parse(scale)
        scaled.notes += [note for note in doubted_scale(scaled) if note not in scaled.notes]
        return scaled

    def _with(self, frame: pl.DataFrame) -> Judgments:
        judgments = Judgments(
            frame, words=self.words, notes=self.notes, scale=self.scale, places=self.places
        )
        judgments.keyed = self.keyed  # a few rows do not show whether a task has right answers
        return judgments

    # ------------------------------------------------------------------ numbers

    @cached_property
    def keyed(self) -> frozenset[tuple[str, str]]:
        """The data sets and tasks whose answers are right or wrong."""
        return keyed_parts(self.frame)

    @cached_property
    def has_key(self) -> bool:
        """Whether answers are right or wrong, as in word intrusion, and not on a scale."""
        parts = self.counted.parts
        return bool(parts) and self.keyed.issuperset(parts)

    @cached_property
    def values(self) -> pl.Series:
        """The answers as numbers: right and wrong as 1 and 0, others on the scale."""
        import polars as pl

        if self.has_key:
            return self.frame["correct"].cast(pl.Float64)
        try:
            return self.scale.numbers(self.frame["answer"])
        except AnswerError as error:
            places = (self.places.get((task, error.answer)) for _, task in self.parts)
            place = next(filter(None, places), None)
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

        The score of a topic is the mean of its answers, or what the scale makes of them. A topic
        without answers has NaN and is left out of the model's mean. The key of a model has an
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
        topics = {key: self.scale.summary(values) for key, values in answers.items()}
        if by == "topic":
            return topics
        models: dict[TopicKey, list[float]] = {}
        for key, value in topics.items():
            models.setdefault(TopicKey(key.dataset, key.model, ""), []).append(value)
        return {key: Scale().summary(values) for key, values in models.items()}

    def counts(self) -> dict[TopicKey, int]:
        """Return how many answers of each topic count."""
        counts = dict.fromkeys(self._topic_keys(), 0)
        for key in self.counted._topic_keys():
            counts[key] += 1
        return counts

    def _topic_keys(self) -> list[TopicKey]:
        frame = self.topics_only.frame.select("dataset", "model", "topic")
        return [TopicKey(*row) for row in frame.iter_rows()]

    # ------------------------------------------------------------------ models and files

    def models(self) -> list[Topics]:
        """Return the judged topics as models that can be scored; their words must be known."""
        from tealeaves.topics.topics import Topic, Topics

        keys = list(self.counts())
        unknown = [key for key in keys if key not in self.words]
        if unknown:
            raise InputError(
                f"the words of topic {unknown[0].topic!r} of {unknown[0].model or 'the model'} are "
                f"not among the judgments ({len(unknown)} of {len(keys)} topics): score the models "
                "apart"
            )
        models: dict[str, dict[str, Topic]] = {}
        for key in keys:
            topic = Topic(key.topic, tuple(self.words[key]))
            if models.setdefault(key.model, {}).setdefault(key.topic, topic) != topic:
                raise InputError(
                    f"topic {key.topic!r} of {key.model} has other words in another data set: "
                    "take one data set at a time"
                )
        return [
            Topics(tuple(topics.values()), model=model or "model")
            for model, topics in models.items()
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all rows as ``.csv``, ``.jsonl`` or ``.parquet``, which can be read back.

        The words of topics are a column. Notes and scale are not written.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in _SUFFIXES:
            raise InputError(f"{path}: judgments are saved as {', '.join(_SUFFIXES)}")
        check_writable(path)
        frame = self._frame_with_words()
        with atomic_write(path) as stream:
            if suffix == ".parquet":
                frame.write_parquet(stream)
            elif suffix == ".jsonl":
                frame.write_ndjson(stream)
            else:
                stream.write(_csv(_with_json_lists(frame)).encode())

    def _frame_with_words(self) -> pl.DataFrame:
        import polars as pl

        if not self.words:
            return self.frame
        keys = map(TopicKey._make, self.frame.select(TopicKey._fields).iter_rows())
        words = [list(self.words[key]) if key in self.words else None for key in keys]
        return self.frame.with_columns(pl.Series("words", words, pl.List(pl.String)))


def _equal(column: pl.Series, value: Any) -> pl.Series:
    """Compare a column with a value: numbers as numbers, all else as text."""
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
    text = str(value).lower() if column.dtype == pl.Boolean else plain_id(value)
    return (column.cast(pl.String) == text).fill_null(value=False)


def _csv(frame: pl.DataFrame) -> str:
    """Return rows as CSV whose text no spreadsheet computes."""
    import polars as pl

    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    cells = [
        pl.Series(name, [cell_of(cell) for cell in frame[name].to_list()], pl.String)
        for name in texts
    ]
    names = {name: str(cell_of(name)) for name in frame.columns}
    return frame.with_columns(cells).rename(names).write_csv()


def _with_json_lists(frame: pl.DataFrame) -> pl.DataFrame:
    """Write lists as JSON, because CSV has none."""
    import polars as pl

    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    return frame.with_columns(
        pl.Series(
            name,
            [
                None if cell is None else json.dumps(cell, ensure_ascii=False)
                for cell in frame[name].to_list()
            ],
            pl.String,
        )
        for name in nested
    )
