"""tomotopy: the text that ``summary(file=...)`` of a model writes."""

from __future__ import annotations

import re

from tealeaves.errors import InputError
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.topics import Topic, Topics

_SECTION = "<Topics>"
# "| #0 (123) : word word", with a label before it, in (), or a number of documents after it
_TOPIC = re.compile(r"\|\s*+(?:.*\()?#(\d{1,9})\)? \(\d+(?:, \d+)?\) : (.*)")


def is_tomotopy_summary(file: TopicsSource) -> bool:
    """Recognise a summary by its first section, or the section of topics alone."""
    first = file.lines[0].strip()
    return first == "<Basic Info>" or (first == _SECTION and file.lines[-1].startswith("|"))


def read_tomotopy_summary(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the words of each topic; a summary has no weights."""
    _, _, section = file.text().partition(f"{_SECTION}\n")
    topics = []
    for line in section.replace("\r\n", "\n").split("\n"):
        if line.startswith("<"):
            break
        match = _TOPIC.fullmatch(line.rstrip())
        if match:
            topics.append(Topic(int(match[1]), tuple(match[2].split())))
    if not topics:
        raise InputError(
            f"{file.name}: the summary of tomotopy lists no topics after {_SECTION}: write it with "
            "model.summary(topic_word_top_n=20, file=...)"
        )
    return Topics(tuple(topics), model=options.name)


TOMOTOPY_SUMMARY = TopicsFormat("a summary of tomotopy", is_tomotopy_summary, read_tomotopy_summary)
