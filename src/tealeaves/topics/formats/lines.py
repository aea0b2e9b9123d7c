"""One topic a line, as most tools write it, those of jhlau and Palmetto among them."""

from __future__ import annotations

from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.lines import parse_lines
from tealeaves.topics.topics import Topics

FORM = "one topic a line"
STATED = ()
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def fits(file: TopicsSource) -> bool:
    """Any text that is not called something else."""
    text = b"\0" not in file.start or file.start.startswith(_UTF16)
    return text and file.suffix != ".parquet"


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read a topic from each line."""
    return parse_lines(file.data(), file.name, parts.name, file.separator)
