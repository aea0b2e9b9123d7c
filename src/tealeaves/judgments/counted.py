"""Which answers count: given ones, with a key where there is one, and the last to each item."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from tealeaves.judgments.judgments import Judgments

Part = tuple[str, str]
#: What tells answers apart: two that are the same in all of it are one person's to one item.
SAME_ANSWER = ("dataset", "task", "model", "topic", "item", "annotator")


def counted_answers(judgments: Judgments) -> tuple[Judgments, list[str]]:
    """Return the answers that count, and say in sentences what is left out.

    >>> from tealeaves.judgments import Judgments
    >>> rows = [{"annotator": "ann", "topic": "a", "answer": x} for x in (1, 2, None)]
    >>> found, left_out = counted_answers(Judgments.of(rows))
    >>> found.frame["answer"].to_list()
    [2.0]
    >>> left_out
    ['1 row without an answer is left out', '1 answer that was given again later is left out']
    """
    steps: tuple[tuple[Callable[[Judgments], tuple[Judgments, int]], str, str], ...] = (
        (_topics, "answer# to items that only test attention", ""),
        (answered, "row# without an answer", ""),
        (with_key, "answer# without a key, which nobody can call right or wrong,", ""),
        (last_answers, "answer# that was given again later", "answers that were given again later"),
    )
    said = []
    for step, one, several in steps:
        judgments, gone = step(judgments)
        if gone == 1:
            said.append(f"1 {one.replace('#', '')} is left out")
        elif gone:
            said.append(f"{gone} {several or one.replace('#', 's')} are left out")
    return judgments, said


def _topics(judgments: Judgments) -> tuple[Judgments, int]:
    topics = judgments.topics_only
    return topics, len(judgments) - len(topics)


def answered(judgments: Judgments) -> tuple[Judgments, int]:
    """Leave out rows without an answer, and say how many.

    An item that was skipped is neither right nor wrong; it must not hide that others are.

    >>> from tealeaves.judgments import Judgments
    >>> rows = [{"topic": "a", "answer": x, "key": "cat"} for x in ("cat", "dog", None)]
    >>> rows, unanswered = answered(Judgments.of(rows))
    >>> rows.frame["answer"].to_list(), unanswered, rows.has_key
    (['cat', 'dog'], 1, True)
    """
    return _kept(judgments, _is_answered())


def with_key(judgments: Judgments) -> tuple[Judgments, int]:
    """Leave out answers without a key where others have one, and say how many.

    >>> from tealeaves.judgments import Judgments
    >>> rows = [{"topic": "a", "answer": 3, "key": key} for key in (3, 3, None)]
    >>> rows, keyless = with_key(Judgments.of(rows))
    >>> rows.frame["correct"].to_list(), keyless
    ([True, True], 1)
    """
    import polars as pl

    if not judgments.keyed:
        return judgments, 0
    keyed = pl.struct("dataset", "task").is_in(
        [{"dataset": dataset, "task": task} for dataset, task in judgments.keyed]
    )
    return _kept(judgments, pl.col("correct").is_not_null() | ~keyed)


def last_answers(judgments: Judgments) -> tuple[Judgments, int]:
    """Keep the last answer of each annotator to each item, and say how many were left out.

    Where nobody knows who answered, all answers are kept.

    >>> from tealeaves.judgments import Judgments
    >>> rows = [{"annotator": "ann", "topic": "a", "answer": x} for x in (1, 2)]
    >>> rows, repeated = last_answers(Judgments.of(rows))
    >>> rows.frame["answer"].to_list(), repeated
    ([2.0], 1)
    """
    import polars as pl

    last = pl.struct(*SAME_ANSWER).is_last_distinct()
    return _kept(judgments, last | pl.col("annotator").is_null())


def keyed_parts(frame: pl.DataFrame) -> frozenset[Part]:
    """Return the data sets and tasks whose answers are right or wrong.

    Those are tasks of intrusion where any answer has a key, and others where half of them have
    one: a few keys among ratings are of items that test attention.
    """
    import polars as pl

    parts = (
        frame.filter(_is_answered() & ~pl.col("gold"))
        .group_by("dataset", "task", maintain_order=True)
        .agg(pl.col("correct").count().alias("known"), pl.len().alias("all"))
    )
    return frozenset(
        (dataset, task)
        for dataset, task, known, total in parts.iter_rows()
        if known and (is_intrusion(task) or 2 * known >= total)
    )


def is_intrusion(task: str) -> bool:
    """Tell by its name whether a task is one of intrusion."""
    return "intrusion" in task.lower()


def _is_answered() -> pl.Expr:
    import polars as pl

    text = pl.col("answer").cast(pl.String)
    empty = text.is_null() | (text.str.strip_chars() == "")
    return ~(empty & pl.col("correct").is_null())


def _kept(judgments: Judgments, which: pl.Expr) -> tuple[Judgments, int]:
    kept = judgments.filtered(which)
    return kept, len(judgments) - len(kept)
