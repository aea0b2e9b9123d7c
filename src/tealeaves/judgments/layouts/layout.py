"""``JudgmentsLayout``: how the tables of one study become judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.tables.rows import Row


@dataclass(frozen=True)
class JudgmentsLayout:
    """How the tables of one study become judgments.

    Parameters
    ----------
    name
        The name that users give.
    fits
        Tell a table by the names of its columns.
    read
        Make judgments of the rows of a file, whose path is for messages and notes.
    """

    name: str
    fits: Callable[[frozenset[str]], bool]
    read: Callable[[Sequence[Row], Path], Judgments]


def rows_by_topic(rows: Sequence[Row], key_of: Callable[[Row], TopicKey]) -> dict[TopicKey, Row]:
    """Return the row of each topic; two rows of one topic are an error.

    >>> rows = [Row("a:1", {"topic": 1}), Row("a:2", {"topic": 2})]
    >>> [key.topic for key in rows_by_topic(rows, lambda row: TopicKey("", "", row.text("topic")))]
    ['1', '2']
    """
    topics: dict[TopicKey, Row] = {}
    for row in rows:
        key = key_of(row)
        first = topics.setdefault(key, row)
        if first is not row:
            raise InputError(
                f"{row.where}: topic {key.topic} of {key.model} ({key.dataset}) stands at "
                f"{first.where} already: take one of them out"
            )
    return topics
