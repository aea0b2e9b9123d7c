"""A folder with a file for each language: ``en.json``, ``es.json``."""

from __future__ import annotations

import re
from pathlib import Path

from tealeaves.text.compression import MAGIC
from tealeaves.text.languages import language_code
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.topics import Topics

FOLDER = "those of a file for each language (en.json, es.json)"
STATED = ()
# a language or its name, and a script or region, as in zh-Hans and pt_BR
_LANGUAGE = re.compile(r"[A-Za-z]{2,}([-_][A-Z][a-z]{3})?([-_][A-Z]{2})?")
_SUFFIXES = {".json", ".txt", ".tsv", ".csv", ".topics"}


def fits_folder(path: Path) -> bool:
    """Two files at least, all called by a language, each by another, and nothing else."""
    files = _files(path)
    codes = [_code(file) for file in files]
    return len(files) > 1 and all(codes) and len(set(codes)) == len(codes)


def read_folder(path: Path, _name: str, parts: Parts) -> Topics:
    """Read the files as the sides of one model."""
    from tealeaves.topics.per_language import read_multilingual

    return read_multilingual({_stem(file): file for file in _files(path)}, model=parts.name)


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.iterdir() if not file.name.startswith("."))


def _stem(file: Path) -> str:
    """Return a file's name without what says how it is written."""
    while file.suffix.lower() in _SUFFIXES | set(MAGIC):
        file = file.with_suffix("")
    return file.name


def _code(file: Path) -> str:
    """Return the language that a file of topics is called by; nothing if it is called otherwise."""
    stem = _stem(file)
    named = file.is_file() and stem != file.name and _LANGUAGE.fullmatch(stem)
    return language_code(stem) if named else ""
