"""Files that can always be made again, kept between runs where there is a place for them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.files import atomic_write, user_cache

_DIGEST = 16
_KEPT = 8


def cached(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    """Return what ``make`` returned when it was last called for this name and key.

    A file that is damaged is made again; where nothing can be written, it is made each time.
    """
    file = _file(name, key)
    for folder in _folders():
        found = _read(folder / file)
        if found is not None:
            return found
    made = make()
    for folder in _folders():
        if _write(folder / file, made):
            break
    return made


@cache
def file_digest(file: str) -> str:
    """Return a hash of a source file, for keys."""
    path = Path(file)
    content = path.read_bytes() if path.is_file() else file.encode()
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def is_cached(name: str, key: str) -> bool:
    """Whether ``cached`` would not have to make anything."""
    return any(os.path.isfile(folder / _file(name, key)) for folder in _folders())  # noqa: PTH113  # no error


def _file(name: str, key: str) -> str:
    return f"{name}-{hashlib.blake2b(key.encode(), digest_size=8).hexdigest()}"


def _folders() -> list[Path]:
    """Name the places in the order of preference: the user's choice, the package, the home."""
    own = [place] if (place := user_cache()) else []
    if os.environ.get("TEALEAVES_CACHE"):
        return own
    return [Path(__file__).parent / "__pycache__", *own]


def _read(path: Path) -> bytes | None:
    try:
        stored = path.read_bytes() if _is_trusted(path) else b""
    except OSError:
        return None
    digest, content = stored[:_DIGEST], stored[_DIGEST:]
    return content if digest == hashlib.blake2b(content, digest_size=_DIGEST).digest() else None


def _is_trusted(path: Path) -> bool:
    """Whether a file is from us, from root or from whoever installed the package: it is code."""
    if not hasattr(os, "geteuid"):
        return True
    state = path.stat()
    trusted = {os.geteuid(), 0, Path(__file__).stat().st_uid}
    return state.st_uid in trusted and not state.st_mode & stat.S_IWOTH


def _write(path: Path, content: bytes) -> bool:
    digest = hashlib.blake2b(content, digest_size=_DIGEST).digest()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as stream:
            stream.write(digest + content)
        _forget_old(path)
    except (OSError, InputError):
        return False
    return True


def _forget_old(path: Path) -> None:
    """Keep of each name only the newest few: for other processors, other versions."""
    name = path.name.rpartition("-")[0]
    kept = sorted(path.parent.glob(f"{name}-*"), key=lambda one: one.stat().st_mtime)
    for old in kept[:-_KEPT]:
        old.unlink(missing_ok=True)
