"""Files of relevance as a user names them; what is none is told in one line."""

from __future__ import annotations

import os
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.storage import RELEVANCE, load_relevance

_ARTIFACT = b"PK"  # how all artifacts begin


def has_improved(name: str | os.PathLike[str]) -> bool:
    """Tell whether a file of relevance has Improved LRP; only its header is read."""
    try:
        return RELEVANCE.load_content(name).stamp.improved
    except InputError:
        return False  # opening the file says what is wrong with it


def open_relevance(name: str | os.PathLike[str]) -> Relevance:
    """Read a file of relevance; a folder, or a file of another kind, is told as such."""
    path = Path(name)
    if path.is_dir():
        from tealeaves.evidence.relevance.classifier.storage import is_classifier

        what = "a classifier" if is_classifier(path) else "a folder"
        raise InputError(f"{name}: {what}: give a file of relevance")
    try:
        with path.open("rb") as file:
            begins = file.read(len(_ARTIFACT))
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file of relevance") from error
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
    if begins != _ARTIFACT:
        raise InputError(f"{name}: not a file of relevance (`tealeaves relevance gather` makes it)")
    return load_relevance(path)
