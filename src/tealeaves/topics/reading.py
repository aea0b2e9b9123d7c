"""Topics from files, and from whatever a caller has at hand."""

from __future__ import annotations

import codecs
import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.text.compression import MAGIC, Meter
from tealeaves.text.sources import SourceFile
from tealeaves.topics.canonical import parse_json
from tealeaves.topics.lines import parse_lines
from tealeaves.topics.topics import Topics


def read_topics(path: str | os.PathLike[str], *, separator: str | None = None) -> Topics:
    """Read a file of topics: canonical JSON, word lists in JSON, or one topic a line."""
    where = Path(path)
    if not where.exists() or where.is_dir():
        what = "a folder, not a file of topics" if where.is_dir() else "no such file"
        raise InputError(f"{path}: {what}")
    with SourceFile.at(where).open(Meter()) as stream:
        data = stream.read()
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise InputError(f"{path}: the file is empty")
    if data.startswith(b"PK\x03\x04"):
        raise InputError(f"{path}: an archive, not topics; counts are given with --counts")
    name, model = str(path), _model_name(where)
    start = data.removeprefix(codecs.BOM_UTF8).lstrip()
    json_by_name = ".json" in where.suffixes
    if start.startswith((b"{", b"[")) and (separator is None or json_by_name):
        return parse_json(data, name, model)
    return parse_lines(data, name, model, separator)


def read_models(models: Any) -> list[Topics]:
    """Accept one model or several, as topics, word lists, paths, or a mapping of names to them.

    >>> read_models({"a": [["x", "y"]], "b": [["z", "w"]]})
    [Topics(a: 1 topics), Topics(b: 1 topics)]
    """
    if isinstance(models, Mapping):
        if not models:
            raise InputError("no models to judge: the mapping is empty")
        return [_model(value, str(name)) for name, value in models.items()]
    several = isinstance(models, list | tuple) and bool(models)
    bare = several and all(isinstance(m, str) and not Path(m).suffix for m in models)
    if bare and not any(Path(model).exists() for model in models):
        raise InputError("a model is a list of word lists, [['cat', 'dog'], ...], or a path")
    if several and all(_is_model(model) for model in models):
        return with_unique_names([_model(model) for model in models], models)
    return [_model(models)]


def _is_model(value: Any) -> bool:
    """Tell a model of its own from a topic: a list of words, or a word."""
    if isinstance(value, Topics | os.PathLike):
        return True
    if isinstance(value, str):  # a list of words would hold lists
        return True
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(topic, list | tuple) for topic in value)
    )


def _model(value: Any, name: str | None = None) -> Topics:
    if isinstance(value, str | os.PathLike):
        value = read_topics(value)
    if not isinstance(value, Topics):
        if not isinstance(value, Sequence | Mapping):
            raise InputError(f"topics must be word lists, a path or Topics, not {value!r:.60}")
        return Topics.of(value, model=name or "model")
    return _renamed(value, value.model if name is None else name)


def with_unique_names(models: list[Topics], given: Sequence[Any]) -> list[Topics]:
    """Where two models bear the same name, call them by their paths, else number them."""
    names = [model.model for model in models]
    wanted = [
        str(origin) if names.count(name) > 1 and isinstance(origin, str | os.PathLike) else name
        for name, origin in zip(names, given, strict=True)
    ]
    taken = {name for name in wanted if wanted.count(name) == 1}
    unique = []
    for model, name in zip(models, wanted, strict=True):
        free = (f"{name} {number}" for number in itertools.count(1))
        chosen = name if wanted.count(name) == 1 else next(n for n in free if n not in taken)
        taken.add(chosen)
        unique.append(_renamed(model, chosen))
    return unique


def _renamed(model: Topics, name: str) -> Topics:
    return model if model.model == name else replace(model, model=name)


def _model_name(path: Path) -> str:
    """Return the file's name without what says how it is written."""
    while path.suffix.lower() in {".json", ".txt", ".tsv", ".csv", *MAGIC}:
        path = path.with_suffix("")
    return path.name.encode("utf-8", "replace").decode()  # a name may be no text at all
