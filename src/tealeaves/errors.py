"""What can go wrong, said in one line that names the place and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TealeavesError(Exception):
    """Anything tealeaves raises on purpose."""


class InputError(TealeavesError, ValueError):
    """A file, word, parameter or option that cannot be used as given."""


class MissingExtraError(TealeavesError, ImportError):
    """A feature whose optional packages are not installed."""


class EvidenceError(TealeavesError):
    """Evidence that does not fit: counted twice, of another text, or never asked for."""


class TealeavesWarning(UserWarning):
    """Something was mended or left out; the message says what."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return a hint for a mistyped name, or an empty string.

    >>> did_you_mean("npim", ["npmi", "umass"])
    '; did you mean npmi?'
    """
    spelled = {name.lower(): name for name in known}
    close = difflib.get_close_matches(wrong.lower(), spelled, n=1, cutoff=0.6)
    return f"; did you mean {spelled[close[0]]}?" if close else ""
