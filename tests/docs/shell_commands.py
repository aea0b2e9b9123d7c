"""The commands in a block of shell code."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

_QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.""", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#.*$", re.MULTILINE)


class Command(NamedTuple):
    """A command as it is written, and its line in the block, counted from 0."""

    line: int
    text: str

    @property
    def is_plain(self) -> bool:
        """Whether it is one program with arguments, without pipes or redirection."""
        return not re.search(r"[|;<>&()`]|\$\(", _blanked(self.text))

    @property
    def words(self) -> list[str]:
        """The words without their quotes; nothing is expanded."""
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
    """Return the text with underscores in the place of quoted parts."""
    return _QUOTED.sub(lambda match: "_" * len(match.group()), text)


def _is_open(text: str) -> bool:
    """Return whether a quote is still open at the end."""
    return bool(re.search("['\"]", _COMMENT.sub("", _blanked(text))))


def _without_comment(text: str) -> str:
    comment = _COMMENT.search(_blanked(text))
    return text[: comment.start()] if comment else text


def _split(text: str) -> list[str]:
    """Return the non-empty parts between ``&&``."""
    blanked, parts, start = _blanked(text), [], 0
    for match in re.finditer("&&", blanked):
        parts.append(text[start : match.start()])
        start = match.end()
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]
