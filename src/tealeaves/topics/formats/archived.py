"""Archives: our own, with matrices beside the JSON."""

from __future__ import annotations

from tealeaves.archives import member_names
from tealeaves.errors import InputError
from tealeaves.text.compression import MAGIC
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.archive import HEADER, read_archived
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topics

FORM = "a .topics archive"
STATED = ()
ZIP = b"PK\x03\x04"


def fits(file: TopicsSource) -> bool:
    """Any zip archive; a file that is called one of ours, though it is none."""
    return file.start.startswith(ZIP) or file.suffix == ".topics"


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read our own; others are refused."""
    ours = file.suffix == ".topics" or HEADER in names_in(file)
    if not ours:
        raise InputError(f"{file.name}: an archive, not topics; counts are given with --counts")
    return read_archived(file.path, parts.name)


def names_in(file: TopicsSource) -> list[str]:
    """Return the names of an archive's members."""
    if not file.start.startswith(ZIP):
        return []
    if file.path.suffix.lower() in MAGIC:
        raise InputError(
            f"{file.name}: an archive, which is compressed by itself, in a {file.path.suffix} "
            "file: unpack that first"
        )
    with file.path.open("rb") as stream:
        return member_names(stream)
