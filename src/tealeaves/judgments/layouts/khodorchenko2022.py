"""Votes on topics: Khodorchenko, Butakov & Nasonov (2022), one topic with its votes per row.

Workers were asked whether a common topic can be named: good 4, rather good 3, rather bad 2, bad 1.
Who voted is not said.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.judgments.layouts.layout import JudgmentsLayout, rows_by_topic
from tealeaves.judgments.tables import tidy_judgments
from tealeaves.tables.rows import Row


def _fits(columns: frozenset[str]) -> bool:
    """Topics with a list of votes each."""
    return {"model_id", "topic_seq", "words", "votes"} <= columns


def _read(rows: Sequence[Row], path: Path) -> Judgments:  # noqa: ARG001
    """Make a row of each vote."""
    answers, words = [], {}
    for key, row in rows_by_topic(rows, _key).items():
        words[key] = row.words("words")
        # a topic without votes keeps its place, with an answer that is missing
        votes: list[float | None] = [*row.numbers("votes")] or [None]
        answers += [{**key._asdict(), "task": "votes", "answer": vote} for vote in votes]
    return tidy_judgments(answers, words=words)


def _key(row: Row) -> TopicKey:
    return TopicKey(row.text("corpus"), row.text("model_id"), row.text("topic_seq"))


KHODORCHENKO2022 = JudgmentsLayout("khodorchenko2022", _fits, _read)
