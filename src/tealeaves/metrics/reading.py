"""Scores from files: those that were saved here, and tables of other programs."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tealeaves.errors import InputError, TealeavesError
from tealeaves.metrics.scores import Score, Scores, Topic
from tealeaves.tables.columns import (
    TOPIC_ALIASES,
    find_columns,
    is_column_name,
    is_missing,
    number_of,
    plain_id,
    records_of,
    words_of,
)
from tealeaves.tables.rows import Row, read_rows


class SavedScores(Scores):
    """Scores from a file, with the data sets and words that the file names.

    ``datasets`` is the data set of each row, None where the file names none; ``topic_words`` are
    the words of topics by data set, model and topic, the topic's id as text.
    """

    def __init__(
        self,
        rows: Sequence[Score],
        *,
        datasets: Sequence[str | None],
        topic_words: Mapping[tuple[str | None, str, str], Sequence[str]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(rows, **options)
        self.datasets = list(datasets)
        self.topic_words = dict(topic_words or {})

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries, with the data set where the file names one."""
        rows = super().to_dicts()
        if not any(self.datasets):
            return rows
        return [{"dataset": d, **row} for d, row in zip(self.datasets, rows, strict=True)]


_FORMATS_TO_LOOK_AT = (".md", ".tex", ".html", ".htm", ".svg")
_NESTED = "metrics"
# what only tables of judgments have
_PEOPLE = ("annotator", "annotator_id", "answer", "rating", "worker", "worker_id", "user_id")
_HOW = (
    "rename it, or say which it is in Python: "
    'tealeaves.read_scores(table, columns={{"{column}": "{name}"}})'
)
_TIDY: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("metric", "value", "support", "signature", "error", "odd"), ()
)


class _Subject(NamedTuple):
    """The data set, the model and the topic that a row is about."""

    dataset: str | None
    model: str
    topic: Topic


class _ScoreTable(NamedTuple):
    """The rows of a file, the subject of each, and the names of its columns."""

    name: str
    rows: list[Row]
    subjects: list[_Subject]
    names: dict[str, str]
    notes: list[str]


class _Entry(NamedTuple):
    """A score, its row and its subject."""

    row: Row
    subject: _Subject
    metric: str
    value: float
    support: float = 1.0
    signature: str = ""
    error: float | None = None


def read_scores(source: Any, *, columns: Mapping[str, str] | None = None) -> SavedScores:
    """Read what ``tealeaves score -o`` has saved, or a table of another program.

    Tidy tables have the columns ``metric`` and ``value``. In any other table, each column of
    numbers is a metric, beside ``model``, ``topic`` and perhaps ``dataset`` and ``words``; if rows
    have an object ``metrics``, only what it contains is read. Such a table has no support, which is
    taken to be 1. A row without a topic is the model's; a missing number is NaN.

    Parameters
    ----------
    source
        A file, a data frame (polars, pandas, Arrow), or dictionaries, one for each row.
    columns
        Other names of columns, as in ``{"topic": "number"}``.

    >>> [row.value for row in read_scores([{"topic": 0, "npmi": 0.5}])]
    [0.5]
    """
    table = _table(source, columns or {})
    if {"metric", "value"} <= set(table.names):
        entries = list(_tidy(table))
    elif any(isinstance(row.values.get(_NESTED), dict) for row in table.rows):
        entries = list(_nested(table))
    else:
        entries = list(_wide(table))
    if not entries:
        why = f" ({table.notes[0]})" if table.notes else ""
        raise InputError(f"{table.name}: no scores in it{why}")
    _check_once(entries, table)
    rows = [
        Score(subject.model, subject.topic, metric, value, support, signature, error)
        for _, subject, metric, value, support, signature, error in entries
    ]
    words = _words(table)
    shown = {(s.model, s.topic): words[key] for s in table.subjects if (key := _key(s)) in words}
    better = _directions(dict.fromkeys(row.metric for row in rows))
    return SavedScores(
        rows,
        datasets=[entry.subject.dataset for entry in entries],
        topic_words=words,
        better=better,
        words=shown,
        marked=_marked(table),
        notes=table.notes,
    )


def _table(source: Any, columns: Mapping[str, str]) -> _ScoreTable:
    name, rows = _rows(source)
    if not rows:
        raise InputError(f"{name}: no scores in it")
    there = list(dict.fromkeys(key for row in rows for key in row.values))
    empty = {key for key in there if all(is_missing(row.values.get(key)) for row in rows)}
    aliases = TOPIC_ALIASES | _TIDY
    names, notes = find_columns(
        there, aliases, where=name, chosen=columns, empty=empty, advice=_HOW
    )
    if not {"metric", "value"} <= set(names):  # then a column called support is a metric as well
        names = {column: name for column, name in names.items() if column in TOPIC_ALIASES}
    if not {"model", "topic"} & set(names):
        raise InputError(
            f"{name}: no column for the model or the topic (there are {', '.join(there)}): "
            + _HOW.format(column="topic", name="NAME")
        )
    return _ScoreTable(name, rows, [_subject(row, names) for row in rows], names, notes)


def _rows(source: Any) -> tuple[str, list[Row]]:
    if not isinstance(source, str | os.PathLike):
        records = enumerate(records_of(source, "scores"), 1)
        return "the table", [Row(f"the table, row {number}", row) for number, row in records]
    path = Path(source)
    if path.suffix.lower() in _FORMATS_TO_LOOK_AT:
        raise InputError(
            f"{path}: scores cannot be read from this format: save them as .jsonl, .json, .csv or "
            ".parquet"
        )
    return str(path), list(read_rows(path))


def _subject(row: Row, names: Mapping[str, str]) -> _Subject:
    dataset, model, topic = (_cell(row, names, one) for one in ("dataset", "model", "topic"))
    if not isinstance(topic, int) or isinstance(topic, bool):
        topic = plain_id(topic) or None
    return _Subject(plain_id(dataset) or None, plain_id(model), topic)


def _cell(row: Row, names: Mapping[str, str], column: str) -> Any:
    return row.values.get(names[column]) if column in names else None


# ---------------------------------------------------------------------- three kinds of tables


def _tidy(table: _ScoreTable) -> Iterator[_Entry]:
    for row, subject in zip(table.rows, table.subjects, strict=True):
        metric, signature = (
            plain_id(_cell(row, table.names, one)) for one in ("metric", "signature")
        )
        if not metric:
            raise InputError(f"{row.where}: the metric has no name")
        value = _number(_cell(row, table.names, "value"), f"{row.where}: the value of {metric}")
        support = _number(_cell(row, table.names, "support"), f"{row.where}: the support")
        support = 1.0 if math.isnan(support) else support
        error = _number(_cell(row, table.names, "error"), f"{row.where}: the standard error")
        yield _Entry(row, subject, metric, value, support, signature, error)


def _nested(table: _ScoreTable) -> Iterator[_Entry]:
    held = [row.values.get(_NESTED) for row in table.rows]
    for row, values in zip(table.rows, held, strict=True):
        if not isinstance(values, dict):
            raise InputError(f"{row.where}: {_NESTED} is {values!r:.60}, not an object")
    metrics = dict.fromkeys(name for values in held if values for name in values)
    for row, subject, values in zip(table.rows, table.subjects, held, strict=True):
        for metric in metrics:
            value = _number((values or {}).get(metric), f"{row.where}: {metric}")
            yield _Entry(row, subject, metric, value)


def _wide(table: _ScoreTable) -> Iterator[_Entry]:
    taken = set(table.names.values())
    there = dict.fromkeys(key for row in table.rows for key in row.values if key not in taken)
    columns = {name: values for name in there if (values := _numbers(table, name)) is not None}
    unknown = [name for name in columns if name not in _directions(columns)]
    if unknown:
        table.notes.append(f"columns of numbers, taken for metrics: {', '.join(unknown)}")
    for number, (row, subject) in enumerate(zip(table.rows, table.subjects, strict=True)):
        for metric, values in columns.items():
            yield _Entry(row, subject, metric, values[number])


def _numbers(table: _ScoreTable, column: str) -> list[float] | None:
    """Return the numbers of a column; None, and a note, where it is no column of numbers."""
    numbers: list[float] = []
    for row in table.rows:
        value = row.values.get(column)
        try:
            if isinstance(value, bool):
                raise ValueError
            number = number_of(value)
        except ValueError:
            reason = f"{row.where}: {value!r:.40} is no number"
            table.notes.append(f"the column {column} is not taken for a metric ({reason})")
            return None
        numbers.append(math.nan if number is None else number)
    if all(math.isnan(number) for number in numbers):
        table.notes.append(f"the column {column} is not taken for a metric (it is empty)")
        return None
    return numbers


def _number(value: Any, what: str) -> float:
    try:
        number = number_of(value)
    except ValueError:
        raise InputError(f"{what} is {value!r:.60}, not a number") from None
    return math.nan if number is None else number


# ---------------------------------------------------------------------- what belongs to the rows


def _key(subject: _Subject) -> tuple[str | None, str, str]:
    topic = "" if subject.topic is None else str(subject.topic)
    return subject.dataset, subject.model, topic


def _check_once(entries: Sequence[_Entry], table: _ScoreTable) -> None:
    """Raise for two scores of the same topic or model by the same metric."""
    seen: dict[tuple[tuple[str | None, str, str], str], str] = {}
    for row, subject, metric, *_ in entries:
        before = seen.setdefault((_key(subject), metric), row.where)
        if before != row.where:
            raise InputError(
                f"the metric {metric} has two scores for {_what(subject)} ({before} and "
                f"{row.where}): {_advice(table)}"
            )


def _what(subject: _Subject) -> str:
    of = " of ".join(filter(None, (subject.model, subject.dataset)))
    if subject.topic is None:
        return f"the model {of}" if of else "the same model"
    return f"topic {subject.topic}" + f" of {of}" * bool(of)


def _advice(table: _ScoreTable) -> str:
    """Say what may be wrong with a table that has two scores where one is expected."""
    people = next((one for row in table.rows for one in row.values if _of_people(one)), None)
    if people is not None and people not in table.names.values():
        return (
            f"with a column {people} these look like answers of people: read them as judgments, "
            "with --human"
        )
    for column in ("model", "topic"):
        if column not in table.names:
            return f"which column names the {column}?"
    rest = "" if "dataset" in table.names else ", or name the data sets in a column dataset"
    return f"take one of them out{rest}"


def _of_people(name: str) -> bool:
    return any(is_column_name(name, one) for one in _PEOPLE)


def _words(table: _ScoreTable) -> dict[tuple[str | None, str, str], list[str]]:
    words: dict[tuple[str | None, str, str], list[str]] = {}
    for row, subject in zip(table.rows, table.subjects, strict=True):
        shown = _listed(row, table, "words")
        if shown and subject.topic is not None:
            words.setdefault(_key(subject), shown)
    return words


def _marked(table: _ScoreTable) -> dict[tuple[str, Topic], tuple[str, ...]]:
    """Return the odd words of topics, where these were marked."""
    if "odd" not in table.names:
        return {}
    return {
        (subject.model, subject.topic): tuple(_listed(row, table, "odd"))
        for row, subject in zip(table.rows, table.subjects, strict=True)
        if subject.topic is not None and _cell(row, table.names, "odd") is not None
    }


def _listed(row: Row, table: _ScoreTable, column: str) -> list[str]:
    try:
        return words_of(_cell(row, table.names, column))
    except ValueError as error:
        raise InputError(f"{row.where}: {column}: {error}") from None


def _directions(metrics: Mapping[str, Any]) -> dict[str, str]:
    """Return whether higher or lower is better, for the metrics that are registered."""
    from tealeaves.metrics.registry import metric as parsed

    better: dict[str, str] = {}
    for name in metrics:
        try:
            better[name] = parsed(name).better
        except TealeavesError:  # a metric of another program
            continue
    return better
