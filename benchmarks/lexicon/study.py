"""The study behind ``docs/lexicon.md``: extraction models against gold, aligners, time, memory.

    TEALEAVES_DATA=/path/to/data python -m benchmarks lexicon

The text is a Bible in Hebrew and Greek, English and Finnish; all its verses are trained on. Models
extract the annotated tokens of three settings: Hebrew and Greek lemmas in Finnish, tagged English
lemmas in Finnish, Hebrew and Greek lemmas in English. Each model, or aligner, runs in a process of
its own. What is not installed is left out, and named. ``--again hybrid`` runs the models anew whose
names begin so. ``--tuning`` prints what the settings of ``hybrid`` were chosen by.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.checkpoints import append_rows, read_rows
from benchmarks.options import study_parser
from benchmarks.processes import run

# the quick ones first, so that tables can be had early; those in a row share an alignment
MODELS = (
    "hybrid",
    "l",
    "l(measure=t)",
    "hmm+u hmm+i",
    "superpivot",
    "conceptualizer",
    "fa+u fa+i",
    "mf+fa+u mf+fa+i",
)
TIMED = ("l", "l(measure=t)", "hybrid")


class LexiconTask(NamedTuple):
    """What a process does: the work, in which setting, with which models or aligner."""

    work: str
    setting: str
    models: str

    def each(self) -> Iterator[LexiconTask]:
        """Yield the task of each model by itself, as what it said is kept."""
        return (self._replace(models=model) for model in self.models.split())


def tasks() -> Iterator[LexiconTask]:
    """Yield all that is to be done: words are cut before that is needed, the slowest come last."""
    for model in TIMED:
        yield LexiconTask("seeds", "source", model)
    yield LexiconTask("cut", "source", "morfessor")
    for models in (*MODELS, "hybrid(aligner=fast_align)"):
        yield LexiconTask("extract", "source", models)
    for name in ("hmm", "fast_align"):
        yield LexiconTask("align", "source", name)
    yield LexiconTask("cut", "english", "morfessor")
    for models in MODELS:
        yield LexiconTask("extract", "tagged", models)
        yield LexiconTask("extract", "english", models)
    yield LexiconTask("extract", "source", "te+u")
    for name in ("thot_eflomal", "eflomal"):
        yield LexiconTask("align", "source", name)


def finished_tasks(path: Path) -> dict[LexiconTask, dict[str, Any]]:
    """Read the tasks that are done; of a task that was done twice, the last counts."""
    return {LexiconTask(*row["task"]): row for row in read_rows(path)}


def run_missing(path: Path, folder: Path, again: str | None) -> None:
    """Run what is not in the file yet, and what is wanted anew."""
    done = finished_tasks(path)
    left = [
        task
        for task in tasks()
        if not done.keys() >= set(task.each())
        or (again is not None and task.models.startswith(again))
    ]
    for number, task in enumerate(left, 1):
        load = os.getloadavg()[0]
        command = [sys.executable, "-m", "benchmarks.lexicon.work", *task, str(folder.resolve())]
        finished = run(command)
        said = json.loads(finished.output)
        print(f"{number} of {len(left)}: {' '.join(task)}", end=" ", file=sys.stderr)
        if "missing" in said:
            print(f"left out: {said['missing']}", file=sys.stderr, flush=True)
            continue
        print(f"{finished.wall:.1f} s", file=sys.stderr, flush=True)
        known = {"cpu": finished.cpu, "megabytes": finished.megabytes, "load": load}
        append_rows(path, ({"task": one, **known, **said[one.models]} for one in task.each()))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is not done yet, and write the page."""
    parser = study_parser("lexicon", __doc__)
    parser.add_argument(
        "--again", metavar="MODEL", help="run the models anew whose names begin with this"
    )
    parser.add_argument(
        "--tables", action="store_true", help="run nothing; write the page from what is kept"
    )
    parser.add_argument(
        "--tuning",
        action="store_true",
        help="instead: the errors of other settings of hybrid, on lemmas that no table is made of",
    )
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    if options.tuning:
        from benchmarks.lexicon.tuning import print_errors

        print_errors(options.work / "tuning.jsonl")
        return
    path = options.work / "runs.jsonl"
    if not options.tables:
        run_missing(path, options.work, options.again)
    # only now: a process starts with the peak memory of the one that starts it
    from benchmarks.lexicon.tables import page
    from tealeaves.files import atomic_write

    text = page(finished_tasks(path).values())
    with atomic_write(options.output) as stream:
        stream.write(text.encode())
    print(text)
