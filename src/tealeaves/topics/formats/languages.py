"""A folder with one file per language: ``en.json``, ``es.json``."""

from __future__ import annotations

import re
from pathlib import Path

from tealeaves.system import is_hidden, sorted_paths
from tealeaves.text.languages import language_code
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource, plain_name
from tealeaves.topics.topics import Topics

# a language or its name, and a script or region, as in zh-Hans and pt_BR
_LANGUAGE = re.compile(r"[A-Za-z]{2,}([-_][A-Z][a-z]{3})?([-_][A-Z]{2})?")


def is_languages_folder(folder: TopicsSource) -> bool:
    """Recognise a folder of two files or more, each named by another language, and nothing else."""
    files = _visible_files(folder.path)
    codes = [_language_of_name(file) for file in files]
    return len(files) > 1 and all(codes) and len(set(codes)) == len(codes)


def read_languages_folder(folder: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the files as the sides of one model."""
    from tealeaves.topics.reading import read_multilingual

    files = {plain_name(file): file for file in _visible_files(folder.path)}
    return read_multilingual(files, model=options.name)


def _visible_files(path: Path) -> list[Path]:
    return sorted_paths(file for file in path.iterdir() if not is_hidden(file))


def _language_of_name(file: Path) -> str:
    """Return the language that names a file of topics, "" if it has another name."""
    name = plain_name(file)
    named = file.is_file() and name != file.name and _LANGUAGE.fullmatch(name)
    return language_code(name) if named else ""


LANGUAGES_FOLDER = TopicsFormat(
    "a folder with one file per language (en.json, es.json)",
    is_languages_folder,
    read_languages_folder,
    folder=True,
)
