"""Our own files: the canonical JSON, JSON of word lists, and ``.topics`` archives."""

from __future__ import annotations

from tealeaves.artifacts import artifact_format
from tealeaves.errors import InputError
from tealeaves.topics.archive import TOPICS, read_topics_archive
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.canonical import parse_json
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.topics import Topics


def is_json(file: TopicsSource) -> bool:
    """Tell JSON by its name; by its start too, unless the words are said to be separated."""
    by_start = file.start.lstrip().startswith((b"{", b"["))
    return file.suffix == ".json" or (by_start and file.separator is None)


def read_json(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the canonical JSON, or a shorter form of it."""
    return parse_json(file.data(), file.name, options.name)


def is_topics_archive(file: TopicsSource) -> bool:
    """Tell any zip archive, and any file with the suffix of ours."""
    return file.is_archive or file.suffix == ".topics"


def read_archive(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read our own archive; others are refused."""
    if file.suffix != ".topics" and artifact_format(file.path) != TOPICS.name:
        raise InputError(f"{file.name}: an archive, not topics; counts are given with --counts")
    return read_topics_archive(file.path, options.name)


JSON = TopicsFormat("JSON of word lists", is_json, read_json, separated=True)
ARCHIVE = TopicsFormat("a .topics archive", is_topics_archive, read_archive, separated=True)
