"""What a block of shell commands says, command by command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

_QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.""", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#.*$", re.MULTILINE)


class Command(NamedTuple):
    """A command as it is written, and its line in the block, from 0."""

    line: int
    text: str

    @property
    def is_plain(self) -> bool:
        """Whether it is one program and its arguments, without pipes, files or a list."""
        return not re.search(r"[|;<>&()`]|\$\(", _blanked(self.text))

    @property
    def words(self) -> list[str]:
        """The words as they are written, quotes taken off and nothing expanded."""
        return shlex.split(self.text)


def commands(text: str) -> Iterator[Command]:
    """Return the commands of a block: lines joined at ``\\``, comments dropped, split at ``&&``."""
    waiting, start = "", 0
    for number, line in enumerate(text.splitlines()):
        start = start if waiting else number
        waiting += line
        if _is_open(waiting):
            waiting = f"{waiting}\n"
            continue
        bare = _without_comment(waiting)
        if bare.rstrip().endswith("\\"):
            waiting = bare.rstrip()[:-1]
            continue
        for part in _split(bare):
            yield Command(start, part)
        waiting = ""
    if waiting.strip():
        raise ValueError(f"line {start + 1} of the block does not end: {waiting.strip()}")


def _blanked(text: str) -> str:
    """Return the text with what is quoted put out of sight, in its place."""
    return _QUOTED.sub(lambda found: "_" * len(found.group()), text)


def _is_open(text: str) -> bool:
    """Whether a quote is still open at the end."""
    return bool(re.search("['\"]", _COMMENT.sub("", _blanked(text))))


def _without_comment(text: str) -> str:
    comment = _COMMENT.search(_blanked(text))
    return text[: comment.start()] if comment else text


def _split(text: str) -> list[str]:
    """Return the parts between ``&&``, without those that are empty."""
    blanked, parts, start = _blanked(text), [], 0
    for found in re.finditer("&&", blanked):
        parts.append(text[start : found.start()])
        start = found.end()
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]
