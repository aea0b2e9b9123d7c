"""Topics from files, and from whatever a caller has at hand."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.text.compression import MAGIC
from tealeaves.topics.adapters import adapt, adapter_of
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

_SUFFIXES = {".json", ".txt", ".tsv", ".csv", ".topics", ".npz", ".parquet", *MAGIC}


def read_topics(
    path: str | os.PathLike[str], *, separator: str | None = None, **stated: Any
) -> Topics:
    """Read the topics of a file or a folder, whatever program wrote it.

    What it is, is told by what it holds: canonical topics, word lists, the outputs of MALLET,
    BERTopic, OCTIS, gensim and tomotopy, tables. Pickles are never opened. ``separator`` is that of
    the words where a topic is a line; ``language`` that of the words; ``stated`` is what else the
    file does not say itself: ``vocabulary``; ``top``, how many words of a ranking are listed;
    ``languages``, the names of those that MALLET's polylingual model only numbers.

    Topics in several languages are :class:`tealeaves.MultilingualTopics`.
    """
    from tealeaves.topics.formats import read_file, read_folder

    where = Path(path)
    if not where.exists():
        raise InputError(f"{path}: no such file")
    language = stated.pop("language", None)
    model = _model_name(where)
    try:
        if where.is_dir():
            topics = read_folder(where, str(path), model, stated)
        else:
            topics = read_file(where, str(path), model, separator, stated)
    except InputError as error:  # the caller knows the file, not the name we give to its model
        if not str(error).startswith(f"{model}: ") or str(path) == model:
            raise
        raise InputError(f"{path}: {str(error).removeprefix(f'{model}: ')}") from error
    if language is None:
        return topics
    if isinstance(topics, MultilingualTopics):
        raise InputError(
            f"{path}: language= has no meaning for topics in {', '.join(topics.languages)}: "
            "side(language) gives those of one"
        )
    return replace(topics, language=language)


def read_models(models: Any) -> list[Topics]:
    """Accept one model or several, or a mapping of names to them.

    A model is topics, word lists, a path, or whatever :func:`tealeaves.adapt` knows. A pair
    of a model of scikit-learn and its vectoriser is one, and so is the dictionary of OCTIS.

    >>> read_models({"a": [["x", "y"]], "b": [["z", "w"]]})
    [Topics(a: 1 topics), Topics(b: 1 topics)]
    """
    if adapter_of(models) is not None:
        return [_model(models)]
    if isinstance(models, Mapping):
        if not models:
            raise InputError("no models to judge: the mapping is empty")
        return [_model(value, str(name)) for name, value in models.items()]
    several = isinstance(models, list | tuple) and bool(models)
    bare = several and all(isinstance(m, str) and not Path(m).suffix for m in models)
    if bare and not any(Path(model).exists() for model in models):
        raise InputError("a model is a list of word lists, [['cat', 'dog'], ...], or a path")
    live = several and any(adapter_of(model) is not None for model in models)
    if live or (several and all(_is_model(model) for model in models)):
        return with_unique_names([_model(model) for model in models], models)
    return [_model(models)]


def _is_model(value: Any) -> bool:
    """Tell a model of its own from a topic: a list of words, or a word."""
    if isinstance(value, Topics | os.PathLike):
        return True
    if isinstance(value, str):  # a list of words would hold lists
        return True
    if adapter_of(value) is not None or getattr(value, "ndim", 0) == 2:
        return True
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(topic, list | tuple) for topic in value)
    )


def _model(value: Any, name: str | None = None) -> Topics:
    if isinstance(value, str | os.PathLike):
        value = read_topics(value)
    if isinstance(value, list) and value and all(map(_is_word_list, value)):
        return Topics.of(value, model=name or "model")  # no need to ask all adapters
    if not isinstance(value, Topics):
        return adapt(value, name=name)
    return _renamed(value, value.model if name is None else name)


def _is_word_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


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
    """Return the file's or folder's name without what says how it is written."""
    if path.is_dir():
        path = path.resolve()
    else:
        while path.suffix.lower() in _SUFFIXES:
            path = path.with_suffix("")
    return path.name.encode("utf-8", "replace").decode()  # a name may be no text at all
