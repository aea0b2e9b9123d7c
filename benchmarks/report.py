"""The results as a page, and as the numbers that the picture is drawn from."""

from __future__ import annotations

import datetime as dt
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tables
from cases import (
    AUTOGRAD,
    CHEFER,
    FLOOR,
    GENSIM,
    ONE,
    OURS,
    PLAIN,
    PLAINLY,
    SCIPY,
    SINGLE,
    STREAM,
    TOMOTOPY,
    TWO,
)
from steps import Steps
from trial import Outcome
from words import (
    GENSIM_NOTES,
    GROWTH_NOTES,
    HOW,
    LINKED_NOTES,
    PEOPLE_NOTES,
    RELEVANCE_NOTES,
    SINGLE_NOTES,
    STEP_NOTES,
    TOMOTOPY_NOTES,
    VECTOR_NOTES,
    next_steps,
)


@dataclass(frozen=True)
class Machine:
    """Where and when the numbers were measured."""

    tools: dict[str, str]
    load_before: float

    def lines(self) -> list[str]:
        """Describe the machine, and whether it was idle."""
        after = os.getloadavg()[0]
        return [
            f"- Date: {dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M} UTC",
            f"- Machine: {_processor()}, {os.cpu_count()} cores, {_memory():.0f} GB memory, "
            f"{platform.system()} {platform.release()}",
            *(f"- {name}: {versions}" for name, versions in self.tools.items()),
            f"- Load average (1 minute) before the first run {self.load_before:.2f}, after the "
            f"last {after:.2f}; the benchmark itself is a load of 1 to 2. Above that the machine "
            "was not idle, and CPU seconds say more than wall seconds.",
        ]


def page(machine: Machine, outcomes: Sequence[Outcome], steps: tuple[Steps, Steps]) -> str:
    """Put the whole page together."""
    formats = next(one for one in outcomes if one.case.group == "formats")
    parts = [
        "# Benchmark results",
        "Written by `make bench`; do not edit.",
        "\n".join(machine.lines()),
        "## What is promised",
        tables.goal_table(outcomes),
        "![Times faster than gensim, and seconds by size of the text](results.svg)",
        "## Against gensim, 20 Newsgroups: whole processes",
        tables.peer_table(outcomes, "whole", GENSIM),
        "## Against gensim, 20 Newsgroups: steady state, from bytes in memory, one thread",
        tables.peer_table(outcomes, "steady", GENSIM),
        GENSIM_NOTES,
        "## Against tomotopy: its numbers differ",
        tables.tomotopy_table(outcomes),
        TOMOTOPY_NOTES,
        "## Raw text to counts, four sizes",
        tables.growth_table(outcomes),
        GROWTH_NOTES,
        f"## Formats: {formats.case.megabytes:.0f} MB of the same text, two threads",
        tables.format_table(formats),
        "## Correlations with people, against scipy",
        tables.peer_table(outcomes, "people", SCIPY),
        PEOPLE_NOTES,
        "## Metrics of word vectors, against STREAM",
        tables.peer_table(outcomes, "vectors", STREAM),
        tables.peer_table(outcomes, "encoding", SINGLE),
        VECTOR_NOTES,
        "## Attention and relevance",
        tables.peer_table(outcomes, "lrp", AUTOGRAD),
        tables.peer_table(outcomes, "improved", CHEFER),
        tables.way_table(outcomes, "ways", PLAIN),
        tables.single_table(outcomes, "stored"),
        RELEVANCE_NOTES,
        "## Topics across languages",
        tables.peer_table(outcomes, "linked", PLAINLY),
        tables.sampler_table(outcomes, "pltm", TOMOTOPY),
        LINKED_NOTES,
        "## Without a peer",
        tables.single_table(outcomes),
        SINGLE_NOTES,
        "## Where the time goes, one thread",
        tables.step_table(steps),
        STEP_NOTES,
        "## What would be next",
        next_steps(*steps, formats),
        HOW,
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def numbers(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return what the picture shows."""
    return {
        "ratios": [_ratio(one) for one in outcomes if one.case.group in ("whole", "steady")],
        "growth": [
            _point(one, name)
            for one in outcomes
            if one.case.group == "growth"
            for name in (ONE, TWO, FLOOR)
        ],
    }


def _ratio(one: Outcome) -> dict[str, Any]:
    ratio = one.wall(GENSIM).median / one.wall(OURS).median
    return {
        "case": one.case.name.removesuffix(", steady"),
        "kind": "steady state" if one.case.inside else "whole process",
        "ratio": ratio,
        "shown": f"{ratio:.0f}x" if ratio >= 10 else f"{ratio:.1f}x",
        "goal": next((goal.least for goal in one.case.goals), 0),
    }


def _point(one: Outcome, name: str) -> dict[str, Any]:
    seconds = one.wall(name).median
    return {
        "megabytes": round(one.case.megabytes),
        "who": name,
        "seconds": seconds,
        "label": f"{name}, {seconds:.2f} s",
    }


def _processor() -> str:
    """Return the model of the processor as Linux tells it, else what Python knows."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> float:
    """Return the gigabytes of memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
