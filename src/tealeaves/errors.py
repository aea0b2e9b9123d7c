"""Errors and warnings. A message is one line: what is wrong, where, and what to do."""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CANDIDATES = 20  # names that are compared letter by letter


class TealeavesError(Exception):
    """The base class of all errors that tealeaves raises."""


class InputError(TealeavesError, ValueError):
    """A file, word, parameter or option that cannot be used."""


class MissingExtraError(TealeavesError, ImportError):
    """An optional package that is not installed."""


class EvidenceError(TealeavesError):
    """Evidence that cannot be used: counted twice, of other texts, or never requested."""


class TealeavesWarning(UserWarning):
    """Something was corrected or left out; the message says what."""


# of this thread: where warnings go instead
_collector: ContextVar[list[str] | None] = ContextVar("warnings of tealeaves", default=None)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect the warnings of this thread; the filters of Python, which threads share, stay."""
    collected: list[str] = []
    token = _collector.set(collected)
    try:
        yield collected
    finally:
        _collector.reset(token)


def warn_caller(message: str) -> None:
    """Warn at the line outside of tealeaves that called it."""
    if (collector := _collector.get()) is not None:
        collector.append(message)
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_own(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, TealeavesWarning, stacklevel=level)


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == "tealeaves"


@contextmanager
def errors_about(subject: str, name: str) -> Iterator[None]:
    """Let the messages of input errors start with a subject instead of a name."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{subject}: {str(error).removeprefix(f'{name}: ')}") from error


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return a hint for a mistyped name, or an empty string.

    >>> did_you_mean("npim", ["npmi", "umass"])
    '; did you mean npmi?'
    >>> did_you_mean("hnad", ["had", "hand", "ohad"])
    '; did you mean hand?'
    """
    spelled = {name.lower(): name for name in known}
    typed = wrong.lower()
    close = difflib.get_close_matches(typed, spelled, n=_CANDIDATES, cutoff=0.6)
    if not close:
        return ""
    # the most likely error is letters in another order, the least likely a wrong first letter
    best = min(
        close,
        key=lambda name: (
            _typing_errors(typed, name),
            sorted(name) != sorted(typed),
            name[:1] != typed[:1],
            close.index(name),
        ),
    )
    return f"; did you mean {spelled[best]}?"


def _typing_errors(typed: str, meant: str) -> int:
    """Count added, missing, wrong and swapped letters (the distance of Damerau and Levenshtein).

    >>> _typing_errors("hnad", "hand"), _typing_errors("hnad", "ohad")
    (1, 2)
    """
    above: list[int] = []
    row = list(range(len(meant) + 1))
    for i, letter in enumerate(typed, 1):
        before, above, row = above, row, [i]
        for j, other in enumerate(meant, 1):
            least = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == meant[j - 2] and typed[i - 2] == other:
                least = min(least, before[j - 2] + 1)
            row.append(least)
    return row[-1]
