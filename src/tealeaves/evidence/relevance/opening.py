"""Files of relevance as a user names them; what is none is told in one line."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from tealeaves.archives import read_header
from tealeaves.errors import InputError
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.storage import load_relevance

_ARCHIVE = b"PK"  # how all archives begin


class _Stamp(msgspec.Struct):
    improved: bool = True


class _Content(msgspec.Struct):
    stamp: _Stamp


class _Header(msgspec.Struct):
    content: _Content


def has_improved(name: str | os.PathLike[str]) -> bool:
    """Tell whether a file of relevance has Improved LRP; only its header is read."""
    try:
        header = msgspec.json.decode(read_header(name, "relevance"), type=_Header)
    except (InputError, msgspec.DecodeError):
        return False  # what is wrong with it is said when it is opened
    return header.content.stamp.improved


def open_relevance(name: str | os.PathLike[str]) -> Relevance:
    """Read a file of relevance; a folder, or a file of another kind, is told as such."""
    path = Path(name)
    if path.is_dir():
        from tealeaves.evidence.relevance.classifier.storage import is_classifier

        what = "a classifier" if is_classifier(path) else "a folder"
        raise InputError(f"{name}: {what}: give a file of relevance")
    try:
        with path.open("rb") as file:
            begins = file.read(len(_ARCHIVE))
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file of relevance") from error
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
    if begins != _ARCHIVE:
        raise InputError(f"{name}: not a file of relevance (`tealeaves relevance gather` makes it)")
    return load_relevance(path)
