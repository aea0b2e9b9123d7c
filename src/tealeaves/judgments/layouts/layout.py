"""``JudgmentsLayout``: how the tables of one study become judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tealeaves.judgments.judgments import Judgments
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
