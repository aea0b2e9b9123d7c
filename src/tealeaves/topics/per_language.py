"""One model of several files, one for each language."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics

_PREFIXED = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)


def read_multilingual(
    paths: Mapping[str, str | os.PathLike[str]],
    *,
    model: str | None = None,
    separator: str | None = None,
) -> Topics:
    """Read aligned topics, a file or folder for each language, in any form that is read.

    Topic k of one file is topic k of the others. ``model`` is the model's name: by default the
    files' own where they agree, else their names joined, as in ``en+es``. Topics of one language
    are plain topics. ``separator`` is that of the words where a topic is a line.
    """
    if not isinstance(paths, Mapping):
        raise InputError('give each language its file: read_multilingual({"en": path, "es": path})')
    if not paths:
        raise InputError("no topics: name a file for each language, as in en=en.json")
    sides = {language: _side(language, path, separator) for language, path in paths.items()}
    names = dict.fromkeys(side.model for side in sides.values())
    name = model or "+".join(names)
    if len(sides) == 1:
        return replace(next(iter(sides.values())), model=name)
    try:
        return MultilingualTopics.of_languages(sides, model=name)
    except InputError as error:  # the caller knows the files, not the name we give to the model
        files = ", ".join(map(str, paths.values()))
        raise InputError(f"{files}: {str(error).removeprefix(f'{name}: ')}") from error


def split_language_prefix(text: str) -> tuple[str, str] | None:
    """Split ``en=topics.json`` into a language and a path; nothing for a plain path.

    A file that is called so is a plain path, and so is a pattern that files match.

    >>> split_language_prefix("en=topics.json")
    ('en', 'topics.json')
    >>> split_language_prefix("topics.json") is None
    True
    """
    found = _PREFIXED.fullmatch(text)
    if found is None or Path(text).exists() or _matches(text):
        return None
    return found[1], found[2]


def _matches(text: str) -> bool:
    return glob.has_magic(text) and bool(glob.glob(text, recursive=True))  # noqa: PTH207  # ~, /


def _side(language: str, path: str | os.PathLike[str], separator: str | None) -> Topics:
    topics = read_topics(path, separator=separator)
    if isinstance(topics, MultilingualTopics):
        known = ", ".join(topics.languages)
        raise InputError(f"{path}: topics in {known}, not in {language} alone: give it by itself")
    return topics if topics.language else replace(topics, language=language)
