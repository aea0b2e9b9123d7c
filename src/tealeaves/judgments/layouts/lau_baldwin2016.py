"""Mean ratings of topics: Lau & Baldwin (2016), one topic with four ratings per row.

The same topic was shown with its first 5, 10, 15 and 20 words and rated from 1 to 3; each number
of words is a task of its own. Only means are known. The file names no model: all topics are of
LDA, and the model is called ``lda``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.judgments.layouts.layout import JudgmentsLayout, rows_by_topic
from tealeaves.judgments.tables import tidy_judgments
from tealeaves.tables.rows import Row

MODEL = "lda"
TASKS = ("rating_top5", "rating_top10", "rating_top15", "rating_top20")


def _fits(columns: frozenset[str]) -> bool:
    """Topics with a mean rating for each number of words shown."""
    return {"corpus", "topic_idx", "words", *TASKS} <= columns


def _read(rows: Sequence[Row], path: Path) -> Judgments:
    """Make a row of each mean, task by task."""
    topics = rows_by_topic(rows, _key)
    words = {key: row.words("words") for key, row in topics.items()}
    answers = [
        {**key._asdict(), "task": task, "answer": row.number(task)}
        for task in TASKS
        for key, row in topics.items()
    ]
    note = f"{path.name}: each answer is a mean over people, not one person's"
    return tidy_judgments(answers, words=words, notes=[note])


def _key(row: Row) -> TopicKey:
    return TopicKey(row.text("corpus"), MODEL, row.text("topic_idx"))


LAU_BALDWIN2016 = JudgmentsLayout("lau_baldwin2016", _fits, _read)
