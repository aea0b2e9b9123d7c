"""What is timed: each case against the peer, and what only we have."""

from __future__ import annotations

import json
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cases import Case
from measure import Run, Spread, interleaved, processors, run, walls
from texts import HERE, WORK
from tools import Gensim, Tealeaves, Tool

_TOLERANCE = 1e-9
_REPEATS = 5


@dataclass(frozen=True)
class Comparison:
    """The runs of both tools on one case."""

    case: Case
    ours: list[Run]
    theirs: list[Run]
    difference: float


@dataclass(frozen=True)
class Single:
    """Something without a peer; ``goal`` is the most seconds it may take."""

    name: str
    wall: Spread
    cpu: Spread
    goal: float | None = None

    @classmethod
    def of(cls, name: str, runs: Sequence[Run], goal: float | None = None) -> Single:
        """Sum up some runs."""
        return cls(name, walls(runs), processors(runs), goal)

    @property
    def verdict(self) -> str:
        """Whether the goal was met."""
        if self.goal is None:
            return ""
        return f"< {self.goal:g} s: {'met' if self.wall.median < self.goal else 'MISSED'}"


def compare(case: Case, ours: Tealeaves, peer: Gensim, counts: dict[str, int]) -> Comparison:
    """Time both tools on a case, once it is certain that they do the same work."""
    first = run(peer.command(case))
    difference = _difference(case, ours, peer.values(first.output))
    # an untimed run: numba's kernels are compiled once on a machine, see "first run"
    run(ours.command(case))
    found: dict[str, list[Run]] = {ours.name: [], peer.name: [first]}
    tools: dict[str, Tool] = {ours.name: ours, peer.name: peer}
    for name in interleaved(counts | {peer.name: counts[peer.name] - 1}):
        found[name].append(run(tools[name].command(case)))
    return Comparison(case, found[ours.name], found[peer.name], difference)


def _difference(case: Case, ours: Tealeaves, theirs: Sequence[float]) -> float:
    """Return the greatest difference of any topic; a real one stops the benchmark."""
    alike = replace(ours, alike=True)
    values = alike.values(run(alike.command(case)).output)
    difference = max(abs(a - b) for a, b in zip(values, theirs, strict=True))
    if math.isnan(difference) or difference > _TOLERANCE:
        sys.exit(f"benchmarks: {case.name}: {case.compared} differs from gensim by {difference}")
    return difference


def singles(ours: Tealeaves, case: Case) -> Iterator[Single]:
    """Time what has no peer: start-up, the demo, first runs, many models from loaded counts."""
    load, demo = [str(ours.python), "-c", "import tealeaves"], [ours.program, "demo"]
    yield Single.of("`import tealeaves`, start of Python included", _runs(load), 0.3)
    yield Single.of("`tealeaves --help`", _runs([ours.program, "--help"]), 0.3)
    yield Single.of("`tealeaves demo`, first run", _first_runs(demo))
    yield Single.of("`tealeaves demo`, later runs", _runs(demo))
    yield Single.of(f"{case.name}, first run", _first_runs(ours.command(case)))
    yield _steady(ours, case)


def _runs(command: Sequence[str]) -> list[Run]:
    run(command)
    return [run(command) for _ in range(_REPEATS)]


def _first_runs(command: Sequence[str], repeats: int = 2) -> list[Run]:
    """Run a command that has to compile its kernels, as the first one on a machine does."""
    runs = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            runs.append(run(command, {"NUMBA_CACHE_DIR": cache}))
    return runs


def _steady(ours: Tealeaves, case: Case) -> Single:
    script = [str(ours.python), str(HERE / "steady.py")]
    files = [str(case.topic_file), str(case.texts), str(WORK / "steady.counts")]
    found = json.loads(run([*script, *files]).output)
    name = f"{found['models']} models of 50 topics from loaded counts ({found['pairs']} pairs)"
    wall, cpu = Spread(tuple(found["wall"])), Spread(tuple(found["cpu"]))
    return Single(f"{name}, npmi and c_v", wall, cpu, 1.0)


def breakdown(ours: Tealeaves, case: Case) -> dict[str, Spread]:
    """Return the CPU seconds of each step of one case."""
    python, script = str(ours.python), str(HERE / "breakdown.py")
    command = [python, script, str(case.topic_file), str(case.texts), case.timed]
    runs = [_steps(run(command)) for _ in range(_REPEATS)]
    steps = {"start of the interpreter": processors(_runs([python, "-c", "pass"]))}
    return steps | {step: Spread(tuple(one[step] for one in runs)) for step in runs[0]}


def _steps(finished: Run) -> dict[str, float]:
    found = json.loads(finished.output)
    return {**found["steps"], "end of the process": finished.cpu - found["all"]}
