"""Reading topics: from one file, from one file per language, and from any models of a caller."""

from __future__ import annotations

import glob
import itertools
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tealeaves.artifacts import check_no_run
from tealeaves.errors import InputError, errors_about
from tealeaves.system import matching_paths
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

_LANGUAGE_PREFIX = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)


def read_topics(
    path: str | os.PathLike[str],
    *,
    separator: str | None = None,
    top: int | None = None,
    vocabulary: Sequence[str] | None = None,
    language: str | None = None,
    languages: Sequence[str] | str | None = None,
) -> Topics:
    """Read the topics of a file or a folder of any known format.

    The format is recognised by the content: our own files, word lists, the outputs of MALLET,
    BERTopic, OCTIS, gensim and tomotopy, tables. Pickles are never opened. Topics in several
    languages are :class:`tealeaves.MultilingualTopics`.

    Parameters
    ----------
    path
        The file or folder.
    separator
        The separator of the words if each line is a topic: ``space``, ``tab`` or ``comma``.
    top
        How many words of a topic are listed, for files that rank a whole vocabulary.
    vocabulary
        The words of a topic-word matrix, for an output of OCTIS, which does not hold them.
    language
        The language of the words.
    languages
        The names of the languages, which MALLET's polylingual model only numbers.
    """
    from tealeaves.topics.formats import read_path
    from tealeaves.topics.formats.format import plain_name

    where = Path(path)
    if not where.exists():
        raise InputError(f"{path}: no such file")
    check_no_run(where)
    model = where.resolve().name if where.is_dir() else plain_name(where)
    model = model.encode("utf-8", "replace").decode()  # a name may be no valid text
    with errors_about(str(path), model):
        options = TopicsOptions(name=model, top=top, vocabulary=vocabulary, languages=languages)
    try:
        topics = read_path(where, str(path), separator, options)
    except InputError as error:  # name the file, which the caller knows, instead of the model
        if not str(error).startswith(f"{model}: "):
            raise
        raise InputError(f"{path}: {str(error).removeprefix(f'{model}: ')}") from error
    if language is None:
        return topics
    if isinstance(topics, MultilingualTopics):
        raise InputError(
            f"{path}: language has no meaning for topics in {', '.join(topics.languages)}: "
            "side(language) gives those of one"
        )
    return replace(topics, language=language)


# one file per language


def read_multilingual(
    paths: Mapping[str, str | os.PathLike[str]],
    *,
    model: str | None = None,
    separator: str | None = None,
) -> Topics:
    """Read aligned topics, one file or folder per language, of any known format.

    Topic k of one file is topic k of the others. Topics of one language are plain topics.

    Parameters
    ----------
    paths
        The file or folder of each language.
    model
        The name of the model. By default that of the files if they agree, else their names joined,
        as in ``en+es``.
    separator
        What separates words if each line is a topic: ``space``, ``tab`` or ``comma``.
    """
    if not isinstance(paths, Mapping):
        raise InputError('give each language its file: read_multilingual({"en": path, "es": path})')
    if not paths:
        raise InputError("no topics: name a file for each language, as in en=en.json")
    sides = {language: _read_side(language, path, separator) for language, path in paths.items()}
    name = model or "+".join(dict.fromkeys(side.model for side in sides.values()))
    if len(sides) == 1:
        return replace(next(iter(sides.values())), model=name)
    with errors_about(", ".join(map(str, paths.values())), name):
        return MultilingualTopics.of_languages(sides, model=name)


def split_language_prefix(text: str) -> tuple[str, str] | None:
    """Split ``en=topics.json`` into a language and a path; return None for a plain path.

    If a file has this name, or files match it as a pattern, it is a plain path.

    >>> split_language_prefix("en=topics.json")
    ('en', 'topics.json')
    >>> split_language_prefix("topics.json") is None
    True
    """
    match = _LANGUAGE_PREFIX.fullmatch(text)
    if match is None or Path(text).exists():
        return None
    if glob.has_magic(text) and matching_paths(text):
        return None
    return match[1], match[2]


def _read_side(language: str, path: str | os.PathLike[str], separator: str | None) -> Topics:
    topics = read_topics(path, separator=separator)
    if isinstance(topics, MultilingualTopics):
        known = ", ".join(topics.languages)
        raise InputError(f"{path}: its topics are in {known}: give it without {language}=")
    return topics if topics.language else replace(topics, language=language)


# any models of a caller


def read_models(models: Any) -> list[Topics]:
    """Return the topics of one model, of several, or of a mapping from names to models.

    A model is topics, word lists, a path, or anything that :func:`tealeaves.adapt` knows. A pair
    of a model of scikit-learn and its vectoriser is one model, and so is the dictionary of OCTIS.

    Parameters
    ----------
    models
        One model, a list of models, or a mapping from names to models.

    >>> read_models({"a": [["x", "y"]], "b": [["z", "w"]]})
    [Topics(a: 1 topics), Topics(b: 1 topics)]
    """
    several = isinstance(models, list | tuple) and bool(models)
    if several and all(isinstance(model, Topics) for model in models):
        return with_unique_names(list(models), models)
    if isinstance(models, Topics | str | os.PathLike):
        return [_read_model(models)]
    from tealeaves.topics.adapters import adapter_of

    if adapter_of(models) is not None:
        return [_read_model(models)]
    if isinstance(models, Mapping):
        if not models:
            raise InputError("no models to judge: the mapping is empty")
        return [_read_model(value, str(name)) for name, value in models.items()]
    words = several and all(isinstance(model, str) and not Path(model).suffix for model in models)
    if words and not any(Path(word).exists() for word in models):
        raise InputError("a model is a list of word lists, [['cat', 'dog'], ...], or a path")
    adapted = several and any(adapter_of(model) is not None for model in models)
    if adapted or (several and all(_is_model(model) for model in models)):
        return with_unique_names([_read_model(model) for model in models], models)
    return [_read_model(models)]


def with_unique_names(models: list[Topics], origins: Sequence[Any]) -> list[Topics]:
    """Rename models of the same name: to their paths if they have any, else with numbers."""
    names = [model.model for model in models]
    wanted = [
        str(origin) if names.count(name) > 1 and isinstance(origin, str | os.PathLike) else name
        for name, origin in zip(names, origins, strict=True)
    ]
    used = {name for name in wanted if wanted.count(name) == 1}
    unique = []
    for model, name in zip(models, wanted, strict=True):
        numbered = (f"{name} {number}" for number in itertools.count(1))
        new_name = name if wanted.count(name) == 1 else next(n for n in numbered if n not in used)
        used.add(new_name)
        unique.append(_rename(model, new_name))
    return unique


def _is_model(value: Any) -> bool:
    """Tell whether a value is a model, not a topic, which is a list of words."""
    if isinstance(value, Topics | os.PathLike | str):
        return True
    from tealeaves.topics.adapters import adapter_of

    if adapter_of(value) is not None or getattr(value, "ndim", 0) == 2:
        return True
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(topic, list | tuple) for topic in value)
    )


def _read_model(value: Any, name: str | None = None) -> Topics:
    if isinstance(value, str | os.PathLike):
        value = read_topics(value)
    if isinstance(value, list) and value and all(map(_is_word_list, value)):
        return Topics.of(value, model=name or "model")  # faster than asking all adapters
    if not isinstance(value, Topics):
        from tealeaves.topics.adapters import adapt

        return adapt(value, name=name)
    return _rename(value, value.model if name is None else name)


def _is_word_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


def _rename(model: Topics, name: str) -> Topics:
    return model if model.model == name else replace(model, model=name)
