"""Which answers are right: what a table says of it, and what is taken for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tealeaves.errors import InputError
from tealeaves.judgments.cells import FALSE, TRUE, is_number
from tealeaves.judgments.counted import is_intrusion
from tealeaves.tables.columns import means_missing, plain_id

_Row = dict[str, Any]
INTRUSION, RATING = "intrusion", "rating"


def default_task(rows: Sequence[_Row]) -> str:
    """Return what the task is called where no column says it: by whether most have a key."""
    topics = [row for row in rows if not row["gold"]]
    return INTRUSION if topics and 2 * sum(map(_has_key, topics)) >= len(topics) else RATING


def mark_correct(rows: Sequence[_Row], where: Sequence[str], notes: list[str]) -> None:
    """Say of each row whether it is right, where that can be known.

    What the row says itself goes first, then its key. Where no row of a task of intrusion has
    either, 0 and 1 are wrong and right.
    """
    parts: dict[tuple[str, str], list[tuple[_Row, str]]] = {}
    for row, place in zip(rows, where, strict=True):
        key = (plain_id(row.get("dataset")), plain_id(row.get("task")))
        parts.setdefault(key, []).append((row, place))
    for (_, task), placed in parts.items():
        if not _truths_beside_words(placed, task, notes):
            for row, _ in placed:
                _compare(row)
        topics = [row for row, _ in placed if not row["gold"]]
        keyed = sum(map(_has_key, topics))
        if not keyed and is_intrusion(task):
            _mark_open([row for row, _ in placed], task, notes)
        else:
            _tell(topics, task, notes)


def same(answer: Any, key: Any) -> bool:
    """Tell whether an answer is the right one: as numbers if both are, else as written."""
    try:
        return float(answer) == float(key)
    except (TypeError, ValueError, OverflowError):
        return plain_id(answer).casefold() == plain_id(key).casefold()


def _compare(row: _Row) -> None:
    if row["correct"] is None and not means_missing(row.get("key")):
        given = not means_missing(row.get("answer"))
        row["correct"] = same(row["answer"], row["key"]) if given else None


def _has_key(row: _Row) -> bool:
    return row["correct"] is not None or not means_missing(row.get("key"))


def _truths_beside_words(placed: Sequence[tuple[_Row, str]], task: str, notes: list[str]) -> bool:
    """Take 0 and 1 beside keys that are words for wrong and right; refuse other numbers there."""
    compared = [
        (row, place)
        for row, place in placed
        if row["correct"] is None
        and not means_missing(row.get("key"))
        and not means_missing(row.get("answer"))
    ]
    if not compared or any(is_number(row["key"]) for row, _ in compared):
        return False
    texts = [plain_id(row["answer"]).lower() for row, _ in compared]
    if set(texts) <= TRUE | FALSE and len(set(texts)) > 1:
        for (row, _), text in zip(compared, texts, strict=True):
            row["correct"] = text in TRUE
        notes.append(f"answers to {task} beside keys that are words: 1 is right and 0 is wrong")
        return True
    if all(is_number(row["answer"]) for row, _ in compared):
        row, place = compared[0]
        raise InputError(
            f"{place}: the answer {row['answer']!r:.40} is a number, the key {row['key']!r:.40} a "
            "word: they must be the same kind, the word that was chosen or its number"
        )
    return False


def _mark_open(rows: Sequence[_Row], task: str, notes: list[str]) -> None:
    """Read 0 and 1 as wrong and right where nothing else is known."""
    open_rows = [row for row in rows if row["correct"] is None]
    texts = [
        "" if means_missing(row.get("answer")) else plain_id(row["answer"]).lower()
        for row in open_rows
    ]
    if set(texts) <= TRUE | FALSE | {""}:
        for row, text in zip(open_rows, texts, strict=True):
            row["correct"] = text in TRUE if text else None
    else:
        notes.append(
            f"{sum(map(bool, texts))} answers to {task} have neither a column correct nor a key: "
            "they are not taken for right or wrong"
        )


def _tell(topics: Sequence[_Row], task: str, notes: list[str]) -> None:
    """Tell of keys that are too few to count; answers without one are said where they count."""
    given = [row for row in topics if not means_missing(row.get("answer")) or _has_key(row)]
    known = sum(map(_has_key, given))
    if not 0 < known < len(given):
        return
    if not is_intrusion(task) and 2 * known < len(given):
        notes.append(
            f"{known} of {len(given)} answers to {task} have a key: they are not taken for right "
            "or wrong (a column gold says which items test attention)"
        )
