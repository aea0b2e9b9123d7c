"""The canonical JSON, and JSON of word lists."""

from __future__ import annotations

from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.canonical import parse_json
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topics

FORM = "JSON of word lists"
STATED = ()


def fits(file: TopicsSource) -> bool:
    """JSON by its name; by its start too, unless the words are said to be separated."""
    by_start = file.start.lstrip().startswith((b"{", b"["))
    return file.suffix == ".json" or (by_start and file.separator is None)


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the canonical form, or a shorter one."""
    return parse_json(file.data(), file.name, parts.name)
