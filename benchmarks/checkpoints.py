"""What a study has computed is kept in its folder, so that a study that was stopped goes on.

Small results are one file each (:func:`stored`). Results of many tasks are lines of one file:
:func:`read_rows` and :func:`append_rows`. :func:`in_parallel` runs tasks in several processes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.folders import WORK


def stored(path: Path, made_by: Any, compute: Callable[[], Any]) -> Any:
    """Return the result in a file if it was made by the same inputs, else compute and store it.

    The result is read back from JSON in both cases, so that both give the same.
    """
    from tealeaves.files import atomic_write

    if path.exists():
        known = json.loads(path.read_text(encoding="utf-8"))
        if known["made_by"] == made_by:
            return known["result"]
    text = json.dumps({"made_by": made_by, "result": compute()})
    with atomic_write(path) as stream:
        stream.write(text.encode())
    return json.loads(text)["result"]


def code_digest(*folders: Path) -> str:
    """Return a digest of the Python code and the JSON files of some folders."""
    digest = blake2b(digest_size=16)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".json") and WORK not in path.parents:
                digest.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a file of JSON lines so far; a last line that was cut off is left out."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]


def append_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Append the rows of one task to a file in one piece, after its last complete line."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.touch()
    with path.open("r+b") as stream:
        stream.truncate(stream.read().rfind(b"\n") + 1)
        stream.seek(0, 2)
        stream.write(text.encode())


def in_parallel(
    work: Callable[..., Any], tasks: Iterable[Any], workers: int
) -> Iterator[tuple[Any, Any]]:
    """Yield each task with its result, as processes return them, and count on standard error."""
    listed = list(tasks)
    # not forked: threads of polars and of torch would be waited for forever
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(work, task): task for task in listed}
        for number, future in enumerate(as_completed(running), 1):
            yield running[future], future.result()
            print(f"{number} of {len(listed)}: {running[future]}", file=sys.stderr, flush=True)
