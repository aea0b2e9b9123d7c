"""What a case is: the same work for several contenders, and what is promised of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Output(NamedTuple):
    """What a contender prints: its results, and the seconds of what it timed itself."""

    values: list[float]
    wall: list[float]
    cpu: list[float]


def read_json(output: str) -> Output:
    """Read what the scripts ``work_*.py`` and ``peer_*.py`` print."""
    found = json.loads(output)
    return Output(found.get("values", []), found.get("wall", []), found.get("cpu", []))


def read_rows(output: str) -> Output:
    """Read the rows that ``tealeaves score`` prints; the row of the whole model has no topic."""
    rows = [json.loads(line) for line in output.splitlines()]
    return Output([row["value"] for row in rows if row["topic"] is not None], [], [])


def read_nothing(output: str) -> Output:  # noqa: ARG001
    """Pass over what a command prints."""
    return Output([], [], [])


@dataclass(frozen=True)
class Contender:
    """One who does the work of a case, as a process of its own.

    Parameters
    ----------
    name
        As shown in the tables.
    command
        Its command line.
    runs
        How many times it is timed.
    read
        How what it prints is understood.
    check
        Another command, for results that can be compared with the other contenders' (our
        ``compat=gensim``); without it those of ``command`` are.
    slow
        Its first run is timed too; of the others an untimed run comes before all timed ones.
    equal
        Its results must equal those of the other contenders.
    fresh
        It runs with empty caches of compiled kernels.
    """

    name: str
    command: tuple[str, ...]
    runs: int
    read: Callable[[str], Output] = read_json
    check: tuple[str, ...] | None = None
    slow: bool = False
    equal: bool = True
    fresh: bool = False


@dataclass(frozen=True)
class Goal:
    """A promise on the median wall time of a contender.

    With ``least`` it must be that many times faster than the contender ``against``; with ``most``
    it may take so many times the seconds of ``against``, or so many seconds if there is no such.
    An ``aim`` is hoped for, not promised.
    """

    contender: str
    against: str = ""
    least: float = 0.0
    most: float = 0.0
    aim: bool = False

    def __str__(self) -> str:
        """Say what is promised."""
        kind = "aim" if self.aim else "goal"
        if self.least:
            return f"{kind} {self.least:g}x"
        return f"{kind} at most {self.most:g}x" if self.against else f"{kind} < {self.most:g} s"


@dataclass(frozen=True)
class Case:
    """The same work for one or more contenders.

    Parameters
    ----------
    name
        Unique; ``--case`` finds cases by a part of it.
    group
        The table of the page it belongs to.
    contenders
        The first is ours.
    goals
        What is promised.
    inside
        Judged are the seconds that contenders measure themselves, not those of whole processes.
    megabytes
        The size of the text, where the speed is of interest.
    tolerance
        How far results of contenders may differ, where one rounds its own.
    """

    name: str
    group: str
    contenders: tuple[Contender, ...]
    goals: tuple[Goal, ...] = ()
    inside: bool = False
    megabytes: float = 0.0
    tolerance: float = 1e-9
