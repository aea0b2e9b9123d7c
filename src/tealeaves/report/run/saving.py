"""Runs as files: JSON that says what it is, with every number as it was."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import msgspec

from tealeaves.artifacts import check_json_header
from tealeaves.errors import InputError
from tealeaves.files import atomic_write, check_writable
from tealeaves.report.run.record import Run
from tealeaves.report.run.soundness import sound_run
from tealeaves.version import __version__

FORMAT, VERSION = "tealeaves run", 1
SUFFIX = ".run"


def check_run_file(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work is done, a file that a run cannot be saved to."""
    if Path(path).suffix.lower() != SUFFIX:
        raise InputError(f"{path}: a run is saved as {SUFFIX}")
    check_writable(path)


def save_run(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run to a file, ``.run``, that `tealeaves report` reads."""
    check_run_file(path)
    head = {"format": FORMAT, "version": VERSION, "made_with": __version__}
    content = msgspec.json.encode({**head, "run": _plain(msgspec.to_builtins(sound_run(run)))})
    with atomic_write(path) as stream:
        stream.write(content)


def read_run(path: str | os.PathLike[str]) -> Run:
    """Read a run."""
    content = Path(path).read_bytes()
    check_json_header(
        content,
        str(path),
        holds="a run",
        wanted=(FORMAT, VERSION),
        made_by="tealeaves score --run FILE.run",
    )
    try:
        # not strict: "nan" is a number where one is wanted, which JSON has no other word for
        return msgspec.convert(msgspec.json.decode(content).get("run"), Run, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: a damaged run: {error}") from error


def _plain(value: Any) -> Any:
    """Write NaN and infinity out, which JSON does not have.

    >>> _plain({"value": [1.0, float("nan")]})
    {'value': [1.0, 'nan']}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
