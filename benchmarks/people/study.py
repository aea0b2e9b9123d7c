"""Every metric of the registry against people.

    TEALEAVES_DATA=/path/to/data python -m benchmarks people

All judged topics are scored by all metrics that can be computed for them, in sensible variants: by
counts of the texts that the topics are of and of Wikipedia, by vectors of five embeddings, by
relevance in a classifier, by their words alone, and by consensus, fitted without them. ``--also
FILE`` adds further values, which stand first in the tables; a line is ``{"set":
"hoyle2021_ratings", "model": "etm", "topic": "7", "metric": "mine", "value": 0.5}``, and the sets
are those of ``sets.py``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks.checkpoints import stored
from benchmarks.options import study_parser
from benchmarks.people.agreement import (
    DRAWS,
    SEED,
    AgreementRow,
    PeopleCeiling,
    across,
    ceiling,
    differences,
    from_json,
    held_in,
    lines_of,
    read_also,
    rows_of,
    scored_of,
    to_csv,
)
from benchmarks.people.chart import draw
from benchmarks.people.page import page
from benchmarks.people.sets import SETS, PeopleSet
from benchmarks.people.stages import Scored, scored_in, stages
from benchmarks.people.variants import CONSENSUS, metric_in
from tealeaves.errors import TealeavesError
from tealeaves.files import atomic_write
from tealeaves.system import processors


def all_scored(folder: Path) -> list[Scored]:
    """Score all topics by all metrics."""
    scored = []
    for stage in stages(folder):
        start = time.perf_counter()
        scored += scored_in(stage, folder)
        say(stage.name, start)
    return scored


def say(name: str, start: float) -> None:
    """Say on standard error how long something took."""
    print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)


class Work(NamedTuple):
    """The metrics of a set that are to be correlated with people."""

    set: PeopleSet
    scored: list[Scored]
    also: list[Scored]
    folder: Path


def correlated(work: Work) -> tuple[list[AgreementRow], PeopleCeiling]:
    """Correlate the metrics of a set with people; those of the registry are kept."""
    start = time.perf_counter()
    one, scored, also, folder = work
    held = held_in(one, scored)
    rows = rows_of(one, also, held) if also else []
    # apart, so that new predictors do not make everything anew
    ours = [each for each in scored if metric_in(each.expression) == CONSENSUS]
    others = [each for each in scored if metric_in(each.expression) != CONSENSUS]
    for some, name in ((ours, f"{one.name}.consensus"), (others, one.name)):
        digest = blake2b(repr([SEED, DRAWS, some, held]).encode()).hexdigest()
        correlate_some = partial(rows_of, one, some, held)
        rows += map(from_json, stored(folder / f"{name}.rows.json", digest, correlate_some))
    reached = ceiling(one, held)
    say(one.name, start)
    return rows, reached


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with atomic_write(path) as stream:
        stream.write(text.encode())


def main(arguments: Sequence[str] | None = None) -> None:
    """Score, correlate, and write the page, its picture and the rows."""
    parser = study_parser("people", __doc__)
    parser.add_argument(
        "--also",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="JSON lines with values of a further metric; may be repeated",
    )
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    try:
        also = [one for path in options.also for one in read_also(path)]
    except (OSError, TealeavesError) as error:
        parser.error(str(error))
    scored = all_scored(options.work)
    tasks = [Work(one, scored_of(one, scored), scored_of(one, also), options.work) for one in SETS]
    # new processes: those that torch ran in cannot be forked
    with ProcessPoolExecutor(processors(), mp_context=get_context("spawn")) as pool:
        results = dict(zip((one.name for one in SETS), pool.map(correlated, tasks), strict=True))
    rows = [row for more, _ in results.values() for row in more]
    ceilings = {name: reached for name, (_, reached) in results.items()}
    lines = lines_of(rows, scored)
    draw(lines, ceilings, options.output.with_name("results.svg"))
    write(options.output.with_name("results.csv"), to_csv(rows))
    versus = differences(lines, scored)
    write(options.output, page(lines, ceilings, versus, across(), options.also))
