"""A folder with one file per language: ``en.json``, ``es.json``."""

from __future__ import annotations

import re
from pathlib import Path

from tealeaves.compression import COMPRESSION_SUFFIXES
from tealeaves.text.languages import language_code
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.topics import Topics

# a language or its name, and a script or region, as in zh-Hans and pt_BR
_LANGUAGE = re.compile(r"[A-Za-z]{2,}([-_][A-Z][a-z]{3})?([-_][A-Z]{2})?")
_SUFFIXES = {".json", ".txt", ".tsv", ".csv", ".topics"}


def is_languages_folder(folder: TopicsSource) -> bool:
    """Tell a folder of two files or more, each named by another language, and nothing else."""
    files = _visible_files(folder.path)
    codes = [_language_of_name(file) for file in files]
    return len(files) > 1 and all(codes) and len(set(codes)) == len(codes)


def read_languages_folder(folder: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the files as the sides of one model."""
    from tealeaves.topics.reading import read_multilingual

    files = {_stem(file): file for file in _visible_files(folder.path)}
    return read_multilingual(files, model=options.name)


def _visible_files(path: Path) -> list[Path]:
    return sorted(file for file in path.iterdir() if not file.name.startswith("."))


def _stem(file: Path) -> str:
    """Return the name of a file without the suffixes of formats and compression."""
    while file.suffix.lower() in _SUFFIXES | set(COMPRESSION_SUFFIXES):
        file = file.with_suffix("")
    return file.name


def _language_of_name(file: Path) -> str:
    """Return the language that names a file of topics, "" if it has another name."""
    stem = _stem(file)
    named = file.is_file() and stem != file.name and _LANGUAGE.fullmatch(stem)
    return language_code(stem) if named else ""


LANGUAGES_FOLDER = TopicsFormat(
    "a folder with one file per language (en.json, es.json)",
    is_languages_folder,
    read_languages_folder,
    folder=True,
)
