"""The corpus of the benchmarks, as the plain file that every tool reads."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE / ".work"
_SOURCE = "20newsgroups/processed.jsonl.gz"


def prepared_texts() -> Path:
    """Return 20 Newsgroups as one document a line, tokens separated by spaces; made once."""
    source = _data_folder() / _SOURCE
    if not source.is_file():
        _stop(f"{source}: no such file")
    target = WORK / "20newsgroups.txt"
    if not target.exists():
        WORK.mkdir(exist_ok=True)
        partial = target.with_suffix(".partial")
        with (
            gzip.open(source, "rt", encoding="utf-8") as lines,
            partial.open("w", encoding="utf-8") as out,
        ):
            for line in lines:
                print(" ".join(json.loads(line)["text"].split()), file=out)
        partial.rename(target)
    return target


def read_tokens(path: Path) -> list[list[str]]:
    """Read one document a line."""
    with path.open(encoding="utf-8") as lines:
        return [line.split() for line in lines]


def _data_folder() -> Path:
    folder = os.environ.get("TEALEAVES_DATA")
    if not folder:
        _stop("set TEALEAVES_DATA to the folder of the reference data")
    return Path(folder or "")


def _stop(message: str) -> None:
    print(f"benchmarks: {message}", file=sys.stderr)
    sys.exit(2)
