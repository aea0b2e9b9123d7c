"""Pieces: a long text is split piece by piece, into the same tokens as if it were split at once.

A piece ends only where no step of a pipeline looks across: neither lower case, normal form C, the
rules of ICU nor what is recognised in HTML. A text that has no such place is one piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from tealeaves.text.html import html_slices

if TYPE_CHECKING:
    from tealeaves.text.pipeline import Pipeline

PIECE_SIZE = 1 << 20

_WHITE = r"[ \t\n]"
_STOPS = "。！？、"
_COMMA = "，"
_LETTERS = r"\p{Lu}\p{Ll}\p{Lt}\p{Lo}"
# what may end a piece: the last character of it, and sometimes the first one after it
_ENDS = {
    "tokens": _WHITE,
    "words": rf"{_WHITE}|[{_STOPS}{_COMMA}]",
    "characters": rf"{_WHITE}|[{_STOPS}{_COMMA}]",
    # ICU breaks after a line break in any case, after other signs unless a mark follows; a comma
    # may be inside a number
    "icu": rf"\n|[ {_STOPS}](?=[{_LETTERS}\p{{Nd}}])|{_COMMA}(?=[{_LETTERS}])",
}


def piece_splitter(
    pipeline: Pipeline, size: int = PIECE_SIZE
) -> Callable[[Iterable[str]], Iterator[list[str]]]:
    """Return the function from the slices of a text to the tokens of its pieces.

    Slices are consecutive parts of any length.
    """
    split = msgspec.structs.replace(pipeline, html=False).tokenizer()

    def split_pieces(slices: Iterable[str]) -> Iterator[list[str]]:
        if pipeline.html:
            slices = html_slices("".join(slices), size)
        return map(split, pieces(slices, pipeline.kind))

    return split_pieces


def pieces(slices: Iterable[str], kind: str) -> Iterator[str]:
    """Join the slices of a text to pieces that can be split by themselves.

    >>> list(pieces(["tea le", "aves of ", "tea"], "words"))
    ['tea ', 'leaves of ', 'tea']
    """
    find_end = _end_finder(kind)
    waiting: list[str] = []
    for text in slices:
        end = find_end(text)
        if end is None:
            waiting.append(text)
        else:
            yield "".join([*waiting, text[: end.end()]])
            waiting = [text[end.end() :]]
    yield "".join(waiting)


@cache
def _end_finder(kind: str) -> Callable[[str], Any]:
    """Return the function that finds the last place where a piece may end."""
    import regex

    search: Callable[[str], Any] = regex.compile(f"(?r){_ENDS[kind]}").search
    return search
