"""The run behind ``docs/lexicon.md``: models of extraction against gold, aligners, time and memory.

    TEALEAVES_DATA=/path/to/data python benchmarks/lexicon.py FOLDER

The text is a Bible in Hebrew and Greek, English and Finnish; all its verses are trained on. Models
extract the annotated tokens of three settings: Hebrew and Greek lemmas in Finnish, tagged English
lemmas in Finnish, Hebrew and Greek lemmas in English. Each model, or aligner, runs in a process of
its own. All that is done is kept in FOLDER: a run that is stopped goes on where it was.
``--again hybrid`` runs anew the models that begin so. What is not installed is left out, and named.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from measure import run

HERE = Path(__file__).parent
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


class Task(NamedTuple):
    """What a process does: the work, in which setting, with which models or aligner."""

    work: str
    setting: str
    models: str

    def each(self) -> Iterator[Task]:
        """Yield the task of each model by itself, as what it said is kept."""
        return (self._replace(models=model) for model in self.models.split())


def tasks() -> Iterator[Task]:
    """Yield all that is to be done: words are cut before that is needed, the slowest come last."""
    for model in TIMED:
        yield Task("seeds", "source", model)
    yield Task("cut", "source", "morfessor")
    for models in (*MODELS, "hybrid(aligner=fast_align)"):
        yield Task("extract", "source", models)
    for name in ("hmm", "fast_align"):
        yield Task("align", "source", name)
    yield Task("cut", "english", "morfessor")
    for models in MODELS:
        yield Task("extract", "tagged", models)
        yield Task("extract", "english", models)
    yield Task("extract", "source", "te+u")
    for name in ("thot_eflomal", "eflomal"):
        yield Task("align", "source", name)


def rows_in(path: Path) -> dict[Task, dict[str, Any]]:
    """Read the tasks that are done; of those done twice the last counts.

    A last line that was cut off does not count.
    """
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    rows = [json.loads(line) for line in lines]
    return {Task(*row["task"]): row for row in rows}


def everything(path: Path, folder: Path, again: str | None) -> None:
    """Run what is not in the file yet, and what is wanted anew."""
    done = rows_in(path)
    left = [
        task
        for task in tasks()
        if not done.keys() >= set(task.each())
        or (again is not None and task.models.startswith(again))
    ]
    drop_cut_off_line(path)
    for number, task in enumerate(left, 1):
        load = os.getloadavg()[0]
        finished = run([sys.executable, str(HERE / "work_lexicon.py"), *task, str(folder)])
        said = json.loads(finished.output)
        print(f"{number} of {len(left)}: {' '.join(task)}", end=" ", file=sys.stderr)
        if "missing" in said:
            print(f"left out: {said['missing']}", file=sys.stderr, flush=True)
            continue
        print(f"{finished.wall:.1f} s", file=sys.stderr, flush=True)
        known = {"cpu": finished.cpu, "megabytes": finished.megabytes, "load": load}
        rows = [{"task": one, **known, **said[one.models]} for one in task.each()]
        with path.open("a", encoding="utf-8") as stream:
            stream.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def drop_cut_off_line(path: Path) -> None:
    """Let a run go on after a line that was not written to its end."""
    if path.exists():
        content = path.read_bytes()
        with path.open("r+b") as stream:
            stream.truncate(content.rfind(b"\n") + 1)


def main() -> None:
    """Run what is not done yet, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--again", metavar="MODEL", help="run models anew that begin so")
    parser.add_argument("--tables", action="store_true", help="only print the tables of a run")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    path = given.folder / "runs.jsonl"
    if not given.tables:
        everything(path, given.folder, given.again)
    # only now: a process begins with the memory of the one that starts it
    from lexicon_tables import tables
    from tealeaves.files import atomic_write

    text = tables(rows_in(path).values())
    with atomic_write(given.folder / "tables.md") as stream:
        stream.write(text.encode())
    print(text)


if __name__ == "__main__":
    main()
