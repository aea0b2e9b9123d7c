"""Stop words: lists of stopwordsiso, or a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from tealeaves.errors import InputError, did_you_mean
from tealeaves.extras import require
from tealeaves.text.tokenizers import normal


def stopword_set(name: str) -> frozenset[str]:
    """Return the stop words of a name: a language, a ``.txt`` file, or several joined by ``+``."""
    parts = [name] if Path(name).is_file() else name.split("+")
    lists = [
        _from_file(Path(part)) if part.endswith(".txt") else _of_language(part) for part in parts
    ]
    return lists[0] if len(lists) == 1 else frozenset().union(*lists)


def stopword_digest(name: str) -> str:
    """Return a short hash of the list, for signatures."""
    joined = "\n".join(sorted(stopword_set(name)))
    return hashlib.blake2b(joined.encode(), digest_size=4).hexdigest()


def _from_file(path: Path) -> frozenset[str]:
    if not path.is_file():
        raise InputError(f"{path}: no such stop-word file")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: invalid UTF-8 at byte {error.start}") from error
    return _normalised(line.strip() for line in lines if line.strip())


@lru_cache(maxsize=64)
def _of_language(code: str) -> frozenset[str]:
    package = require("stopwordsiso", extra="langs", reason="the option stopwords")
    if not package.has_lang(code):
        known = sorted(package.langs())
        hint = did_you_mean(code, known)
        raise InputError(
            f"no stop words for the language {code!r}{hint}: known are {' '.join(known)}"
        )
    return _normalised(package.stopwords(code))


def _normalised(words: Iterable[str]) -> frozenset[str]:
    return frozenset(normal(word, lower=True) for word in words)
