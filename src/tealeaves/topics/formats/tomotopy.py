"""What ``summary(file=...)`` of a tomotopy model writes."""

from __future__ import annotations

import re

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topic, Topics

FORM = "a summary of tomotopy"
STATED = ()
_SECTION = "<Topics>"
# "| #0 (123) : word word", with a label before it, in (), or a number of documents behind it
_TOPIC = re.compile(r"\|\s*(?:.*\()?#(\d{1,9})\)? \(\d+(?:, \d+)?\) : (.*)")


def fits(file: TopicsSource) -> bool:
    """The section that lists the topics, or the one at the top."""
    return bool(file.lines) and (
        file.lines[0].strip() == "<Basic Info>"
        or (file.lines[0].strip() == _SECTION and file.lines[-1].startswith("|"))
    )


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the words of each topic; a summary has no weights."""
    _, _, section = file.text().partition(f"{_SECTION}\n")
    topics = []
    for line in section.replace("\r\n", "\n").split("\n"):
        if line.startswith("<"):
            break
        found = _TOPIC.fullmatch(line.rstrip())
        if found:
            topics.append(Topic(int(found[1]), tuple(found[2].split())))
    if not topics:
        raise InputError(
            f"{file.name}: the summary of tomotopy lists no topics after {_SECTION}: write it with "
            "model.summary(topic_word_top_n=20, file=...)"
        )
    return Topics(tuple(topics), model=parts.name)
