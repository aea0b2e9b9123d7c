"""gensim: the lines of ``print_topics``, in a log, printed, or written by hand."""

from __future__ import annotations

import re

from tealeaves.errors import InputError
from tealeaves.topics.assembly import TopicsOptions, weighted_topic
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.topics import Topics

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_TIMES = r"\s?\*\s?"
# 0.030*"word" before the next, the end of a string, or the end of the line
_END = rf"""(?=\s*(?:\+\s*{_NUMBER}{_TIMES}|['")\]]|$))"""
_TERM = rf"""(?<![\w".*])({_NUMBER}){_TIMES}"(.{{1,200}}?)"{_END}"""
_ID = r"\((\d{1,9}),\s*['\"]|[Tt]opic\s*(?:#|:)?\s*(\d{1,9})|^\s*(\d{1,9})\s*[:,\t]"
_WEIGHTED_WORD = re.compile(_TERM, re.MULTILINE)
_WORD_OR_ID = re.compile(f"{_TERM}|{_ID}", re.MULTILINE)

_Piece = tuple[int | None, str, str]  # the id of a topic, or the weight and the word


def is_gensim_print(file: TopicsSource) -> bool:
    """Recognise a weight, a star and a quoted word in one of the first lines."""
    return any(_WEIGHTED_WORD.search(line) for line in file.lines[:50])


def read_gensim_print(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the words and weights of each topic, and its id if there is one."""
    text = file.text().replace("\r\n", "\n")
    escaped = re.search(r"\(\d+,\s*'", text) is not None  # strings as Python shows them
    if escaped:  # Python shows a long string in several pieces, one per line
        text = re.sub(r"'\n\s*'", "", text)
    has_ids = any(_id_of(match) for match in _WORD_OR_ID.finditer(text))
    topics: list[tuple[int, list[tuple[str, float]]]] = []
    for identity, weight, word in _pieces(text) if has_ids else _pieces_by_line(text):
        if identity is not None:
            topics.append((identity, []))
        elif not topics:
            raise InputError(f"{file.name}: words come before the first number of a topic")
        else:
            plain = re.sub(r"\\(['\\])", r"\1", word) if escaped else word
            topics[-1][1].append((plain, float(weight)))
    # a log mentions topics by number elsewhere, too, without words
    return Topics(
        tuple(weighted_topic(identity, pairs) for identity, pairs in topics if pairs),
        model=options.name,
    )


def _pieces(text: str) -> list[_Piece]:
    """Return the ids of topics and the weighted words in their order."""
    pieces: list[_Piece] = []
    for match in _WORD_OR_ID.finditer(text):
        number = _id_of(match)
        pieces.append((int(number), "", "") if number else (None, match[1], match[2]))
    return pieces


def _pieces_by_line(text: str) -> list[_Piece]:
    """Number the lines that have words, where topics have no ids."""
    pieces: list[_Piece] = []
    number = 0
    for line in text.split("\n"):
        words = [(None, match[1], match[2]) for match in _WEIGHTED_WORD.finditer(line)]
        if words:
            pieces += [(number, "", ""), *words]
            number += 1
    return pieces


def _id_of(match: re.Match[str]) -> str | None:
    return match[3] or match[4] or match[5]


GENSIM_PRINT = TopicsFormat("topics printed by gensim", is_gensim_print, read_gensim_print)
