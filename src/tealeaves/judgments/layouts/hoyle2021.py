"""Ratings and word intrusion: Hoyle et al. (2021), in three files.

``topics``
    one topic per row, with the means of both tasks.
``annotations_sampled``
    a row an answer of the balanced sample. Its slots are no persons: a slot is a place in a
    sample that was drawn for each topic anew, with replacement where the task is a rating.
``annotations_all``
    one given answer per row, with the annotator. Ratings are from 1 to 3; of the six words
    of word intrusion the sixth is the intruder. Topics of the model ``fake`` are words at random,
    to test attention; the right answer is 1, not related, which 74 % gave.

Beside each answer people said whether they know the words: code 4 with ratings, 7 with intrusion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.judgments.layouts.layout import JudgmentsLayout, rows_by_topic
from tealeaves.judgments.tables import tidy_judgments
from tealeaves.tables.rows import Row

_RATINGS, _INTRUSION = "ratings", "intrusion"
_SHOWN = 6  # words of an intrusion item; the intruder has the last number
_FAMILIAR = {_RATINGS: 4, _INTRUSION: 7}
_UNRELATED = 1
_KEYS = frozenset({"corpus", "model", "topic_idx"})
_TOPICS = _KEYS | {"words", "ratings_mean", "intrusion_mean"}
_SAMPLED = _KEYS | {"task", "slot", "score", "familiar"}
_ALL = _KEYS | {"survey", "task", "annotator", "raw_score", "raw_confidence"}


def _fits(columns: frozenset[str]) -> bool:
    """One of the three files."""
    return any(kind <= columns for kind in (_TOPICS, _SAMPLED, _ALL))


def _read(rows: Sequence[Row], path: Path) -> Judgments:
    """Make a row of each answer, or of each mean."""
    columns = frozenset(rows[0].values)
    if "raw_score" in columns:
        return _answers(rows, _original)
    if "slot" in columns:
        repeated = "ratings were drawn with replacement, so some answers stand more than once"
        return _answers(rows, _sampled, f"{path.name}: {repeated}")
    return _means(rows, path)


def _means(rows: Sequence[Row], path: Path) -> Judgments:
    topics = rows_by_topic(rows, _key)
    words = {key: row.words("words") for key, row in topics.items()}
    answers = [
        {**key._asdict(), "task": task, "answer": row.number(f"{task}_mean")}
        for task in (_RATINGS, _INTRUSION)
        for key, row in topics.items()
    ]
    note = f"{path.name}: each answer is a mean over people, not one person's"
    return tidy_judgments(answers, words=words, notes=[note])


def _answers(
    rows: Sequence[Row], rest: Callable[[Row, str], dict[str, Any]], *notes: str
) -> Judgments:
    answers = []
    for row in rows:
        task = row.text("task")
        if task not in (_RATINGS, _INTRUSION):
            raise InputError(f"{row.where}: the task {task} is neither {_RATINGS} nor {_INTRUSION}")
        answers.append({**_key(row)._asdict(), "task": task, **rest(row, task)})
    return tidy_judgments(answers, notes=notes)


def _sampled(row: Row, task: str) -> dict[str, Any]:
    score = row.number("score")
    return {
        "answer": score,
        "correct": score == 1 if task == _INTRUSION else None,
        "familiar": row.number("familiar") == 1,
        "slot": int(row.number("slot")),
    }


def _original(row: Row, task: str) -> dict[str, Any]:
    score = row.number("raw_score")
    gold = row.text("model") == "fake"
    right = _SHOWN if task == _INTRUSION else _UNRELATED
    return {
        "annotator": row.text("annotator"),
        "answer": score,
        "correct": score == right if gold or task == _INTRUSION else None,
        "gold": gold,
        "familiar": row.number("raw_confidence") == _FAMILIAR[task],
        "options": _SHOWN if task == _INTRUSION else None,
        "survey": row.text("survey"),
    }


def _key(row: Row) -> TopicKey:
    return TopicKey(row.text("corpus"), row.text("model"), row.text("topic_idx"))


HOYLE2021 = JudgmentsLayout("hoyle2021", _fits, _read)
