"""Topics that stand once in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tealeaves.errors import InputError
from tealeaves.judgments.judgments import TopicKey
from tealeaves.tables.rows import Row


def rows_by_topic(rows: Sequence[Row], key_of: Callable[[Row], TopicKey]) -> dict[TopicKey, Row]:
    """Return the row of each topic; a topic that stands twice is an error, for one would be lost.

    >>> rows = [Row("a:1", {"topic": 1}), Row("a:2", {"topic": 2})]
    >>> [key.topic for key in rows_by_topic(rows, lambda row: TopicKey("", "", row.text("topic")))]
    ['1', '2']
    """
    found: dict[TopicKey, Row] = {}
    for row in rows:
        key = key_of(row)
        before = found.setdefault(key, row)
        if before is not row:
            raise InputError(
                f"{row.where}: topic {key.topic} of {key.model} ({key.dataset}) stands at "
                f"{before.where} already: take one of them out"
            )
    return found
