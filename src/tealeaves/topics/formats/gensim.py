"""The lines of ``print_topics`` of gensim: in a log, printed, or written by hand."""

from __future__ import annotations

import re

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topic, Topics

FORM = "topics printed by gensim"
STATED = ()
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_TIMES = r"\s?\*\s?"
# 0.030*"word" before the next, the end of a string, or the end of the line
_END = rf"""(?=\s*(?:\+\s*{_NUMBER}{_TIMES}|['")\]]|$))"""
_TERM = rf"""(?<![\w".*])({_NUMBER}){_TIMES}"(.{{1,200}}?)"{_END}"""
_ID = r"\((\d{1,9}),\s*['\"]|[Tt]opic\s*(?:#|:)?\s*(\d{1,9})|^\s*(\d{1,9})\s*[:,\t]"
_PIECE = re.compile(f"{_TERM}|{_ID}", re.MULTILINE)
_FIRST = re.compile(_TERM, re.MULTILINE)


def fits(file: TopicsSource) -> bool:
    """A weight, a star and a word in quotation marks, somewhere in the first lines."""
    return any(_FIRST.search(line) for line in file.lines[:50])


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the words and weights of each topic, and its id where there is one."""
    text = file.text().replace("\r\n", "\n")
    escaped = re.search(r"\(\d+,\s*'", text) is not None  # strings as Python shows them
    if escaped:  # a long one is shown in pieces, a line each
        text = re.sub(r"'\n\s*'", "", text)
    named = any(found[3] or found[4] or found[5] for found in _PIECE.finditer(text))
    topics: list[tuple[int, list[tuple[str, float]]]] = []
    pieces = _pieces(text) if named else _lines(text)
    for identity, weight, word in pieces:
        if identity is not None:
            topics.append((identity, []))
        elif not topics:
            raise InputError(f"{file.name}: words come before the first number of a topic")
        else:
            topics[-1][1].append((_plain(word) if escaped else word, float(weight)))
    return Topics(
        tuple(
            Topic(identity, tuple(word for word, _ in terms), tuple(one for _, one in terms))
            for identity, terms in topics
            if terms  # a log speaks of topics by number elsewhere too
        ),
        model=parts.name,
    )


def _pieces(text: str) -> list[tuple[int | None, str, str]]:
    """Return ids of topics and weighted words in their order."""
    found: list[tuple[int | None, str, str]] = []
    for piece in _PIECE.finditer(text):
        number = piece[3] or piece[4] or piece[5]
        found.append((int(number), "", "") if number else (None, piece[1], piece[2]))
    return found


def _lines(text: str) -> list[tuple[int | None, str, str]]:
    """Number the lines that hold words, where nothing else does."""
    found: list[tuple[int | None, str, str]] = []
    number = 0
    for line in text.split("\n"):
        terms = [(None, piece[1], piece[2]) for piece in _FIRST.finditer(line)]
        if terms:
            found += [(number, "", ""), *terms]
            number += 1
    return found


def _plain(word: str) -> str:
    """Undo how Python shows a string."""
    return re.sub(r"\\(['\\])", r"\1", word)
