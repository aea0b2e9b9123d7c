"""Stop words: lists of stopwordsiso, or a file with one word per line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.files import decode_text
from tealeaves.text.tokenizers import normalize

_CODES = re.compile(r"[A-Za-z_-]+(\+[A-Za-z_-]+)*")
#: The lists that the user named in this process, with the files among them.
_NAMED: set[str] = set()


def name_list(name: str) -> None:
    """Remember that the user named a list, in a command or a call: its files may be opened."""
    _NAMED.add(name)


def named_lists() -> list[str]:
    """Return the lists with files that the user named in this process."""
    return sorted(name for name in _NAMED if not _CODES.fullmatch(name))


def opens_unnamed_files(name: str) -> bool:
    """Tell whether a list, named by a file that was read, has files that the user did not name.

    >>> opens_unnamed_files("en+es"), opens_unnamed_files("en+/home/me/letter.txt")
    (False, True)
    """
    return not _CODES.fullmatch(name) and name not in _NAMED


def stopword_set(name: str) -> frozenset[str]:
    """Return the stop words of a language, of a ``.txt`` file, or of several joined by ``+``."""
    parts = [name] if Path(name).is_file() else name.split("+")
    lists = (
        _read_list(Path(part)) if part.endswith(".txt") else _list_of_language(part)
        for part in parts
    )
    return frozenset().union(*lists)


def stopword_digest(name: str) -> str:
    """Return a short hash of the list, for signatures."""
    joined = "\n".join(sorted(stopword_set(name)))
    return hashlib.blake2b(joined.encode(), digest_size=4).hexdigest()


def _read_list(path: Path) -> frozenset[str]:
    if not path.is_file():
        raise InputError(f"{path}: no such file of stop words")
    lines = decode_text(path.read_bytes(), str(path)).splitlines()
    return _normalize_all(line.strip() for line in lines if line.strip())


@lru_cache(maxsize=64)
def _list_of_language(code: str) -> frozenset[str]:
    package = require("stopwordsiso", extra="langs", reason="the option stopwords")
    if not package.has_lang(code):
        known = sorted(package.langs())
        hint = did_you_mean(code, known)
        raise InputError(
            f"no stop words for the language {code!r}{hint} (known: {' '.join(known)})"
        )
    return _normalize_all(package.stopwords(code))


def _normalize_all(words: Iterable[str]) -> frozenset[str]:
    return frozenset(normalize(word, lower=True) for word in words)
