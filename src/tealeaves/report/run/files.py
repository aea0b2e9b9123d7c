"""Runs as files: JSON with a header; the results are encoded as they are, by msgspec."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import numpy as np

from tealeaves.artifacts import RUN_FORMAT, RUN_SUFFIX, check_json_header
from tealeaves.errors import InputError
from tealeaves.files import atomic_write, check_writable
from tealeaves.json_data import convert_json, decode_json
from tealeaves.json_files import Upgrades, upgraded, with_checksum, without_checksum
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report.nested_data import map_values, valid_text
from tealeaves.report.run.analysis import analysed
from tealeaves.report.run.results import run_of_table
from tealeaves.report.run.run import Run
from tealeaves.version import __version__

VERSION = 2
UPGRADES: Upgrades = {}
_PAGES = (".html", ".htm")
_MODEL = ".topics"


def open_run(path: str | os.PathLike[str]) -> Run:
    """Read a run, or make one of a table of scores.

    Parameters
    ----------
    path
        A ``.run`` file, or a table of scores.
    """
    if is_run_file(path):
        return read_run(path)
    suffix = Path(path).suffix.lower()
    if suffix == _MODEL:
        raise InputError(
            f"{path}: a model, not scores of it: tealeaves score {path} -c TEXTS --report FILE.html"
        )
    if suffix in _PAGES:
        raise InputError(
            f"{path}: a report is not read back: save the run beside it (--run FILE{RUN_SUFFIX})"
        )
    return run_of_table(read_scores(path))


def is_run_file(path: str | os.PathLike[str]) -> bool:
    """Tell by its name whether a file is a run."""
    return Path(path).suffix.lower() == RUN_SUFFIX


def check_run_file(path: str | os.PathLike[str]) -> None:
    """Raise, before any work is done, for a file that a run cannot be saved to."""
    if not is_run_file(path):
        raise InputError(f"{path}: a run is saved as {RUN_SUFFIX}")
    check_writable(path)


def save_run(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run to a file, ``.run``, that `tealeaves report` reads.

    Parameters
    ----------
    run
        The run.
    path
        The file.
    """
    check_run_file(path)
    header = {"format": RUN_FORMAT, "version": VERSION, "made_with": __version__}
    content = msgspec.Raw(result_json(analysed(run)))
    with atomic_write(path) as stream:
        stream.write(with_checksum(msgspec.json.encode({**header, "run": content})))


def result_json(result: Any) -> bytes:
    """Return a run, or a result in it, as it is written; equal results are written equally."""
    return msgspec.json.encode(_json_content(msgspec.to_builtins(result, enc_hook=_encode)))


def read_run(path: str | os.PathLike[str]) -> Run:
    """Read a run."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    version = check_json_header(
        content,
        str(path),
        holds="a run",
        wanted=(RUN_FORMAT, VERSION),
        made_by="tealeaves score --run FILE.run",
        earlier=UPGRADES,
    )
    content = without_checksum(content, str(path))
    try:
        content = upgraded(content, version, VERSION, UPGRADES)
        return _converted(decode_json(content, dict[str, Any]).get("run"))
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(f"{path}: a damaged run: {error}") from error


def _converted(content: Any) -> Run:
    # not strict: "nan" is a number where one is expected, which JSON cannot write otherwise
    run: Run = convert_json(content, Run, dec_hook=_decode, strict=False)
    return run


class _ScoresContent(msgspec.Struct, frozen=True):
    """Scores as they are written: JSON has no pairs as keys, and models have the words."""

    rows: list[Score]
    better: dict[str, str]
    marked: list[tuple[str, int | str | None, tuple[str, ...]]]
    notes: list[str]


def _encode(value: Any) -> Any:
    if isinstance(value, Scores):
        marked = [(model, topic, words) for (model, topic), words in value.marked.items()]
        return _ScoresContent(value.rows, value.better, marked, value.notes)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"{type(value)} in a run")


def _decode(kind: Any, content: Any) -> Any:
    if kind is Scores:
        scores = msgspec.convert(content, _ScoresContent, strict=False)
        marked = {(model, topic): words for model, topic, words in scores.marked}
        return Scores(scores.rows, better=scores.better, marked=marked, notes=scores.notes)
    if get_origin(kind) is np.ndarray:
        [scalar] = get_args(get_args(kind)[1])  # of ndarray[shape, dtype[scalar]]
        return np.array(content, dtype=scalar)
    if kind is Path:
        return Path(content)
    raise NotImplementedError(f"{kind} in a run")


def _json_content(value: Any) -> Any:
    """Return what JSON can hold: NaN and infinity are text, and surrogates are replaced.

    >>> _json_content({"value": [1.0, float("nan"), "caf\\udce9"]})
    {'value': [1.0, 'nan', 'caf\ufffd']}
    """
    return map_values(value, _json_value)


def _json_value(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return valid_text(value)


def with_valid_text(run: Run) -> Run:
    """Return a run whose texts can be written; most can be as they are."""
    content = msgspec.to_builtins(run, enc_hook=_encode)
    try:
        msgspec.json.encode(content)
    except UnicodeEncodeError:
        return _converted(_json_content(content))
    return run
