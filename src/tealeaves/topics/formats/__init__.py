"""Files of topics: each format in a module of its own, told apart by what the files hold."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts, checked_top
from tealeaves.topics.formats import (
    archived,
    bertopic,
    canonical,
    gensim,
    languages,
    lines,
    mallet,
    mallet_documents,
    mallet_keys,
    mallet_polylingual,
    mallet_polylingual_keys,
    mallet_polylingual_state,
    mallet_state,
    mallet_weights,
    octis,
    octis_json,
    pickles,
    table,
    tomotopy,
)
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topics

# the first that fits is taken: from what only one program writes to what any may
FILES: tuple[ModuleType, ...] = (
    pickles,
    octis,
    archived,
    tomotopy,
    gensim,
    mallet_polylingual_state,
    mallet_polylingual_keys,
    mallet_state,
    mallet_documents,
    mallet_weights,
    mallet_keys,
    bertopic,
    octis_json,
    canonical,
    table,
    lines,
)
# where the words are said to be separated, each line is a topic
SEPARATED: tuple[ModuleType, ...] = (pickles, octis, archived, canonical, lines)
FOLDERS: tuple[ModuleType, ...] = (bertopic, octis, languages, mallet_polylingual, mallet)


def read_file(
    path: Path, name: str, model: str, separator: str | None, stated: dict[str, Any]
) -> Topics:
    """Read one file, whatever wrote it."""
    file = TopicsSource.at(path, name, model, separator)
    known = FILES if separator is None else SEPARATED
    form = next((one for one in known if one.fits(file)), None)
    if form is None:
        raise InputError(f"{name}: not topics in a form that is known: {known_forms()}")
    topics: Topics = form.read(file, _parts(stated, form, name, model))
    return topics


def read_folder(path: Path, name: str, model: str, stated: dict[str, Any]) -> Topics:
    """Read a folder that holds the files of one model."""
    form = next((one for one in FOLDERS if one.fits_folder(path)), None)
    if form is None and any(path.glob("*.topics")):
        models = f"{name.rstrip('/')}/*.topics"
        raise InputError(f"{name}: a folder of several models: name its models: {models}")
    if form is None:
        known = "; ".join(one.FOLDER for one in FOLDERS)
        raise InputError(f"{name}: a folder, not a file of topics; known folders are {known}")
    topics: Topics = form.read_folder(path, name, _parts(stated, form, name, model))
    return topics


def known_forms() -> str:
    """Return the forms that are read, in one line."""
    return "; ".join(dict.fromkeys(form.FORM for form in FILES if form.FORM))


def _parts(stated: dict[str, Any], form: ModuleType, name: str, model: str) -> Parts:
    """Refuse what says nothing about such a file."""
    wrong = sorted(stated.keys() - set(form.STATED))
    if wrong:
        use = f"use {', '.join(form.STATED)}" if form.STATED else "it says all by itself"
        raise InputError(f"{name}: {wrong[0]}= has no meaning for such a file: {use}")
    try:
        return Parts(name=model, limit=checked_top(stated.get("top")), **stated)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
