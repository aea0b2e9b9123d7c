"""MALLET's ``--output-topic-keys``: the number, the weight and the words of a topic, by tabs."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts, with_words
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topic, Topics

FORM = "topic keys of MALLET"
STATED = ()
_FIELDS = 3
_DIGITS = 10  # more are no topic's number


def fits(file: TopicsSource) -> bool:
    """Three fields by tabs: a number, a number, words by spaces.

    MALLET ends each line in a space; where all do, the first field may be a label.
    """
    lines = [line.rstrip("\r").split("\t") for line in file.lines]
    if not all(len(fields) == _FIELDS and is_number(fields[1]) for fields in lines):
        return False
    if all(is_index(fields[0]) for fields in lines):
        return any(" " in fields[2] for fields in lines)
    return all(fields[2].endswith(" ") for fields in lines)


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the words of each topic, and its id."""
    return Topics(filled(parse(file), parts), model=parts.name)


def filled(topics: Sequence[Topic], parts: Parts) -> tuple[Topic, ...]:
    """Return the topics that have words; those to which MALLET gave no tokens are left out."""
    empty = [not topic.words for topic in topics]
    return tuple(topics[n] for n in with_words([topic.id for topic in topics], empty, parts))


def parse(file: TopicsSource) -> list[Topic]:
    """Return the topics, also those without words, which have their place in other files."""
    topics = []
    for number, line in enumerate(file.text().split("\n"), 1):
        if not line.strip():
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) != _FIELDS or not is_number(fields[1]):
            raise InputError(
                f"{file.name}:{number}: not a line of topic keys: a number, a weight and the "
                "words, separated by tabs"
            )
        identity = int(fields[0]) if is_index(fields[0]) else fields[0]
        topics.append(Topic(identity, tuple(fields[2].split())))
    return topics


def is_index(text: str) -> bool:
    """Tell whether a field is the number of a topic."""
    return text.isdecimal() and len(text) < _DIGITS


def is_number(text: str) -> bool:
    """Tell whether a field is a number; MALLET may write a decimal comma.

    >>> [is_number(text) for text in ("0.05", "5", "0,05", "1.0E-4", "dog", "nan")]
    [True, True, True, True, False, False]
    """
    if not text[:1].isdecimal():
        return False
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
