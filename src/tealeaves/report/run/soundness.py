"""Text that can be written: names of files may hold bytes that are no text."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tealeaves.report.run.record import Run

_HALVES = re.compile("[\\ud800-\\udfff]")


def sound_text(text: str) -> str:
    """Replace halves of characters, which no encoding knows.

    >>> sound_text("caf\\udce9") == "caf\\ufffd"
    True
    """
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)


def sound_run(run: Run) -> Run:
    """Return a run that can be written; most can be as they are."""
    try:
        msgspec.json.encode(run)
    except UnicodeEncodeError:
        return msgspec.convert(_sound(msgspec.to_builtins(run)), Run)
    return run


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return sound_text(value)
    if isinstance(value, dict):
        return {sound_text(key): _sound(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_sound(one) for one in value]
    return value
