"""Right and wrong answers: which tasks have them, and which answers are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.judgments.cells import FALSE, TRUE, is_number
from tealeaves.tables.columns import means_missing, plain_id
from tealeaves.tables.rows import Row

if TYPE_CHECKING:
    import polars as pl

INTRUSION, RATING = "intrusion", "rating"


def is_intrusion(task: str) -> bool:
    """Tell by its name whether a task is one of intrusion."""
    return "intrusion" in task.lower()


def is_answered() -> pl.Expr:
    """Return the rows of judgments that have an answer, or are marked as right or wrong."""
    import polars as pl

    text = pl.col("answer").cast(pl.String)
    empty = text.is_null() | (text.str.strip_chars() == "")
    return ~(empty & pl.col("correct").is_null())


def keyed_parts(frame: pl.DataFrame) -> frozenset[tuple[str, str]]:
    """Return the data sets and tasks whose answers are right or wrong.

    These are tasks of intrusion in which any answer has a key, and other tasks in which at least
    half of the answers have one: a few keys among ratings belong to items that test attention.
    """
    import polars as pl

    parts = (
        frame.filter(is_answered() & ~pl.col("gold"))
        .group_by("dataset", "task", maintain_order=True)
        .agg(pl.col("correct").count().alias("known"), pl.len().alias("all"))
    )
    return frozenset(
        (dataset, task)
        for dataset, task, known, total in parts.iter_rows()
        if known and (is_intrusion(task) or 2 * known >= total)
    )


def default_task(rows: Sequence[Row]) -> str:
    """Return the task of a table without a column for it: intrusion if most rows have a key."""
    topics = [row for row in rows if not row.values["gold"]]
    return INTRUSION if topics and 2 * sum(map(_has_key, topics)) >= len(topics) else RATING


def mark_correct(rows: Sequence[Row], notes: list[str]) -> None:
    """Set ``correct`` in each row for which it can be known.

    A value in the row itself takes precedence, then the row's key. If no row of a task of intrusion
    has either, the answers 0 and 1 are wrong and right.
    """
    parts: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        part = (plain_id(row.values.get("dataset")), plain_id(row.values.get("task")))
        parts.setdefault(part, []).append(row)
    for (_, task), members in parts.items():
        compared = [
            row
            for row in members
            if row.values["correct"] is None and _filled(row, "key") and _filled(row, "answer")
        ]
        if not _mark_truths_beside_words(compared, task, notes):
            for row in compared:
                row.values["correct"] = _same(row.values["answer"], row.values["key"])
        topics = [row for row in members if not row.values["gold"]]
        if is_intrusion(task) and not any(map(_has_key, topics)):
            _mark_truths(members, task, notes)
        else:
            _note_few_keys(topics, task, notes)


def _filled(row: Row, column: str) -> bool:
    return not means_missing(row.values.get(column))


def _has_key(row: Row) -> bool:
    return row.values["correct"] is not None or _filled(row, "key")


def _same(answer: Any, key: Any) -> bool:
    """Compare as numbers if both are numbers, else as text."""
    try:
        return float(answer) == float(key)
    except (TypeError, ValueError, OverflowError):
        return plain_id(answer).casefold() == plain_id(key).casefold()


def _mark_truths_beside_words(compared: Sequence[Row], task: str, notes: list[str]) -> bool:
    """Read 0 and 1 as wrong and right if keys are words; raise if answers are other numbers."""
    if not compared or any(is_number(row.values["key"]) for row in compared):
        return False
    texts = [_text(row) for row in compared]
    if set(texts) <= TRUE | FALSE and len(set(texts)) > 1:
        for row, text in zip(compared, texts, strict=True):
            row.values["correct"] = text in TRUE
        notes.append(f"answers to {task} beside keys that are words: 1 is right and 0 is wrong")
        return True
    if all(is_number(row.values["answer"]) for row in compared):
        where, values = compared[0]
        raise InputError(
            f"{where}: the answer {values['answer']!r:.40} is a number, the key "
            f"{values['key']!r:.40} a word: they must be the same kind, the word that was chosen "
            "or its number"
        )
    return False


def _mark_truths(rows: Sequence[Row], task: str, notes: list[str]) -> None:
    """Read 0 and 1 as wrong and right in a task without keys."""
    answered = [row for row in rows if row.values["correct"] is None and _filled(row, "answer")]
    texts = [_text(row) for row in answered]
    if set(texts) <= TRUE | FALSE:
        for row, text in zip(answered, texts, strict=True):
            row.values["correct"] = text in TRUE
    else:
        notes.append(
            f"{len(texts)} answers to {task} have neither a column correct nor a key: they are not "
            "taken for right or wrong"
        )


def _text(row: Row) -> str:
    return plain_id(row.values["answer"]).lower()


def _note_few_keys(topics: Sequence[Row], task: str, notes: list[str]) -> None:
    """Note keys that are too few to make a task one of right and wrong answers."""
    answered = [row for row in topics if _filled(row, "answer") or _has_key(row)]
    known = sum(map(_has_key, answered))
    if known and not is_intrusion(task) and 2 * known < len(answered):
        notes.append(
            f"{known} of {len(answered)} answers to {task} have a key: they are not taken for "
            "right or wrong (a column gold says which items test attention)"
        )
