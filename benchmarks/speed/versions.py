"""The cases of ``--against``: the same work by this version of tealeaves and by another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from benchmarks.speed.case import Contender, Goal, Output, SpeedCase, read_json, read_rows
from benchmarks.speed.cases import (
    DEMO,
    FLOOR,
    LARGE_TOPICS,
    ONE,
    PASS,
    SCORINGS,
    TWO,
    Runs,
    score_command,
)
from benchmarks.speed.texts import LARGE_BYTES, PREPARED, raw_texts
from benchmarks.speed.tools import Tools

THIS, OTHER = "this version", "the other"
_AS_FAST = Goal(THIS, OTHER, most=1.05, cpu=True)  # work of one thread
_LEXICON = (
    ("HMM alignment of 6,000 verses", "align"),
    ("markers of 300 words by the L-model", "markers"),
    ("forms of 300 words by the hybrid model", "forms"),
)


def version_cases(this: Tools, other: Tools, runs: Runs) -> Iterator[SpeedCase]:
    """Yield all cases, in the order in which they are run."""
    both, few = (this, other), min(3, runs.ours)
    yield from _scores(both, runs, few)
    yield from _large(both, runs)
    for k in (50, 100, 200, 500):
        yield _case(
            f"pltm, {k} topics, two languages: a sweep over a million tokens",
            (tools.script("work.pltm", str(k), "2", str(PREPARED)) for tools in both),
            few,
            _AS_FAST,
        )
    for name, how in _LEXICON:
        yield _case(name, (tools.script("work.lexicon", how) for tools in both), few, _AS_FAST)


def _case(
    name: str,
    commands: Iterable[tuple[str, ...]],
    times: int,
    *goals: Goal,
    read: Callable[[str], Output] = read_json,
    beside: tuple[Contender, ...] = (),
    fresh: bool = False,
    slow: bool = False,
) -> SpeedCase:
    """Return a case of both versions, whose results must be equal, bit by bit."""
    contenders = tuple(
        Contender(who, command, times, read, fresh=fresh, slow=slow)
        for who, command in zip((THIS, OTHER), commands, strict=True)
    )
    return SpeedCase(
        name, "versions", (*contenders, *beside), goals, inside=read is read_json, tolerance=0.0
    )


def _scores(both: tuple[Tools, Tools], runs: Runs, few: int) -> Iterator[SpeedCase]:
    """Whole processes, the first after an installation and later ones; and scoring from memory."""
    topics = sorted(map(str, DEMO.glob("topics/en/*.json")))
    demo = ("score", *topics, "--corpus", str(DEMO / "en.jsonl"))
    shown = ("--by-topic", "--format", "jsonl", "--quiet")
    works = [("score the demo", [tools.program(*demo, *shown) for tools in both])]
    for one in SCORINGS:
        metric = f"{one.measure}@10"
        works.append((one.name, [score_command(tools, one, metric) for tools in both]))
    for name, commands in works[:2]:
        goals = (Goal(THIS, most=1.5),) if name == SCORINGS[0].name else ()
        yield _case(f"{name}, first run", commands, few, *goals, read=read_rows, fresh=True)
    for name, commands in works:
        goals = (Goal(THIS, most=0.5),) if name == SCORINGS[0].name else ()
        yield _case(f"{name}, later runs", commands, runs.ours, *goals, read=read_rows)
    for start in ("bytes", "lists"):
        asked = start, SCORINGS[0].topic_file, str(PREPARED), f"{SCORINGS[0].measure}@10", "9"
        commands = [tools.script("work.steady", *asked) for tools in both]
        yield _case(f"{SCORINGS[0].name}, steady, from {start}", commands, 2)


def _large(both: tuple[Tools, Tools], runs: Runs) -> Iterator[SpeedCase]:
    """Raw text, beside what this version is measured by: the floor, the reading for one model."""
    this, _ = both
    large, quarter = (str(raw_texts(LARGE_BYTES // part)) for part in (1, 4))
    floor = Contender(FLOOR, this.script("work.floor", large), runs.ours, equal=False)
    for name, threads, goals in ((ONE, "1", ()), (TWO, "2", (Goal(THIS, FLOOR, most=2.5),))):
        yield _case(
            f"raw text to counts, {LARGE_BYTES / 1e6:.0f} MB, {name}",
            (tools.script("work.count", large, LARGE_TOPICS, threads) for tools in both),
            runs.ours,
            *goals,
            beside=(floor,),
        )
    reading = this.script("work.many", LARGE_TOPICS, quarter, "pass")
    yield _case(
        "100 models of 25 topics, every metric of word lists, plain text",
        (tools.script("work.many", LARGE_TOPICS, quarter, "score") for tools in both),
        1,
        Goal(THIS, PASS, most=3),
        beside=(Contender(PASS, reading, 1, equal=False, slow=True),),
        slow=True,
    )
