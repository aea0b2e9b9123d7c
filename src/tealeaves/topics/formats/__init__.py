"""Formats of topics: files and folders of other programs, recognised by their content."""

from __future__ import annotations

from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.bertopic import BERTOPIC_FOLDER, BERTOPIC_PART
from tealeaves.topics.formats.canonical import ARCHIVE, JSON
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource, files_in
from tealeaves.topics.formats.gensim import GENSIM_PRINT
from tealeaves.topics.formats.languages import LANGUAGES_FOLDER
from tealeaves.topics.formats.lines import LINES
from tealeaves.topics.formats.mallet import MALLET_FOLDER
from tealeaves.topics.formats.mallet_polylingual import (
    POLYLINGUAL_FOLDER,
    POLYLINGUAL_KEYS,
    POLYLINGUAL_STATE,
)
from tealeaves.topics.formats.mallet_state import STATE
from tealeaves.topics.formats.mallet_tables import DOCUMENT_TOPICS, TOPIC_KEYS, TOPIC_WORD_WEIGHTS
from tealeaves.topics.formats.octis import OCTIS_FOLDER, OCTIS_JSON, OCTIS_NPZ
from tealeaves.topics.formats.pickles import PICKLE
from tealeaves.topics.formats.table import OTHER_TABLE, TABLE
from tealeaves.topics.formats.tomotopy import TOMOTOPY_SUMMARY
from tealeaves.topics.topics import Topics

# the first that fits is taken: formats of one program come before those that any may write
FORMATS: tuple[TopicsFormat, ...] = (
    PICKLE,
    OCTIS_NPZ,
    ARCHIVE,
    TOMOTOPY_SUMMARY,
    GENSIM_PRINT,
    POLYLINGUAL_STATE,
    POLYLINGUAL_KEYS,
    STATE,
    DOCUMENT_TOPICS,
    TOPIC_WORD_WEIGHTS,
    TOPIC_KEYS,
    BERTOPIC_PART,
    OTHER_TABLE,
    OCTIS_JSON,
    JSON,
    TABLE,
    LINES,
    BERTOPIC_FOLDER,
    OCTIS_FOLDER,
    LANGUAGES_FOLDER,
    POLYLINGUAL_FOLDER,
    MALLET_FOLDER,
)


def read_path(path: Path, name: str, separator: str | None, options: TopicsOptions) -> Topics:
    """Read a file or folder; ``name`` is its name in errors, ``options`` are the caller's."""
    folder = path.is_dir()
    source = TopicsSource(path, name) if folder else TopicsSource.of_file(path, name, separator)
    for form in FORMATS:
        possible = folder or separator is None or form.separated
        if form.folder == folder and possible and form.fits(source):
            _check_options(options, form, name)
            return form.read(source, options)
    if not folder:
        known = "; ".join(format_names())
        raise InputError(f"{name}: not topics in a known format; known are {known}")
    files = files_in(path)
    found = {file.suffix for file in files if file.suffix == ".topics" or "topics" in file.keys}
    if models := " ".join(f"{name.rstrip('/')}/*{suffix}" for suffix in sorted(found)):
        raise InputError(f"{name}: a folder of several models: name its models: {models}")
    known = "; ".join(form.name for form in FORMATS if form.folder)
    raise InputError(f"{name}: a folder, not a file of topics; known folders are {known}")


def format_names() -> list[str]:
    """Return the names of the formats that can be read."""
    return [form.name for form in FORMATS if form.name]


def _check_options(options: TopicsOptions, form: TopicsFormat, name: str) -> None:
    """Check that each option of the caller has a meaning for the format."""
    unused = options.non_defaults - set(form.options)
    if unused:
        hint = f"use {', '.join(form.options)}" if form.options else "it takes no options"
        raise InputError(f"{name}: {min(unused)} has no meaning for such a file: {hint}")
